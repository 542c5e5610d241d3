"""The log level of a running house: a file in the data folder that every process obeys within seconds.

A file needs no database: the level can be raised to see why the database does not answer. It ends by itself, so that
nobody forgets a house that logs everything.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from games.ops.files import write_whole
from games.ops.logs import STARTS, log_event

FILE = "log_level.json"
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FOLLOW_SECONDS = 1.0
USUAL_MINUTES, LONGEST_MINUTES = 60, 24 * 60

_following = threading.Lock()
_is_following = False


@dataclass(frozen=True, slots=True)
class ChosenLevel:
    """A level of LEVELS, and until when it holds (seconds since 1970)."""

    level: str
    until: float


def choose(level: str, minutes: int) -> ChosenLevel:
    """Let all processes of this data folder log at a level for some minutes; raises ValueError, OSError."""
    if level not in LEVELS:
        raise ValueError(f"{level!r} is no level: {', '.join(LEVELS)}")
    if not 1 <= minutes <= LONGEST_MINUTES:
        raise ValueError(f"{minutes} minutes: 1 to {LONGEST_MINUTES} are possible")
    choice = ChosenLevel(level, time.time() + 60 * minutes)
    write_whole(_path(), json.dumps({"level": choice.level, "until": choice.until}))
    return choice


def choose_usual() -> None:
    """Let all processes log at LOG_LEVEL again; raises OSError."""
    _path().unlink(missing_ok=True)


def chosen() -> ChosenLevel | None:
    """Return the choice that holds now; None for LOG_LEVEL.

    A file that cannot be read counts as none, and so does one that would hold for longer than anybody can choose: the
    computer's clock was set back.
    """
    try:
        found = json.loads(_path().read_text(encoding="utf-8"))
        choice = ChosenLevel(str(found["level"]), float(found["until"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    left = choice.until - time.time()
    return choice if choice.level in LEVELS and 0 < left <= 60 * LONGEST_MINUTES else None


def usual() -> str:
    """Return the level of LOG_LEVEL."""
    return str(settings.LOG_LEVEL)


def obey() -> None:
    """Set this process's level to the chosen one, or to LOG_LEVEL; a change is logged at every level."""
    choice = chosen()
    level = choice.level if choice else usual()
    root = logging.getLogger()
    if logging.getLevelName(root.level) != level:
        root.setLevel(level)
        log_event(logging.getLogger(STARTS), logging.INFO, "log", "level", text=level)


def start_following() -> None:
    """Obey the choice from now on, every FOLLOW_SECONDS; further calls change nothing."""
    global _is_following  # noqa: PLW0603
    with _following:
        if _is_following:
            return
        _is_following = True
    obey()
    threading.Thread(target=_follow, name="log level", daemon=True).start()


def _follow() -> None:
    waiting = threading.Event()
    while not waiting.wait(FOLLOW_SECONDS):
        obey()


def _path() -> Path:
    return Path(settings.DATA_DIR) / FILE
