"""Limits for what comes in on one connection: its messages, and its frames of any kind.

docs/protocol.md §7 tells them; settings.py has the numbers, of which 0 is no limit.
"""

from __future__ import annotations

from django.conf import settings

FLOOD_SECONDS = 20.0


class Flood:
    """Counts the frames of one connection in the last 20 s."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: list[float] = []

    def is_over(self, now: float, allowed: int) -> bool:
        """Count a frame that came at `now` (seconds); tell whether it was too many."""
        times = self._times
        times.append(now)
        if times[0] <= now - FLOOD_SECONDS:
            times[:] = [at for at in times if at > now - FLOOD_SECONDS]
        if not allowed:
            times.clear()
        return bool(allowed) and len(times) > allowed


class Frames:
    """Counts the frames of a connection of all kinds, pings and parts of messages too.

    Twice as many as messages may come: a browser answers the server's own pings.
    """

    __slots__ = ("_flood", "_is_over")

    def __init__(self) -> None:
        self._flood: Flood | None = None
        self._is_over = False

    def are_too_many(self, now: float, count: int = 1) -> bool:
        """Count frames that came at `now` (seconds); tell, once, that they were too many."""
        allowed = 2 * int(settings.MESSAGES_PER_20S_PLAYING)
        if self._is_over or not allowed:
            return False
        if self._flood is None:
            self._flood = Flood()
        self._is_over = any(self._flood.is_over(now, allowed) for _ in range(min(count, allowed + 1)))
        return self._is_over
