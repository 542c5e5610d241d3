"""A club's year: two seasons of one series, 26 evenings, a tournament, two lists, three people without a phone.

Everything is tapped on pages or answered by mail, on a moved clock; what the house says is compared with a book of the
test's own: reminders, each evening's sheet and files, what is owed, tournament, standings, histories, and what is
corrected, before the seasons close and after. It is run by `make year`; no day of the tests has it. Another year is
played by `SEED_YEAR=2028 make year`; without it always the same one.
"""

from __future__ import annotations

import os
import random
import re
from datetime import date, datetime, timedelta

import pytest
from django.urls import reverse

from tests.club import cups, evenings, forms, lists
from tests.club.clock import Clock
from tests.club.evenings import PHONES, WITHOUT
from tests.club.world import ZONE, Club
from tests.mails.conftest import Server, server  # noqa: F401 (a fixture)

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(1800)]
FIRST = date(2027, 1, 7)
BEGIN = datetime(2027, 1, 2, 12, tzinfo=ZONE)
WEEKS = 26
LISTS = {5: (4, 5), 8: (4, 5, 8)}
"""The weeks after whose evening the secretary takes in a list, and the evenings in it: they were held elsewhere."""
WRONG = 5
"""The week of which the first list says something else than the second one."""
MONEY = (1, 6, 11, 16, 21)
OBJECTED, CUP, TURN = 6, 10, 12
"""The weeks in which somebody objects, the tournament is played, and the next season is begun."""
BETWEEN = {14: 0, 15: 1, 16: None}
"""The weeks between the two seasons, and the season into which their organiser takes them."""
ITSELF, NOBODY = 17, 18
"""The week from which on nights open by themselves, and the one to whose night nobody comes."""
CORRECTED = {7: True, 9: False}
"""The weeks after which a game is corrected: by the host, or by a player."""
HOSTS = {19: "Anna", 20: "Bert"}
"""The hosts of nights to which the organisers before them do not come."""


def test_a_clubs_year_is_as_its_book_says(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:  # noqa: F811
    club = Club(Clock(monkeypatch, BEGIN), server, random.Random(os.environ.get("SEED_YEAR", "2027")))
    for name in PHONES:
        club.arrive(name)
    seasons = [begin_series(club)]
    for week in range(WEEKS):
        day = FIRST + timedelta(weeks=week)
        if week == ITSELF:
            let_open_by_itself(club)
        if week in LISTS[8]:
            for _box, points in evenings.games_of(club):
                club.book.note(day, points)
        else:
            hold(club, day, week)
        if week in LISTS:
            take_list(club, seasons[0], LISTS[week])
        if week in CORRECTED:
            correct(club, day, by_host=CORRECTED[week])
        if week == TURN:
            seasons.append(begin_next(club, seasons[0]))
        if week in BETWEEN:
            place(club, seasons, day, BETWEEN[week])
        compare(club, seasons, day)
    end(club, seasons)
    assert not club.differences, "\n".join(club.differences)


def begin_series(club: Club) -> str:
    """Make the series with its season, as its form proposes it; return the season's public id."""
    typed = {"name": "Club", "weekday": "3", "counts": "chouette:points", "first_day": FIRST.isoformat()}
    page = club.fill("Olga", reverse("series_new"), having="form_id", **typed)
    found = re.search(r"/series/([\w-]+)/", page)
    season = re.search(r"/season/([a-z0-9]+)/", page)
    assert found is not None and season is not None, page
    club.series = found[1]
    club.book.spans.append(days_of(club, season[1]))
    for name in ("Anna", "Bert"):
        club.tap("Olga", reverse("season_act", args=[season[1], "open_entry"]))
        link = re.search(rf"/season/{season[1]}/in/[\w-]+/", club.see("Olga", reverse("season", args=[season[1]])))
        assert link is not None
        club.tap(name, link[0])
    return season[1]


def days_of(club: Club, season: str) -> tuple[date, date]:
    """Return the first and last day of a season, as its form says them."""
    form = forms.form(club.see("Olga", reverse("season_change", args=[season])), "", "first_day")
    assert form is not None
    return date.fromisoformat(form["first_day"][0]), date.fromisoformat(form["last_day"][0])


def let_open_by_itself(club: Club) -> None:
    """Let nights open by themselves, and name who hosts them without the organiser."""
    where = reverse("series", args=[club.series])
    club.fill("Olga", reverse("series_change", args=[club.series]), having="form_id", opens="on", game="chouette")
    page = club.see("Olga", where)
    club.tap("Olga", f"{where}do/second/", player=forms.options(page, "/do/second/", "player")["Anna"])
    people = forms.options(club.see("Olga", where), "/do/evening_hosts/", "players")
    club.tap("Olga", f"{where}do/evening_hosts/", players=[people["Bert"], people["Cora"], ""])


# Evenings


def hold(club: Club, day: date, week: int) -> None:
    """Hold an evening: reminders, answers, the night, its games, its end."""
    club.sleep_until(day - timedelta(days=1))
    host, coming = who_comes(club, week)
    mails = club.remind(day)
    # Who was never there gets no mail: they answer on the page of the date.
    assert sorted(mails) == (sorted(PHONES) if week else ["Olga"]), (day, sorted(mails))
    evenings.answer(club, day, coming, mails)
    if week >= ITSELF:
        evenings.opens_by_itself(club, day, host, () if week == NOBODY else coming)
    else:
        evenings.open_by_hand(club, day, host, coming)
    if week == NOBODY:
        evenings.nobody_comes(club, day)
        return
    play(club, day, week)
    evenings.close(club, day)


def who_comes(club: Club, week: int) -> tuple[str, list[str]]:
    """Return the host of a week's night, and who comes."""
    if week == NOBODY:
        return "Bert", ["Bert"]
    if week in HOSTS:
        return HOSTS[week], [name for name in PHONES if name >= HOSTS[week] and name != "Olga"]
    stays = club.rng.choice(("", "", "Cora", "Dirk")) if week not in (0, CUP) else ""
    return "Olga", [name for name in PHONES if name != stays]


def play(club: Club, day: date, week: int) -> None:
    """Play the games of an evening."""
    if week == MONEY[-1]:
        club.tap("Olga", f"{club.date_page(day)}do/mark/", name=WITHOUT[0], says="yes")
        with evenings.playing_for_money(club, day, *WITHOUT[:2]):
            enter_games(club, day, evenings.CENTS)
    else:
        enter_games(club, day, 0)
    if week in MONEY[:-1]:
        with evenings.playing_for_money(club, day, *club.rng.sample(WITHOUT, 2)):
            pass
    if week == OBJECTED:
        assert evenings.object_to_one(club, day)
    if week == CUP:
        cup = cups.Cup(club)
        cup.play()
        cup.compare(day)
    if week in MONEY:
        club.check("owed", day, club.owed(club.host), club.book.owed(day))
        evenings.tick(club)


def enter_games(club: Club, day: date, cents: int) -> None:
    """Enter two games of an evening whose points are worth so many cents, and let everybody agree."""
    for box, points in evenings.games_of(club):
        author = club.rng.choice([name for name in points if name in PHONES])
        evenings.enter(club, author, day, points, box, cents)
        evenings.agree(club)


def take_list(club: Club, season: str, weeks: tuple[int, ...]) -> None:
    """Take in a list of the secretary: the first one has a slip, which the second one, of all evenings, replaces."""
    days = [FIRST + timedelta(weeks=week) for week in weeks]
    wrong = club.book.evenings[FIRST + timedelta(weeks=WRONG)]
    if weeks == LISTS[5]:
        first, second = sorted(wrong[0])[:2]
        wrong.append({first: 1, second: -1})
        lists.take_in(club, season, {day: club.book.of_evening(day) for day in days}, set())
    else:
        del wrong[-1]
        lists.take_in(club, season, {day: club.book.of_evening(day) for day in days}, {days[1]})


# Seasons


def begin_next(club: Club, season: str) -> str:
    """Begin the next season by one tap on the page of the series, and let it begin later; return its public id."""
    where = reverse("series", args=[club.series])
    assert all("Begin the next season" in club.see("Olga", page) for page in (where, reverse("home")))
    club.post()
    club.tap("Olga", reverse("season_act", args=[season, "begin_next"]))
    assert "Begin the next season" not in club.see("Olga", where)
    assert club.asked == {"Olga": 1}, "its organiser was asked once by mail"
    found = re.search(r"/season/([a-z0-9]+)/", club.see("Olga", reverse("season", args=[season])).replace(season, ""))
    assert found is not None
    first, last = days_of(club, found[1])
    assert first == club.book.spans[0][1] + timedelta(days=1)
    begin = FIRST + timedelta(weeks=max(BETWEEN), days=1)
    club.fill("Olga", reverse("season_change", args=[found[1]]), having="first_day", first_day=begin.isoformat())
    club.book.spans.append((begin, last))
    for name, act in (("Anna", "enter"), ("Bert", "decline")):
        assert "you were counted in at the one before" in forms.said(club.see(name, reverse("seasons")))
        club.tap(name, reverse("season_act", args=[found[1], act]))
    return found[1]


def place(club: Club, seasons: list[str], day: date, number: int | None) -> None:
    """Take a night between the two seasons into one of them, or into none."""
    page = club.see("Olga", reverse("season", args=[seasons[1]]))
    form = forms.form(page, "/do/place/", club.nights[day])
    assert form is not None, "nights between two seasons are named"
    club.check("night in neither season", day, club.standing("Olga", seasons[0]), club.book.standing(0))
    into = "" if number is None else seasons[number]
    club.tap("Olga", reverse("season_act", args=[seasons[1], "place"]), **{**form, "into": into})
    club.book.placed[day] = number


def compare(club: Club, seasons: list[str], day: date) -> None:
    """Compare what the house says of an evening and its seasons with the book."""
    if day in club.nights and club.book.evenings[day]:
        club.check("sheet", day, club.sheet(club.host), club.book.of_evening(day))
        club.check("owed", day, club.owed(club.host), club.book.owed(day))
    if day in (FIRST + timedelta(weeks=week) for week in LISTS[8] if week not in LISTS):
        # The secretary has it alone.
        return
    for number, season in enumerate(seasons):
        club.check(f"season {number + 1}", day, club.standing("Olga", season), club.book.standing(number))
        nights = dict.fromkeys(club.columns("Olga", season), "")
        club.check(f"nights of season {number + 1}", day, nights, dict.fromkeys(club.book.days(number), ""))


def correct(club: Club, day: date, *, by_host: bool) -> None:
    """Let a game of a day be corrected: by its host at once, by a player when whom it lowers has agreed."""
    game = next(game for game in club.book.evenings[day] if len(game) > 2)
    first, second, *_ = [name for name in game if name in PHONES and name != "Olga"]
    raised = next(name for name in game if name in WITHOUT)
    moves = {raised: 1, first: -1}
    evenings.correct(club, day, "Olga" if by_host else second, moves, agrees="" if by_host else first)


def end(club: Club, seasons: list[str]) -> None:
    """Let the seasons end by themselves; a correction after that is told, and changes no final standing."""
    for _ in range(25):
        club.sleep_until((club.now() + timedelta(days=1)).date())
    pages = [reverse("season", args=[season]) for season in seasons]
    assert all("The standing is final." in club.see("Olga", page) for page in pages)
    compare(club, seasons, FIRST + timedelta(weeks=WEEKS - 1))
    before = [club.standing("Olga", season) for season in seasons]
    correct(club, FIRST, by_host=True)
    for number, season in enumerate(seasons):
        club.check(f"final season {number + 1}", FIRST, club.standing("Olga", season), before[number])
    told = ["A later correction would have changed this standing." in club.see("Olga", page) for page in pages]
    assert told == [True, False]
    compare_histories(club)


def compare_histories(club: Club) -> None:
    """Compare the sheets of all nights, and what each person with a phone has in each game, with the book."""
    for minute, (day, night) in enumerate(club.nights.items()):
        # The house gives each person so many files a minute.
        club.at(club.now().date(), 12, minute)
        if club.book.evenings[day]:
            club.check("sheet at the end", day, club.sheet("Bert", night), club.book.of_evening(day))
    for name in PHONES:
        club.at(club.now().date() + timedelta(days=1), 12)
        days = {night: club.book.of_person(name, [day]) for day, night in club.nights.items()}
        wanted = {night: points for night, points in days.items() if points}
        club.check(f"history of {name}", FIRST, club.history(name), wanted)
