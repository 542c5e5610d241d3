"""What the host (and whoever leaves) may do at a running table: commands `table.…`.

Each is an entry of the table's log that all see. The host sees nothing hidden and cannot
touch the dice; where the game is concerned (a player leaves for good, a sleeper is played
on, an open-ended table ends) the rules decide, through their own house commands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games import plugin
from games.kernel.contract import CLOSE, LEAVE, TIMEOUT, Command, Event, Illegal, JsonObject
from games.kernel.dice import FairDice
from games.models import Membership, Seat, Table
from games.services import ledger
from games.services.ledger import Receipt

PREFIX = "table."

Act = Callable[[Table, JsonObject, FairDice], tuple[Event, ...]]


def carry_out(
    table: Table, player_id: int | None, name: str, args: JsonObject, command_id: str
) -> Receipt:
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
    if name == "table.leave":
        args = {"seat": _own_seat(table, player_id)}
    elif player_id is not None and table.night.host_id != player_id:
        raise Illegal("not_host")
    before = ledger.state_of(table)
    dice = ledger.dice_of(table)
    events = act(table, args, dice)
    return ledger.append(
        table,
        events,
        command_id=command_id,
        command={"name": name, "args": args},
        actor_id=player_id,
        dice=dice,
        before=before,
    )


def _own_seat(table: Table, player_id: int | None) -> int:
    """Return the player's own seat; raises `not_seated`."""
    seat = table.seats.filter(player_id=player_id).first() if player_id else None
    if seat is None:
        raise Illegal("not_seated")
    return seat.index


def seat_at(table: Table, args: JsonObject) -> Seat:
    """Return the seat that `args["seat"]` names; raises `bad_args`."""
    index = args.get("seat")
    if isinstance(index, bool) or not isinstance(index, int):
        raise Illegal("bad_args", name="seat")
    seat = Seat.objects.filter(table=table, index=index).first()
    if seat is None:
        raise Illegal("bad_args", name="seat")
    return seat


def _told(seat: Seat, event_type: str, **more: Any) -> Event:
    """Return an event about a seat, with the name it had."""
    return Event(event_type, {"seat": seat.index, "name": seat.name, **more})


def _pause(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Stop the clocks; game commands are refused until the host goes on."""
    if table.status == Table.Status.PAUSED:
        raise Illegal("paused")
    table.status = Table.Status.PAUSED
    ledger.shift_clocks(table, paused=True)
    return (Event("table.paused", {"why": "host_away" if args.get("host_away") else "host"}),)


def _resume(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Go on: each clock runs with what it had left."""
    if table.status != Table.Status.PAUSED:
        raise Illegal("not_paused")
    table.status = Table.Status.PLAYING
    ledger.shift_clocks(table, paused=False)
    return (Event("table.resumed"),)


def _empty(table: Table, args: JsonObject, kind: str) -> tuple[Event, ...]:
    """Take the person out of a seat; the seat and its game stay as they are."""
    seat = seat_at(table, args)
    if seat.player_id is None:
        raise Illegal("seat_empty")
    Seat.objects.filter(pk=seat.pk).update(player=None, bot_level="")
    return (_told(seat, kind),)


def _leave(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """A player stands up; the host then picks a substitute or the forfeit."""
    return _empty(table, args, "table.left")


def _kick(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """The host takes a player out of a seat."""
    return _empty(table, args, "table.kicked")


def _substitute(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Give a seat, as it is, to a bot (`bot`: level) or a member of the night (`player`: id)."""
    seat = seat_at(table, args)
    old = seat.name
    if (level := args.get("bot")) is not None:
        make_bot(table, seat, level)
    else:
        _seat_member(table, seat, args.get("player"))
    seat.save(update_fields=["player", "name", "bot_level"])
    more = {"before": old, "bot": bool(seat.bot_level), "player": seat.player_id}
    return (_told(seat, "table.substituted", **more),)


def make_bot(table: Table, seat: Seat, level: object) -> None:
    """Turn a seat (unsaved) into a bot's; raises `bad_level`."""
    levels = plugin.game(table.game_id).bot_levels
    if not isinstance(level, str) or level not in levels:
        raise Illegal("bad_level")
    seat.player, seat.bot_level = None, level
    seat.name = bot_name(table, seat.index)


# Short, neutral, the same in every language.
BOT_NAMES = ("Ada", "Bruno", "Clara", "Dario", "Elsa", "Fiete", "Greta", "Henk", "Ida", "Jonas")


def bot_name(table: Table, index: int) -> str:
    """Return a bot's name that nobody at the table has yet."""
    others = Seat.objects.filter(table=table).exclude(index=index)
    taken = {name.removesuffix(" 🤖").casefold() for name in others.values_list("name", flat=True)}
    free = (n for n in BOT_NAMES if n.casefold() not in taken)
    return f"{next(free, f'Bot {index + 1}')} 🤖"


def _seat_member(table: Table, seat: Seat, player_id: object) -> None:
    """Put a member of the night into a seat (unsaved); raises `no_such_player`, `seated`."""
    if isinstance(player_id, bool) or not isinstance(player_id, int):
        raise Illegal("bad_args", name="player")
    member = (
        # By `player__id`, not `player_id`: that lookup knows which numbers a row can have.
        Membership.objects.filter(
            night_id=table.night_id, player__id=player_id, status=Membership.Status.IN
        )
        .select_related("player")
        .first()
    )
    if member is None:
        raise Illegal("no_such_player")
    if Seat.objects.filter(table=table, player_id=player_id).exists():
        raise Illegal("seated")
    seat.player, seat.bot_level, seat.name = member.player, "", member.player.nickname


def _rules_command(
    table: Table, name: str, args: JsonObject, dice: FairDice, head: Event
) -> tuple[Event, ...]:
    """Let the rules decide a house command; `head` tells all who asked for it."""
    if table.status == Table.Status.PAUSED:
        raise Illegal("paused")
    rules = plugin.game(table.game_id).rules
    command = Command(name, None, args)
    return (head, *rules.decide(ledger.state_of(table), command, dice))


def _forfeit(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Somebody left for good and nobody takes the seat: the game's own rule applies."""
    seat = seat_at(table, args)
    if seat.player_id is not None or seat.bot_level:
        Seat.objects.filter(pk=seat.pk).update(player=None, bot_level="")
    return _rules_command(table, LEAVE, {"seat": seat.index}, dice, _told(seat, "table.forfeited"))


def _play_on(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Play a sleeper's turn as the clock would."""
    seat = seat_at(table, args)
    head = _told(seat, "table.played_on")
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
    return (_told(seat_at(table, args), "table.nudged"),)


_ACTS: dict[str, Act] = {
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
