"""Commands `table.…` of the host, and of people who come or go, at a running table.

Each is an entry of the table's log that all see. The host sees nothing hidden and cannot
touch the dice; where the game is concerned (a player leaves for good, a sleeper is played
on, an open-ended table ends) the rules decide, through their own house commands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from games import plugin
from games.kernel.contract import CLOSE, LEAVE, OCCUPY, TIMEOUT, VACATE, Event, Illegal, JsonObject
from games.models import Table
from games.services import host_acts
from games.services.clock import deadlines
from games.services.tables import acceptance, joining, seats
from games.services.tables.decisions import AuditNote, LockedTable, TableDecision
from games.services.tables.sql import SeatRow

PREFIX = "table."
# What a host does to others' game is written to the audit, too.
AUDITED = {name for name, act in host_acts.TABLE.items() if act.audit}

Act = Callable[[LockedTable, JsonObject], TableDecision]


def decide(table: LockedTable, player_id: int | None, name: str, args: JsonObject) -> TableDecision:
    """Return what a command of the host, or of one who comes or goes, changes.

    Raises Illegal: `unknown_command`, `not_host`, `not_started`, `finished`, `bad_args`,
    `not_seated`, and the codes of the single acts.
    """
    act = _ACTS.get(name)
    if act is None:
        raise Illegal("unknown_command", name=name)
    if table.snapshot.status == Table.Status.LOBBY:
        raise Illegal("not_started")
    if table.snapshot.status == Table.Status.FINISHED:
        raise Illegal("finished")
    args = _allowed(table, player_id, name, args)
    decision = replace(act(table, args), args=args)
    if player_id is None or name not in AUDITED:
        return decision
    about = {"table": table.snapshot.public_id, **({"seat": args["seat"]} if "seat" in args else {})}
    return replace(decision, audit=AuditNote(host_acts.table_code(name), about))


def _allowed(table: LockedTable, player_id: int | None, name: str, args: JsonObject) -> JsonObject:
    """Return the arguments to carry out; raises `not_host` for what only the host may do."""
    is_host = player_id is None or table.row.night.host_id == player_id
    is_join = name == "table.join"
    if name == "table.leave":
        return {"seat": _own_seat(table, player_id)}
    if name == "table.accept":
        return {"seat": _own_seat(table, player_id), **_age(args)}
    if is_join and not args.keys() - {"adult"} and player_id is not None:
        return {"player": player_id, "by_host": is_host, "in_person": True, **_age(args)}
    if not is_host:
        raise Illegal("not_host")
    return {**args, "by_host": True, "in_person": False} if is_join else args


def _age(args: JsonObject) -> JsonObject:
    """Return what somebody says of their own age, if they do."""
    return {"adult": args["adult"] is True} if "adult" in args else {}


def _own_seat(table: LockedTable, player_id: int | None) -> int:
    """Return the player's own seat; raises `not_seated`."""
    seat = table.seat_of(player_id) if player_id else None
    if seat is None:
        raise Illegal("not_seated")
    return seat.index


def _said(table: LockedTable, event: Event) -> TableDecision:
    """Return a decision that tells something and changes neither game nor seats."""
    return TableDecision((event,), table.snapshot.state)


def _pause(table: LockedTable, args: JsonObject) -> TableDecision:
    """Stop the clocks; game commands are refused until the host goes on."""
    if table.is_paused:
        raise Illegal("paused")
    event = Event("table.paused", {"why": "host_away" if args.get("host_away") else "host"})
    clocks = deadlines.shifted(table.snapshot.clocks, paused=True)
    return replace(_said(table, event), status=Table.Status.PAUSED, clocks=clocks)


def _resume(table: LockedTable, args: JsonObject) -> TableDecision:
    """Go on: each clock runs with what it had left."""
    if not table.is_paused:
        raise Illegal("not_paused")
    clocks = deadlines.shifted(table.snapshot.clocks, paused=False)
    return replace(_said(table, Event("table.resumed")), status=Table.Status.PLAYING, clocks=clocks)


def _sitters_seat(table: LockedTable, args: JsonObject) -> SeatRow:
    """Return the seat that somebody is to go from; raises `bad_args`, `seat_empty`."""
    seat = seats.seat_at(table.seats, args)
    if seat.player_id is None:
        raise Illegal("seat_empty")
    return seat


def _leave(table: LockedTable, args: JsonObject) -> TableDecision:
    """A player stands up: the game's own rule applies, or the host picks what follows.

    While the game is paused nothing is decided in it, so then the seat waits in any case.
    """
    seat = _sitters_seat(table, args)
    told, left = seats.seat_event(seat, "table.left"), seats.emptied(seat)
    is_at_once = plugin.game(table.snapshot.game_id).leaving == plugin.LEAVING_AT_ONCE
    if is_at_once and not table.is_paused and table.lists(LEAVE, {"seat": seat.index}, table.snapshot.state):
        return table.house_command(told, LEAVE, {"seat": seat.index}, left)
    return table.passed_on(told, [VACATE], left)


def _kick(table: LockedTable, args: JsonObject) -> TableDecision:
    """The host takes a player out of a seat."""
    seat = _sitters_seat(table, args)
    return table.passed_on(seats.seat_event(seat, "table.kicked"), [VACATE], seats.emptied(seat))


def _substitute(table: LockedTable, args: JsonObject) -> TableDecision:
    """Give a seat, as it is, to a bot (`bot`: level) or a member of the night (`player`: id).

    Where the rules card is everybody's own to accept, a member does so before they play.
    """
    seat = seats.seat_at(table.seats, args)
    if seat.index in table.gone:
        raise Illegal("seat_gone")
    if (level := args.get("bot")) is not None:
        taken = seats.with_bot(table.snapshot.game_id, table.seats, seat, level)
    else:
        taken = seats.with_member(table.snapshot.night_id, table.seats, seat, args.get("player"))
        if acceptance.is_ones_own(table.row):
            taken = replace(taken, accepted_at=None)
    more = {"before": seat.name, "bot": bool(taken.bot_level), "player": taken.player_id}
    acts = [OCCUPY] if seat.player_id is None else [VACATE, OCCUPY]
    return table.passed_on(seats.seat_event(taken, "table.substituted", **more), acts, taken)


def _forfeit(table: LockedTable, args: JsonObject) -> TableDecision:
    """Somebody left for good and nobody takes the seat: the game's own rule applies."""
    seat = seats.seat_at(table.seats, args)
    head = seats.seat_event(seat, "table.forfeited")
    return table.house_command(head, LEAVE, {"seat": seat.index}, seats.emptied(seat))


def _play_on(table: LockedTable, args: JsonObject) -> TableDecision:
    """Play a sleeper's turn as the clock would."""
    seat = seats.seat_at(table.seats, args)
    return table.house_command(seats.seat_event(seat, "table.played_on"), TIMEOUT, {"seat": seat.index})


def _close(table: LockedTable, args: JsonObject) -> TableDecision:
    """End an open-ended table with its result, where the rules allow it."""
    return table.house_command(Event("table.closed"), CLOSE, {})


def _end(table: LockedTable, args: JsonObject) -> TableDecision:
    """Break a table off without a result."""
    return replace(_said(table, Event("table.broken_off")), status=Table.Status.FINISHED)


def _nudge(table: LockedTable, args: JsonObject) -> TableDecision:
    """Nudge a seat: its phone makes itself heard."""
    return _said(table, seats.seat_event(seats.seat_at(table.seats, args), "table.nudged"))


_ACTS: dict[str, Act] = {
    "table.accept": acceptance.accept,
    "table.join": joining.join,
    "table.pause": _pause,
    "table.resume": _resume,
    "table.leave": _leave,
    "table.kick": _kick,
    "table.substitute": _substitute,
    "table.forfeit": _forfeit,
    "table.play_on": _play_on,
    "table.close": _close,
    "table.end": _end,
    "table.nudge": _nudge,
}
