"""Publication of committed changes to listeners in this process; `games.live` listens.

A listener is called after the commit, in the thread that committed, and must not block.
Its exceptions are logged and never fail the command: the log is the truth, a message to a
browser only a hint.

Occurrences in a room that rooms after it act upon in the same transaction: what they write stands or falls with it.

A room declares an `Occurrence` and tells it; `games.services.room_order` connects those who follow it. What only
informs, after the commit, is news (`games.services.publication`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVarTuple

from django.db import transaction

from games.models import Table

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class News:
    """A committed change, as listeners are told; a room of the services may have further kinds of its own."""


@dataclass(frozen=True, slots=True)
class TableTouched(News):
    """A table changed outside the log: seats before the start, rules, a successor."""

    table_id: int
    public_id: str


@dataclass(frozen=True, slots=True)
class LogRewritten(TableTouched):
    """A text in a table's log was struck: what any process keeps of the table is as before."""


@dataclass(frozen=True, slots=True)
class NightTouched(News):
    """A night, its members or its list of tables changed."""

    night_id: int
    public_id: str


@dataclass(frozen=True, slots=True)
class ChatSaid(News):
    """A new line of a table's chat."""

    table_id: int
    public_id: str
    message: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerRemoved(News):
    """A player lost the right to be at a night: the player's open sockets must close."""

    night_id: int
    player_id: int


@dataclass(frozen=True, slots=True)
class PlayerChanged(News):
    """A player was merged into another one, deleted, or logged out somewhere.

    The player's open sockets must reconnect, and show by their sessions which player they belong to now.
    """

    player_id: int


@dataclass(frozen=True, slots=True)
class PlayerAsked(News):
    """A player's device has a request to answer: another device or an account asks for a guest."""

    player_id: int


@dataclass(frozen=True, slots=True)
class CodeChanged(News):
    """A night has a new room code: TV screens opened by the old TV link lose their right."""

    night_id: int


@dataclass(frozen=True, slots=True)
class ScreensChanged(News):
    """A screen of the house has lost its right to a night: the night's TV screens must connect again."""

    night_id: int


Listener: TypeAlias = Callable[[News], None]

_listeners: list[Listener] = []


def subscribe(listener: Listener) -> None:
    """Call `listener` with all news from now on; subscribing twice has no further effect."""
    if listener not in _listeners:
        _listeners.append(listener)


def publish_later(*news: News) -> None:
    """Publish news after the commit."""
    for each in news:
        transaction.on_commit(partial(publish, each))


def table_changed(table: Table) -> None:
    """Publish, after the commit, that a table changed outside its log."""
    publish_later(TableTouched(table.pk, table.public_id), NightTouched(table.night_id, table.night.public_id))


def publish(news: News) -> None:
    """Call all listeners with the news."""
    for listener in list(_listeners):
        try:
            listener(news)
        except Exception:
            logger.exception("a listener failed on %s", type(news).__name__)


Ps = TypeVarTuple("Ps")


class Occurrence(Generic[*Ps]):
    """A kind of occurrence; `Ps` are the types of what is said of one, such as a night."""

    def __init__(self) -> None:
        self._followers: list[Callable[[*Ps], object]] = []

    @property
    def is_followed(self) -> bool:
        """Tell whether anybody acts upon it."""
        return bool(self._followers)

    def follow(self, *followers: Callable[[*Ps], object]) -> None:
        """Call the followers each time from now on, in this order; following twice has no further effect."""
        self._followers += [each for each in followers if each not in self._followers]

    def tell(self, *about: *Ps) -> None:
        """Call the followers; an exception of one is the teller's, and undoes the transaction."""
        for follower in self._followers:
            follower(*about)
