"""The picture of a table: the dice on the felt and in the cup, the mats, and a row for each player with the tally."""

from __future__ import annotations

from collections.abc import Sequence

from chicago.rules.state import LEFT, SAFE, ResultView
from chicago.rules.view_shape import SeatView, View
from games.kernel.pictures.svg import (
    FAINT,
    HEIGHT,
    INK,
    LINE,
    PAPER,
    TURN,
    WIDTH,
    Drawing,
    PictureRow,
    sheet_rows,
    shortened,
)

FELT, WOOD, CORK, LEATHER = "#1d6848", "#4d3019", "#d9b484", "#6b4526"
FELT_WIDE = 470.0
CENTRE = FELT_WIDE / 2
DIE = 84.0
MOST_STROKES = 10
MOST_DISCS = 5


def picture(view: View, names: Sequence[str]) -> str:
    """Return a spectator's view as SVG."""
    drawing = Drawing()
    drawing.add("rect", width=WIDTH, height=HEIGHT, fill=PAPER)
    drawing.add("rect", width=FELT_WIDE, height=HEIGHT, rx=30, fill=WOOD)
    drawing.add("rect", x=14, y=14, width=FELT_WIDE - 28, height=HEIGHT - 28, rx=22, fill=FELT)
    _standing(drawing, view, names)
    _dice(drawing, view)
    if view["stock"] is not None:
        _stock(drawing, view["stock"])
    rows = zip(sheet_rows(len(view["order"])), view["order"], strict=True)
    for row, seat in rows:
        _player(drawing, view, view["seats"][seat], names[seat], row)
    return drawing.svg()


def _standing(drawing: Drawing, view: View, names: Sequence[str]) -> None:
    """Write the highest and the lowest result of the round at the top of the felt."""
    for index, (mark, result) in enumerate((("▲", view["high"]), ("▼", view["low"]))):
        if result is not None:
            words = shortened(names[result["seat"]], 28, FELT_WIDE - 190)
            line = 58 + index * 40
            drawing.words(36, line, 28, f"{mark} {words}", fill="#ffffff")
            drawing.words(FELT_WIDE - 36, line, 28, _worth(result), fill="#ffffff", text_anchor="end", font_weight=700)


def _worth(result: ResultView) -> str:
    """Return a result as it is called: its worth, a dash for what has none."""
    return str(result["value"]) if result["value"] else "–"


def _dice(drawing: Drawing, view: View) -> None:
    """Draw the dice of the running turn: those laid out, those thrown, the cup with the rest; else the last turn's."""
    cup, last = view["cup"], view["history"][-1] if view["history"] else None
    if view["turn"] is None or not (cup["laid"] or cup["rolled"]):
        if view["turn"] is not None:
            _cup(drawing, cup["in_cup"], 255)
        elif last is not None:
            _row(drawing, "ended", last["dice"], 255, 0.6)
        return
    _row(drawing, "laid", cup["laid"], 175, 1)
    _row(drawing, "rolled", cup["rolled"], 290, 1)
    if cup["in_cup"]:
        _cup(drawing, cup["in_cup"], 290 if not cup["rolled"] else 395)


def _row(drawing: Drawing, kind: str, faces: Sequence[int], y: float, opacity: float) -> None:
    row = drawing.group(kind)
    for index, face in enumerate(faces):
        row.die(CENTRE + (index - (len(faces) - 1) / 2) * (DIE + 22), y, DIE, face, opacity=opacity)


def _cup(drawing: Drawing, count: int, y: float) -> None:
    """Draw the cup upside down, with the number of dice below it."""
    cup = drawing.group("cup", count)
    corners = f"{CENTRE - 62},{y + 58} {CENTRE + 62},{y + 58} {CENTRE + 46},{y - 58} {CENTRE - 46},{y - 58}"
    cup.add("polygon", points=corners, fill=LEATHER, stroke=INK, stroke_width=3)
    cup.middle(CENTRE, y, 44, str(count), fill="#ffffff", font_weight=700)


def _stock(drawing: Drawing, count: int) -> None:
    """Draw the mats that are still to be dealt."""
    _mats(drawing.group("stock", count), count, 70, HEIGHT - 60, 28)


def _mats(mats: Drawing, count: int, x: float, y: float, r: float) -> None:
    """Draw mats that overlap, some of many, and their number on the last one."""
    discs = min(count, MOST_DISCS)
    for index in range(discs):
        mats.add("circle", cx=x + index * r * 0.4, cy=y, r=r, fill=CORK, stroke=INK, stroke_width=1.5)
    if discs:
        mats.middle(x + (discs - 1) * r * 0.4, y, r * 1.1, str(count), font_weight=700)


def _player(drawing: Drawing, view: View, player: SeatView, name: str, row: PictureRow) -> None:
    """Draw a player's row: name, result of the round, mats, and what they have lost."""
    left, shown = FELT_WIDE + 12, drawing.group("player", player["seat"])
    if player["seat"] in view["waiting_for"]:
        box = {"x": left, "y": row.y + 2, "width": WIDTH - left, "height": row.height - 4, "rx": 6}
        shown.add("rect", **box, fill=TURN, **{"class": "turn"})
    shown.add("line", x1=left, x2=WIDTH, y1=row.y + row.height, y2=row.y + row.height, stroke=LINE, stroke_width=1)
    ink = FAINT if player["status"] in ("out", SAFE, LEFT) else INK
    shown.words(left + 12, row.baseline, row.size, shortened(name, row.size, 170), fill=ink)
    if player["result"] is not None:
        _result(shown, player["result"], row)
    if view["stock"] is not None:
        _mats(shown.group("mats", player["mats"]), player["mats"], 848, row.middle, row.size * 0.62)
    lost = player["forfeits"] if view["options"]["forfeits"] else player["rounds_paid"]
    _tally(shown, lost, row)


def _result(drawing: Drawing, result: ResultView, row: PictureRow) -> None:
    side = row.size * 0.9
    for index, face in enumerate(result["dice"]):
        drawing.die(682 + index * (side + 3), row.middle, side, face)
    drawing.words(830, row.baseline, row.size * 0.8, _worth(result), text_anchor="end", font_weight=700)


def _tally(drawing: Drawing, count: int, row: PictureRow) -> None:
    """Draw a tally: a stroke for each, every fifth across the four before it; a number where they are many."""
    tally = drawing.group("tally", count)
    if count > MOST_STROKES:
        tally.words(WIDTH - 10, row.baseline, row.size, str(count), text_anchor="end", font_weight=700)
        return
    top, foot = row.middle - row.size * 0.45, row.middle + row.size * 0.45
    for index in range(count):
        group, place = divmod(index, 5)
        x = 918.0 + group * 42
        ends = (x + place * 7, x + place * 7) if place < 4 else (x - 5, x + 26)
        line = {"x1": ends[0], "x2": ends[1], "y1": foot, "y2": top}
        tally.add("line", **line, stroke=INK, stroke_width=3, **{"class": "stroke"})
