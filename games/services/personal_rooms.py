"""Registry of the data of a person in every room.

Deletion, merging, the export of own data, and the deletion of guests who never played go over it.

A room declares its part as a `Kept` in its file `personal.py`; `games.services.room_order` has them in order.
Claims go over it, too, because a confirmed claim merges two players. The privacy notice is made of the words that each
room says of its columns (`NoticeRow`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from django.conf import settings
from django.db.models import Model, OuterRef, QuerySet
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.kernel.contract import JsonObject
from games.models import Night, Player

Traces: TypeAlias = Sequence[QuerySet[Any]]


@dataclass(frozen=True, slots=True)
class Leaver:
    """A player whose data are deleted, with ids, names and nights from before the deletion.

    `ids` has the player's id and those of all players merged into it, `names` every name that the player had, and
    `nights` the nights at which the player was, without practice nights of the player's own.
    """

    player: Player
    ids: frozenset[int]
    names: frozenset[str]
    nights: tuple[Night, ...]

    def is_named_in(self, text: str) -> bool:
        """Tell whether a text of somebody's has one of the names as a word, in any case and in the genitive, too."""
        words = "|".join(re.escape(name) for name in self.names if name)
        return bool(words) and re.search(rf"(?<!\w)(?:{words})(?:['’]?s)?(?!\w)", text, re.IGNORECASE) is not None


def _leave_alone(leaver: Leaver) -> None:
    """Nothing is to be done for a deletion."""


def _join_nothing(source: Player, target: Player) -> None:
    """Nothing is to be done for a merger."""


def _own_nothing(player: Player) -> JsonObject:
    return {}


def _no_traces(guest: OuterRef, before: datetime) -> Traces:
    return ()


Words: TypeAlias = str | Promise


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A row of the privacy notice about some columns: what they are, why they are kept, who reads it, how it goes.

    `columns` are names of columns by model. `keys` are those of the export that have it.
    """

    what: Words
    columns: Mapping[type[Model], str]
    why: Words
    who: Words
    how_long: Words
    erased: Words
    keys: tuple[str, ...] = ()


def _term(setting: str) -> str:
    """Return the days of a setting in words; 0 is for good."""
    days: int = getattr(settings, setting)
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days} if days else str(FOR_GOOD)


days_of: Callable[[str], Words] = lazy(_term, str)
"""The days of a setting such as KEEP_CHAT_DAYS, in the reader's language."""

YOU, NOBODY, STAFF = _("you alone"), _("nobody: only the house itself needs it"), _("the staff")
YOU_AND_STAFF, YOU_AND_HOST = _("you and the staff"), _("you and the night's host")
NIGHT, TABLE = _("whoever was at that night"), _("whoever looks on at that table")
ORGANISERS = _("its organisers and the staff")
UNTIL_YOU, FOR_GOOD = _("until you delete your data"), _("for good")
MONTH, DAY = _("a month"), _("a day")
WITH_YOU, BY_ITSELF = _("goes with your data"), _("goes by itself")
NAMELESS = _("stays, and your name goes")
BY_HAND = _("you or the staff remove it, and it goes with your data")


@dataclass(frozen=True, slots=True)
class Kept:
    """Data of a person in one room, and what becomes of them.

    `models` are the room's models with a reference to a player or to an account. A deletion calls `stop` of all rooms,
    while everything is still there, to end what the player takes part in, and then `forget` of all rooms, to delete
    rows and names. A merger calls `join(source, target)` of all rooms, to make room where the target may have one row
    only, then changes every reference to the target, and calls `joined(source, target)` to set right what follows
    from the rows. `own` returns the player's own data under the keys of the export. `traces(guest, before)` returns
    the rows for which a guest is kept who was last seen before a time: all others go with a guest without any. `said`
    is what the privacy notice says of the room's columns, and of models that name people without referring to them.
    """

    models: tuple[type[Model], ...]
    stop: Callable[[Leaver], None] = _leave_alone
    forget: Callable[[Leaver], None] = _leave_alone
    join: Callable[[Player, Player], None] = _join_nothing
    joined: Callable[[Player, Player], None] = _join_nothing
    own: Callable[[Player], JsonObject] = _own_nothing
    traces: Callable[[OuterRef, datetime], Traces] = _no_traces
    said: tuple[NoticeRow, ...] = ()


_rooms: list[Kept] = []


def register(*rooms: Kept) -> None:
    """Set the rooms, in the order in which deletion and merging go over them."""
    _rooms[:] = rooms


def rooms() -> tuple[Kept, ...]:
    """Return the part of every room, in order."""
    return tuple(_rooms)


def name_of(person: Player | None) -> str | None:
    """Return the name of another person in the export; None for nobody."""
    return None if person is None else person.displayed_name


def time_text(at: datetime | None) -> str | None:
    """Return a time of the export as ISO 8601 in UTC; None for None."""
    return None if at is None else at.astimezone(UTC).isoformat()
