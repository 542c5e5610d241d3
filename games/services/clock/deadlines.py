"""Deadlines: when the clock must look at a table, and how long open decisions have left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from django.conf import settings

from games import plugin
from games.kernel.contract import Choice, Seat
from games.models import Table
from games.services.clock import server_time

Open: TypeAlias = Mapping[Seat, tuple[Choice, ...]]
"""The open choices of every seat."""


def now_ms() -> int:
    """Return the house's time in milliseconds since the epoch."""
    return server_time.now_ms()


def clock_key(choice: Choice) -> str:
    """Return the name of a choice's deadline in `Table.clocks`."""
    return f"{choice.seat}:{choice.name}:{choice.opened_at}"


def open_choices(game_id: str, state: Any, seats: Iterable[Seat]) -> Open:
    """Return what is open for each of some seats."""
    choices = plugin.game(game_id).rules.choices
    return {seat: choices(state, seat) for seat in seats}


def after(
    game_id: str, open_now: Open, levels: Mapping[Seat, str], clocks: Mapping[str, int]
) -> tuple[dict[str, int], datetime | None]:
    """Return the deadlines of a table that plays, and when the clock must look at it.

    `levels` holds the seats' bot levels, empty for people. A decision that was open before
    keeps its deadline in `clocks`. A choice that is not required may have a deadline too, which all
    see and which ends nothing: that somebody has answered is not to be told by it.
    """
    with_asides = plugin.game(game_id).aside is not None
    running: dict[str, int] = {}
    due: list[int] = []
    now = now_ms()
    for seat, level in levels.items():
        choices = open_now[seat]
        if level and (any(choice.required for choice in choices) or (with_asides and choices)):
            due.append(now + int(settings.BOT_DELAY * 1000))
        for choice in choices:
            if choice.seconds is not None and not level:
                key = clock_key(choice)
                running[key] = clocks.get(key, now + choice.seconds * 1000)
                due += [running[key]] if choice.required else []
    return running, first(due)


def first(moments: Iterable[int]) -> datetime | None:
    """Return the first of some moments in milliseconds, None without one."""
    earliest = min(moments, default=None)
    return None if earliest is None else datetime.fromtimestamp(earliest / 1000, UTC)


def rest(table: Table) -> bool:
    """Let the clock look again only at the next deadline; tell whether the table stood still."""
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING)
    now = now_ms()
    return still.update(due_at=first(due for due in table.clocks.values() if due > now)) > 0


def later(clocks: Mapping[str, int], began: int) -> dict[str, int]:
    """Return deadlines put off by the time since `began`."""
    passed = max(0, now_ms() - began)
    return {key: value + passed for key, value in clocks.items()}


def look_at(table: Table, moment: int | None) -> bool:
    """Let the clock look again at a moment in milliseconds (None: at none); tell whether the table stood still."""
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING)
    return still.update(due_at=first([] if moment is None else [moment])) > 0


def shifted(clocks: Mapping[str, int], *, paused: bool) -> dict[str, int]:
    """Return deadlines as time left (when pausing), or time left as deadlines (when going on)."""
    now = now_ms() * (-1 if paused else 1)
    return {key: max(0, value + now) for key, value in clocks.items()}


def postpone(table: Table, seconds: float) -> bool:
    """Let the clock look at a table again only in `seconds`; tell whether it stood still.

    A table that has moved on meanwhile, or does not play, keeps what it is due.
    """
    later = server_time.now() + timedelta(seconds=seconds)
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING)
    return still.update(due_at=later) > 0
