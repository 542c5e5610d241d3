"""The clock: acts for bots and for decisions whose time has run out.

`Table.due_at` says when a table needs the clock, so a restart loses no deadline. Every act
goes through `submit` under an id made of the decision it answers, so that two clocks do no
harm: the second finds its command already accepted or its decision closed.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from games import plugin
from games.kernel import simulate
from games.kernel.contract import TIMEOUT, Choice, JsonObject
from games.models import Night, Seat, Table
from games.services import feed, ledger
from games.services.play import HOUSE, Actor, Request, submit

logger = logging.getLogger(__name__)

BATCH = 50


def run_due(now: datetime | None = None) -> int:
    """Act at every table that is due; return at how many."""
    now = now or datetime.now(UTC)
    due = Table.objects.filter(due_at__lte=now).order_by("due_at")
    table_ids = list(due.values_list("pk", flat=True)[:BATCH])
    for table_id in table_ids:
        _act_safely(table_id)
    return len(table_ids)


def _act_safely(table_id: int) -> None:
    """Act at one table; a failure there must not stop the others."""
    try:
        if not act(table_id):
            ledger.postpone(table_id, 5)
    except Exception:
        logger.exception("the clock failed at table %s", table_id)
        ledger.postpone(table_id, 30)


def act(table_id: int) -> bool:
    """Do what is due at one table; tell whether anything was done."""
    table = Table.objects.get(pk=table_id)
    if table.status != Table.Status.PLAYING:
        return False
    rules = plugin.game(table.game_id).rules
    state = ledger.state_of(table)
    done = False
    for seat in Seat.objects.filter(table=table):
        required = [c for c in rules.choices(state, seat.index) if c.required]
        if required and seat.bot_level:
            done |= _bot_acts(table, state, seat, required)
        else:
            done |= _time_out(table, seat, required)
        if done:
            # The state has moved on: what else is due will be seen on the next round.
            return True
    return False


def _bot_acts(table: Table, state: Any, seat: Seat, choices: list[Choice]) -> bool:
    """Let a bot answer; one that fails or cheats is replaced by a random legal answer."""
    for chooser in (_bot_choice, _random_choice):
        try:
            name, args = chooser(table, state, seat, choices)
            choice = next(c for c in choices if c.name == name)
            command_id = f"bot:{seat.index}:{name}:{choice.opened_at}"
            actor = Actor(bot_seat=seat.index)
            submit(table.pk, actor, Request(name, args, command_id, choice.opened_at))
        except Exception:
            if Table.objects.get(pk=table.pk).seq != table.seq:
                return True  # somebody acted meanwhile: the answer was to an older question
            logger.exception("bot at table %s, seat %s", table.public_id, seat.index)
        else:
            return True
    return False


def _bot_choice(
    table: Table, state: Any, seat: Seat, choices: list[Choice]
) -> tuple[str, JsonObject]:
    """Ask the game's bot, with only what the seat may see; a game without bots plays at random."""
    config = plugin.game(table.game_id)
    if config.bots is None:
        return _random_choice(table, state, seat, choices)
    view = config.rules.view(state, seat.index)
    seed = hash((table.public_id, table.seq, seat.index))
    return config.bots.choose(view, choices, seat.bot_level, seed)


def _random_choice(
    table: Table, state: Any, seat: Seat, choices: list[Choice]
) -> tuple[str, JsonObject]:
    """Return a random legal answer."""
    import random

    command = simulate.pick(choices, random.Random())
    return command.name, command.args


def _time_out(table: Table, seat: Seat, choices: list[Choice]) -> bool:
    """Send TIMEOUT for a seat whose time for an open decision has run out."""
    now = ledger.now_ms()
    for choice in choices:
        due = table.clocks.get(ledger.clock_key(choice))
        if due is not None and due <= now:
            command_id = f"clock:{ledger.clock_key(choice)}"
            submit(table.pk, HOUSE, Request(TIMEOUT, {"seat": seat.index}, command_id))
            return True
    return False


def pause_hostless(now: datetime | None = None) -> int:
    """Pause the running tables of hosts who have been gone too long; return how many.

    Where only bots play there is nobody to wait for the host, so they play on.
    """
    limit = (now or datetime.now(UTC)) - timedelta(seconds=settings.HOST_AWAY_SECONDS)
    gone = Table.objects.filter(
        status=Table.Status.PLAYING,
        night__host_away_since__lte=limit,
        seats__player__isnull=False,
    )
    table_ids = list(gone.values_list("pk", flat=True).distinct()[:BATCH])
    for table_id in table_ids:
        with transaction.atomic():
            table = ledger.lock(table_id)
            key = f"away:{table.seq}"
            submit(table_id, HOUSE, Request("table.pause", {"host_away": True}, key))
    return len(table_ids)


def set_host_presence(night_id: int, player_id: int, is_here: bool) -> None:
    """Note that a night's host came or went; the clock pauses the tables after five minutes."""
    nights = Night.objects.filter(pk=night_id, host_id=player_id)
    if is_here:
        changed = nights.filter(host_away_since__isnull=False).update(host_away_since=None)
    else:
        changed = nights.filter(host_away_since__isnull=True).update(
            host_away_since=datetime.now(UTC)
        )
    if changed:
        feed.publish(feed.NightTouched(night_id, nights.values_list("public_id", flat=True)[0]))
