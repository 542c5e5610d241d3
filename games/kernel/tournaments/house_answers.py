"""The answer to a tournament of the house: of all kinds of the command, and of the World-Cup Chouette."""

from __future__ import annotations

from typing import Any

from games.kernel.tournaments import answers, world_cup
from games.kernel.tournaments.entries import VERSION

Json = dict[str, Any]


def answer(given: Json, version: int = VERSION) -> Json:
    """Return state, proposals and standing of a stored tournament, or a refusal, as `answers.answer` does."""
    if world_cup.is_played(given["format"]):
        return world_cup.answer(given, version)
    return answers.answer(given, version)
