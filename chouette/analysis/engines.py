"""The engines that this machine has, the preferred first."""

from __future__ import annotations

from chouette.analysis import sage
from chouette.analysis.engine import Engine
from chouette.analysis.gnubg import program
from games.kernel.text import gettext_noop as _

NAMES = ("gnubg", "bgsage")
LEVELS = {"gnubg": tuple(program.LEVELS), "bgsage": sage.LEVELS}
HOW_TO_GET_ONE = _("apt install gnubg, or pip install stammtisch[analysis]")


def installed() -> list[str]:
    """Return the names of the engines that are here, the preferred first."""
    found = {"gnubg": program.find() is not None, "bgsage": sage.is_installed()}
    return [name for name in NAMES if found[name]]


def engine(name: str, level: str | None = None) -> Engine:
    """Return an engine by its name, at its default level if none is named."""
    if name == "bgsage":
        return sage.Sage(level or sage.DEFAULT_LEVEL)
    return program.program([str(program.find())], level or program.DEFAULT_LEVEL)
