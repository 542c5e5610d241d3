"""The switch `dice` of every game that has it: real dice are typed, and what cannot have fallen is refused."""

from __future__ import annotations

import pytest

from games.kernel.contract import Command, Illegal
from games.kernel.dice import typed
from games.plugin import all_games
from tests.contract.driver import Case, evening, seeded, typed_cases

tables = pytest.mark.parametrize("case", typed_cases(), ids=str)


UNDER_A_CUP = {"bluffing"}
"""Games in which nobody but the one who throws may see real dice: nobody could type them."""


def test_every_game_that_throws_dice_for_all_to_see_has_typed_ones() -> None:
    assert {case.game_id for case in typed_cases()} == set(all_games()) - UNDER_A_CUP


@tables
def test_an_evening_with_real_dice_types_some_of_them(case: Case) -> None:
    events = [event for step in evening(case) for event in step.entry.events]
    # Where a result is entered, no dice are told.
    marked = [event for event in events if event.data.get("typed") or event.type == "result_entered"]
    assert typed.is_on(case.values) and marked


@tables
def test_what_cannot_have_fallen_is_refused_by_count_by_face_and_by_order(case: Case) -> None:
    asked = 0
    for step in evening(case):
        for seat in range(case.seats):
            for choice in case.rules.choices(step.state, seat):
                if typed.BY_HOUSE not in choice.options:
                    continue
                asked += 1
                count = len(choice.options[0]["dice"])
                bad = {"dice_count": [1] * (count + 1), "dice_face": [7, *[1] * (count - 1)]}
                bad |= {"dice_order": [*[1] * (count - 1), 2]} if count > 1 else {}
                for code, faces in bad.items():
                    with pytest.raises(Illegal) as refused:
                        case.rules.decide(step.state, Command(choice.name, seat, {"dice": faces}), seeded(1), 999)
                    assert refused.value.code == code
    assert asked or ("entry", "result") in case.changes
