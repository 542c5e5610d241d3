"""Bots think in threads of their own, for a limited time.

The clock serves all tables from one thread, so it waits only briefly for a bot's answer, then serves
the other tables and comes back. A bot is a game's own code and may never return. Its thread cannot be
ended, but the clock no longer waits for it, and a game with too many such threads is not asked again
until one of them returns.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from django.conf import settings

from games.ops import metrics, move_priority

# Most answers take less time and are used at once.
MOMENTS = {"choose": 0.25, "aside": 0.05}
MOST_STALLED = 3
MOST_KEPT = 200

LAST_SECONDS = 2.0
"""The longest time that an ending process waits for running thoughts."""

Key: TypeAlias = tuple[int, int, str]
"""A table, a seat, and the kind of question: "choose" or "aside"."""


class StillThinking(Exception):
    """No answer yet: ask again soon."""


class Stalled(Exception):
    """No answer in time, or too many threads of this game never returned."""


class Thought(threading.Thread):
    """One question to a bot. `seq` is the log entry after which it was asked."""

    def __init__(self, seq: int, ask: Callable[[], Any]) -> None:
        super().__init__(name="bot", daemon=True)
        self.seq, self.began = seq, time.monotonic()
        self._ask = ask
        self._answer: Any = None
        self._error: Exception | None = None

    def run(self) -> None:
        """Ask, and store the answer or the error."""
        try:
            with move_priority.short_turns():
                self._answer = self._ask()
        except Exception as error:
            self._error = error
        finally:
            metrics.thought(time.monotonic() - self.began)

    def answer(self) -> Any:
        """Return the answer of a finished thought; raises the bot's error."""
        if self._error is not None:
            raise self._error
        return self._answer


_thoughts: dict[Key, Thought] = {}
_stalled: dict[str, list[Thought]] = {}
_lock = threading.Lock()


def ask(game_id: str, key: Key, seq: int, question: Callable[[], Any]) -> Any:
    """Return the answer to a question, started now or at an earlier call.

    Raises StillThinking, Stalled, and the bot's errors.
    """
    thought = _thought(game_id, key, seq, question)
    thought.join(max(0.0, thought.began + MOMENTS[key[2]] - time.monotonic()))
    if thought.is_alive() and time.monotonic() - thought.began < settings.BOT_SECONDS:
        raise StillThinking
    with _lock:
        _thoughts.pop(key, None)
    if thought.is_alive():
        _give_up(game_id, thought)
        raise Stalled
    return thought.answer()


def _thought(game_id: str, key: Key, seq: int, question: Callable[[], Any]) -> Thought:
    """Return the thought that runs under a key, or a new one."""
    with _lock:
        found = _thoughts.get(key)
    if found is not None and found.seq == seq:
        return found
    if found is not None:
        _give_up(game_id, found)
    if is_stalled(game_id):
        raise Stalled
    thought = Thought(seq, question)
    with _lock:
        if len(_thoughts) >= MOST_KEPT:
            for old in [k for k, t in _thoughts.items() if not t.is_alive()]:
                del _thoughts[old]
        _thoughts[key] = thought
    thought.start()
    return thought


def _give_up(game_id: str, thought: Thought) -> None:
    """Stop waiting for a thought, and count its thread as stalled."""
    with _lock:
        _stalled.setdefault(game_id, []).append(thought)


def is_stalled(game_id: str) -> bool:
    """Tell whether too many threads of a game's bots have not returned."""
    with _lock:
        alive = [thought for thought in _stalled.get(game_id, []) if thought.is_alive()]
        _stalled[game_id] = alive
        return len(alive) >= MOST_STALLED


@atexit.register
def wait_for_thoughts() -> None:
    """Wait a moment for running thoughts before the process ends.

    A thread cut off in native code can crash the whole process.
    """
    until = time.monotonic() + LAST_SECONDS
    for thread in threading.enumerate():
        if isinstance(thread, Thought):
            thread.join(max(0.0, until - time.monotonic()))
