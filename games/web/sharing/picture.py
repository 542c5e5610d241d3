"""The picture of a share link: a PNG that is drawn on the server, as a page would show it to a phone."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from PIL import Image, ImageDraw

from games.services.storage import pictures
from games.web.sharing import letters
from games.web.sharing.card import RankingRow, RankingTable, ShareCard
from games.web.sharing.letters import BOLD, REGULAR

WIDTH, MARGIN = 1080, 64
MOST_ROWS = 40
"""The most rows of a table that are drawn; what is left is counted."""
MOST_MATCHES = 60
"""The most matches of a tournament that are drawn, the latest ones."""
ROW, MATCH, HEADING, GAP, HEAD, FOOT = 66, 40, 40, 28, 200, 56
# The light theme of static/games/tokens.css: --paper, --surface, --line, --ink, --ink-2, --wood, --wood-ink, --felt.
PAPER, SURFACE, LINE, INK, INK_2 = "#f4ecdc", "#fffaf1", "#dccdb1", "#2b2018", "#66543f"
WOOD, WOOD_INK, FELT = "#4d3019", "#fdf3e1", "#1d6848"
# Typefaces that are drawn in two threads at once would share one state.
_drawing = Lock()


def mark_of(card: ShareCard, footer: str) -> str:
    """Return a mark of a picture: another one when anything of it changes."""
    return hashlib.sha256(repr((card, footer)).encode()).hexdigest()[:32]


@lru_cache(maxsize=32)
def drawn(card: ShareCard, footer: str) -> bytes:
    """Return a card as PNG, `footer` at its end: the name of the house."""
    with _drawing:
        return _Sheet.of(card, footer).png()


@dataclass(slots=True)
class _Sheet:
    """Paper that is drawn from the top to the bottom; `y` is where it goes on, in pixels."""

    paper: Image.Image
    pen: ImageDraw.ImageDraw
    y: int = 0

    @classmethod
    def of(cls, card: ShareCard, footer: str) -> _Sheet:
        """Return a card drawn on paper of its height."""
        paper = Image.new("RGB", (WIDTH, _height(card)), PAPER)
        sheet = cls(paper, ImageDraw.Draw(paper))
        sheet.head(card)
        for table in card.tables:
            sheet.table(table)
        sheet.foot(card.note, footer)
        return sheet

    def png(self) -> bytes:
        """Return the paper as PNG."""
        return pictures.png_of(self.paper)

    def text(self, at: float, text: str, size: int, ink: str, weight: int = REGULAR) -> None:
        """Write a line in the house's sans at x, its middle at `y`."""
        for part, font in letters.parts(text, size, weight):
            self.pen.text((at, self.y), part, fill=ink, font=font, anchor="lm")
            at += font.getlength(part)

    def head(self, card: ShareCard) -> None:
        """Draw title and line below it on wood."""
        self.pen.rectangle((0, 0, WIDTH, HEAD), fill=WOOD)
        room = WIDTH - 2 * MARGIN
        self.y = 84
        self.text(MARGIN, letters.fitted(card.title, 60, BOLD, room), 60, WOOD_INK, BOLD)
        self.y = 152
        self.text(MARGIN, letters.fitted(card.about, 32, REGULAR, room), 32, WOOD_INK)
        self.y = HEAD + GAP

    def table(self, table: RankingTable) -> None:
        """Draw a table: its heading, its rows on a card, and how many more there are."""
        self.y += HEADING // 2
        heading = letters.fitted(table.heading, 30, BOLD, WIDTH - 2 * MARGIN)
        self.text(MARGIN, heading, 30, INK_2, BOLD)
        self.y += HEADING // 2 + GAP // 2
        rows = table.lines[:MOST_ROWS]
        box = (MARGIN - 24, self.y, WIDTH - MARGIN + 24, self.y + max(1, len(rows)) * ROW)
        self.pen.rounded_rectangle(box, 18, fill=SURFACE, outline=LINE, width=2)
        for index, line in enumerate(rows):
            self.row(line, is_first=index == 0)
        if not rows:
            self.y += ROW // 2
            self.text(MARGIN, "–", 32, INK_2)
            self.y += ROW // 2
        for left in _left(table):
            self.y += ROW // 2
            self.text(MARGIN, left, 28, INK_2)
            self.y += ROW // 2
        self.matches(_matches(table))
        self.y += GAP

    def matches(self, matches: list[str]) -> None:
        """Write the matches of a tournament in two columns."""
        room = (WIDTH - 2 * MARGIN) // 2
        for at, match in enumerate(matches):
            is_left = at % 2 == 0
            self.y += MATCH // 2 if is_left else 0
            self.text(MARGIN if is_left else MARGIN + room, letters.fitted(match, 24, REGULAR, room - 24), 24, INK_2)
            if not is_left or at == len(matches) - 1:
                self.y += MATCH - MATCH // 2

    def row(self, line: RankingRow, *, is_first: bool) -> None:
        """Draw a row: place, name and numbers."""
        if not is_first:
            self.pen.line((MARGIN, self.y, WIDTH - MARGIN, self.y), fill=LINE, width=2)
        self.y += ROW // 2
        weight = REGULAR if line.is_guest else BOLD
        total = letters.width(line.drawn, 36, BOLD)
        name = f"{line.name} ({_('bot')})" if line.is_bot else line.name
        room = WIDTH - 2 * MARGIN - 90 - total - 24
        self.text(MARGIN, line.place, 32, INK_2)
        self.text(MARGIN + 90, letters.fitted(name, 34, weight, room), 34, INK_2 if line.is_guest else INK, weight)
        self.text(WIDTH - MARGIN - total, line.drawn, 36, FELT if line.place == "1" else INK, BOLD)
        self.y += ROW - ROW // 2

    def foot(self, note: str, footer: str) -> None:
        """Draw what may still change, and the name of the house."""
        self.y += 20
        name = letters.fitted(footer, 26, BOLD, (WIDTH - 2 * MARGIN) / 2)
        self.text(WIDTH - MARGIN - letters.width(name, 26, BOLD), name, 26, INK_2, BOLD)
        self.text(MARGIN, letters.fitted(note, 26, REGULAR, (WIDTH - 2 * MARGIN) / 2 - 24), 26, INK_2)


def _left(table: RankingTable) -> list[str]:
    """Return what is said below a table: how many rows are left out, and how many have no place."""
    found = []
    if (more := len(table.lines) - MOST_ROWS) > 0:
        found.append(ngettext("and %(n)s more", "and %(n)s more", more) % {"n": more})
    if waiting := len(table.waiting):
        found.append(_("No place yet:") + f" {waiting}")
    return found


def _matches(table: RankingTable) -> list[str]:
    """Return the matches that are drawn: where they are too many, the latest ones, and how many others there are."""
    more = len(table.matches) - MOST_MATCHES
    if more <= 0:
        return list(table.matches)
    told = ngettext("and %(n)s more", "and %(n)s more", more + 1) % {"n": more + 1}
    return [told, *table.matches[more + 1 :]]


def _height(card: ShareCard) -> int:
    """Return the height of the paper for a card, in pixels."""
    rows = sum(max(1, min(len(table.lines), MOST_ROWS)) + len(_left(table)) for table in card.tables)
    rows_of_matches = sum((len(_matches(table)) + 1) // 2 for table in card.tables)
    return HEAD + GAP + rows * ROW + rows_of_matches * MATCH + len(card.tables) * (HEADING + GAP // 2 + GAP) + FOOT
