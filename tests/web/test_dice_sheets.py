"""Dice have their colours on every page: a position with a roll stands on results, quiz and study, too."""

from __future__ import annotations

import re

from games.web.assets.joined_modules import EVERY_PAGE
from tests.server import ROOT

DRAWN = re.compile(r'class: [^,\n]*"([^"\n]*\bdie-[a-z -]+)"')


def test_every_page_has_the_sheet_that_colours_what_a_die_is_drawn_of() -> None:
    static = ROOT / "games" / "static"
    told = "".join((static / sheet).read_text(encoding="utf-8") for sheet in EVERY_PAGE)
    drawn = DRAWN.findall((static / "games/kit/dice.js").read_text(encoding="utf-8"))
    parts = {part for names in drawn for part in names.split() if part.startswith("die-")}
    assert {"die-body", "die-face", "die-pip"} <= parts
    assert [part for part in sorted(parts) if f".{part} {{" not in told] == []
