"""Where the services tell that something was committed; the real-time room listens.

A listener is called after the commit, in the thread that committed, and must not block.
What it raises is logged and never fails the command: the log is the truth and the push
only a hint.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from games.kernel.contract import Choice, Event, Seat

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableNews:
    """One committed log entry of a table, and the game's state after it.

    `state` is None while the table has no game state. `meta` tells that seats or status
    changed, so that names and controls must be drawn anew. `dice_drawn` and `state_seq` as in
    models.Table, after the entry. `due_at` is when the clock must look at the table.
    `open_now` holds the seats' open choices where they have been worked out already.
    """

    table_id: int
    public_id: str
    game_id: str
    seq: int
    events: tuple[Event, ...]
    state: Any
    clocks: dict[str, int]
    command_id: str
    actor_id: int | None
    meta: bool
    dice_drawn: int
    state_seq: int
    due_at: datetime | None = None
    open_now: Mapping[Seat, tuple[Choice, ...]] | None = None


@dataclass(frozen=True, slots=True)
class TableTouched:
    """A table changed outside the log: seats before the start, rules, a successor."""

    table_id: int
    public_id: str


@dataclass(frozen=True, slots=True)
class NightTouched:
    """A night, its members or its list of tables changed."""

    night_id: int
    public_id: str


@dataclass(frozen=True, slots=True)
class ChatSaid:
    """A line of chat was said at a table."""

    table_id: int
    public_id: str
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerRemoved:
    """A player lost the right to be at a night: their open sockets must close."""

    night_id: int
    player_id: int


@dataclass(frozen=True, slots=True)
class PlayerChanged:
    """A player was joined to another one, deleted, or logged out somewhere.

    Their open sockets must come back, and show by their sessions whose they are now.
    """

    player_id: int


@dataclass(frozen=True, slots=True)
class PlayerAsked:
    """A guest's own device is asked whether somebody else may go on as that guest."""

    player_id: int


@dataclass(frozen=True, slots=True)
class CodeChanged:
    """A night has a new room code: the screens that the old TV link opened have no right left."""

    night_id: int


News: TypeAlias = (
    TableNews | TableTouched | NightTouched | ChatSaid | PlayerRemoved | PlayerChanged | PlayerAsked | CodeChanged
)
Listener: TypeAlias = Callable[[News], None]

_listeners: list[Listener] = []


def subscribe(listener: Listener) -> None:
    """Call `listener` with all news from now on; twice the same is once."""
    if listener not in _listeners:
        _listeners.append(listener)


def publish(news: News) -> None:
    """Tell all listeners."""
    for listener in list(_listeners):
        try:
            listener(news)
        except Exception:
            logger.exception("a listener failed on %s", type(news).__name__)
