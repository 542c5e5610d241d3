"""The clock: acts for bots and for decisions whose time has run out.

`Table.due_at` is the time at which a table needs the clock, so a restart loses no deadline. Every process
runs a clock. Each claims the tables at which it acts for a few seconds, so that no two ask the same bot,
and the tables of a process that died are soon claimed by another. Every act goes through `submit`, under an id
made of the decision that it answers and the last entry before it, and is valid only directly after that
entry. So two clocks at one table would do no harm: the second finds its command already accepted, or the
table changed.
"""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.db.models import Q

from games import plugin
from games.kernel.contract import FLAG, Choice, Illegal
from games.models import Night, Seat, Table
from games.ops import logs, metrics
from games.services import publication, server_time
from games.services.clock import bots
from games.services.clock.bot_threads import StillThinking
from games.services.commands import HOUSE, Request
from games.services.dice.dice_chains import UnderWay
from games.services.seats import bot_tables
from games.services.tables import deadlines, log, sql, throws
from games.services.tables.queue import submit

logger = logging.getLogger(__name__)

BATCH = 50
# The waiting times at a table where neither a bot nor the clock could act, or where the clock failed.
AGAIN_SECONDS, FAILED_SECONDS = 5, 30
CLAIM_SECONDS = 5.0
"""The longest time that a table waits for a process that died."""
PROCESS = f"{os.getpid()}-{uuid.uuid4().hex[:16]}"
# By so much the times of two processes may differ.
SEEN_SLACK_SECONDS = 0.5
# The waiting time for a bot's answer.
THINKING_SECONDS = 0.2


def run_due(now: datetime | None = None) -> int:
    """Act at every table that is due; return the number of these tables."""
    table_ids = _claimed(now or server_time.now())
    for table_id in table_ids:
        with _going_on(table_id):
            _act_safely(table_id)
    return len(table_ids)


def _claimed(now: datetime) -> list[int]:
    """Return due tables at which this process may act, longest due first; free ones are claimed.

    A claim is renewed in its second half, so that a busy table is not claimed again for every act.
    """
    claim = sql.Claim(PROCESS, now, now + timedelta(seconds=CLAIM_SECONDS))
    due = Table.objects.filter(due_at__lte=now, status=Table.Status.PLAYING).filter(
        Q(claimed_by=PROCESS)
        | Q(claimed_until=None)
        | Q(claimed_until__lte=now)
        | Q(claimed_until__gt=claim.latest)  # claimed before the house's time was set back
    )
    found = list(due.order_by("due_at").values_list("pk", "claimed_by", "claimed_until")[:BATCH])
    half = now + timedelta(seconds=CLAIM_SECONDS / 2)
    claimed = {pk for pk, by, until in found if by == PROCESS and until is not None and half < until <= claim.until}
    if others := [pk for pk, *_ in found if pk not in claimed]:
        claimed |= sql.claim(others, claim)
    return [pk for pk, *_ in found if pk in claimed]


def release() -> None:
    """Give up this process's claims when it ends."""
    Table.objects.filter(claimed_by=PROCESS, claimed_until__gt=server_time.now()).update(claimed_until=None)


@contextmanager
def _going_on(table_id: int) -> Iterator[None]:
    """Count and log the errors of one table, so that others are not affected. OperationalError is raised."""
    try:
        yield
    except OperationalError:
        raise
    except Exception:
        metrics.clock_failed()
        logger.exception("the clock failed at table %s", table_id)


def _act_safely(table_id: int) -> None:
    """Act at one table; a failure there must not stop the others."""
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        return
    if not plugin.is_installed(table.game_id):
        deadlines.postpone(table, FAILED_SECONDS)
        return
    try:
        if not act(table):
            deadlines.postpone(table, AGAIN_SECONDS)
    except Exception as error:
        # If another command was faster, the table has changed and another decision is due.
        stands_still = deadlines.postpone(table, FAILED_SECONDS)
        if stands_still or not isinstance(error, Illegal):
            metrics.clock_failed()
            name, level = table.public_id, logging.ERROR
            logs.log_event(logger, level, "clock", "failed", error=error, table=name, seq=table.seq)


def act(table: Table) -> bool:
    """Do the due act at one table; tell whether the table was handled."""
    if table.status != Table.Status.PLAYING:
        return False
    snapshot = log.snapshot_of(table)
    if snapshot.under_way is not None:
        return _go_on_without(table, snapshot.under_way)
    seats = list(Seat.objects.filter(table=table).order_by("index"))
    if bot_tables.is_to_rest(table, seats) and bot_tables.let_rest(table):
        return True
    return _decided(table, snapshot.state, seats)


def _decided(table: Table, state: Any, seats: list[Seat]) -> bool:
    """Let bots act and time-outs come at one table; tell whether the table was handled."""
    is_thinking = False
    if _timer_has_run_out(table, state, seats):
        return True
    for attempt in (bots.aside, _on_turn):
        try:
            # The state has changed: further due acts follow in the next round.
            if attempt(table, state, seats):
                return True
        except StillThinking:
            is_thinking = True
    if is_thinking:
        deadlines.postpone(table, THINKING_SECONDS)
        return True
    # A bot for which even a random answer failed is not asked again for a while.
    is_stuck = any(seat.bot_level and _required(table, state, seat) for seat in seats)
    return not is_stuck and deadlines.rest(table)


def _timer_has_run_out(table: Table, state: Any, seats: list[Seat]) -> bool:
    """Let a flag fall, or end a table's time, if that is due; tell whether the table has changed.

    A flag falls a little late, so that a press on its way comes first.
    """
    levels = {seat.index: seat.bot_level for seat in seats}
    now = server_time.now_ms()
    for timer in deadlines.timers(plugin.game(table.game_id), state, levels):
        due = table.clocks.get(deadlines.timer_key(timer))
        if due is not None and due + (deadlines.MOST_LAG_MS if timer.name == FLAG else 0) <= now:
            request = Request(timer.name, timer.args, f"timer:{timer.name}:{timer.seat}:{table.seq}", at=table.seq)
            return submit(table.pk, HOUSE, request).seq > table.seq
    return False


def _go_on_without(table: Table, under_way: UnderWay) -> bool:
    """Continue a throw without the device that is asked, if it has been silent for too long."""
    if under_way.due is None or under_way.due > server_time.now_ms():
        return deadlines.look_at(table, under_way.due)
    request = Request(throws.SILENT, {"k": under_way.k}, f"silent:{under_way.k}:{table.seq}", at=table.seq)
    return submit(table.pk, HOUSE, request).seq > table.seq


def _required(table: Table, state: Any, seat: Seat) -> list[Choice]:
    """Return the required choices of a seat."""
    choices = plugin.game(table.game_id).rules.choices(state, seat.index)
    return [c for c in choices if c.required]


def _on_turn(table: Table, state: Any, seats: list[Seat]) -> bool:
    """Act for the first seat for which an act is due; raises StillThinking if only a bot's answer is missing."""
    is_thinking = False
    for seat in seats:
        required = _required(table, state, seat)
        act_for = bots.acts if seat.bot_level and required else _time_out
        try:
            if act_for(table, state, seat, required):
                return True
        except StillThinking:
            is_thinking = True
    if is_thinking:
        raise StillThinking
    return False


def _time_out(table: Table, state: Any, seat: Seat, choices: list[Choice]) -> bool:
    """Send TIMEOUT for a seat whose time for an open decision has run out; tell whether the table has changed."""
    now = server_time.now_ms()
    for choice in choices:
        due = table.clocks.get(deadlines.clock_key(choice))
        if due is not None and due <= now:
            return bots.time_out(table, choice)
    return False


def pause_hostless(now: datetime | None = None) -> int:
    """Pause the running tables of hosts that have been away too long; return the number of due tables.

    Tables with bots only are not paused: no player there needs the host.
    """
    limit = (now or server_time.now()) - timedelta(seconds=settings.HOST_AWAY_SECONDS)
    gone = Table.objects.filter(
        status=Table.Status.PLAYING,
        night__host_away_since__lte=limit,
        seats__player__isnull=False,
    )
    table_ids = list(gone.values_list("pk", flat=True).distinct()[:BATCH])
    for table_id in table_ids:
        with _going_on(table_id):
            seq = Table.objects.values_list("seq", flat=True).get(pk=table_id)
            try:
                submit(table_id, HOUSE, Request("table.pause", {"host_away": True}, f"away:{seq}", at=seq))
            except Illegal as refusal:
                # Another process, the host or a player was faster.
                logger.debug("table %s is not paused: %s", table_id, refusal.code)
    return len(table_ids)


def set_host_presence(night_id: int, player_id: int, is_here: bool, seen_ago: float = 0.0) -> None:
    """Note that a night's host came or went; the clock pauses the tables after HOST_AWAY_SECONDS.

    `seen_ago`: the seconds since the last connection of a host who went. A host whom another process has seen since
    has not gone.
    """
    nights, now = Night.objects.filter(pk=night_id, host_id=player_id), server_time.now()
    if is_here:
        changed = nights.filter(host_away_since__isnull=False).update(host_away_since=None, host_seen_at=now)
    else:
        seen_at = now - timedelta(seconds=seen_ago)
        known = Q(host_seen_at=None) | Q(host_seen_at__lte=seen_at + timedelta(seconds=SEEN_SLACK_SECONDS))
        here = nights.filter(known, host_away_since__isnull=True)
        changed = here.update(host_away_since=now, host_seen_at=seen_at)
    if changed:
        publication.publish(publication.NightTouched(night_id, nights.values_list("public_id", flat=True)[0]))
