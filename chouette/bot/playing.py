"""Playing a roll: the listed plays judged by the net at a bot's level."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from chouette.board.position import Position
from chouette.bot import move_choice
from chouette.bot.cube_decisions import on_turn, worth_of
from chouette.bot.evaluator import Evaluator
from chouette.bot.move_choice import Worth
from chouette.rules.play import by_notation
from games.kernel.contract import JsonObject

NOISY, NET, LOOKAHEAD, EXPERT = "noisy", "net", "lookahead", "expert"
LEVELS = (NOISY, NET, LOOKAHEAD, EXPERT)

MISJUDGED = {NOISY: 0.12, NET: 0.0, LOOKAHEAD: 0.0}
"""Level → standard deviation of the error in the worth of a play, in points at cube 1."""

Options: TypeAlias = Sequence[JsonObject]
Ranked: TypeAlias = list[tuple[int, float]]
"""Indexes of options and the worth of each to the mover, best first."""


def misjudged_plays(evaluator: Evaluator, view: JsonObject, options: Options, error: float, seed: int) -> Ranked:
    """Return the listed plays as `ranked_plays`, each misjudged by a random error of this deviation."""
    return move_choice.noisy(evaluator, listed(view, options), worth_of(view), error, f"{seed}:play")


def ranked_plays(evaluator: Evaluator, view: JsonObject, options: Options, *, looks_ahead: bool) -> Ranked:
    """Return the indexes of the listed plays with their worth by an evaluator, best first."""
    results = tuple(listed(view, options))
    return list(_ranked(evaluator, results, worth_of(view), looks_ahead))


def listed(view: JsonObject, options: Options) -> list[Position]:
    """Return the results of the listed plays, in their order."""
    results = by_notation(on_turn(view["game"]), tuple(view["game"]["dice"]))
    return [results[args["play"]] for args in options]


@lru_cache(maxsize=32)
def _ranked(evaluator: Evaluator, results: tuple[Position, ...], worth: Worth, looks_ahead: bool) -> Ranked:
    """Rank results; cached, since all members of a Team rank the same roll."""
    return move_choice.ranked(evaluator, results, worth, looks_ahead=looks_ahead)
