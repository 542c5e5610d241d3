"""Kept logs of games: the same commands and dice lead to the same events again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.kernel.contract import Command
from games.kernel.dice import ScriptedDice
from games.kernel.replay import Entry
from games.kernel.rules import Rules


def played_again(rules: Rules, kept: dict[str, Any], log: Sequence[Entry]) -> Iterator[Any]:
    """Play a kept log's commands again, with its dice; yield the state after each entry.

    `kept` has `options`, `seats` and `entries`, each with its `command` (None for the opening)
    and its `dice`; `log` are the same entries. Raises AssertionError where other events come
    out, or other dice are thrown.
    """
    state: Any = None
    for raw, entry in zip(kept["entries"], log, strict=True):
        dice = ScriptedDice(raw["dice"])
        if raw["command"] is None:
            decision = rules.open(kept["options"], kept["seats"], dice)
        else:
            decision = rules.decide(state, Command(**raw["command"]), dice, entry.seq)
        assert decision.events == entry.events
        assert used_up(dice)
        state = decision.state
        yield state


def used_up(dice: ScriptedDice) -> bool:
    """Tell whether all scripted dice were thrown."""
    try:
        dice.roll(1)
    except IndexError:
        return True
    return False
