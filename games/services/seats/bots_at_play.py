"""Bots at play: at most BOTS_PER_HOST at the running tables of one host's nights.

Bots take the processor's time, those that nobody plays with too. Not counted are practice, which has limits of its own,
and tables that the house itself has started (the demo's): nobody's entry begins their log.
"""

from __future__ import annotations

from django.conf import settings
from django.db.models import Exists, OuterRef

from games.kernel.contract import Illegal
from games.models import LogEntry, Night, Player, Seat, Table
from games.services.people import players


def check(night: Night, table_id: int, count: int) -> None:
    """Raise Illegal `too_many_bots` if a table with `count` bots would be too much for the night's host.

    Staff have no limit, nor have practice nights.
    """
    most = settings.BOTS_PER_HOST
    if not most or night.is_practice or players.is_staff(night.host):
        return
    if count + _at_other_tables(night.host, table_id) > most:
        raise Illegal("too_many_bots", most=most)


def _at_other_tables(host: Player, table_id: int) -> int:
    """Return the number of bots at the running tables of a host's nights, but for one table."""
    running = Table.objects.filter(
        Exists(LogEntry.objects.filter(table=OuterRef("pk"), seq=1, actor__isnull=False)),
        night__host=host,
        night__is_practice=False,
        status__in=(Table.Status.PLAYING, Table.Status.PAUSED),
    )
    return Seat.objects.exclude(bot_level="").filter(table__in=running.exclude(pk=table_id)).count()
