"""The answer to a tournament of the house: of all kinds of the command, and of the World-Cup Chouette."""

from __future__ import annotations

from typing import Any

from games.kernel.tournaments import answers, world_cup

Json = dict[str, Any]


def answer(given: Json) -> Json:
    """Return state, proposals and standing of a stored tournament, or a refusal, as `answers.answer` does."""
    return world_cup.answer(given) if world_cup.is_played(given["format"]) else answers.answer(given)
