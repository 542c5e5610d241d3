"""Evenings of the club: who comes in, games that are entered, agreed to and corrected, money, and the end."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

from django.urls import reverse

from games.services.calendar import opening
from games.services.commands import new_command_id
from tests.club import forms
from tests.club.world import Club, Game

PHONES = ("Olga", "Anna", "Bert", "Cora", "Dirk")
WITHOUT = ("Opa Karl", "Käthe", "Zoë")
CENTS = 50
TYPED = 0.3
"""How often somebody types a name that stands in the list."""


def answer(club: Club, day: date, coming: Collection[str], mails: dict[str, str]) -> None:
    """Let everybody with a phone say whether they come: by the links of their mail, else on the page of the date."""
    for name in PHONES:
        says = "yes" if name in coming else "no"
        if name in mails:
            club.answer_by_mail(name, mails[name], says)
        else:
            club.tap(name, f"{club.date_page(day)}answer/", says=says)
    assert f"{len(coming)} come" in club.see("Anna", club.date_page(day)), day


def open_by_hand(club: Club, day: date, host: str, coming: Collection[str]) -> None:
    """Open the night of a date by a tap, and let those who come in by its link."""
    club.at(day, 19, 35)
    page = club.tap(host, f"{club.date_page(day)}do/open/")
    way_in = re.search(r"/j/([a-z0-9]+)/([\w-]+)/", page)
    assert way_in is not None, "the host sees the way in"
    _note_night(club, day, way_in[1], host, coming)
    for name in club.here:
        if name != host:
            club.tap(name, f"/j/{way_in[1]}/{way_in[2]}/", nickname=name)


def opens_by_itself(club: Club, day: date, host: str, coming: Collection[str]) -> None:
    """Let the house open the night of a date, whose page has said who hosts, and let those who come in by one tap."""
    club.at(day, 18, 30)
    assert f"its host is {host}." in forms.said(club.see("Anna", club.date_page(day)))
    club.at(day, 19, 1)
    assert opening.run_as_task() == "opened=1 closed=0"
    page = club.see(host, club.date_page(day))
    inside = re.search(r'href="/night/([a-z0-9]+)/"', page)
    assert inside is not None, "the house's host is in without a tap"
    _note_night(club, day, inside[1], host, coming)
    for name in club.here:
        if name != host:
            door = forms.form(club.see(name, club.date_page(day)), "/door/")
            assert door is not None, "whoever was there before comes in by one tap"
            page = club.tap(name, reverse("poster_door", args=[club.series]), **door)
            assert "To the night" not in page


def _note_night(club: Club, day: date, night: str, host: str, coming: Collection[str]) -> None:
    club.night = club.nights[day] = night
    club.host, club.here = host, [host, *(name for name in coming if name != host)]


def nobody_comes(club: Club, day: date) -> None:
    """Let a night that the house has opened be over without anybody: it closes, and stands nowhere."""
    club.at(day, 23, 45)
    assert opening.run_as_task() == "opened=0 closed=1"
    page = club.see(club.host, club.results())
    assert "No game has been finished yet." in page and "still open" not in page
    assert f"/night/{club.night}/" not in club.see("Anna", reverse("home"))


# Games


def games_of(club: Club) -> list[tuple[str, Game]]:
    """Return two games of an evening: who was Box, and the points of everybody.

    The larger one is entered first: after a small one the house takes a much larger one from the staff alone.
    """
    return sorted(_games(club), key=lambda game: -max(map(abs, game[1].values())))


def _games(club: Club) -> Iterator[tuple[str, Game]]:
    for _ in range(2):
        here = [*club.rng.sample(club.here or PHONES, 3), *club.rng.sample(WITHOUT, 2)]
        box, others = here[0], here[1:]
        points = {name: club.rng.choice((-1, 1)) * club.rng.choice((1, 2, 4)) for name in others}
        yield box, {box: -sum(points.values()), **points}


def enter(club: Club, author: str, day: date, points: Game, box: str, cents: int = 0) -> None:
    """Enter a game that was played on a board at the pub; its author knows nobody who is not in the list."""
    where = reverse("past_game", args=[club.night])
    page = club.see(author, where)
    people = {forms.said(text): value for value, text in re.findall(r'<option value="(\d+)"[^>]*>([^<]*)', page)}
    form = forms.form(page, "", "form_id")
    assert form is not None
    sent: dict[str, object] = {name: form[name] for name in ("form_id", "game")}
    sent |= {"preset": "german", "lines": len(points)}
    for slot, (name, n) in enumerate(points.items()):
        known = people.get(name)
        if known and name in WITHOUT and club.rng.random() < TYPED:
            known = None
        sent |= {f"who-{slot}": known or "new", f"name-{slot}": "" if known else name}
        sent |= {f"side-{slot}": "box"} if name == box else _word(slot, n)
    page = club.tap(author, where, **sent)
    assert "data-code" not in page, page
    club.book.note(day, points, cents=cents)


def _word(slot: int, n: int) -> dict[str, object]:
    words = {"side": "member", "cube": abs(n), "winner": "member" if n > 0 else "box", "level": 1}
    return {f"{field}-{slot}": word for field, word in words.items()}


def agree(club: Club) -> None:
    """Let everybody who is here say yes to the games that wait, for those without a phone, too; the staff at last."""
    for name in (*club.here, *club.here):
        page = club.see(name, club.results())
        for where in sorted(set(re.findall(r'action="(/past-game/\d+/answer/)"', page))):
            if "yes" in forms.buttons(page, where, "answer").values():
                club.tap(name, where, answer="yes")
    for result in sorted(waiting(club)):
        club.administer(reverse("admin:games_result_ask", args=["agree"]) + f"?ids={result}", confirmed="yes")
    assert not waiting(club), "everybody who is asked has agreed"


def waiting(club: Club) -> set[int]:
    """Return the results of the night, by number, of which a line waits for somebody's word."""
    rows = club.read(club.host, f"results/?night={club.night}&page_size=100")["results"]
    return {row["id"] for row in rows if any(line["consent"] == "asked" for line in row["lines"])}


def object_to_one(club: Club, day: date) -> bool:
    """Let whoever may object to what was agreed for somebody do so; then it waits, and the staff agrees at last."""
    for name in club.here:
        page = club.see(name, club.results())
        where = next(
            (each for each in re.findall(r'action="(/past-game/\d+/answer/)"', page) if _may_object(page, each)), None
        )
        if where is not None:
            club.tap(name, where, answer="object")
            assert club.sheet(club.host) != dict(club.book.of_evening(day)), "what waits counts for nobody"
            agree(club)
            return True
    return False


def _may_object(page: str, where: str) -> bool:
    return 'value="object"' in (forms.form_text(page, where, 'value="object"') or "")


def correct(club: Club, day: date, by: str, moves: Game, agrees: str = "") -> None:
    """Let somebody correct the first game of a night in which these people are; whom it lowers agrees, if asked."""
    page = club.see(by, reverse("night_results", args=[club.nights[day]]))
    for number in sorted(set(re.findall(r"/result/(\d+)/correct/", page)), key=int):
        where = reverse("correct", args=[int(number)])
        shown = club.see(by, where)
        seats = dict(re.findall(r'<label for="(seat-\d+)">\s*(.*?)\s*<span', shown, re.DOTALL))
        people = {name: seat for seat, name in seats.items()}
        if set(moves) <= set(people):
            club.fill(by, where, having="reason", reason="A slip", **{people[name]: n for name, n in moves.items()})
            break
    else:
        raise AssertionError(f"{by} corrects a game of {moves}")
    if agrees:
        page = club.see(agrees, reverse("night_results", args=[club.nights[day]]))
        (found,) = set(re.findall(r'action="(/table/[\w-]+/correction/[\w-]+/)"', page))
        club.tap(agrees, found, agrees="yes")
    club.book.note(day, moves)


# Money


@contextmanager
def playing_for_money(club: Club, day: date, winner: str, loser: str) -> Iterator[None]:
    """Let two people without a phone play a game on a real board, whose points are worth something: it ends at last."""
    host, options = club.host, {"board": "wood", "point_currency": "EUR", "point_value": CENTS}
    table = club.ask(host, f"nights/{club.night}/tables/", game="chouette", preset="money", options=options)
    where = f"tables/{table['id']}/"
    for name in (winner, loser):
        _seat(club, table["id"], name)
    club.ask(host, f"{where}acts/", act="start", args={})
    state = club.read(host, where)["state"]
    first = state["view"]["line"][0]
    choices = club.read(host, f"{where}?seat={first}")["state"]["choices"]
    begin = next(each for each in choices if each["name"] == "begin_game")
    command = {"id": new_command_id(), "name": "begin_game", "args": begin["options"][0], "basis": begin["basis"]}
    club.ask(host, f"{where}commands/", **command, seat=first)
    box = club.read(host, where)["state"]["view"]["game"]["box"]
    yield
    told = {"winner": "box" if box == 0 else "team", "level": 1}
    club.ask(host, f"{where}commands/", id=new_command_id(), name="table.state_result", args={"result": told})
    club.ask(host, f"{where}commands/", id=new_command_id(), name="table.end", args={})
    club.book.note(day, {winner: 1, loser: -1}, cents=CENTS)


def _seat(club: Club, table: str, name: str) -> None:
    """Seat somebody without a phone: by the tap that the page offers for them, else by their name."""
    where = reverse("table_act", args=[table, "add_person"])
    page = club.see(club.host, reverse("table", args=[table]))
    form: dict[str, Any] = forms.form(page, where) or {}
    taps = {field: forms.buttons(page, where, field).get(name) for field in ("expected", "known")}
    tapped = next(({field: value} for field, value in taps.items() if value), {"name": name})
    if "known" in tapped and club.rng.random() < TYPED:
        tapped = {"name": name}
    club.tap(club.host, where, **{**form, "adult": "yes", **tapped})


def tick(club: Club) -> None:
    """Let the payments of the night be ticked by all who may, until all are booked."""
    for _ in range(2):
        for name in club.here:
            page = club.see(name, reverse("night_owed", args=[club.night]))
            where = reverse("owed_act", args=[club.night, "tick"])
            while (found := forms.form(page, where)) is not None:
                page = club.tap(name, where, **found)
    rows = club.read(club.host, f"nights/{club.night}/owed/")["accounts"]
    assert all(row["booked_at"] for account in rows for row in account["payments"]), rows


def close(club: Club, day: date) -> None:
    """Close the night at half past eleven."""
    club.at(day, 23, 30)
    club.tap(club.host, reverse("night_act", args=[club.night, "close"]))
    club.at(day + timedelta(days=1), 1)
