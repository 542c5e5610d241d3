"""Too few boards for the people: directors are told how long they would wait, and what other formats would take."""

from __future__ import annotations

import html
from statistics import fmean

import pytest
from django.urls import reverse

from games.kernel.tournaments import simulation
from games.services.tournaments import formats
from tests import seeds
from tests.kernel.tournaments.nights import Json, Night
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

NAMES = ("Kari", "Nils", "Uli", "Ole", "Per", "Siv", "Tor", "Una", "Vera", "Wim", "Xenia", "Yrsa")
OPEN_END: Json = {"kind": "open_end", "last_start": 180}

EVENINGS: list[tuple[Json, int, int]] = [
    (OPEN_END, 24, 8),
    (OPEN_END, 24, 12),
    ({"kind": "swiss", "rounds": 5}, 12, 4),
    ({"kind": "schedule", "matches": 6}, 24, 8),
    ({"kind": "lives"}, 24, 5),
    ({"kind": "double"}, 12, 3),
]


def waited(format_: Json, people: int, seed: int) -> float:
    """Return the minutes that a person of a night of the tests has waited between matches in the mean."""
    night = Night(format_, people, seed)
    night.add("start")
    *_rest, last = night.steps()
    free: dict[str, int] = {}
    waits = 0
    for match in sorted(last["state"]["matches"], key=lambda each: each["started"]):
        for name in match["players"]:
            waits += match["started"] - free.get(name, 0)
            free[name] = match["ended"]
    return waits / people


@pytest.mark.parametrize(("format_", "people", "count"), seeds.share_of_day(EVENINGS, 3))
def test_the_forecast_waiting_is_that_of_nights(format_: Json, people: int, count: int) -> None:
    given = format_ | {"tables": count}
    found = simulation.course(given, people).waiting
    assert found == pytest.approx(fmean(waited(given, people, seed) for seed in range(3)), rel=0.25, abs=6)


def test_waiting_is_told_where_it_is_long_and_more_boards_would_help() -> None:
    few = formats.too_few_boards(OPEN_END | {"length": 3, "tables": 8}, 24, 240)
    assert few is not None
    assert few.waiting > formats.LONG_WAITING > few.least
    assert (few.boards, few.people, few.enough) == (8, 24, 12)
    assert {each.label for each in few.others} == {
        kind.label for kind in formats.KINDS if kind.id != "open_end" and not kind.is_of_tables
    }
    assert [each.waiting for each in few.others] == sorted(each.waiting for each in few.others)
    # Enough for everybody, one more than that, and no number at all.
    for count in (12, 13, None):
        assert formats.too_few_boards(OPEN_END | {"length": 3, "tables": count}, 24, 240) is None


def test_two_hundred_people_are_forecast_as_fewer_with_boards_in_proportion() -> None:
    few = formats.too_few_boards(OPEN_END | {"length": 3, "tables": 50}, 200, 240)
    same = formats.too_few_boards(OPEN_END | {"length": 3, "tables": 6}, 24, 240)
    assert few is not None and same is not None
    assert (few.waiting, few.boards, few.enough) == (same.waiting, 50, 100)


@pytest.mark.django_db
def test_the_form_tells_it_for_those_who_are_here_and_beside_the_start_for_those_who_are_in() -> None:
    evening = Evening(*NAMES, settings={"patience": 3})
    browser = browser_of(evening.host)
    where = reverse("tournament_new", args=[evening.night.public_id])

    def page(**typed: object) -> str:
        return html.unescape(browser.get(where, typed).content.decode())

    assert "With 3 boards for" in page(kind="open_end", boards=3)
    assert "What other formats would take" in page(kind="swiss", boards=3)
    for right in ("", "40", "x", "0", "-3", "9" * 40):
        assert "they wait about" not in page(kind="open_end", boards=right)
    assert "they wait about" not in page(kind="world_cup", boards=1)
    evening.tournament.format |= {"tables": 3}
    evening.tournament.save()
    evening.do(evening.host, "enter", players=[player.pk for player in evening.people.values()])
    own = html.unescape(browser.get(reverse("tournament", args=[evening.tournament.public_id])).content.decode())
    assert "With 3 boards for 12 people they wait about" in own
    guest = browser_of(evening.people["Kari"]).get(reverse("tournament", args=[evening.tournament.public_id]))
    assert "they wait about" not in guest.content.decode()
