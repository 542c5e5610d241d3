"""Logs: a line for people, or one JSON object a line for programs.

No log names players. Our own messages name tables by their public ids; messages of libraries are cleaned here:
addresses, and the tokens in links. The text of an error may contain anything (a database repeats refused values), so
JSON has only its class and the place where it was raised.
"""

from __future__ import annotations

import json
import logging
import os
import re
import time
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from games.ops import mail_settings, metrics
from games.version import version

FIELDS = ("component", "event", "table", "seat", "seq", "code", "seconds", "status", "worker")
"""Fields that a record may carry besides its message, as `extra`."""

STARTS = "games.starts"
"""The logger of starts; the settings enable it at every LOG_LEVEL."""

_SECRET_LINK = re.compile(r"/(j|tv)/[^/\s'\"]+/[^/\s'\"]+")
_IPV4 = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b(?:(?:', |:)\d{1,5})?")
_IPV6 = re.compile(r"(?<![\w:])(?=[0-9a-fA-F:.]*::|(?:[0-9a-fA-F]{1,4}:){7})[0-9a-fA-F:.]{2,}")
_COOKIE = re.compile(r"\b(sessionid|csrftoken)=\w+")
_QUERY = re.compile(r"\?[^\s'\"]+")


def log_event(
    logger: logging.Logger,
    level: int,
    component: str,
    event: str,
    *,
    text: str = "",
    error: BaseException | None = None,
    **about: Any,
) -> None:
    """Log an event of a component in a searchable form.

    The line begins with `component=… event=…` and the names and values of `about`, which are some of FIELDS; `text`
    follows.
    """
    fields = {"component": component, "event": event, **about}
    line = " ".join(f"{name}={value}" for name, value in fields.items())
    logger.log(level, "%s", f"{line}: {text}" if text else line, extra=fields, exc_info=error)


def log_start() -> None:
    """Log the version once in a server process, at every LOG_LEVEL: the lines after it come from that version."""
    if settings.LOG_START:
        log_event(logging.getLogger(STARTS), logging.INFO, "server", "started", text=f"version={version()}")


def clean(text: str) -> str:
    """Return a text without addresses, tokens, session keys and query strings."""
    text = _SECRET_LINK.sub(r"/\1/…", text)
    text = _COOKIE.sub(r"\1=…", text)
    text = _QUERY.sub("?…", text)
    return _IPV6.sub("…", _IPV4.sub("…", text))


class LineFormatter(logging.Formatter):
    """A line for people, with the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the cleaned line."""
        return clean(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time (UTC), level, logger, message, and the record's other fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object as text."""
        data: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "version": version(),
            "message": clean(record.getMessage()),
        }
        data |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            data |= _fault(record.exc_info[0], record.exc_info[2])
        return json.dumps(data, ensure_ascii=False, default=str)


def _fault(kind: type[BaseException], raised: Any) -> dict[str, Any]:
    """Return an error's class and where it was raised, innermost last, but not its text."""
    frames = traceback.extract_tb(raised)[-20:]
    return {
        "error": f"{kind.__module__}.{kind.__qualname__}",
        "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


SECURITY = "django.security."
"""The loggers of requests that look like an attack: a form of another site, a body too large, a made-up file name."""
_QUIET_SECONDS = 600.0
_warned_at: dict[str, float] = {}


class BadRequestsFilter(logging.Filter):
    """Lowers answers to bad requests (4xx) to INFO: strangers can cause them without end, and nothing is broken.

    Of those that look like an attack the first of each kind in ten minutes stays a WARNING, and all are counted.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a record is logged; a second handler gets the same answer."""
        if not 400 <= getattr(record, "status_code", 0) < 500:
            return True
        is_logged = getattr(record, "is_logged", None)
        if is_logged is None:
            level = self._level(record)
            record.levelno, record.levelname = level, logging.getLevelName(level)
            record.__dict__["is_logged"] = is_logged = logging.getLogger(record.name).isEnabledFor(level)
        return bool(is_logged)

    @staticmethod
    def _level(record: logging.LogRecord) -> int:
        kind = record.name.removeprefix(SECURITY).lower() if record.name.startswith(SECURITY) else ""
        return attack_level(kind) if kind else logging.INFO


def note_attack(logger: logging.Logger, kind: str) -> None:
    """Count and log what looks like an attack; `kind` is a word such as "password"."""
    log_event(logger, attack_level(kind), "security", "attack", code=kind)


def attack_level(kind: str) -> int:
    """Count a request that looks like an attack; return the level at which it is to be logged."""
    metrics.attacked(kind)
    now = time.monotonic()
    if now - _warned_at.get(kind, -_QUIET_SECONDS) < _QUIET_SECONDS:
        return logging.INFO
    _warned_at[kind] = now
    return logging.WARNING


def start_warnings() -> Iterator[str]:
    """Yield what a start says: dangerous settings, what mail lacks, games that the house starts without."""
    yield from dangers()
    for text, remedy in mail_settings.faults():
        yield f"{text} {remedy}"
    yield from (str(each.reason) for each in settings.GAMES_LEFT_OUT)


def dangers() -> Iterator[str]:
    """Yield sentences about settings that make this process more dangerous than necessary."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield _("The house runs as root: whoever breaks into it has the whole computer. Start it as another user.")
    if settings.DEBUG:
        yield _(
            "DEBUG is on: every error shows code, settings and data to whoever meets it. Never where others can come."
        )
