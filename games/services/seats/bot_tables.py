"""Resting tables: where nobody but bots sits, the clock plays only for pages that watch.

A page watches while it is shown and heard from; a player's, a spectator's and a TV screen's count alike. The rooms note
watched tables in the database, which all processes share, so it needs no layer and survives a restart. A table that
no page has watched for a minute rests: its `due_at` is None until the next page comes. A table with a person on
one of its seats never rests, whether that person's page is open or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.db.models import DateTimeField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Coalesce

from games.models import Seat, Table
from games.services import server_time

NOTE_EVERY = 15.0
"""The seconds after which a page that still watches is noted again."""
RESTS_AFTER = timedelta(seconds=60 + NOTE_EVERY)
"""The time after the last note from which on no page has watched for a whole minute."""


def is_for_bots_alone(seats: Iterable[Seat]) -> bool:
    """Tell whether no person sits on any of a table's seats."""
    return all(seat.player_id is None for seat in seats)


def is_to_rest(table: Table, seats: Iterable[Seat]) -> bool:
    """Tell whether no person sits at a table, and no page has watched it for a minute."""
    if not is_for_bots_alone(seats):
        return False
    # A note of the future was made before the house's time was set back.
    return table.watched_at is None or abs(server_time.now() - table.watched_at) >= RESTS_AFTER


def let_rest(table: Table) -> bool:
    """Let the clock act no more at a table; tell whether nothing has happened there meanwhile, and no page has come."""
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING, watched_at=table.watched_at)
    return still.update(due_at=None) > 0


def note_watched(table_ids: Collection[int]) -> None:
    """Note that pages watch tables; those that rest go on at once. Tables with a person on a seat need no note."""
    now = server_time.now()
    due_at = Coalesce("due_at", Value(now), output_field=DateTimeField())
    for_bots_alone().filter(pk__in=table_ids).update(watched_at=now, due_at=due_at)


def for_bots_alone() -> QuerySet[Table]:
    """Return the tables at play at which no person sits."""
    people = Seat.objects.filter(table=OuterRef("pk"), player__isnull=False)
    return Table.objects.filter(~Exists(people), status=Table.Status.PLAYING)
