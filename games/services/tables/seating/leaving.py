"""Tables of a night from which a player goes, or which closes.

A running table whose game is not installed stays as it is: nobody can play there, and the night goes on without it.

Members who are here, and members who have gone home: said by themselves, their keeper, the host or a director.

The house never says it by itself. Only who is here is drawn, counted and called.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.models import Director, Membership, Night, Player, Seat, Table, Tournament
from games.services import row_locks, server_time
from games.services.acts import LogLine
from games.services.arguments import RowId, Ticked
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.nights import events, night_rights
from games.services.nights.registry import NIGHT, NightRight
from games.services.seats import seats
from games.services.tables.commit import submit


def free_seats(night: Night, player_id: int, by: Actor) -> None:
    """Take a player off every seat of a night, in the name of the house or of a host."""
    for seat in Seat.objects.filter(table__night=night, player_id=player_id).select_related("table"):
        _empty_seat(seat, by)


def _empty_seat(seat: Seat, actor: Actor) -> None:
    """Take a player off a seat: it is deleted before the start, emptied during play."""
    if seat.table.status == Table.Status.LOBBY:
        seats.drop_seat(seat)
    elif _is_played(seat.table):
        request = Request("table.kick", {"seat": seat.index, "sitter": seat.player_id}, new_command_id())
        submit(seat.table_id, actor, request)


def end_tables(night: Night, actor: Actor) -> None:
    """End the tables of a night that are not over; raises as `submit`."""
    for table in night.tables.exclude(status=Table.Status.FINISHED):
        if _is_played(table):
            submit(table.pk, actor, Request("table.end", {}, new_command_id()))
        elif not table.is_running:
            seats.end_waiting(table)


def _is_played(table: Table) -> bool:
    return table.is_running and plugin.is_installed(table.game_id)


def members_here(night: Night) -> QuerySet[Membership]:
    """Return the members who are in at a night and have not gone home."""
    return night.memberships.filter(status=Membership.Status.IN, gone_at=None)


@NIGHT.act(
    "go_home",
    NightRight.MEMBER,
    LogLine("gone_home", _("%(name)s has gone home.")),
    label=_("Gone home"),
    yes=_("Yes, gone home"),
)
@transaction.atomic
def go_home(night: Night, by: Player, player_id: RowId, *, sure: Ticked = False) -> None:
    """Note that a member has gone home, and free the member's seats.

    Raises `night_closed`, `no_such_player`, `not_for_them`, and at a table in play `plays_still` unless it is `sure`.
    """
    member = _member(row_locks.night_and_tables(night), by, player_id)
    if member.gone_at is not None:
        return
    taken = Seat.objects.filter(table__night=night, player_id=player_id).select_related("table")
    own = [seat for seat in taken if seat.table.status != Table.Status.FINISHED]
    playing = next((seat.table for seat in own if seat.table.is_running), None)
    if playing is not None and not sure:
        raise Illegal("plays_still", name=member.player.nickname, number=playing.number)
    for seat in own:
        _leave(seat, by)
    _note(member, by, is_gone=True)


@NIGHT.act("come_back", NightRight.MEMBER, LogLine("came_back", _("%(name)s is here again.")), label=_("Here again"))
@transaction.atomic
def come_back(night: Night, by: Player, player_id: RowId) -> None:
    """Note that a member who has gone home is here again; raises `night_closed`, `no_such_player`, `not_for_them`."""
    member = _member(row_locks.night(night), by, player_id)
    if member.gone_at is not None:
        _note(member, by, is_gone=False)


def note_back(night: Night, player: Player) -> None:
    """Note that a member who takes a seat or plays along is here."""
    member = night.memberships.filter(player=player).exclude(gone_at=None).select_related("player").first()
    if member is not None:
        _note(member, player, is_gone=False)


def may_say_gone(night: Night, by: Player, member: Membership, *, is_director: bool) -> bool:
    """Tell whether a player may say of a member that they have gone home, or are back."""
    return by.pk in (member.player_id, member.keeper_id, night.host_id) or is_director


def is_director(night: Night, player: Player) -> bool:
    """Tell whether the host has named a player as a director of a tournament of the night that is not over."""
    named = Director.objects.filter(player=player, tournament__night=night)
    return named.exclude(tournament__status=Tournament.Status.FINISHED).exists()


def _member(held: Night, by: Player, player_id: int) -> Membership:
    """Return a member of a held night that a player may call here or gone."""
    if held.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    night_rights.check_inside(held, by)
    inside = held.memberships.filter(status=Membership.Status.IN, player=player_id)
    member = inside.select_related("player").first()
    if member is None:
        raise Illegal("no_such_player")
    if not may_say_gone(held, by, member, is_director=is_director(held, by)):
        raise Illegal("not_for_them")
    return member


def _leave(seat: Seat, by: Player) -> None:
    """Free a seat: by the game's rule for leaving if its player says so, else the host chooses what follows."""
    if seat.table.status == Table.Status.LOBBY:
        seats.drop_seat(seat)
    elif seat.player_id == by.pk:
        submit(seat.table_id, Actor(by.pk), Request("table.leave", {}, new_command_id()))
    else:
        request = Request("table.kick", {"seat": seat.index, "sitter": seat.player_id}, new_command_id())
        submit(seat.table_id, HOUSE, request)


def _note(member: Membership, by: Player, *, is_gone: bool) -> None:
    member.gone_at = server_time.now() if is_gone else None
    member.save(update_fields=["gone_at"])
    told: dict[str, Any] = {"name": member.player.nickname, "player": member.player_id}
    if by.pk != member.player_id:
        told |= {"by": by.nickname, "by_player": by.pk}
    events.record(member.night, "gone_home" if is_gone else "came_back", **told)
