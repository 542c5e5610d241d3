"""One text file for a report of a fault: versions, settings, the doctor's findings, the last lines of the log.

Names of people, codes, addresses and secrets are left out (games/ops/diagnosis/private_words.py). Where the database
does not tell them, the texts of the lines are left out whole.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection

from games.ops import environment
from games.ops.diagnosis import log_level, private_words, recent_lines
from games.ops.doctor import checks
from games.version import version

MOST_LINES = 2000
"""Lines of each process, the last ones."""
_TEXTS = ("message",)


def make() -> str:
    """Return the report."""
    try:
        words = private_words.of_house()
    except DatabaseError:
        words = None
    return "\n".join([*_head(), "", *_settings(), "", *_figures(), "", *_findings(words), "", *_log(words), ""])


def _head() -> Iterator[str]:
    yield f"Stammtisch {version()}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    yield "Names, codes, addresses and secrets of this house are left out: … stands for them."
    yield f"Python {platform.python_version()}, {platform.system()} {platform.release()} {platform.machine()}"
    found = {each.name: each.version for each in metadata.distributions()}
    yield "Packages: " + ", ".join(f"{name} {found[name]}" for name in sorted(found, key=str.lower))


def _settings() -> Iterator[str]:
    """Yield the variables that are set: numbers and switches with their values, of other texts only that they are."""
    yield "## Settings"
    variables = environment.read(os.environ)
    for each in fields(variables):
        value = getattr(variables, each.name)
        if value != each.default:
            is_shown = isinstance(value, int | float) or each.name in private_words.PUBLIC
            yield f"{each.name.upper()}: {value if is_shown else 'set'}"
    yield f"log level now: {(chosen.level if (chosen := log_level.chosen()) else log_level.usual())}"


def _figures() -> Iterator[str]:
    yield "## Rows"
    yield f"database: {connection.vendor}"
    for model in apps.get_app_config("games").get_models():
        try:
            yield f"{model.__name__}: {model._default_manager.count()}"
        except DatabaseError as error:
            yield f"{model.__name__}: {type(error).__name__}"


def _findings(words: set[str] | None) -> Iterator[str]:
    yield "## The doctor's findings"
    for each in checks.examine():
        if words is None and each.state == "good":
            yield f"good: {each.topic}"
        else:
            text = private_words.without(f"{each.text} {each.remedy}".strip(), words or private_words.of_computer())
            yield f"{each.state}: {each.topic}: {text}"


def _log(words: set[str] | None) -> Iterator[str]:
    for number, lines in enumerate(recent_lines.lines()):
        yield f"## The log of process {number}"
        for line in lines[-MOST_LINES:]:
            yield json.dumps(_line(line, words), ensure_ascii=False)


def _line(line: dict[str, Any], words: set[str] | None) -> dict[str, Any]:
    """Return a line of the log without private words."""
    shown = {key: value for key, value in line.items() if words is not None or key not in _TEXTS}
    return {key: _cleaned(value, words or ()) if key in _CLEANED else value for key, value in shown.items()}


_CLEANED = (*_TEXTS, "at")


def _cleaned(value: Any, words: Any) -> Any:
    if isinstance(value, list):
        return [_cleaned(each, words) for each in value]
    return private_words.without(str(value), words)
