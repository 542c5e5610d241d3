"""Seats of tables: taking, giving, freeing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from games import plugin
from games.kernel.contract import Event, Illegal, JsonObject
from games.kernel.contract import Seat as SeatIndex
from games.kernel.data.records import record
from games.models import Membership, Player, Seat, Table
from games.services import publication
from games.services.people import players
from games.services.seats import sittings
from games.services.seats.sittings import Sitting

# Short, neutral, the same in every language.
BOT_NAMES = (
    *("Ada", "Bruno", "Clara", "Dario", "Elsa", "Fiete", "Greta", "Henk", "Ida", "Jonas"),
    *("Karl", "Linus", "Mathilda", "Nils", "Olga", "Pelle", "Rosa", "Sander", "Tilda", "Viktor"),
)

_NUMBER = re.compile(r"[0-9]+", re.ASCII)
_SEAT_ID = re.compile(r"s[1-9][0-9]{0,17}", re.ASCII)


@record(frozen=True, slots=True)
class SeatRow:
    """A seat of a table: `is_in` tells whether its player is in at the table's night.

    `accepted_at` is the time at which the rules card was accepted for it, in the database's own form (`sql.moment`),
    `accepted_by` the player that did so for a player without a phone.
    `keeper_id` is the member that brought the player, for a player without a phone.
    """

    index: int
    player_id: int | None
    name: str
    bot_level: str
    accepted_at: Any
    is_in: bool
    keeper_id: int | None = None
    accepted_by: int | None = None

    @property
    def is_taken(self) -> bool:
        """Tell whether a person or a bot sits there."""
        return self.player_id is not None or bool(self.bot_level)

    @property
    def must_accept(self) -> bool:
        """Tell whether a person sits there that has not accepted the rules card yet."""
        return self.player_id is not None and self.accepted_at is None


Seats = Mapping[SeatIndex, SeatRow]


def seat_at(seats: Seats, index: object) -> SeatRow:
    """Return the seat of an index; raises `bad_argument`."""
    if isinstance(index, bool) or not isinstance(index, int) or index not in seats:
        raise Illegal("bad_argument", name="seat")
    return seats[index]


def seat_event(seat: SeatRow, event_type: str, **more: Any) -> Event:
    """Return an event about a seat, with the seat's name at that time."""
    return Event(event_type, {"seat": seat.index, "name": seat.name, **more})


def sits_down(seat: SeatRow, event_type: str, **more: Any) -> Event:
    """Return the event that a person or a bot sits down on a seat."""
    about = {"player": seat.player_id, "bot": bool(seat.bot_level)}
    is_open = {"accepted": False} if seat.must_accept else {}
    return seat_event(seat, event_type, **more, **about, **is_open)


def check_sitter(seats: Seats, args: JsonObject) -> None:
    """Raise Illegal `other_sitter` unless the player `args["sitter"]` (None: a bot or nobody) is on the named seat.

    An act upon a seat names the person that its sender sees there: by now somebody else may sit on it.
    Raises `bad_argument` for arguments that name no seat or no sitter.
    """
    seat, named = seat_at(seats, args.get("seat")), args.get("sitter", "")
    if named is not None and type(named) is not int:
        raise Illegal("bad_argument", name="sitter")
    check_is(seat, named)


def check_is(seat: SeatRow, player_id: int | None) -> None:
    """Raise Illegal `other_sitter` unless a player, or the one merged into, is on a seat; None is a bot or nobody."""
    if player_id == seat.player_id:
        return
    today = None if player_id is None or seat.player_id is None else players.current_player(player_id)
    if today is None or today.pk != seat.player_id:
        raise Illegal("other_sitter", name=seat.name)


def new(index: SeatIndex) -> SeatRow:
    """Return a new seat that nobody has taken."""
    return SeatRow(index, None, "", "", None, is_in=False)


def emptied(seat: SeatRow) -> SeatRow:
    """Return a seat without its player or bot; its name and its game stay."""
    return replace(seat, player_id=None, bot_level="", is_in=False, keeper_id=None)


def check_level(game_id: str, level: object) -> str:
    """Return a level of a game's bots; raises `bad_level`, `missing_level`."""
    game = plugin.game(game_id)
    if not isinstance(level, str) or level not in game.bot_levels:
        raise Illegal("bad_level")
    if level not in game.offered_levels:
        raise Illegal("missing_level")
    return level


def check_bots(game_id: str, options: Mapping[str, Any]) -> None:
    """Raise Illegal `no_bots_here` if bots cannot play under a table's house rules."""
    if not plugin.game(game_id).options.takes_bots(options):
        raise Illegal("no_bots_here")


def with_bot(game_id: str, seats: Seats, seat: SeatRow, level: object) -> SeatRow:
    """Return a seat with a bot on it; raises `bad_level`."""
    others = [each.name for each in seats.values() if each.index != seat.index]
    name = bot_name(others, seat.index)
    return replace(seat, player_id=None, bot_level=check_level(game_id, level), name=name, is_in=False, keeper_id=None)


def bot_name(others: Iterable[str], index: int) -> str:
    """Return a name for a bot that nobody else at the table has."""
    taken = {name.removesuffix(" 🤖").casefold() for name in others}
    free = (n for n in BOT_NAMES if n.casefold() not in taken)
    return f"{next(free, f'Bot {index + 1}')} 🤖"


def with_member(night_id: int, seats: Seats, seat: SeatRow, player_id: object) -> SeatRow:
    """Return a seat with a member of the night, who is here then; raises `bad_argument`, `no_such_player`, `seated`."""
    if isinstance(player_id, bool) or not isinstance(player_id, int):
        raise Illegal("bad_argument", name="player")
    # By `player__id`, not `player_id`: that lookup also takes numbers that no row can have.
    inside = Membership.objects.filter(night_id=night_id, player__id=player_id, status=Membership.Status.IN)
    member = inside.select_related("player").first()
    if member is None:
        raise Illegal("no_such_player")
    if any(each.player_id == player_id for each in seats.values()):
        raise Illegal("seated")
    if member.gone_at is not None:
        Membership.objects.filter(pk=member.pk).update(gone_at=None)
    return replace(
        seat,
        player_id=player_id,
        bot_level="",
        name=member.player.nickname,
        is_in=True,
        keeper_id=member.keeper_id,
    )


def follow_game(
    game: plugin.GameConfig, seats: Seats, before: Any, after: Any
) -> tuple[tuple[SeatRow, ...], tuple[Event, ...]]:
    """Return the seats that change because the game moves from one state to another, and the events about them.

    Seats that the rules gave up are freed. If the game of a departed player is played to its end, a bot
    takes the seat until then: the weakest one, so that nobody can gain by leaving. The seat keeps its name,
    because the result still belongs to the departed player; the game's own events tell when that game ends.
    """
    gone, played_on = game.rules.gone, game.rules.played_on
    if gone(after) == gone(before) and played_on(after) == played_on(before):
        return (), ()
    left = set(gone(after)) - set(gone(before))
    ended, begun = set(played_on(before)) - set(played_on(after)), set(played_on(after)) - set(played_on(before))
    changed = dict(seats)
    freed = [seats[i] for i in sorted(left) if i in seats and seats[i].is_taken]
    changed |= {seat.index: emptied(seat) for seat in freed}
    changed |= {i: replace(changed[i], bot_level="") for i in ended if i in changed}
    level = next(iter(game.bot_levels), "")
    begins = [seats[i] for i in sorted(begun) if i in seats]
    changed |= {s.index: replace(emptied(changed[s.index]), bot_level=level) for s in begins}
    events = [seat_event(seat, "table.vacated") for seat in freed]
    events += [seat_event(seat, "table.bot_plays_on", level=level) for seat in begins]
    return tuple(seat for i, seat in changed.items() if seat is not seats[i]), tuple(events)


@dataclass(frozen=True, slots=True)
class Sitter:
    """The present or last player or bot on a seat, according to the log."""

    player_id: int | None
    is_bot: bool
    is_there: bool = True


def sitters(events: Iterable[JsonObject]) -> dict[int, Sitter]:
    """Return seat → its present or last sitter, from stored events."""
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
            found[data["seat"]] = replace(found[data["seat"]], is_there=False)
    return found


def own_seat(seats: Seats, sat: Sequence[Sitting], player_id: int) -> tuple[SeatRow, Sitting] | None:
    """Return the empty seat on which a player was the last to sit, with that sitting; None if there is none."""
    # The player that sat down may have been merged into this one since.
    ids = {player_id, *players.joined_to(player_id)}
    own = {index: each for index, each in sittings.last_of_each(sat).items() if each.player_id in ids}
    # The seat stays the player's own while a bot finishes the game on it.
    for index in reversed(own):
        if index in seats and seats[index].player_id is None:
            return seats[index], own[index]
    return None


def played_by(seat: SeatRow, sat: Sequence[Sitting]) -> tuple[SeatRow, Player | int | None, bool]:
    """Return a seat, the player of its result, and whether that is a bot.

    Of an empty seat, and of one whose game a bot plays out, that is the last one to sit there who had accepted the
    rules. It is nobody's while a person sits there that has not accepted them.
    """
    if seat.player_id is not None:
        return seat, None if seat.must_accept else seat.player_id, False
    last = sittings.last_of_each(each for each in sat if each.is_accepted).get(seat.index)
    return (seat, None, False) if last is None else (seat, players.stored_player(last.player_id), last.is_bot)


def waiting_seat(table: Table, seat_id: str) -> Seat:
    """Return a seat of a table that waits, by its id (`Seat.seat_id`).

    Raises `seat_number` for a seat's number, which moves up; `bad_argument`; `seat_empty` if the seat was freed.
    """
    if _NUMBER.fullmatch(seat_id):
        raise Illegal("seat_number")
    if not _SEAT_ID.fullmatch(seat_id):
        raise Illegal("bad_argument", name="seat")
    seat = table.seats.filter(pk=int(seat_id[1:])).first()
    if seat is None:
        raise Illegal("seat_empty")
    return seat


def end_waiting(table: Table) -> None:
    """End a table that has not started, as its night ends: its seats are freed, and no list shows it any more.

    Its row stays: whoever still looks at its page is led to the night.
    """
    table.seats.all().delete()
    table.scorekeeper, table.archived_at = None, datetime.now(UTC)
    table.save(update_fields=["scorekeeper", "archived_at"])
    publication.table_changed(table)


def drop_seat(seat: Seat) -> None:
    """Delete a seat before play; the seats after it move up."""
    table = seat.table
    seat.delete()
    renumber(list(table.seats.order_by("index")))
    publication.table_changed(table)


def renumber(seats: Sequence[Seat]) -> None:
    """Number seats from 0; high numbers first, because indexes must be unique at each step."""
    for offset in (1000, 0):
        for index, seat in enumerate(seats):
            seat.index = index + offset
            seat.save(update_fields=["index"])
