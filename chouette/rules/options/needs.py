"""The groups of the house rules, and the needs that many of them share."""

from __future__ import annotations

from dataclasses import replace

from games.kernel.options import Needs
from games.kernel.text import gettext_noop as _

FORMAT = _("What is played")
LINE = _("Box, Captain and line")
TEAM = _("The Team")
SHEET = _("Score sheet")
TABLE = _("The table")

MOST_PLAYERS = 10

IN_CHOUETTE = Needs("format", ("chouette",), _("This is about a Box and a Team."))
IN_MATCH = Needs("format", ("match",), _("Only a match has a length."))
FROM_THE_START = Needs("start_position", ("start",), _("A game from a position of its own has no opening roll."))
ON_SCREEN = Needs("board", ("screen",), _("The board is a real one: its checkers and dice are out of sight here."))
ON_WOOD = Needs("board", ("wood",), _("The board is on the screen, where only legal moves can be made."))
CUBE_EACH = replace(IN_CHOUETTE, also=Needs("cubes", ("each",), _("The Team has a single cube.")))
FOR_POINTS = Needs("format", ("chouette", "money"), _("A match is played without it."))
