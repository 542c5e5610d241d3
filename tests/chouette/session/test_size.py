"""A view stays small whatever the evening's length, nine cubes included."""

from __future__ import annotations

import random
from typing import Any

import pytest

from chouette.rules import rules
from chouette.rules.events.game import KEPT
from chouette.rules.options.declaration import OPTIONS
from tests.bench.bench_sizes import size, split
from tests.chouette.sessions import Session
from tests.chouette.table import LONG_RACE, TEAM_WINS, Table

MOST = 6 * 1024


def passing(view: dict[str, Any]) -> dict[str, Any]:
    """Return what of a view travels with every entry."""
    return split(view)[0]


def nine_cubes(preset: str, **changes: Any) -> Table:
    table = Table("ABCDEFGHIJ", preset, position=LONG_RACE, max_players=10, **changes)
    table.start()
    return table


def test_a_box_that_answers_nine_cubes_gets_a_view_and_choices_of_6_kb_at_most():
    for preset in ("german", "club", "last_man_standing"):
        for min_takes in ("none", "half", "break_even"):
            table = nine_cubes(preset, min_takes=min_takes, uniform_response="none")
            table.double("BCDEFGHIJ")
            assert table.stage == "answers"
            choices = [choice.to_json() for choice in rules.choices(table.state, table.seat("A"))]
            assert size(passing(table.look("A"))) + size(choices) <= MOST


def test_a_box_that_may_double_nine_members_gets_a_view_and_choice_of_6_kb_at_most():
    table = nine_cubes("club", box_must_double_captain=True)
    table.double()
    table.play(2, 1)
    assert table.stage == "offer"
    required = [c.to_json() for c in rules.choices(table.state, table.seat("A")) if c.required]
    assert size(passing(table.look("A"))) + size(required) <= MOST


def test_the_sheet_adds_nothing_to_the_view_that_travels():
    table = Table("ABCDEFGHIJ", position=TEAM_WINS, max_players=10)
    sizes = []
    for _ in range(30):
        table.start()
        table.double()
        table.play(2, 1)
        sizes.append(size(passing(table.look("A"))))
    assert len(table.look()["sheet"]) == 30
    assert max(sizes) <= MOST
    assert sizes[-1] <= sizes[0] + 100, "a few more digits"
    assert table.look()["sheet"] is table.look("B")["sheet"]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_ten_players_do_a_view_that_travels_stays_within_6_kb(seed: int):
    rng = random.Random(seed)
    options = OPTIONS.values(("german", "club")[seed % 2], {"max_players": 10})
    table = Session(rng, options, 10)
    while not rules.is_over(table.state) and len(table.log) < 250:
        table.act()
        for seat in (*range(10), None):
            assert size(passing(rules.view(table.state, seat))) <= MOST


def test_long_talk_in_the_team_does_not_make_the_view_long():
    table = nine_cubes("german")
    for number in range(60):
        table.do("CDEF"[number % 4], "say", text="🎲" * 200)
    assert size(passing(table.look("C"))) <= MOST
    assert len(table.look("C")["me"]["talk"]) == 2
    for number in range(60):
        table.do("CDEF"[number % 4], "say", text=f"Line {number}")
    assert table.look("C")["me"]["talk"][-1]["text"] == "Line 59"
    assert len(table.look("C")["me"]["talk"]) == KEPT
