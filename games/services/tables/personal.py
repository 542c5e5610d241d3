"""Data of a person in tables: seats, and the name played under."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import DELETED_NAME, HandOver, Player, Seat, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.personal_rooms import (
    FOR_GOOD,
    NAMELESS,
    NIGHT,
    WITH_YOU,
    YOU_AND_HOST,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    name_of,
    time_text,
)
from games.services.seats.seats import drop_seat
from games.services.tables.commit import submit


def _stop(leaver: Leaver) -> None:
    """Free the player's seats at tables that are not over."""
    for seat in Seat.objects.filter(player=leaver.player).select_related("table__night"):
        if seat.table.status == Table.Status.LOBBY:
            drop_seat(seat)
        elif seat.table.is_running:
            submit(seat.table_id, Actor(leaver.player.pk), Request("table.leave", {}, new_command_id()))


def _forget(leaver: Leaver) -> None:
    HandOver.objects.filter(player=leaver.player).delete()
    Seat.objects.filter(player=leaver.player).update(name=DELETED_NAME)


def _join(source: Player, target: Player) -> None:
    """Move the waiting lists of a merged player to the other one, who keeps an own list at the same table."""
    own = HandOver.objects.filter(player=source)
    own.filter(table__in=HandOver.objects.filter(player=target).values("table")).delete()
    own.update(player=target)


def _own(player: Player) -> JsonObject:
    rows = Seat.objects.filter(player=player).select_related("table", "accepted_by")
    lists = HandOver.objects.filter(player=player).select_related("table")
    return {"seats": [_seat(row) for row in rows], "lists_of_games": [_list(row) for row in lists]}


def _list(row: HandOver) -> JsonObject:
    return {"table": row.table.public_id, "games": row.games, "handed_over_at": time_text(row.created_at)}


def _seat(row: Seat) -> JsonObject:
    return {
        "table": row.table.public_id,
        "game": row.table.game_id,
        "seat": row.index,
        "name": row.name,
        "accepted_at": time_text(row.accepted_at),
        "accepted_by": name_of(row.accepted_by),
    }


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the seats of a guest."""
    return (Seat.objects.filter(player=guest),)


_SAID = (
    NoticeRow(
        _("Your seats, the name that you played under, and when and by whom the rules were accepted"),
        {Seat: "table index player name bot_level nonce accepted_at accepted_by"},
        _("so that everybody knows whose turn it is"),
        NIGHT,
        FOR_GOOD,
        NAMELESS,
        ("seats",),
    ),
    NoticeRow(
        _("Games played without the house that your device handed over, while they wait for the host"),
        {HandOver: "table player said_name seq games is_conflict created_at"},
        _("so that the host takes them or not"),
        YOU_AND_HOST,
        _("until the host has answered, or the table is over"),
        WITH_YOU,
        ("lists_of_games",),
    ),
)
KEPT = Kept((Seat, HandOver), stop=_stop, forget=_forget, join=_join, own=_own, traces=_traces, said=_SAID)
