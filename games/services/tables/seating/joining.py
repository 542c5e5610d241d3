"""Taking a seat at a running table, if its rules take newcomers: `table.join`.

A returning player takes the same seat again and never a second one; everybody else gets the next
new seat. By joining, players accept the table's house rules, which are fixed since its start.
"""

from __future__ import annotations

from games import plugin
from games.kernel.contract import JOIN, OCCUPY, Illegal
from games.models import Table
from games.services.arguments import Level, Said, Whole
from games.services.seats import bots_at_play, seats
from games.services.seats.seats import SeatRow
from games.services.tables import log
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.registry import COMMANDS, TableRight
from games.services.tables.seating import acceptance


def is_open(table: Table) -> bool:
    """Tell whether a table takes newcomers in now; a single member may still be refused (`join`)."""
    return table.status == Table.Status.PLAYING and log.snapshot_of(table).takes_newcomers


def is_drawn_for_others(table: Table, player_id: int | None) -> bool:
    """Tell whether a table of a tournament's session was drawn for others than a player; None: a bot."""
    pairing = getattr(table, "pairing", None)
    if pairing is None or not pairing.match.startswith("s"):
        return False
    session, number = map(int, pairing.match.removeprefix("s").split("t"))
    drawn = pairing.tournament.entries.filter(data__type="session", data__session=session).values_list(
        "data", flat=True
    )
    keys = [key for data in drawn for key in data["tables"][number - 1]]
    return not pairing.tournament.participants.filter(key__in=keys, player=player_id or 0).exists()


@COMMANDS.act("table.join", TableRight.MEMBER)
def join(
    table: LockedTable,
    player_id: Whole | None = None,
    bot: Level | None = None,
    adult: Said = False,
    by: int | None = None,
    *,
    by_host: bool = False,
    in_person: bool = False,
) -> TableDecision:
    """Seat a bot (`bot`: level) or a member of the night (`player`: id).

    A player joining `in_person` accepts the rules card by joining. A member with a phone seated by the host does so
    later; for a person without a phone the seating member (`by`) accepts it.

    Raises `adults_only`, `paused`, `bad_argument`, `bad_level`, `missing_level`, `no_bots_here`, `too_many_bots`,
    `no_such_player`, `seated`, `table_full`, `no_newcomers` (the rules take no newcomers), `join_later` (the player's
    seat is not free yet) and `taken_off` (removed by the host; only the host can undo it: `by_host`).
    """
    if in_person:
        acceptance.check_age(table.row, adult)
    seat = _with_bot(table, bot) if bot is not None else _with_member(table, player_id, by_host=by_host)
    was_gone = seat.index not in table.seats or seat.index in table.gone
    seat = acceptance.seated(table, seat, is_adult=adult, by=by, in_person=in_person)
    joined = seats.sits_down(seat, "table.joined")
    accepted = acceptance.accepted_by(seat)
    if not was_gone:
        return table.passed_on(joined, [] if seat.must_accept else [OCCUPY], seat).with_more(accepted)
    return table.house_command(joined, JOIN, {"seat": seat.index}, seat).with_more(accepted)


def _with_bot(table: LockedTable, level: str) -> SeatRow:
    """Return a new seat with a bot on it."""
    seats.check_bots(table.snapshot.game_id, table.row.options)
    bots_at_play.check(table.row.night, table.row.pk, table.bots + 1)
    return seats.with_bot(table.snapshot.game_id, table.seats, _new(table, None), level)


def _with_member(table: LockedTable, player_id: int | None, *, by_host: bool) -> SeatRow:
    """Return the seat with a member on it; raises `bad_argument` where nobody is named."""
    if player_id is None:
        raise Illegal("bad_argument", name="player")
    night_id = table.snapshot.night_id
    # Membership is checked first: a player without the right to sit here learns nothing about the seats.
    seats.with_member(night_id, table.seats, seats.new(0), player_id)
    seat = _place(table, player_id, by_host=by_host)
    return seats.with_member(night_id, table.seats, seat, player_id)


def _place(table: LockedTable, player_id: int, *, by_host: bool = False) -> SeatRow:
    """Return the seat for a player: the one that the player left, else a new one."""
    own = seats.own_seat(table.seats, table.snapshot.sat, player_id)
    if own is None:
        return _new(table, player_id)
    seat, sitting = own
    if sitting.was_kicked and not by_host:
        raise Illegal("taken_off")
    if seat.index in table.gone:
        _check_offered(table, seat.index)
    return seat


def _check_offered(table: LockedTable, index: int) -> None:
    """Raise Illegal unless the rules offer a left seat to its last player."""
    open_now = table.snapshot.newcomers_seats
    if index not in open_now:
        raise Illegal("join_later" if open_now else _refusal_code(table))


def _new(table: LockedTable, player_id: int | None) -> SeatRow:
    """Return the next new seat for a player or a bot (None); raises `table_full`, `no_newcomers`."""
    index = len(table.seats)
    if is_drawn_for_others(table.row, player_id):
        raise Illegal("no_newcomers")
    if index not in table.snapshot.newcomers_seats:
        raise Illegal(_refusal_code(table))
    return seats.new(index)


def _refusal_code(table: LockedTable) -> str:
    """Return the code of the refusal: `table_full` for the moment, or `no_newcomers` at any time."""
    options = plugin.game(table.snapshot.game_id).options
    most = options.seats(table.row.preset, table.row.options)[1]
    return "table_full" if len(table.seats) - len(table.gone) >= most else "no_newcomers"
