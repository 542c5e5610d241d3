"""Waiting list of a night: people without a seat, the longest waiting first, and about how long it will be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max

from games.models import Membership, Night, Result, ResultLine, Seat, Table
from games.services import server_time
from games.services.draws import drawn_rounds, drawn_tables
from games.services.tables.seating import joining

FEWEST_SEATS = 3
"""The seats of a table for many."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A person who waits: since when, and about when a seat will be free for them; None: nobody can say."""

    member: Membership
    since: datetime
    about: datetime | None


def of(night: Night) -> list[Waiting]:
    """Return who waits at a night where tables for many are played; nobody while one of them takes newcomers."""
    tables = _tables(night)
    people = drawn_tables.people(night) if tables else []
    if not people or any(joining.is_open(table) for table in tables):
        return []
    played = _last_played(night)
    since = {row.player_id: max(row.joined_at, played.get(row.player_id, row.joined_at)) for row in people}
    people.sort(key=lambda row: (since[row.player_id], row.pk))
    ends = _ends(night, tables)
    return [Waiting(row, since[row.player_id], ends[at] if at < len(ends) else None) for at, row in enumerate(people)]


def _tables(night: Night) -> list[Table]:
    """Return the tables for many that are played, those of tournaments left out."""
    rows = night.tables.filter(status__in=(Table.Status.PLAYING, Table.Status.PAUSED), pairing=None)
    return [table for table in rows.prefetch_related("seats") if len(table.seats.all()) >= FEWEST_SEATS]


def _last_played(night: Night) -> dict[int, datetime]:
    """Return when each person's last game, or last table, of a night was over, by player id."""
    lines = ResultLine.objects.filter(result__table__night=night, player__isnull=False).order_by()
    found = dict(lines.values_list("player").annotate(at=Max("result__finished_at")))
    seats = Seat.objects.filter(table__night=night, table__finished_at__isnull=False, player__isnull=False).order_by()
    for player, at in seats.values_list("player").annotate(at=Max("table__finished_at")):
        found[player] = max(at, found.get(player, at))
    return found


def _ends(night: Night, tables: Sequence[Table]) -> list[datetime]:
    """Return about when seats become free, the soonest first: with the round, else with each table's running game."""
    now = server_time.now()
    row = drawn_rounds.last(night)
    if row is not None and not row.is_over and row.ends_at is not None:
        everybody = night.memberships.count()
        return [max(row.ends_at, now)] * everybody
    found = []
    for table in tables:
        ended = _game_ends(table)
        if len(ended) > 1:
            mean = (ended[-1] - ended[0]) / (len(ended) - 1)
            found.append(max(ended[-1] + mean, now))
    return sorted(found)


def _game_ends(table: Table) -> list[datetime]:
    """Return the start of a table, and when each of its games was over."""
    rows = Result.objects.filter(table=table, is_correction=False).order_by("finished_at")
    started = [] if table.started_at is None else [table.started_at]
    return [*started, *rows.values_list("finished_at", flat=True)]


def minutes(waiting: Waiting) -> int | None:
    """Return the minutes that a person still waits, about; None: nobody can say."""
    if waiting.about is None:
        return None
    return max(0, round((waiting.about - server_time.now()) / timedelta(minutes=1)))
