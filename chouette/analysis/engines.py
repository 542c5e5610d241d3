"""The engines that this machine has, the preferred first."""

from __future__ import annotations

from chouette.analysis import gnubg_program, sage
from chouette.analysis.engine import Engine
from games.kernel.text import gettext_noop as _

NAMES = ("gnubg", "bgsage")
LEVELS = {"gnubg": tuple(gnubg_program.LEVELS), "bgsage": sage.LEVELS}
HOW_TO_GET_ONE = _("apt install gnubg, or pip install stammtisch[analysis]")


def installed() -> list[str]:
    """Return the names of the engines that are here, the preferred first."""
    found = {"gnubg": gnubg_program.find() is not None, "bgsage": sage.is_installed()}
    return [name for name in NAMES if found[name]]


def engine(name: str, level: str | None = None) -> Engine:
    """Return an engine by its name, at its default level if none is named."""
    if name == "bgsage":
        return sage.Sage(level or sage.DEFAULT_LEVEL)
    return gnubg_program.program([str(gnubg_program.find())], level or gnubg_program.DEFAULT_LEVEL)
