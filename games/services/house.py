"""What the host (and whoever comes or goes) may do at a running table: commands `table.…`.

Each is an entry of the table's log that all see. The host sees nothing hidden and cannot
touch the dice; where the game is concerned (a player leaves for good, a sleeper is played
on, an open-ended table ends) the rules decide, through their own house commands.
"""

from __future__ import annotations

from collections.abc import Callable

from games import plugin
from games.kernel.contract import (
    CLOSE,
    LEAVE,
    OCCUPY,
    TIMEOUT,
    VACATE,
    Command,
    Event,
    Illegal,
    JsonObject,
)
from games.kernel.dice import FairDice
from games.models import Table
from games.services import acceptance, audit, deadlines, joining, ledger, passing_on, seats
from games.services.ledger import Receipt

PREFIX = "table."
# What a host does to others' game is written to the audit, too.
AUDITED = {"table.close", "table.end", "table.forfeit", "table.kick", "table.substitute"}

Act = Callable[[Table, JsonObject, FairDice], tuple[Event, ...]]


def carry_out(table: Table, player_id: int | None, name: str, args: JsonObject, command_id: str) -> Receipt:
    """Carry out a house command on a locked table and append it.

    Raises Illegal: `unknown_command`, `not_host`, `not_started`, `finished`, `bad_args`,
    `not_seated`, and the codes of the single acts.
    """
    act = _ACTS.get(name)
    if act is None:
        raise Illegal("unknown_command", name=name)
    if table.status == Table.Status.LOBBY:
        raise Illegal("not_started")
    if table.status == Table.Status.FINISHED:
        raise Illegal("finished")
    args = _allowed(table, player_id, name, args)
    before = ledger.state_of(table)
    dice = ledger.dice_of(table)
    events = act(table, args, dice)
    if player_id is not None and name in AUDITED:
        about = {"table": table.public_id, **({"seat": args["seat"]} if "seat" in args else {})}
        by, act_code = table.night.host, name.replace(".", "_")
        audit.note(act_code, by, f"{table.game_id} {table.number}", night=table.night, **about)
    return ledger.append(
        table,
        events,
        command_id=command_id,
        command={"name": name, "args": args},
        actor_id=player_id,
        dice=dice,
        before=before,
    )


def _allowed(table: Table, player_id: int | None, name: str, args: JsonObject) -> JsonObject:
    """Return the arguments to carry out; raises `not_host` for what only the host may do."""
    is_host = player_id is None or table.night.host_id == player_id
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


def _own_seat(table: Table, player_id: int | None) -> int:
    """Return the player's own seat; raises `not_seated`."""
    seat = table.seats.filter(player_id=player_id).first() if player_id else None
    if seat is None:
        raise Illegal("not_seated")
    return seat.index


def _pause(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Stop the clocks; game commands are refused until the host goes on."""
    if table.status == Table.Status.PAUSED:
        raise Illegal("paused")
    table.status = Table.Status.PAUSED
    deadlines.shift(table, paused=True)
    return (Event("table.paused", {"why": "host_away" if args.get("host_away") else "host"}),)


def _resume(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Go on: each clock runs with what it had left."""
    if table.status != Table.Status.PAUSED:
        raise Illegal("not_paused")
    table.status = Table.Status.PLAYING
    deadlines.shift(table, paused=False)
    return (Event("table.resumed"),)


def _empty(table: Table, args: JsonObject, kind: str) -> Event:
    """Take the person out of a seat; the seat and its game stay as they are."""
    seat = seats.seat_at(table, args)
    if seat.player_id is None:
        raise Illegal("seat_empty")
    seats.empty(seat)
    return seats.told(seat, kind)


def _leave(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """A player stands up: the game's own rule applies, or the host picks what follows.

    While the game is paused nothing is decided in it, so then the seat waits in any case.
    """
    told = _empty(table, args, "table.left")
    is_at_once = plugin.game(table.game_id).leaving == plugin.LEAVING_AT_ONCE
    if is_at_once and table.status == Table.Status.PLAYING and _may_leave(table, args["seat"]):
        return _rules_command(table, LEAVE, args, dice, told)
    return (told, *passing_on.decided(table, [VACATE], args["seat"], dice))


def _may_leave(table: Table, index: int) -> bool:
    """Tell whether the rules have a way for a seat to leave now."""
    choices = plugin.game(table.game_id).rules.choices(ledger.state_of(table), None)
    return any({"seat": index} in choice.options for choice in choices if choice.name == LEAVE)


def _kick(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """The host takes a player out of a seat."""
    told = _empty(table, args, "table.kicked")
    return (told, *passing_on.decided(table, [VACATE], args["seat"], dice))


def _substitute(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Give a seat, as it is, to a bot (`bot`: level) or a member of the night (`player`: id).

    Where the rules card is everybody's own to accept, a member does so before they play.
    """
    seat = seats.seat_at(table, args)
    if seat.index in plugin.game(table.game_id).rules.gone(ledger.state_of(table)):
        raise Illegal("seat_gone")
    old, acts = seat.name, [OCCUPY] if seat.player_id is None else [VACATE, OCCUPY]
    if (level := args.get("bot")) is not None:
        seats.make_bot(table, seat, level)
    else:
        seats.seat_member(table, seat, args.get("player"))
    if seat.player_id is not None and acceptance.is_ones_own(table):
        seat.accepted_at = None
    seat.save(update_fields=["player", "name", "bot_level", "accepted_at"])
    more = {"before": old, "bot": bool(seat.bot_level), "player": seat.player_id}
    return (seats.told(seat, "table.substituted", **more), *passing_on.decided(table, acts, seat.index, dice))


def _rules_command(table: Table, name: str, args: JsonObject, dice: FairDice, head: Event) -> tuple[Event, ...]:
    """Let the rules decide a house command; `head` tells all who asked for it."""
    if table.status == Table.Status.PAUSED:
        raise Illegal("paused")
    rules = plugin.game(table.game_id).rules
    command = Command(name, None, args)
    return (head, *rules.decide(ledger.state_of(table), command, dice, table.seq + 1).events)


def _forfeit(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Somebody left for good and nobody takes the seat: the game's own rule applies."""
    seat = seats.seat_at(table, args)
    seats.empty(seat)
    head = seats.told(seat, "table.forfeited")
    return _rules_command(table, LEAVE, {"seat": seat.index}, dice, head)


def _play_on(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Play a sleeper's turn as the clock would."""
    seat = seats.seat_at(table, args)
    head = seats.told(seat, "table.played_on")
    return _rules_command(table, TIMEOUT, {"seat": seat.index}, dice, head)


def _close(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """End an open-ended table with its result, where the rules allow it."""
    return _rules_command(table, CLOSE, {}, dice, Event("table.closed"))


def _end(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Break a table off without a result."""
    table.status = Table.Status.FINISHED
    return (Event("table.broken_off"), ledger.reveal(table))


def _nudge(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Nudge a seat: its phone makes itself heard."""
    return (seats.told(seats.seat_at(table, args), "table.nudged"),)


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
