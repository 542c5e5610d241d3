"""The command line: `stammtisch X` in an installed house, `manage.py X` in the sources; both run this."""

from __future__ import annotations

import gc
import io
import os
import sys
from pathlib import Path

from games.version import IS_INSTALLED, version

OPERATORS = (
    *("play", "serve", "doctor", "backup", "check_backup", "restore", "check", "demo", "admin", "report", "log_level"),
)
"""The commands that `--help` lists; all other management commands work, too."""


def main() -> None:
    """Run the command that the command line names."""
    # A command imports the house and ends soon: to look for cycles in what is imported takes a fifth of its start.
    gc.set_threshold(250_000, 50, 100)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "games.settings")
    # A console that lacks a sign of a name, or of a path, shows another one in its place.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"{version()}\n")
    elif arguments in ([], ["-h"], ["--help"]):
        sys.stdout.write(_usage())
    else:
        _run()


def _run() -> None:
    """Run a management command; a game that is refused ends it with a sentence."""
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if type(error).__name__ != "GameRefused":
            raise
        sys.exit(f"The house does not start: {error}")


def play_command(port: int) -> str:
    """Return the command that opens the house at another port, in a form that the user's shell knows."""
    return f"{shell_command('play')} --port {port}" if IS_INSTALLED else f"PORT={port} {shell_command('play')}"


def shell_command(command: str) -> str:
    """Return a command as the user types it: "stammtisch serve", in the sources "manage.py serve"."""
    if IS_INSTALLED:
        return f"stammtisch {command}"
    return "make play" if command == "play" else f"manage.py {command}"


def _usage() -> str:
    """Return the usage: the operators' commands, each with its line of help."""
    import django
    from django.core.management import load_command_class

    django.setup()
    lines = [f"  {name:12} {load_command_class('games', name).help}" for name in OPERATORS]
    program = Path(sys.argv[0]).name
    head = f"Stammtisch {version()}: a pub's game nights in the browser.\n\nusage: {program} COMMAND [options]\n"
    rest = f"{program} COMMAND --help tells more of one; {program} help lists all there are."
    return "\n".join([head, *lines, "", rest, ""])
