"""Sittings: the players of a seat over time, and the right of each person to read an entry.

An event for certain seats is told to the players on them at that time. A later player on the seat may not
read it; a returning player may again read the events of the earlier sitting. Both follow from the log
(`table.started`, `table.joined`, `table.substituted` and the events that end a sitting), so nothing
more is stored, and it works for logs of any age.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from games.kernel.contract import Event, JsonObject, Seat, Times
from games.kernel.replay import Entry
from games.models import DELETED_NAME, LogEntry
from games.services.storage import log_files

_ENDS = ("table.left", "table.kicked", "table.forfeited")
_BEGINS = ("table.joined", "table.substituted")
LATELY = 20
"""An upper bound of the entries that a player gets between the entry of a new seat and the `welcome` to it."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player or bot on a seat: from entry `first` up to, not including, `end` (None: it lasts).

    `player_id` is None for a bot, and for a deleted player. `was_kicked`: the host
    ended it. `is_accepted` is False while its person has not accepted the table's rules. `name` is the one of its
    beginning.
    """

    seat: Seat
    player_id: int | None
    first: int
    end: int | None = None
    is_bot: bool = False
    was_kicked: bool = False
    is_accepted: bool = True
    # The right to read does not depend on a name.
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class TableReader:
    """The reader of a table: on `seat` now, with the sittings `sat`.

    `is_over`: the table has ended, and events hidden until then are readable. `enters` is the seat of a person
    with a phone for which the reader enters acts: the reader sees its possible acts, and nothing else of it.
    """

    seat: Seat | None = None
    sat: tuple[Sitting, ...] = ()
    is_over: bool = False
    enters: Seat | None = None
    times: Times = field(init=False, repr=False, compare=False)
    """The times at which the reader sat on the present seat."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Both are asked for every frame, and a reader is made once for many. The sittings themselves are compared, and
        # need not be hashed.
        times = Times(tuple((each.first, each.end) for each in self.sat if each.seat == self.seat))
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "_hash", hash((self.seat, len(self.sat), self.is_over, self.enters)))

    def __hash__(self) -> int:
        return self._hash

    def may_read(self, event: Event, seq: int) -> bool:
        """Tell whether the reader may read an event of entry `seq`."""
        if event.is_open(is_over=self.is_over):
            return True
        return any(event.is_for(each.seat) and _holds(each, seq) for each in self.sat)


ONLOOKER = TableReader()
"""A reader without a seat, with access only to events that are open to everybody."""


def _holds(sitting: Sitting, seq: int) -> bool:
    return sitting.first <= seq and (sitting.end is None or seq < sitting.end)


def after(before: tuple[Sitting, ...], entry: Entry) -> tuple[Sitting, ...]:
    """Return the sittings after one more entry."""
    for event in entry.events:
        before = _after(before, event.type, event.data, entry.seq)
    return before


def _after(before: tuple[Sitting, ...], kind: str, data: JsonObject, seq: int) -> tuple[Sitting, ...]:
    if kind == "table.started":
        return tuple(
            Sitting(index, seat["player"], 0, is_bot=bool(seat["bot"]), name=seat["name"])
            for index, seat in enumerate(data["seats"])
        )
    if kind in _BEGINS:
        ended = _ended(before, data["seat"], seq)
        is_accepted = data.get("accepted", True)  # logs of before have no such word
        about = {"is_bot": bool(data["bot"]), "is_accepted": is_accepted, "name": data["name"]}
        return (*ended, Sitting(data["seat"], data["player"], seq, **about))
    if kind == "table.accepted":
        return tuple(
            replace(each, is_accepted=True) if each.seat == data["seat"] and each.end is None else each
            for each in before
        )
    return _ended(before, data["seat"], seq, was_kicked=kind == "table.kicked") if kind in _ENDS else before


def _ended(before: tuple[Sitting, ...], seat: Seat, seq: int, *, was_kicked: bool = False) -> tuple[Sitting, ...]:
    """Return the sittings with the present one of a seat ended."""
    return tuple(
        replace(each, end=seq, was_kicked=was_kicked) if each.seat == seat and each.end is None else each
        for each in before
    )


def last_of_each(sat: Iterable[Sitting]) -> dict[Seat, Sitting]:
    """Return seat → its present or last sitting, ordered by their beginning."""
    found: dict[Seat, Sitting] = {}
    for each in sat:
        found.pop(each.seat, None)
        found[each.seat] = each
    return found


def read(table_id: int, upto: int) -> tuple[Sitting, ...]:
    """Return the sittings of a table up to entry `upto`, from its log.

    Only entries of the house's commands are read: others begin or end no sitting.
    """
    rows = LogEntry.objects.filter(table_id=table_id, seq__lte=upto, command__name__startswith="table.")
    entries = list(rows.order_by("seq").values_list("seq", "events"))
    # The first entry is the house's: if it is missing, the log is in a file.
    if not entries or entries[0][0] != 1:
        entries = [(row.seq, row.events) for row in log_files.rows(table_id, upto=upto)] + entries
    found: tuple[Sitting, ...] = ()
    for seq, events in entries:
        found = after(found, Entry(seq, tuple(map(Event.from_json, events))))
    return found


def has_moved(sat: Iterable[Sitting], player_id: int | None, upto: int) -> bool:
    """Tell whether a player sat down at a running table, or stood up, in one of the last entries up to `upto`."""
    since = max(upto - LATELY, 0)
    own = (each for each in sat if each.player_id == player_id)
    return any(since < seq <= upto for each in own for seq in (each.first, each.end or 0))


def is_new(sat: Iterable[Sitting], seat: Seat | None, after: int) -> bool:
    """Tell whether the present player of a seat has sat down after an entry."""
    return any(each.seat == seat and each.end is None and each.first > after for each in sat)


def named(sat: tuple[Sitting, ...], today: Mapping[int, int | None]) -> tuple[Sitting, ...]:
    """Return sittings with each player replaced by the present one of a merger, as given by `today`.

    Who is deleted has neither id nor name there, whatever the log said when it was read.
    """
    return tuple(_named(each, today) for each in sat)


def _named(sitting: Sitting, today: Mapping[int, int | None]) -> Sitting:
    if sitting.player_id is None or sitting.player_id not in today:
        return sitting
    player_id = today[sitting.player_id]
    return replace(sitting, player_id=player_id, name=DELETED_NAME if player_id is None else sitting.name)


def names_before(sat: Iterable[Sitting]) -> dict[Seat, list[JsonObject]]:
    """Return for each seat that has changed hands the people before its present one, oldest first.

    `{"name", "upto"}`: the name, and the entry with which the next person sat down; entries before it are about
    the earlier one. Bots and deleted players are told apart by their names.
    """
    by_seat: dict[Seat, list[Sitting]] = {}
    for each in sat:
        by_seat.setdefault(each.seat, []).append(each)
    found = {seat: _before(own) for seat, own in by_seat.items() if len(own) > 1}
    return {seat: names for seat, names in found.items() if names}


def _before(own: Sequence[Sitting]) -> list[JsonObject]:
    """Return the people of a seat's sittings but the last one, each with the beginning of the next one."""
    return [{"name": one.name, "upto": next_.first} for one, next_ in pairwise(own) if _person(one) != _person(next_)]


def _person(sitting: Sitting) -> int | str:
    return sitting.name if sitting.player_id is None else sitting.player_id


def others(sat: Iterable[Sitting], sitting: Sequence[int | None]) -> set[int]:
    """Return the ids of earlier players that do not sit there now; they may have been merged into present players."""
    return {each.player_id for each in sat if each.player_id is not None} - set(sitting)


def reader(sat: tuple[Sitting, ...], player_id: int | None, seat: Seat | None) -> TableReader:
    """Return the reader for a player on a seat; an onlooker without a seat."""
    if player_id is None or seat is None:
        return ONLOOKER
    return TableReader(seat, tuple(each for each in sat if each.player_id == player_id))
