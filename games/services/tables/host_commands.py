"""Commands `table.…` at a running table: of the host, and of players that come or go.

Each is an entry of the table's log that everybody sees. The host sees nothing hidden and cannot
influence the dice; where the game is concerned (a player leaves for good, the turn of an absent player
is played, an open-ended table ends) the rules decide, through their own house commands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from games import plugin
from games.kernel.contract import (
    CLOSE,
    CLOSE_AFTER,
    LEAVE,
    LEAVE_AFTER,
    OCCUPY,
    PLACE,
    STATE_RESULT,
    TAKE_BACK,
    TIMEOUT,
    VACATE,
    Event,
    Illegal,
    JsonObject,
)
from games.models import Table
from games.services import host_acts
from games.services.commands import Request
from games.services.nights import former_hosts
from games.services.seats import bots_at_play, seats
from games.services.seats.seats import SeatRow
from games.services.tables import acceptance, deadlines, joining, keeping, throws
from games.services.tables.decisions import AuditNote, LockedTable, TableDecision

PREFIX = "table."
# Acts of a host that affect other players' game are also written to the audit.
AUDITED = {name for name, act in host_acts.TABLE.items() if act.audit}
OF_A_SEAT = {name for name, act in host_acts.TABLE.items() if act.right == host_acts.Right.SEAT}
UPON_A_SITTER = {name for name, act in host_acts.TABLE.items() if "sitter" in act.args}

_SEATING = ("table.join", "table.substitute")

Act = Callable[[LockedTable, JsonObject], TableDecision]


def decide(
    table: LockedTable, player_id: int | None, name: str, args: JsonObject, seat: int | None = None
) -> TableDecision:
    """Return the decision of a command of the host, or of a player that comes or goes; `seat` is the seat acted for.

    Raises Illegal: `unknown_command`, `not_host`, `taken_over_lately`, `not_started`, `finished`, `bad_args`,
    `not_seated`, `not_keeper`, `other_sitter`, and the codes of the single acts.
    """
    if name not in _ACTS:
        raise Illegal("unknown_command", name=name)
    if table.snapshot.status == Table.Status.LOBBY:
        raise Illegal("not_started")
    if table.snapshot.status == Table.Status.FINISHED:
        raise Illegal("finished")
    return carried_out(table, player_id, name, _allowed(table, player_id, name, args, seat), seat)


def seats_bot(request: Request) -> bool:
    """Tell whether a command puts a bot on a seat."""
    return request.name in _SEATING and "bot" in request.args


def carried_out(
    table: LockedTable, player_id: int | None, name: str, args: JsonObject, seat: int | None
) -> TableDecision:
    """Return the decision of a command that is allowed, with its arguments as they are carried out; raises Illegal."""
    if name in UPON_A_SITTER:
        seats.check_sitter(table.seats, args)
    decision = replace(_ACTS[name](table, args), args=args)
    if name in OF_A_SEAT:
        entered = keeping.entered(table, player_id, seat, decision.events)
        decision = replace(decision, events=(*decision.events, *entered))
    if player_id is None or name not in AUDITED:
        return decision
    about = {"table": table.snapshot.public_id, **({"seat": args["seat"]} if "seat" in args else {})}
    return replace(decision, audit=AuditNote(host_acts.table_code(name), about))


def _allowed(table: LockedTable, player_id: int | None, name: str, args: JsonObject, seat: int | None) -> JsonObject:
    """Return the arguments to carry out; raises `not_host`, `taken_over_lately` for acts of the host alone."""
    is_host = player_id is None or table.row.night.host_id == player_id
    is_join = name == "table.join"
    if name == "table.leave":
        return {"seat": _acted_for(table, player_id, seat)}
    if name == throws.TIP:
        keeping.check_own(table, player_id, seat)
        return {"seat": _own_seat(table, player_id), "tip": args.get("tip")}
    if name == "table.accept":
        return {"seat": _acted_for(table, player_id, seat), "by": player_id, **_age(args)}
    if is_join and not args.keys() - {"adult"} and player_id is not None:
        return {"player": player_id, "by_host": is_host, "in_person": True, **_age(args)}
    if is_join and player_id is not None:
        keeping.check_may_seat(table, player_id, args)
    elif not is_host:
        raise Illegal("not_host")
    if host_acts.TABLE[name].settles and player_id is not None:
        former_hosts.check_trial(table.row.night)
    if is_join:
        # The house alone brings people who have accepted the same rules at another table.
        args = {**args, "by_host": True, "in_person": player_id is None and args.get("has_accepted") is True}
    if name == "table.pause" and not args.get("host_away"):
        return {"by_house": True} if player_id is None else {}
    return {**args, "by": player_id} if name in _SEATING else args


def _age(args: JsonObject) -> JsonObject:
    """Return the argument `adult` (the sender says to be of age), if it was given."""
    return {"adult": args["adult"] is True} if "adult" in args else {}


def _own_seat(table: LockedTable, player_id: int | None) -> int:
    """Return the seat of a player; raises `not_seated`."""
    seat = None if player_id is None else table.seat_of(player_id)
    if seat is None:
        raise Illegal("not_seated")
    return seat.index


def _acted_for(table: LockedTable, player_id: int | None, seat: int | None) -> int:
    """Return the seat for which a player comes or goes: their own, or that of a person without a phone.

    Raises `not_seated`, `not_keeper`.
    """
    if player_id is None or seat is None:
        raise Illegal("not_seated")
    if table.seats[seat].player_id != player_id:
        keeping.check_without_phone(table.seats[seat])
    return seat


def _event_decision(table: LockedTable, event: Event) -> TableDecision:
    """Return a decision with one event and no change of game or seats."""
    return TableDecision((event,), table.snapshot.state)


def _pause(table: LockedTable, args: JsonObject) -> TableDecision:
    """Stop the clocks; the game's commands are refused until the host resumes."""
    if table.is_paused:
        raise Illegal("paused")
    why = "host_away" if args.get("host_away") else "house" if args.get("by_house") else "host"
    event = Event("table.paused", {"why": why})
    clocks = deadlines.shifted(table.snapshot.clocks, paused=True)
    return replace(_event_decision(table, event), status=Table.Status.PAUSED, clocks=clocks)


def _resume(table: LockedTable, args: JsonObject) -> TableDecision:
    """Resume: each clock runs with the time it had left."""
    if not table.is_paused:
        raise Illegal("not_paused")
    clocks = deadlines.shifted(table.snapshot.clocks, paused=False)
    return replace(_event_decision(table, Event("table.resumed")), status=Table.Status.PLAYING, clocks=clocks)


def _sitters_seat(table: LockedTable, args: JsonObject) -> SeatRow:
    """Return the seat that a player is to leave; raises `bad_args`, `seat_empty`."""
    seat = seats.seat_at(table.seats, args)
    if seat.player_id is None:
        raise Illegal("seat_empty")
    return seat


def _leave(table: LockedTable, args: JsonObject) -> TableDecision:
    """Empty a seat that its player leaves: the game's rule for leaving applies, or the host chooses what follows.

    While the game is paused nothing can be decided in it, so then the seat always waits for the host.
    """
    seat = _sitters_seat(table, args)
    event, left = seats.seat_event(seat, "table.left"), seats.emptied(seat)
    is_at_once = plugin.game(table.snapshot.game_id).leaving == plugin.LEAVING_AT_ONCE
    if is_at_once and not table.is_paused and table.lists(LEAVE, {"seat": seat.index}, table.snapshot.state):
        return table.house_command(event, LEAVE, {"seat": seat.index}, left)
    return table.passed_on(event, _freed(seat), left)


def _kick(table: LockedTable, args: JsonObject) -> TableDecision:
    """Remove a player from a seat by order of the host."""
    seat = _sitters_seat(table, args)
    return table.passed_on(seats.seat_event(seat, "table.kicked"), _freed(seat), seats.emptied(seat))


def _move(table: LockedTable, args: JsonObject) -> TableDecision:
    """Let a person go to another table at no cost: after the running game, or now between two games.

    Raises `not_open` where the game cannot let the person go so.
    """
    seat = _sitters_seat(table, args)
    head, of_seat = seats.seat_event(seat, "table.moved"), {"seat": seat.index}
    if table.lists(LEAVE_AFTER, of_seat, table.snapshot.state):
        return table.house_command(head, LEAVE_AFTER, of_seat)
    if not table.lists(CLOSE, {}, table.snapshot.state):
        raise Illegal("not_open")
    return table.house_command(head, LEAVE, of_seat)


def _freed(seat: SeatRow) -> list[str]:
    """Return the house commands when a seat's person or bot goes: none for a person that has not accepted the rules.

    To the game such a person never sat there, so nothing is to be paid for leaving.
    """
    return [] if seat.must_accept else [VACATE]


def _substitute(table: LockedTable, args: JsonObject) -> TableDecision:
    """Give a seat, as it is, to a bot (`bot`: level) or a member of the night (`player`: id).

    A member with a phone accepts the rules card before playing; the seat is vacant to the game until then.
    """
    seat = seats.seat_at(table.seats, args)
    if seat.index in table.gone:
        raise Illegal("seat_gone")
    if (level := args.get("bot")) is not None:
        seats.check_bots(table.snapshot.game_id, table.row.options)
        if not seat.bot_level:
            bots_at_play.check(table.row.night, table.row.pk, table.bots + 1)
        filled = seats.with_bot(table.snapshot.game_id, table.seats, seat, level)
    else:
        filled = seats.with_member(table.snapshot.night_id, table.seats, seat, args.get("player"))
    filled = acceptance.seated(table, filled, args)
    acts = [*([] if seat.player_id is None else _freed(seat)), *([] if filled.must_accept else [OCCUPY])]
    event = seats.sits_down(filled, "table.substituted", before=seat.name)
    return table.passed_on(event, acts, filled).with_more(acceptance.accepted_by(filled))


def _forfeit(table: LockedTable, args: JsonObject) -> TableDecision:
    """Apply the game's rule for leaving to a seat that its player left for good and nobody takes."""
    seat = seats.seat_at(table.seats, args)
    head = seats.seat_event(seat, "table.forfeited")
    return table.house_command(head, LEAVE, {"seat": seat.index}, seats.emptied(seat))


def _play_on(table: LockedTable, args: JsonObject) -> TableDecision:
    """Play the turn of an absent player as the clock would; raises `not_accepted` for one without a clock."""
    seat = seats.seat_at(table.seats, args)
    if seat.must_accept:
        raise Illegal("not_accepted", names=seat.name)
    return table.house_command(seats.seat_event(seat, "table.played_on"), TIMEOUT, {"seat": seat.index})


def _close(table: LockedTable, args: JsonObject) -> TableDecision:
    """End an open-ended table with its result, if the rules allow it."""
    return table.house_command(Event("table.closed"), CLOSE, {})


def _close_after(table: LockedTable, args: JsonObject) -> TableDecision:
    """Announce that an open-ended table closes after the current game, or withdraw the announcement."""
    is_on = args.get("on") is True
    return table.house_command(Event("table.closing_announced", {"on": is_on}), CLOSE_AFTER, {"on": is_on})


def _place(table: LockedTable, args: JsonObject) -> TableDecision:
    """Move a seat to another place in the order of play, if the host sets it."""
    seat = seats.seat_at(table.seats, args)
    arguments = {"seat": seat.index, "to": args.get("to")}
    return table.house_command(seats.seat_event(seat, "table.placed"), PLACE, arguments)


def _take_back(table: LockedTable, args: JsonObject) -> TableDecision:
    """Undo the last act that a seat entered for the real table, if the game lets the host do so."""
    seat = seats.seat_at(table.seats, args)
    return table.house_command(seats.seat_event(seat, "table.taken_back"), TAKE_BACK, {"seat": seat.index})


def _state_result(table: LockedTable, args: JsonObject) -> TableDecision:
    """State alone the result of a game at the real table; `result` is one of the results that the rules list."""
    return table.house_command(Event("table.result_stated"), STATE_RESULT, args.get("result", {}))


def _end(table: LockedTable, args: JsonObject) -> TableDecision:
    """Break off a table without a result."""
    return replace(_event_decision(table, Event("table.broken_off")), status=Table.Status.FINISHED)


def _nudge(table: LockedTable, args: JsonObject) -> TableDecision:
    """Nudge a seat: its phone sounds or vibrates."""
    return _event_decision(table, seats.seat_event(seats.seat_at(table.seats, args), "table.nudged"))


_ACTS: dict[str, Act] = {
    "table.accept": acceptance.accept,
    throws.TIP: throws.tip,
    "table.join": joining.join,
    "table.pause": _pause,
    "table.resume": _resume,
    "table.leave": _leave,
    "table.kick": _kick,
    "table.move": _move,
    "table.substitute": _substitute,
    "table.forfeit": _forfeit,
    "table.play_on": _play_on,
    "table.close": _close,
    "table.close_after": _close_after,
    "table.place": _place,
    "table.take_back": _take_back,
    "table.state_result": _state_result,
    "table.end": _end,
    "table.nudge": _nudge,
    "table.go_on": throws.go_on,
    "table.scorekeeper": keeping.name_scorekeeper,
}
