"""The rights over seats of people without a phone: the right to act for a seat, and to see its view.

The keeper of such a seat is the table's scorekeeper, else the member that brought the person. Host and
scorekeeper may also enter acts for a person with a phone; everybody is told, and they see no more by it.
"""

from __future__ import annotations

from dataclasses import replace

from games.kernel.contract import OVER, Event, Illegal, JsonObject
from games.models import Membership, Player
from games.services.seats import seats
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.log import ENTERED
from games.services.tables.sql import SeatRow


def keeper_of(kept_by: int | None, scorekeeper: int | None) -> int | None:
    """Return the keeper of a seat: None if its person has a phone (`kept_by` is None)."""
    return None if kept_by is None else scorekeeper or kept_by


def is_entrusted(table: LockedTable, player_id: int) -> bool:
    """Tell whether a player is the host or the table's scorekeeper."""
    return player_id in (table.row.night.host_id, table.row.scorekeeper_id)


def seat_to_act_for(table: LockedTable, player_id: int, index: int) -> int:
    """Return a seat that a player may act for; raises `bad_args`, `not_keeper`."""
    seat = seats.seat_at(table.seats, {"seat": index})
    if seat.player_id == player_id:
        return index
    is_keeper = keeper_of(seat.keeper_id, table.row.scorekeeper_id) == player_id
    if seat.player_id is None or not (is_keeper or is_entrusted(table, player_id)):
        raise Illegal("not_keeper")
    return index


def check_without_phone(seat: SeatRow) -> None:
    """Raise `not_keeper` for the seat of a person with a phone: only that person decides to come or go."""
    if seat.keeper_id is None:
        raise Illegal("not_keeper")


def check_may_seat(table: LockedTable, player_id: int, args: JsonObject) -> None:
    """Raise `not_host` unless a player may seat another: the host anybody, the scorekeeper people without a phone."""
    if player_id == table.row.night.host_id:
        return
    newcomer_id = args.get("player")
    is_id = isinstance(newcomer_id, int) and not isinstance(newcomer_id, bool)
    if player_id != table.row.scorekeeper_id or not is_id or not is_kept(table.snapshot.night_id, newcomer_id):
        raise Illegal("not_host")


def is_kept(night_id: int, player_id: int | None) -> bool:
    """Tell whether a player is at a night without a phone."""
    if player_id is None:
        return False
    return Membership.objects.filter(night_id=night_id, player__id=player_id, keeper__isnull=False).exists()


def entered(
    table: LockedTable, player_id: int | None, index: int | None, events: tuple[Event, ...]
) -> tuple[Event, ...]:
    """Return the event naming the player that entered events for another's seat; empty for the player's own seat.

    If some of the events are not for everybody, only the seat may read it until the end: the mere fact
    that the seat has answered may be a secret.
    """
    if player_id is None or index is None or table.seats[index].player_id == player_id:
        return ()
    by = table.seat_of(player_id)
    name = by.name if by is not None else Player.objects.get(pk=player_id).nickname
    event = Event(ENTERED, {"seat": index, "by": name, "by_player": player_id})
    if any(each.audience is not None for each in events):
        event = replace(event, audience=(index,), until=OVER)
    return (event,)


def name_scorekeeper(table: LockedTable, args: JsonObject) -> TableDecision:
    """Name a member of the night as the table's scorekeeper; raises `bad_args`, `no_such_player`, `no_phone`."""
    scorekeeper_id = args.get("player")
    member = member_with_phone(table.snapshot.night_id, scorekeeper_id)
    event = Event("table.scorekeeper_named", {"player": member.player_id, "name": member.player.nickname})
    return TableDecision((event,), table.snapshot.state, scorekeeper=member.player_id)


def member_with_phone(night_id: int, player_id: object) -> Membership:
    """Return a member of a night with a phone; raises `bad_args`, `no_such_player`, `no_phone`."""
    if isinstance(player_id, bool) or not isinstance(player_id, int):
        raise Illegal("bad_args", name="player")
    inside = Membership.objects.filter(night_id=night_id, player__id=player_id, status=Membership.Status.IN)
    member = inside.select_related("player").first()
    if member is None:
        raise Illegal("no_such_player")
    if member.keeper_id is not None:
        raise Illegal("no_phone")
    return member


def taken_over(table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the decision that records that the person of a seat now plays with their own phone."""
    seat = seats.seat_at(table.seats, args)
    return TableDecision((seats.seat_event(seat, "table.taken_over"),), table.snapshot.state)
