"""Seats of tables: who may sit there, who sits and sat there, and what frees them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from games import plugin
from games.kernel.contract import Event, Illegal, JsonObject
from games.models import LogEntry, Membership, Seat, Table
from games.services import people

# Short, neutral, the same in every language.
BOT_NAMES = ("Ada", "Bruno", "Clara", "Dario", "Elsa", "Fiete", "Greta", "Henk", "Ida", "Jonas")


def seat_at(table: Table, args: JsonObject) -> Seat:
    """Return the seat that `args["seat"]` names; raises `bad_args`."""
    index = args.get("seat")
    if isinstance(index, bool) or not isinstance(index, int):
        raise Illegal("bad_args", name="seat")
    seat = Seat.objects.filter(table=table, index=index).first()
    if seat is None:
        raise Illegal("bad_args", name="seat")
    return seat


def told(seat: Seat, event_type: str, **more: Any) -> Event:
    """Return an event about a seat, with the name it had."""
    return Event(event_type, {"seat": seat.index, "name": seat.name, **more})


def make_bot(table: Table, seat: Seat, level: object) -> None:
    """Turn a seat (unsaved) into a bot's; raises `bad_level`."""
    levels = plugin.game(table.game_id).bot_levels
    if not isinstance(level, str) or level not in levels:
        raise Illegal("bad_level")
    seat.player, seat.bot_level = None, level
    seat.name = bot_name(table, seat.index)


def bot_name(table: Table, index: int) -> str:
    """Return a bot's name that nobody at the table has yet."""
    others = Seat.objects.filter(table=table).exclude(index=index)
    taken = {name.removesuffix(" 🤖").casefold() for name in others.values_list("name", flat=True)}
    free = (n for n in BOT_NAMES if n.casefold() not in taken)
    return f"{next(free, f'Bot {index + 1}')} 🤖"


def seat_member(table: Table, seat: Seat, player_id: object) -> None:
    """Put a member of the night into a seat (unsaved); raises `no_such_player`, `seated`."""
    if isinstance(player_id, bool) or not isinstance(player_id, int):
        raise Illegal("bad_args", name="player")
    member = (
        # By `player__id`, not `player_id`: that lookup knows which numbers a row can have.
        Membership.objects.filter(night_id=table.night_id, player__id=player_id, status=Membership.Status.IN)
        .select_related("player")
        .first()
    )
    if member is None:
        raise Illegal("no_such_player")
    if Seat.objects.filter(table=table, player_id=player_id).exists():
        raise Illegal("seated")
    seat.player, seat.bot_level, seat.name = member.player, "", member.player.nickname


def empty(seat: Seat) -> None:
    """Take whoever sits there off a seat; its name stays, and so does its game."""
    Seat.objects.filter(pk=seat.pk).update(player=None, bot_level="")


def free(table: Table, indexes: Iterable[int]) -> tuple[Event, ...]:
    """Free the seats that the rules gave up; return an event for each that was taken."""
    wanted = list(indexes)
    if not wanted:
        return ()
    rows = Seat.objects.filter(table=table, index__in=wanted).order_by("index")
    taken = [seat for seat in rows if seat.player_id is not None or seat.bot_level]
    for seat in taken:
        empty(seat)
    return tuple(told(seat, "table.vacated") for seat in taken)


def play_on(table: Table, indexes: Iterable[int]) -> tuple[Event, ...]:
    """Let bots play out the game of those who have left; return an event for each.

    The bots are the weakest there are, so that nobody leaves to be played better. The seats keep
    their names, for the result is still that of whoever left.
    """
    level = next(iter(plugin.game(table.game_id).bot_levels), "")
    rows = Seat.objects.filter(table=table, index__in=list(indexes)).order_by("index")
    told_now = tuple(told(seat, "table.bot_plays_on", level=level) for seat in rows)
    rows.update(player=None, bot_level=level)
    return told_now


def end_play_on(table: Table, indexes: Iterable[int]) -> None:
    """Take the bots away whose game has ended; the game's own events tell that."""
    Seat.objects.filter(table=table, index__in=list(indexes)).update(bot_level="")


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat, or sat there last. `was_kicked`: the host took them off it."""

    player_id: int | None
    is_bot: bool
    is_there: bool = True
    was_kicked: bool = False


def sitters(events: Iterable[JsonObject]) -> dict[int, Sitter]:
    """Return seat → who sits or sat there last, after stored events; who came last is last."""
    found: dict[int, Sitter] = {}
    for event in events:
        kind, data = event["type"], event["data"]
        if kind == "table.started":
            for index, seat in enumerate(data["seats"]):
                found[index] = Sitter(seat["player"], bool(seat["bot"]))
        elif kind in ("table.substituted", "table.joined"):
            found.pop(data["seat"], None)
            found[data["seat"]] = Sitter(data["player"], data["bot"])
        elif kind in ("table.left", "table.kicked", "table.forfeited", "table.vacated"):
            kicked = found[data["seat"]].was_kicked or kind == "table.kicked"
            found[data["seat"]] = replace(found[data["seat"]], is_there=False, was_kicked=kicked)
    return found


def last_sitters(table: Table) -> dict[int, Sitter]:
    """Return who sits or sat last on each seat of a table that has begun.

    Only entries of the house's commands are read: nobody sits down in any other.
    """
    rows = LogEntry.objects.filter(table=table, command__name__startswith="table.")
    entries = rows.order_by("seq").values_list("events", flat=True)
    return sitters(event for events in entries for event in events)


def own_seat(table: Table, player_id: int) -> tuple[Seat, Sitter] | None:
    """Return the empty seat that a player was the last to sit on, and how; None without one."""
    # A player may have been somebody else when they sat down, and joined to one since.
    ids = {player_id, *people.joined_to(player_id)}
    mine = {s: who for s, who in last_sitters(table).items() if who.player_id in ids}
    # A bot that plays their game out sits there for them.
    rows = table.seats.filter(index__in=mine, player=None)
    empty_ones = {seat.index: seat for seat in rows}
    for index in reversed(mine):
        if index in empty_ones:
            return empty_ones[index], mine[index]
    return None


def existing(player_id: int | None) -> int | None:
    """Return the row id of who a player is today; None for those who deleted themselves."""
    player = people.present(player_id)
    return None if player is None else player.pk
