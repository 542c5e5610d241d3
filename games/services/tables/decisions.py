"""Decisions at a table: the submitted command, the locked table, the changes, the addition to the log.

Rules and host commands alike take a table in its present state and return the changes;
nothing here writes. commit.py writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias

from games import plugin
from games.kernel.contract import Command, Decision, Event, Illegal, JsonObject, Seat
from games.kernel.data.records import record
from games.kernel.replay import HOUSE_PREFIX
from games.models import LogEntry, Membership, Result, Table
from games.services import commands
from games.services.dice.dice_chains import TableDice
from games.services.publication import Occurrence
from games.services.seats.seats import SeatRow, Seats
from games.services.tables import deadlines, sql
from games.services.tables.log import LoggedEntry, Receipt
from games.services.tables.snapshot import TableSnapshot

QUIET_ENTRIES = 20
"""The most entries that are searched for an event of the game."""


@dataclass(frozen=True, slots=True)
class AuditNote:
    """A line to write to the audit: the act `act` of the night's host, with data `about`."""

    act: str
    about: JsonObject


@record(frozen=True, slots=True)
class TableDecision:
    """The changes that a command makes at a table: events, the game's state after them, and the house's part.

    `seats` are the changed and the new ones; `status`, `clocks` and `scorekeeper` (a player) are None
    if they do not change. `corrects` is the result whose people a correction concerns. `args` are the arguments
    as they were carried out, if they differ from the sender's.
    """

    events: tuple[Event, ...]
    state: Any
    seats: tuple[SeatRow, ...] = ()
    status: str | None = None
    clocks: Mapping[str, int] | None = None
    args: JsonObject | None = None
    audit: AuditNote | None = None
    scorekeeper: int | None = None
    corrects: Result | None = None

    def with_more(self, events: tuple[Event, ...]) -> TableDecision:
        """Return the decision with further events of the house, which change nothing in the game."""
        return replace(self, events=(*self.events, *events)) if events else self


@dataclass(slots=True)
class LockedTable:
    """A locked table after the commands decided so far; `seats` by index, `dice` for the command being decided."""

    snapshot: TableSnapshot
    seats: Mapping[Seat, SeatRow]
    now: datetime
    game: plugin.GameConfig = field(init=False)
    dice: TableDice = field(init=False)
    _row: Table | None = None

    def __post_init__(self) -> None:
        self.game = plugin.game(self.snapshot.game_id)

    @property
    def row(self) -> Table:
        """The stored row with its night: for fields that no entry changes, such as options and number."""
        if self._row is None:
            rows_ = Table.objects.select_related("night__host").defer("state")
            self._row = rows_.get(pk=self.snapshot.table_id)
        return self._row

    @property
    def moment(self) -> Any:
        """The time of this commit, in the form of `SeatRow.accepted_at`."""
        return sql.moment(self.now)

    @property
    def is_paused(self) -> bool:
        """Tell whether the host has paused the game."""
        return self.snapshot.status == Table.Status.PAUSED

    @property
    def gone(self) -> tuple[Seat, ...]:
        """The seats whose players left the game for good."""
        return self.game.rules.gone(self.snapshot.state)

    @property
    def bots(self) -> int:
        """The number of bots on the table's seats."""
        return sum(bool(seat.bot_level) for seat in self.seats.values())

    def seat_of(self, player_id: int) -> SeatRow | None:
        """Return a player's seat, or None."""
        for seat in self.seats.values():
            if seat.player_id == player_id:
                return seat
        return None

    def is_inside(self, player_id: int) -> bool:
        """Tell whether a player is in at the table's night."""
        inside = Membership.objects.filter(night_id=self.snapshot.night_id, status=Membership.Status.IN)
        return inside.filter(player_id=player_id).exists()

    def is_untouched_since(self, seq: int) -> bool:
        """Tell whether all entries after `seq` hold only events of the house, such as a dice tip.

        False if there are more than QUIET_ENTRIES of them.
        """
        added = self.snapshot.seq - seq
        if not 0 < added <= QUIET_ENTRIES:
            return added == 0
        later = LogEntry.objects.filter(table_id=self.snapshot.table_id, seq__gt=seq).values_list("events", flat=True)
        return len(later) == added and all(event["type"].startswith(HOUSE_PREFIX) for each in later for event in each)

    def check_at(self, request: commands.Request) -> None:
        """Raise Illegal `stale` for a request made after another entry than the last one."""
        if request.at is not None and request.at != self.snapshot.seq:
            raise Illegal("stale", basis=request.at, open=self.snapshot.seq)

    def check_playing(self, request: commands.Request) -> None:
        """Raise Illegal for a request of a game that is not under way or paused, and `stale` as `check_at`."""
        check_playing(self.snapshot.status)
        self.check_at(request)

    def check_basis(self, request: commands.Request) -> None:
        """Raise Illegal `stale` for a command of the house if something has happened in the game since its basis.

        A game's command is checked by the rules against its choice; a command of the house has a basis only if its
        sender gives one.
        """
        if request.basis is not None and not self.is_untouched_since(request.basis):
            raise Illegal("stale", basis=request.basis, open=self.snapshot.seq)

    def lists(self, name: str, args: JsonObject, state: Any) -> bool:
        """Tell whether the rules list a command of the house with these arguments."""
        choices = self.game.rules.choices(state, None)
        return any(args in choice.options for choice in choices if choice.name == name)

    def decide(self, command: Command, state: Any = None) -> Decision[Any]:
        """Return the decision of the rules on a command; raises Illegal."""
        state = self.snapshot.state if state is None else state
        return self.game.rules.decide(state, command, self.dice, self.snapshot.seq + 1)

    def until_flags(self, lag: int = 0) -> dict[Seat, int]:
        """Return what the running game clocks have left (`Command.clocks`), for a command of so much `lag`."""
        under_way = self.snapshot.under_way
        return deadlines.until_flags(self.snapshot.clocks, under_way.began if under_way else None, lag)

    def house_command(self, head: Event, name: str, args: JsonObject, *seats: SeatRow) -> TableDecision:
        """Return the decision of the rules on a command of the house, with the event `head` first; raises `paused`."""
        if self.is_paused:
            raise Illegal("paused")
        decided = self.decide(Command(name, None, args, clocks=self.until_flags()))
        return TableDecision((head, *decided.events), decided.state, seats)

    def passed_on(self, head: Event, names: Iterable[str], seat: SeatRow) -> TableDecision:
        """Return the decision for a seat that passes from one person to another.

        The house commands `names` about the seat are decided in turn, as far as the rules list them.
        """
        events: tuple[Event, ...] = (head,)
        state, args = self.snapshot.state, {"seat": seat.index}
        for name in names:
            if self.lists(name, args, state):
                decided = self.decide(Command(name, None, args, clocks=self.until_flags()), state)
                events, state = (*events, *decided.events), decided.state
        return TableDecision(events, state, (seat,))


_NOT_PLAYED = {
    Table.Status.LOBBY: "not_started",
    Table.Status.PAUSED: "paused",
    Table.Status.FINISHED: "finished",
}


def check_playing(status: str) -> None:
    """Raise Illegal unless a table's game is under way and not paused."""
    if status != Table.Status.PLAYING:
        raise Illegal(_NOT_PLAYED[Table.Status(status)])


Answer: TypeAlias = Receipt | Exception
Done: TypeAlias = Callable[[Answer], None]
Decide: TypeAlias = Callable[[LockedTable, JsonObject], TableDecision]


@record(frozen=True, slots=True)
class Submission:
    """A request to a table, with its actor.

    `done`, if set, gets the answer after the commit. `decide` decides a command of a service (the start of
    a table, a correction), which neither the game's rules nor `host_commands` know.
    """

    table_id: int
    actor: commands.Actor
    request: commands.Request
    done: Done | None = None
    decide: Decide | None = None

    @property
    def id(self) -> tuple[int, str]:
        """The identity of a command: its table, and its id there, which no other player's command can have."""
        return self.table_id, f"{self.actor.player_id or 0}:{self.request.id}"

    @property
    def is_for_game(self) -> bool:
        """Tell whether the game's rules decide it."""
        return self.decide is None and not self.request.name.startswith(HOUSE_PREFIX)


@record(frozen=True, slots=True)
class Addition:
    """A new entry of a locked table's log, with its decision and the table and its seats `before` and `after` it."""

    table: LockedTable
    decision: TableDecision
    entry: LoggedEntry
    before: TableSnapshot
    after: TableSnapshot
    seats_before: Seats
    seats: Seats


ADDED: Occurrence[Addition] = Occurrence()
"""An entry has been written to a table's log, with what it changes at the table."""
