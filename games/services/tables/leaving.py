"""Leaving a night's tables: when a player goes, or the night closes.

A running table whose game is not installed stays as it is: nobody can play there, and the night goes on without it.
"""

from __future__ import annotations

from games import plugin
from games.models import Night, Seat, Table
from games.services.commands import Actor, Request, new_command_id
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
