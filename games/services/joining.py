"""Taking a seat at a table that runs, where its rules take people in: `table.join`.

Whoever left takes their own seat back and never a second one; everybody else gets the next
new seat. Joining is accepting the table's house rules, which are set since its start.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from games import plugin
from games.kernel.contract import JOIN, OCCUPY, Command, Event, Illegal, JsonObject
from games.kernel.dice import FairDice
from games.models import Seat, Table
from games.services import acceptance, ledger, passing_on, seats


def offered(game_id: str, state: Any) -> tuple[int, ...]:
    """Return the seats that the rules offer to whoever wants to join."""
    choices = plugin.game(game_id).rules.choices(state, None)
    return tuple(o["seat"] for c in choices if c.name == JOIN for o in c.options)


def is_open(table: Table) -> bool:
    """Tell whether a table takes people in now; a member may still be refused (`join`)."""
    if table.status != Table.Status.PLAYING:
        return False
    return bool(offered(table.game_id, ledger.state_of(table)))


def join(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Seat a bot (`bot`: level) or a member of the night (`player`: id).

    Who comes `in_person` accepts the rules card by it; a member whom the host seats does so later,
    where it is everybody's own to accept. Raises `adults_only`, `paused`, `bad_args`, `bad_level`,
    `no_such_player`, `seated`, `table_full`, `no_newcomers` (the rules take nobody in), `join_later`
    (the own seat is not free yet) and `taken_off` (by the host, who alone can undo it: `by_host`).
    """
    if not {"bot", "player"} & set(args):
        raise Illegal("bad_args", name="player")
    in_person = bool(args.get("in_person"))
    if in_person:
        acceptance.check_age(table, args.get("adult") is True)
    state = ledger.state_of(table)
    seat = _seated(table, state, args)
    was_gone = seat.pk is None or seat.index in plugin.game(table.game_id).rules.gone(state)
    is_due = seat.player_id is not None and not in_person and acceptance.is_ones_own(table)
    seat.accepted_at = None if is_due else datetime.now(UTC)
    seat.save()
    joined = seats.told(seat, "table.joined", player=seat.player_id, bot=bool(seat.bot_level))
    if not was_gone:
        return (joined, *passing_on.decided(table, [OCCUPY], seat.index, dice))
    if table.status == Table.Status.PAUSED:
        raise Illegal("paused")
    command = Command(JOIN, None, {"seat": seat.index})
    return (joined, *plugin.game(table.game_id).rules.decide(state, command, dice, table.seq + 1).events)


def _seated(table: Table, state: Any, args: JsonObject) -> Seat:
    """Return the seat to save, with the bot or the member on it."""
    if "bot" in args:
        seat = Seat(table=table, index=_new_index(table, state))
        seats.make_bot(table, seat, args["bot"])
        return seat
    player_id = args["player"]
    stranger = Seat(table=table)
    seats.seat_member(table, stranger, player_id)
    seat = _place(table, state, player_id, by_host=bool(args.get("by_host")))
    seat.player, seat.bot_level, seat.name = stranger.player, "", stranger.name
    return seat


def _place(table: Table, state: Any, player_id: int, *, by_host: bool = False) -> Seat:
    """Return the seat for somebody: the one they left, else a new one (unsaved)."""
    own = seats.own_seat(table, player_id)
    if own is None:
        return Seat(table=table, index=_new_index(table, state))
    seat, sitter = own
    if sitter.was_kicked and not by_host:
        raise Illegal("taken_off")
    if seat.index in plugin.game(table.game_id).rules.gone(state):
        _check_offered(table, state, seat.index)
    return seat


def _check_offered(table: Table, state: Any, index: int) -> None:
    """Raise Illegal unless the rules offer a seat that was left to whoever left it."""
    open_now = offered(table.game_id, state)
    if index not in open_now:
        raise Illegal("join_later" if open_now else _why_not(table, state))


def _new_index(table: Table, state: Any) -> int:
    """Return the number of the next new seat; raises `table_full`, `no_newcomers`."""
    index = table.seats.count()
    if index not in offered(table.game_id, state):
        raise Illegal(_why_not(table, state))
    return index


def _why_not(table: Table, state: Any) -> str:
    """Return why nobody is taken in: no room at the moment, or never at this table."""
    config = plugin.game(table.game_id)
    present = table.seats.count() - len(config.rules.gone(state))
    most = config.options.seats(table.preset, table.options)[1]
    return "table_full" if present >= most else "no_newcomers"
