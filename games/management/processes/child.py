"""A command of the house in a process of its own: how it is started, and in which environment."""

from __future__ import annotations

import os
import sys

from django.conf import settings


def command(name: str, *arguments: str) -> list[str]:
    """Return the arguments that start a command; it runs in the folder `settings.BASE_DIR`."""
    return [sys.executable, "-m", "django", name, *arguments]


def environment(**changed: str | None) -> dict[str, str]:
    """Return the environment of a process of this house, with some variables changed; None takes one away.

    A secret's file goes with it, which would count beside the variable.
    """
    # What it writes is read as UTF-8, whatever the console has.
    found = {**os.environ, "STAMMTISCH_DATA": str(settings.DATA_DIR), "PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}
    for name, value in changed.items():
        found.pop(f"{name}_FILE", None)
        found.pop(name, None)
        if value is not None:
            found[name] = value
    return found


def sentence_of(errors: str) -> str:
    """Return on one line what a command wrote before it ended with a fault: its own sentence, else the last line."""
    lines = [" ".join(line.split()) for line in errors.splitlines() if line.strip()]
    _before, mark, told = errors.rpartition("CommandError: ")
    return " ".join(told.split()) if mark else lines[-1] if lines else "?"
