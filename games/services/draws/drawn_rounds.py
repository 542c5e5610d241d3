"""Rounds of drawn tables: noted when they are opened, ended after games or minutes, and what the next draw goes by."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Sum

from games import plugin
from games.kernel.contract import CLOSE, CLOSE_AFTER, Illegal
from games.models import DrawnRound, DrawnTable, HouseRules, Night, ResultLine, Table
from games.services import server_time
from games.services.commands import HOUSE, Request, new_command_id
from games.services.tables import log
from games.services.tables.commit import submit

logger = logging.getLogger(__name__)

MOST_GAMES, MOST_MINUTES = 20, 240


@dataclass(frozen=True, slots=True)
class Limit:
    """The end of a round: after `games` games of each table, or with the game that runs after `minutes`."""

    games: int | None = None
    minutes: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnBy:
    """The wish by which a round was drawn: house rules, the people at a table (0: a number of tables), and the way."""

    game_id: str
    preset: str
    rules: HouseRules | None
    want: int
    way: str


def check(limit: Limit) -> None:
    """Raise Illegal `bad_limit` for a limit of no game or minute, of too many, or of both."""
    is_both = limit.games is not None and limit.minutes is not None
    is_fit = limit.games is None or 0 < limit.games <= MOST_GAMES
    if is_both or not is_fit or not (limit.minutes is None or 0 < limit.minutes <= MOST_MINUTES):
        raise Illegal("bad_limit", games=MOST_GAMES, minutes=MOST_MINUTES)


def note(night: Night, drawn: DrawnBy, limit: Limit, tables: Sequence[Table]) -> DrawnRound:
    """Note the tables that are opened together as the next round of their game, the first table first."""
    now = server_time.now()
    found = DrawnRound.objects.create(
        night=night,
        number=DrawnRound.objects.filter(night=night, game_id=drawn.game_id).count() + 1,
        game_id=drawn.game_id,
        preset=drawn.preset,
        rules=drawn.rules,
        want=drawn.want,
        way=drawn.way,
        games=limit.games,
        minutes=limit.minutes,
        ends_at=None if limit.minutes is None else now + timedelta(minutes=limit.minutes),
        created_at=now,
    )
    rows = [DrawnTable(round=found, table=table, place=place) for place, table in enumerate(tables, 1)]
    DrawnTable.objects.bulk_create(rows)
    return found


def last(night: Night, game_id: str | None = None) -> DrawnRound | None:
    """Return the latest round of a night, or of one of its games."""
    rows = DrawnRound.objects.filter(night=night).select_related("rules")
    return (rows if game_id is None else rows.filter(game_id=game_id)).order_by("-pk").first()


def run_due(now: datetime | None = None) -> int:
    """End the tables whose round has reached its limit; return the number of rounds that are not over."""
    rows = DrawnRound.objects.filter(is_over=False).select_related("night")
    found = list(rows)
    for row in found:
        _run(row, now or server_time.now())
    return len(found)


def _run(row: DrawnRound, now: datetime) -> None:
    tables = [each.table for each in row.tables.select_related("table")]
    left = [table for table in tables if table.status != Table.Status.FINISHED]
    if not left:
        row.is_over = True
        row.save(update_fields=["is_over"])
        return
    for table in left:
        if table.status == Table.Status.PLAYING and _has_reached(row, table, now):
            _close(row, table)


def _has_reached(row: DrawnRound, table: Table, now: datetime) -> bool:
    """Tell whether the running game of a table is its last one, or there is to be none any more."""
    if row.games is not None:
        return table.results.filter(is_correction=False).count() >= row.games - 1
    return row.ends_at is not None and row.ends_at <= now


def _close(row: DrawnRound, table: Table) -> None:
    """Close an open-ended table with its running game, or at once between two games; others end by themselves."""
    choices = plugin.game(table.game_id).rules.choices(log.state_of(table), None)
    listed = {choice.name: choice.options for choice in choices}
    name, args = "", {}
    if {"on": True} in listed.get(CLOSE_AFTER, ()):
        name, args = "table.close_after", {"on": True}
    elif CLOSE in listed and _is_played_out(row, table):
        name = "table.close"
    if not name:
        return
    try:
        submit(table.pk, HOUSE, Request(name, args, new_command_id()))
    except Illegal as refusal:
        # The host was faster.
        logger.info("the table %s is not closed: %s", table.public_id, refusal.code)


def _is_played_out(row: DrawnRound, table: Table) -> bool:
    """Tell whether a table between two games has had all of its round: its games, or its minutes."""
    return row.games is None or table.results.filter(is_correction=False).count() >= row.games


def ladder(row: DrawnRound) -> list[int]:
    """Return the people of a round from the first table down: the last of a table has changed with the first below.

    At a table its people stand by their points of the round, equal ones as seated; player ids.
    """
    tables = [_standing(each.table) for each in row.tables.select_related("table")]
    tables = [each for each in tables if each]
    for above, below in pairwise(tables):
        above[-1], below[0] = below[0], above[-1]
    return [pk for table in tables for pk in table]


def _standing(table: Table) -> list[int]:
    """Return the people of a table by their points, the best first."""
    lines = ResultLine.objects.filter(result__table=table, player__isnull=False)
    points: dict[int, int] = defaultdict(int)
    for row in lines.order_by("seat").values("player").annotate(total=Sum("points")):
        points[row["player"]] += row["total"]
    for pk in table.seats.filter(player__isnull=False).order_by("index").values_list("player", flat=True):
        points.setdefault(pk, 0)
    sign = 1 if plugin.game(table.game_id).lower_is_better else -1
    return sorted(points, key=lambda pk: sign * points[pk])
