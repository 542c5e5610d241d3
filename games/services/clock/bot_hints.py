"""Hints for a seat, by the game's own bots, from the view of that seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games import plugin
from games.kernel.contract import Choice, Illegal, JsonObject
from games.services.logs import log_views
from games.services.tables.decisions import check_playing
from games.services.tables.snapshot import Hand

Hint = Callable[[Any, list[Choice]], JsonObject]


@dataclass(frozen=True, slots=True)
class HintQuestion:
    """The question to a game's hints: the seat's view and its open choices."""

    hint: Hint
    view: Mapping[str, Any]
    choices: list[Choice]


def question(table_id: int, player_id: int | None, hand: Hand | None = None) -> HintQuestion:
    """Return the question for a player's seat, or for a kept seat while its person holds the device.

    Raises Illegal `no_such_table`, `not_seated`, `no_hints` (the game gives none), and
    `not_started`, `paused`, `finished`.
    """
    found = log_views.snapshot(table_id)
    reader = found.reader(player_id, hand)
    if reader.seat is None:
        raise Illegal("not_seated")
    bots = plugin.game(found.game_id).bots
    if bots is None or bots.hint is None:
        raise Illegal("no_hints")
    check_playing(found.status)
    return HintQuestion(bots.hint, found.view(reader) or {}, list(found.choices(reader.seat)))


def advise(question: HintQuestion) -> JsonObject:
    """Return the game's advice; it needs no database, so it may run in any thread.

    Raises Illegal `hints_off` (house rule), `not_open` (nothing to decide).
    """
    return question.hint(question.view, question.choices)
