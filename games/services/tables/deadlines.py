"""Deadlines: the times at which the clock must act at tables, and the time left for open decisions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from django.conf import settings

from games import plugin
from games.kernel.contract import FLAG, Choice, Seat, Timer
from games.models import Table
from games.services import server_time
from games.services.dice.dice_chains import UnderWay
from games.services.seats.seats import Seats

Open: TypeAlias = Mapping[Seat, tuple[Choice, ...]]
"""The open choices of every seat."""


def clock_key(choice: Choice) -> str:
    """Return the name of a choice's deadline in `Table.clocks`."""
    return f"{choice.seat}:{choice.name}:{choice.opened_at}"


MOST_LAG_MS = 1000
"""The most milliseconds for which a command's way to the house is not charged to a game clock (docs/protocol.md §7).

The house lets a flag fall so much later, that a press may still be on its way.
"""


def timer_key(timer: Timer) -> str:
    """Return the name of a timer's deadline in `Table.clocks`; the seat is empty for a time of the table."""
    return f"{'' if timer.seat is None else timer.seat}:{timer.name}:{timer.opened_at}"


def open_choices(game: plugin.GameConfig, state: Any, seats: Iterable[Seat]) -> Open:
    """Return the open choices of each of the given seats."""
    choices = game.rules.choices
    return {seat: choices(state, seat) for seat in seats}


def of_table(
    game: plugin.GameConfig,
    state: Any,
    status: str,
    seats: Seats,
    *,
    clocks: Mapping[str, int],
    ended: UnderWay | None,
    throw: UnderWay | None,
) -> tuple[Mapping[str, int], datetime | None, Open | None]:
    """Return a table's deadlines, the time of the clock's next act, and the open choices; in a pause nothing is due.

    `throw` is the throw under way after the entry, `ended` the one before it: its time was nobody's.
    """
    if status == Table.Status.PAUSED:
        return clocks, None, None
    if status != Table.Status.PLAYING:
        return {}, None, None
    if throw is not None:
        return clocks, first([] if throw.due is None else [throw.due]), None
    if ended is not None:
        clocks = later(clocks, ended.began)
    levels = {index: each.bot_level for index, each in seats.items()}
    open_now = open_choices(game, state, levels)
    without = {index for index, each in seats.items() if each.must_accept}
    return *after(game, state, open_now, levels, clocks, without=without), open_now


def after(
    game: plugin.GameConfig,
    state: Any,
    open_now: Open,
    levels: Mapping[Seat, str],
    clocks: Mapping[str, int],
    *,
    without: Collection[Seat] = (),
) -> tuple[dict[str, int], datetime | None]:
    """Return the deadlines of a playing table, and the time at which the clock must act there.

    `levels` holds the seats' bot levels, empty for people; bots and the seats `without` have no clock. What was
    open before keeps its deadline in `clocks`, and so does a game clock that ran. A choice that is not required may
    have a deadline too. It is only shown and ends nothing, and it stays after the answer, so that it does not reveal
    which seats have answered.
    """
    with_asides = game.bots is not None and game.bots.aside is not None
    running: dict[str, int] = {}
    due: list[int] = []
    now = server_time.now_ms()
    for seat, level in levels.items():
        choices = open_now[seat]
        if level and (any(choice.required for choice in choices) or (with_asides and choices)):
            due.append(now + int(settings.BOT_DELAY * 1000))
        for choice in choices:
            if choice.seconds is not None and not level and seat not in without:
                key = clock_key(choice)
                running[key] = clocks.get(key, now + choice.seconds * 1000)
                due += [running[key]] if choice.required else []
    for timer in timers(game, state, levels, without):
        key = timer_key(timer)
        running[key] = clocks.get(key, now + timer.ms)
        due.append(_acted_on(key, running[key]))
    return running, first(due)


def timers(
    game: plugin.GameConfig, state: Any, levels: Mapping[Seat, str], without: Collection[Seat] = ()
) -> list[Timer]:
    """Return the times that run beside the choices, without those of bots and of the seats `without`."""
    found = game.rules.timers(state)
    return [
        timer for timer in found if timer.seat is None or (not levels.get(timer.seat) and timer.seat not in without)
    ]


def _acted_on(key: str, due: int) -> int:
    """Return the time at which the clock acts on a deadline: on a fallen flag a little later."""
    return due + MOST_LAG_MS if key.split(":")[1] == FLAG else due


def until_flags(clocks: Mapping[str, int], began: int | None, lag: int = 0) -> dict[Seat, int]:
    """Return the milliseconds until the flags of running game clocks fall, below 0 where one should have fallen.

    `began` is the beginning of a throw under way, whose time is nobody's; `lag` the time of the command's way.
    """
    stood = 0 if began is None else max(0, server_time.now_ms() - began)
    since = server_time.now_ms() - stood - min(max(lag, 0), MOST_LAG_MS)
    flags = ((key.split(":")[0], due) for key, due in clocks.items() if key.split(":")[1] == FLAG)
    return {int(seat): due - since for seat, due in flags}


def first(moments: Iterable[int]) -> datetime | None:
    """Return the earliest of some times in milliseconds, None without any."""
    earliest = min(moments, default=None)
    return None if earliest is None else datetime.fromtimestamp(earliest / 1000, UTC)


def rest(table: Table) -> bool:
    """Set the clock's next act at a table to the next deadline; tell whether the table is unchanged and playing."""
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING)
    now = server_time.now_ms()
    return still.update(due_at=first(at for key, due in table.clocks.items() if (at := _acted_on(key, due)) > now)) > 0


def later(clocks: Mapping[str, int], began: int) -> dict[str, int]:
    """Return deadlines moved back by the time since `began`."""
    passed = max(0, server_time.now_ms() - began)
    return {key: value + passed for key, value in clocks.items()}


def look_at(table: Table, moment: int | None) -> bool:
    """Set the clock's next act to `moment` (ms, None: none); tell whether the table is unchanged and playing."""
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING)
    return still.update(due_at=first([] if moment is None else [moment])) > 0


def shifted(clocks: Mapping[str, int], *, paused: bool) -> dict[str, int]:
    """Convert deadlines to time left (`paused`), or time left to deadlines (at the end of a pause)."""
    now = server_time.now_ms() * (-1 if paused else 1)
    return {key: max(0, value + now) for key, value in clocks.items()}


def postpone(table: Table, seconds: float) -> bool:
    """Set the clock's next act at a table to `seconds` from now; tell whether the table is unchanged and playing.

    A table that has changed meanwhile, or does not play, keeps its due time.
    """
    later = server_time.now() + timedelta(seconds=seconds)
    still = Table.objects.filter(pk=table.pk, seq=table.seq, status=Table.Status.PLAYING)
    return still.update(due_at=later) > 0
