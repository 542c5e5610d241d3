"""Where a guest of a night goes on: their table, a table to watch, or the night's page."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Night, Player, Table
from games.services import acceptance, joining, tables


def night_url(night: Night) -> str:
    """Return the address of a night's page."""
    return reverse("night", args=[night.public_id])


def table_url(table: Table) -> str:
    """Return the address of a table's page."""
    return reverse("table", args=[table.public_id])


def after_joining(night: Night, player: Player) -> str:
    """Return where a newcomer goes, taking the one free seat there is, if there is just one.

    Where all play, that is the table that takes newcomers in, or the only one to watch.
    """
    if (own := own_table(night, player)) is not None:
        return table_url(own)
    waiting = [t for t in _live(night, Table.Status.LOBBY) if _has_room(t)]
    # Where adults only may play, the table's own page asks first.
    if len(waiting) == 1 and (acceptance.is_for_adults(waiting[0]) or _took_seat(waiting[0], player)):
        return table_url(waiting[0])
    playing = _live(night, Table.Status.PLAYING, Table.Status.PAUSED)
    choice = [table for table in playing if joining.is_open(table)] or playing
    if not waiting and len(choice) == 1:
        return table_url(choice[0])
    return night_url(night)


def coming_back(night: Night, player: Player) -> str:
    """Return the address for a member who comes back; takes no seat."""
    own = own_table(night, player)
    return table_url(own) if own is not None else night_url(night)


def own_table(night: Night, player: Player) -> Table | None:
    """Return the unfinished table where the player sits, a running one first."""
    mine = night.tables.filter(seats__player=player).exclude(status=Table.Status.FINISHED)
    found = list(mine.order_by("-number"))
    running = [t for t in found if t.is_running]
    return next(iter(running or found), None)


def _live(night: Night, *statuses: Table.Status) -> Sequence[Table]:
    """Return the night's tables in these phases."""
    return list(night.tables.filter(status__in=statuses).order_by("number"))


def _has_room(table: Table) -> bool:
    """Tell whether a seat is free before play."""
    return table.seats.count() < tables.seat_bounds(table)[1]


def _took_seat(table: Table, player: Player) -> bool:
    """Sit down; tell whether it worked (somebody may have been quicker)."""
    try:
        tables.sit(table, player)
    except Illegal:
        return False
    return True
