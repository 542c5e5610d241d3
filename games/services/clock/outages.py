"""Outages of the house: game clocks get back the time during which no process ran.

A reserve is for thinking, and nobody can press while the house is down or its computer sleeps. So the first process
that runs again moves the ends of game clocks and time limits back, by an entry at each table: a replay knows it, too.
Decisions' deadlines go on (docs/operations.md).
"""

from __future__ import annotations

import logging
import time

from games.kernel.contract import FLAG, TIME_LIMIT, Event, Illegal, JsonObject
from games.models import HouseClock, Table
from games.services import processes, server_time
from games.services.commands import HOUSE, Request
from games.services.tables.commit import submit
from games.services.tables.decisions import LockedTable, TableDecision

logger = logging.getLogger(__name__)

STOOD_STILL = "table.stood_still"
"""The event, and the house's own command, by which a table's game clocks get back the time of an outage."""

_look_at = 0.0
_has_looked = False


def make_up() -> int:
    """Give the game clocks of all playing tables the time of an outage, if there was one; return the tables' number.

    Every process looks when it starts and before it writes the house's time anew. Two that find the same outage
    name it by the same id, so it is made up once. Raises DatabaseError.
    """
    global _look_at, _has_looked
    processes.join_time()
    now = time.monotonic()
    if now < _look_at:
        return 0
    told = HouseClock.objects.filter(pk=processes.ROW).values_list("house_ms", flat=True).first()
    away = 0 if told is None else server_time.now_ms() - told
    longest = processes.VALID_SECONDS if _has_looked else processes.RENEW_SECONDS
    _look_at, _has_looked = now + processes.RENEW_SECONDS, True
    if told is None or away <= longest * 1000:
        return 0
    return sum(_made_up(table_id, told, away) for table_id in _timed())


def _timed() -> list[int]:
    """Return the ids of playing tables with a game clock or a time limit."""
    tables = Table.objects.filter(status=Table.Status.PLAYING).values_list("pk", "clocks")
    return [pk for pk, clocks in tables if any(_is_of_timer(key) for key in clocks)]


def _is_of_timer(key: str) -> bool:
    return key.split(":")[1] in (FLAG, TIME_LIMIT)


def _made_up(table_id: int, told: int, away: int) -> bool:
    """Make up an outage that began at the house's time `told`, at one table; tell whether it took place."""
    try:
        submit(table_id, HOUSE, Request(STOOD_STILL, {"ms": away}, f"away:{told}"), _decide)
    except Illegal as refusal:
        logger.info("table %s gets no time back: %s", table_id, refusal.code)
        return False
    return True


def _decide(table: LockedTable, args: JsonObject) -> TableDecision:
    if table.snapshot.status != Table.Status.PLAYING:
        raise Illegal("not_started")
    clocks = {key: due + args["ms"] * _is_of_timer(key) for key, due in table.snapshot.clocks.items()}
    return TableDecision((Event(STOOD_STILL, dict(args)),), table.snapshot.state, clocks=clocks)


processes.after_joining(make_up)
