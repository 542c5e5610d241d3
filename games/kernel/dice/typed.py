"""Typed dice: real dice are thrown at the table, and their thrower types the faces.

A house rule `dice` is `server` or `typed`. With `typed`, a choice lists the possible falls of its dice,
and `{"server": true}` for a throw of the house's own dice: for bots, for the clock, and when no real
dice are at hand. Typed dice are marked in the log, because no seal covers them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from games.kernel.contract import Illegal, JsonObject
from games.kernel.dice import SIDES, Dice
from games.kernel.options.kinds import ChoiceOption, Pick
from games.kernel.sentences import Node, faces, given, say, when
from games.kernel.text import gettext_noop as _

SERVER, TYPED = "server", "typed"
BY_HOUSE: JsonObject = {"server": True}
"""The arguments that ask for a throw of the house's dice."""
LABEL: Node = when(given("dice"), say("%(fell)s", fell=faces("dice")), _("The house throws"))
"""The label of such an option."""


def option(group: str) -> ChoiceOption:
    """Return the house rule `dice` for a game's declaration."""
    return ChoiceOption(
        id="dice",
        label=_("Dice"),
        default=SERVER,
        group=group,
        help=_("With real dice on the table, whoever throws types what fell; bots go on throwing the house's dice."),
        picks=(
            Pick(SERVER, _("the house's, sealed"), _("The house throws the dice; all can check them afterwards.")),
            Pick(
                TYPED,
                _("real ones, typed in"),
                _("Real dice are thrown, and whoever threw them types what fell. Nobody can check that afterwards."),
            ),
        ),
    )


def is_on(options: Mapping[str, Any]) -> bool:
    """Tell whether a table's dice are typed; tables older than the rule have the house's dice."""
    return bool(options.get("dice", SERVER) == TYPED)


@cache
def listed(count: int) -> tuple[JsonObject, ...]:
    """Return all falls of `count` dice, as arguments `{"dice": faces}` with the highest first, and `BY_HOUSE`."""
    falls = combinations_with_replacement(range(SIDES, 0, -1), count)
    return (*({"dice": list(fall)} for fall in falls), BY_HOUSE)


def explain(args: Any, count: int) -> None:
    """Raise Illegal `dice_count`, `dice_face` or `dice_order` for impossible faces; other arguments pass."""
    fell = args.get("dice") if isinstance(args, dict) else None
    if not isinstance(fell, list):
        return
    if len(fell) != count:
        raise Illegal("dice_count", count=count)
    if not all(type(face) is int and 1 <= face <= SIDES for face in fell):
        raise Illegal("dice_face")
    if fell != sorted(fell, reverse=True):
        raise Illegal("dice_order")


class TypedDice:
    """Dice with the faces given in a command."""

    def __init__(self, fell: list[int]) -> None:
        self._faces = tuple(fell)

    def roll(self, count: int) -> tuple[int, ...]:
        """Return the typed faces; raises Illegal `dice_count` if their number is not `count`."""
        if count != len(self._faces):
            raise Illegal("dice_count", count=count)
        return self._faces


def dice_of(args: JsonObject, server: Dice) -> tuple[Dice, JsonObject]:
    """Return the dice for a command, and the mark for its event: `{"typed": true}` or nothing."""
    return (TypedDice(args["dice"]), {"typed": True}) if "dice" in args else (server, {})
