"""Typed dice: what may have fallen, what cannot, and dice that fall as a command says."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel.contract import Illegal
from games.kernel.dice import ScriptedDice, typed


@pytest.mark.parametrize(("count", "falls"), [(1, 6), (2, 21), (3, 56)])
def test_every_fall_is_listed_once_with_a_throw_of_the_house(count: int, falls: int) -> None:
    options = typed.listed(count)
    assert len(options) == falls + 1 and options[-1] == typed.BY_HOUSE
    faces = [tuple(option["dice"]) for option in options[:-1]]
    assert len(set(faces)) == falls
    assert all(len(fall) == count and list(fall) == sorted(fall, reverse=True) for fall in faces)


@pytest.mark.parametrize(
    ("faces", "code"),
    [
        ([], "dice_count"),
        ([6], "dice_count"),
        ([6, 5, 4], "dice_count"),
        ([7, 1], "dice_face"),
        ([6, 0], "dice_face"),
        ([True, 1], "dice_face"),
        ([6.0, 1], "dice_face"),
        (["6", 1], "dice_face"),
        ([1, 6], "dice_order"),
    ],
)
def test_what_cannot_have_fallen_is_refused_with_a_reason(faces: list[Any], code: str) -> None:
    with pytest.raises(Illegal) as refused:
        typed.explain({"dice": faces}, 2)
    assert refused.value.code == code


@pytest.mark.parametrize("args", [None, {}, {"dice": 6}, {"server": True}, [], {"dice": [6, 1]}])
def test_other_arguments_are_left_to_the_choice(args: Any) -> None:
    typed.explain(args, 2)


def test_typed_dice_fall_as_they_are_named_and_are_marked() -> None:
    dice, mark = typed.dice_of({"dice": [6, 1]}, ScriptedDice([]))
    assert (dice.roll(2), mark) == ((6, 1), {"typed": True})
    with pytest.raises(Illegal, match="dice_count"):
        dice.roll(3)


def test_the_house_throws_its_own_dice_unmarked() -> None:
    dice, mark = typed.dice_of(typed.BY_HOUSE, ScriptedDice([4, 2]))
    assert (dice.roll(2), mark) == ((4, 2), {})


def test_a_table_of_before_has_the_dice_of_the_house() -> None:
    assert not typed.is_on({}) and typed.is_on({"dice": "typed"})
