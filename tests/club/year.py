"""A club's year: two seasons of one series, 26 evenings, a tournament, two lists, three people without a phone.

Everything is tapped on pages or answered by mail, on a moved clock; what the house says is compared with a book of the
test's own: reminders, each evening's sheet, what is owed, standings, and what a correction after closing changes. It is
run by `make year`; no day of the tests has it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

import pytest
from django.urls import reverse

from games.services import form_ids
from tests.club.clock import Clock
from tests.club.world import ZONE, Club, Game
from tests.mails.conftest import Server, server  # noqa: F401 (a fixture)
from tests.web.pages import read

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(1800)]
FIRST = date(2027, 1, 7)
BEGIN = datetime(2027, 1, 2, 12, tzinfo=ZONE)
WEEKS = 26
PHONES = ("Olga", "Anna", "Bert", "Cora", "Dirk")
WITHOUT = ("Opa Karl", "Käthe", "Zoë")
BY_LIST = {4: 0, 5: 0, 8: 1}
"""The weeks that were held without the house, and the list of the secretary that brings each."""
TOURNAMENT = 10
TURN = 13
"""The week in which the second season begins."""


def last_of(number: int) -> int:
    """Return the last week of a list: then the secretary takes it in."""
    return max(week for week, of in BY_LIST.items() if of == number)


def games_of(week: int, rng: random.Random) -> Iterator[tuple[str, Game]]:
    """Yield two games of an evening: who was Box, and the points of everybody."""
    for _ in range(2):
        here = [*rng.sample(PHONES, 3), *rng.sample(WITHOUT, 2)]
        box, others = here[0], here[1:]
        points = {name: rng.choice((-1, 1)) * rng.choice((1, 2, 4)) for name in others}
        yield box, {box: -sum(points.values()), **points}


def test_a_clubs_year_is_as_its_book_says(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:  # noqa: F811
    rng = random.Random(2027)
    clock = Clock(monkeypatch, BEGIN)
    club = Club(clock, server)
    for name in PHONES:
        club.arrive(name)
    seasons = [begin_series(club)]
    for week in range(WEEKS):
        day = FIRST + timedelta(weeks=week)
        if week == TURN:
            seasons.append(begin_season(club, day))
        if week in BY_LIST:
            for box, points in games_of(week, rng):
                del box
                club.book.note(day, points)
        else:
            hold(club, day, week, rng)
        for number in (0, 1):
            if week == last_of(number):
                take_list(club, seasons[0], number)
        if week not in BY_LIST or week == last_of(BY_LIST[week]):
            compare(club, seasons, day)
    close(club, seasons)


def begin_series(club: Club) -> str:
    """Make the series with its season, as its form proposes it; return the season's public id."""
    where = reverse("series_new")
    form = read(club.see("Olga", where))
    typed = {tag.attrs["name"]: tag.attrs.get("value", "") for tag in form.all("input") if "name" in tag.attrs}
    typed = {name: value for name, value in typed.items() if name not in ("listed", "names", "csrfmiddlewaretoken")}
    typed |= {
        "name": "Club",
        "weekday": "3",
        "start": "19:30",
        "counts": "chouette:points",
        "first_day": FIRST.isoformat(),
    }
    page = club.tap("Olga", where, **typed)
    found = re.search(r"/series/([\w-]+)/", page)
    season = re.search(r"/season/([a-z0-9]+)/", page)
    assert found is not None and season is not None, page
    club.series = found[1]
    return season[1]


def begin_season(club: Club, day: date) -> str:
    """Make the second season."""
    sent = {"name": "Club 2", "first_day": day.isoformat(), "last_day": (day + timedelta(weeks=13)).isoformat()}
    page = club.tap("Olga", reverse("season_new"), **sent, counts="chouette:points", preset="")
    found = re.search(r"/season/([a-z0-9]+)/", page)
    assert found is not None, page
    return found[1]


def hold(club: Club, day: date, week: int, rng: random.Random) -> None:
    """Hold an evening: reminders, answers, the night, its games, its end."""
    club.sleep_until(day - timedelta(days=1))
    mails = club.remind(day)
    # Who was never there gets no mail: they answer on the page of the date.
    assert sorted(mails) == (sorted(PHONES) if week else ["Olga"]), (day, sorted(mails))
    for name in PHONES:
        if name in mails:
            club.answer_by_mail(name, mails[name], "yes")
        else:
            club.tap(name, reverse("date_answer", args=[club.series, day.isoformat()]), says="yes")
    seen = club.see("Anna", reverse("series_date", args=[club.series, day.isoformat()]))
    assert f"{len(PHONES)} come" in seen, day
    club.open_night("Olga", day)
    for box, points in games_of(week, rng):
        author = next(name for name in points if name in PHONES and name != "Olga")
        club.enter(author, day, points, box)
        club.agree("Olga")
    if week % 5 == 1:
        club.play_for_money("Olga", day, *rng.sample(WITHOUT, 2), cents=50)
    if week == TOURNAMENT:
        before = club.sheet("Olga")
        club.play_tournament("Olga")
        assert club.sheet("Olga") == before, "a match that is told has no points of a game"
    club.at(day, 23, 30)
    club.close("Olga")


def take_list(club: Club, season: str, number: int) -> None:
    """Take in a list of the secretary: its evenings, a row a person."""
    days = [FIRST + timedelta(weeks=week) for week, of in BY_LIST.items() if of == number]
    sums = [club.book.of_evening(day) for day in days]
    names = sorted({name for each in sums for name in each})
    head = ";".join(["Name", *(f"{day:%d.%m.%Y}" for day in days)])
    rows = [";".join([name, *(str(each[name]) if name in each else "" for each in sums)]) for name in names]
    form = club.see("Olga", reverse("season_sheet", args=[season]))
    where = next(tag.attrs["action"] for tag in read(form).all("form") if "sheet/read/" in tag.attrs.get("action", ""))
    answer = club.phones["Olga"].post(where, {"pasted": "\n".join([head, *rows])})
    club.ok(answer, 302)
    kinds = {"kind-0": "name", **{f"kind-{n}": "night" for n in range(1, len(days) + 1)}, "has_head": "yes"}
    kinds |= {f"day-{n}": day.isoformat() for n, day in enumerate(days, 1)}
    asked = club.phones["Olga"].post(answer.url, kinds, follow=True)
    tree = read(asked.content.decode())
    said = {tag.attrs["name"]: tag.attrs.get("value", "") for tag in tree.all("input") if "name" in tag.attrs}
    known = {tag.text.strip(): tag.attrs["value"] for tag in tree.all("option")}
    for field, name in [(key, value) for key, value in said.items() if key.startswith("name-")]:
        said[field.replace("name-", "who-")] = known.get(name, "text")
    said.pop("csrfmiddlewaretoken", None)
    done = club.tap("Olga", asked.redirect_chain[-1][0], **said)
    assert "The spreadsheet is in the season." in done, done
    for name in PHONES:
        for where in set(re.findall(r'action="(/seasons/named/\d+/)"', club.see(name, reverse("seasons")))):
            club.tap(name, where, answer="yes")


def compare(club: Club, seasons: list[str], day: date) -> None:
    """Compare what the house says of an evening and its seasons with the book."""
    if (day - FIRST).days // 7 not in BY_LIST:
        assert dict(club.sheet("Olga")) == dict(club.book.of_evening(day)), day
        assert club.owed("Olga") == set(club.book.debts[day]), day
    turn = FIRST + timedelta(weeks=TURN)
    spans = [(FIRST, turn - timedelta(days=1)), (turn, FIRST + timedelta(weeks=WEEKS))]
    for season, (first, last) in zip(seasons, spans, strict=False):
        assert club.standing("Olga", season) == dict(club.book.standing(first, min(last, day))), (day, season)


def close(club: Club, seasons: list[str]) -> None:
    """Let the seasons end by themselves; a correction after that is told, and changes no final standing."""
    for _ in range(21):
        club.sleep_until((club.now() + timedelta(days=1)).date())
    pages = [reverse("season", args=[season]) for season in seasons]
    assert all("The standing is final." in club.see("Olga", page) for page in pages)
    before = [club.standing("Olga", season) for season in seasons]
    night = club.nights[FIRST]
    result = re.search(r"/result/(\d+)/correct/", club.see("Olga", reverse("night_results", args=[night])))
    assert result is not None, "the host corrects results of a night that is over"
    where = reverse("correct", args=[int(result[1])])
    tree = read(club.see("Olga", where))
    seats = [tag.attrs["name"] for tag in tree.all("input") if tag.attrs.get("name", "").startswith("seat-")]
    sent = {**dict.fromkeys(seats, "0"), "reason": "Wrong game"}
    club.tap("Olga", where, **sent, form_id=form_ids.new())
    assert [club.standing("Olga", season) for season in seasons] == before
