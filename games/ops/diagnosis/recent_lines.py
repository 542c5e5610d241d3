"""The last lines of the log, kept in the data folder for a report (games/ops/diagnosis/report.py).

Each server process has a file of its own, and one more when that is full. The lines are the JSON of
games/ops/logs.py: without addresses, tokens and the texts of errors.
"""

from __future__ import annotations

import json
import logging
import platform
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from django.conf import settings

from games.ops.diagnosis.outage_lines import OutageFilter
from games.ops.logs import BadRequestsFilter, JsonFormatter

PATTERN = "recent-*.log*"
BYTES = 500_000
KEPT_DAYS = 14


class _Handler(RotatingFileHandler):
    """A file of lines whose faults (a full disk) disturb nobody: the lines go to the standard error output, too."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (the library's name)
        """Lose the line here."""


def start_keeping() -> None:
    """Keep the lines of this process from now on; delete the files of processes that are long gone."""
    folder = Path(settings.DATA_DIR)
    long_ago = time.time() - KEPT_DAYS * 86_400
    for path in folder.glob(PATTERN):
        with suppress(OSError):
            if path.stat().st_mtime < long_ago:
                path.unlink()
    computer = re.sub(r"[^\w.-]", "_", platform.node())
    path = folder / f"recent-{computer}-{settings.WORKER}.log"
    handler = _Handler(path, maxBytes=BYTES, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(BadRequestsFilter())
    handler.addFilter(OutageFilter())
    logging.getLogger().addHandler(handler)


def lines() -> Iterator[list[dict[str, Any]]]:
    """Yield the kept lines of each process, oldest first; a line that was cut is left out."""
    for path in sorted(Path(settings.DATA_DIR).glob("recent-*.log")):
        yield [*_read(path.with_name(f"{path.name}.1")), *_read(path)]


def _read(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.splitlines():
        with suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                yield found
