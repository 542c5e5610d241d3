"""The picture of a table: the board in the Box's view with checkers, dice and cubes, and a row for each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chouette.rules import state
from chouette.rules.view_shape import CubeView, GameView, View
from games.kernel.contract import Seat
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

BOX_INK, TEAM_INK = "#f7ecd4", "#8a221d"
COLOURS = {state.BOX: BOX_INK, state.TEAM: TEAM_INK}
WOOD, FIELD, DARK, LIGHT = "#4d3019", "#e6cfa4", "#a9743f", "#cfa66d"
COLUMN, R, EDGE, BAR_WIDE, RAIL = 38.0, 18.5, 6.0, 42.0, 12.0
HALF = 6 * COLUMN
BOARD = 2 * HALF + 2 * BAR_WIDE + 3 * EDGE
MIDDLE = HEIGHT / 2
STACK = 5
"""The most checkers of a point that lie side by side; more of them overlap."""
CUBE, DIE = 34.0, 46.0


def picture(view: View, names: Sequence[str]) -> str:
    """Return a spectator's view as SVG; without the board where it lies on the table."""
    drawing = Drawing()
    drawing.add("rect", width=WIDTH, height=HEIGHT, fill=PAPER)
    is_wood = view["options"]["board"] == "wood"
    if not is_wood:
        _board(drawing, view)
    _sheet(drawing, view, names, 0 if is_wood else BOARD + 10)
    return drawing.svg()


def _board(drawing: Drawing, view: View) -> None:
    """Draw the board of the game, or of the one that comes."""
    game, start = view["game"], view["start"]
    drawing.add("rect", width=BOARD, height=HEIGHT, rx=8, fill=WOOD)
    for left in (EDGE, EDGE + HALF + BAR_WIDE):
        drawing.add("rect", x=left, y=RAIL, width=HALF, height=HEIGHT - 2 * RAIL, fill=FIELD)
    for point in range(1, 25):
        _point(drawing, point)
    points, off = (game["points"], game["off"]) if game else (start["points"], start["off"]) if start else ([], [])
    for place, count in enumerate(points):
        if count:
            _checkers(drawing, place, count)
    for side, count in zip((state.BOX, state.TEAM), off, strict=False):
        _borne_off(drawing, side, count)
    if game is not None:
        _dice(drawing, game)
        if _is_one_cube(game):
            _single_cube(drawing, game)


def _x(point: int) -> float:
    """Return the middle of the column of a point, or of the bar."""
    if point in (0, 25):
        return EDGE + HALF + BAR_WIDE / 2
    column = point - 13 if point > 12 else 12 - point
    return EDGE + column * COLUMN + COLUMN / 2 + (BAR_WIDE if column > 5 else 0)


def _point(drawing: Drawing, point: int) -> None:
    """Draw the triangle of a point."""
    x, is_top = _x(point), point > 12
    foot, tip = (RAIL, RAIL + 210) if is_top else (HEIGHT - RAIL, HEIGHT - RAIL - 210)
    corners = f"{x - COLUMN / 2:.1f},{foot:.1f} {x + COLUMN / 2:.1f},{foot:.1f} {x:.1f},{tip:.1f}"
    drawing.add("polygon", points=corners, fill=DARK if point % 2 else LIGHT)


def _checkers(drawing: Drawing, place: int, count: int) -> None:
    """Draw the checkers of a place: positive ones are the Box's."""
    side, many = (state.BOX if count > 0 else state.TEAM), abs(count)
    pile = drawing.group("point", place)
    pitch = 2 * R if many <= STACK else 2 * R * (STACK - 1) / (many - 1)
    if place in (0, 25):
        first, way = (MIDDLE + (CUBE + R * 2) / 2, 1) if place == 0 else (MIDDLE - (CUBE + R * 2) / 2, -1)
    else:
        first, way = (RAIL + R + 1, 1) if place > 12 else (HEIGHT - RAIL - R - 1, -1)
    ys = [first + way * index * pitch for index in range(many)]
    for y in ys:
        pile.add("circle", cx=_x(place), cy=y, r=R, fill=COLOURS[side], stroke=INK, stroke_width=1.5, **{"class": side})
    if many > STACK:
        pile.middle(_x(place), ys[-1], 20, str(many), fill=_ink_on(side), font_weight=700)


def _borne_off(drawing: Drawing, side: str, count: int) -> None:
    """Draw the checkers that a side has borne off, lying in its tray."""
    tray = drawing.group("off", side)
    x = EDGE + 2 * HALF + BAR_WIDE + EDGE
    for index in range(count):
        y = RAIL + index * 15 if side == state.TEAM else HEIGHT - RAIL - 13 - index * 15
        tray.add("rect", x=x, y=y, width=BAR_WIDE, height=13, rx=3, fill=COLOURS[side], **{"class": side})


def _dice(drawing: Drawing, game: GameView) -> None:
    """Draw the dice that are to be played, else those of the last play, fainter."""
    last = game["last_play"]
    if game["dice"]:
        side, faces, opacity = game["turn"], game["dice"], 1.0
    elif last is not None:
        side, faces, opacity = last["side"], last["dice"], 0.5
    else:
        return
    middle = EDGE + HALF / 2 + (HALF + BAR_WIDE if side == state.BOX else 0)
    on_board = drawing.group("dice" if game["dice"] else "played", side)
    ground = COLOURS[state.BOX if side == state.BOX else state.TEAM]
    for index, face in enumerate(faces):
        x = middle + (index - (len(faces) - 1) / 2) * (DIE + 10)
        on_board.die(x, MIDDLE, DIE, face, ground=ground, pip=_ink_on(side), opacity=opacity)


def _ink_on(side: str) -> str:
    return INK if side == state.BOX else "#ffffff"


def _is_one_cube(game: GameView) -> bool:
    """Tell whether one cube stands for all: that of two players, or of a Team with a single one."""
    return game["single"] or len(game["cubes"]) == 1


def _single_cube(drawing: Drawing, game: GameView) -> None:
    """Draw the only cube: in the middle of the bar, or at the side that owns it."""
    cube = next((one for one in game["cubes"] if not one["how"]), None)
    if cube is not None:
        away = {state.CENTRE: 0.0, state.AGAINST: 1.0, state.MEMBER: -1.0}[cube["owner"]]
        _cube(drawing, cube, _x(0), MIDDLE + away * (MIDDLE - RAIL - CUBE / 2), 1.0)


def _cube(drawing: Drawing, cube: CubeView, x: float, y: float, opacity: float) -> None:
    """Draw a cube in the colour of its owner; a turned one in a thicker line."""
    ground, ink = {
        state.CENTRE: ("#ffffff", INK),
        state.AGAINST: (BOX_INK, INK),
        state.MEMBER: (TEAM_INK, "#ffffff"),
    }[cube["owner"]]
    shown = drawing.group("cube" if not cube["how"] else "cube-out", cube["cube"])
    corner = {"x": x - CUBE / 2, "y": y - CUBE / 2, "width": CUBE, "height": CUBE}
    shown.add("rect", **corner, rx=5, fill=ground, stroke=INK, stroke_width=2, opacity=opacity)
    size = 24 if cube["value"] < 10 else 20 if cube["value"] < 100 else 15
    shown.middle(x, y, size, str(cube["value"]), fill=ink, font_weight=700, opacity=opacity)


def _sheet(drawing: Drawing, view: View, names: Sequence[str], left: float) -> None:
    """Draw a row for each player: the checker of their side, name, cubes and points."""
    seats = list(_seats(view))
    for row, seat in zip(sheet_rows(len(seats)), seats, strict=True):
        _player(drawing.group("player", seat), view, names[seat], seat, (row, left))


def _seats(view: View) -> Iterator[Seat]:
    """Yield the seats in the order of the line, then those that wait or watch, then those that left with points."""
    yield from view["line"]
    others = [one for one in view["seats"] if one["seat"] not in view["line"]]
    here = [one["seat"] for one in others if one["status"] != state.LEFT]
    yield from here
    yield from (one["seat"] for one in others if one["seat"] not in here and one["total"])


def _player(shown: Drawing, view: View, name: str, seat: Seat, place: tuple[PictureRow, float]) -> None:
    """Draw a player in a row of the sheet, and from where."""
    (row, left), game = place, view["game"]
    if seat in view["waiting_for"]:
        shown.add(
            "rect", x=left, y=row.y + 2, width=WIDTH - left, height=row.height - 4, rx=6, fill=TURN, **{"class": "turn"}
        )
    shown.add("line", x1=left, x2=WIDTH, y1=row.y + row.height, y2=row.y + row.height, stroke=LINE, stroke_width=1)
    side = _side(view, seat)
    if side:
        lead = 0.34 if game is not None and seat in (game["box"], game["captain"]) else 0.2
        circle = {"cx": left + 22, "cy": row.middle, "r": row.size * lead, "fill": COLOURS[side]}
        shown.add("circle", **circle, stroke=INK, stroke_width=1.5, **{"class": f"of-{side}"})
    points = _points(view, seat)
    shown.words(WIDTH - 10, row.baseline, row.size, points, text_anchor="end", font_weight=700)
    right = WIDTH - 34 - max(3, len(points)) * row.size * 0.56
    for cube in _cubes(game, seat):
        aside = {state.AGAINST: -22, state.CENTRE: 0, state.MEMBER: 22}[cube["owner"]]
        _cube(shown, cube, right - 40 + aside, row.middle, 0.35 if cube["how"] else 1)
        right -= 84
    here = view["seats"][seat]["status"] != state.LEFT and not view["seats"][seat]["sits_out"]
    cut = shortened(name, row.size, right - left - 46)
    shown.words(left + 42, row.baseline, row.size, cut, fill=INK if here else FAINT)


def _cubes(game: GameView | None, seat: Seat) -> list[CubeView]:
    """Return the cubes of a member, where each has one of their own."""
    return [] if game is None or _is_one_cube(game) else [cube for cube in game["cubes"] if cube["member"] == seat]


def _side(view: View, seat: Seat) -> str:
    """Return the side for which a seat plays in the game that is shown; "" for neither."""
    game = view["game"]
    if game is None:
        return ""
    if seat in (game["box"], game["partner"]):
        return state.BOX
    return state.TEAM if seat == game["captain"] or any(cube["member"] == seat for cube in game["cubes"]) else ""


def _points(view: View, seat: Seat) -> str:
    """Return a seat's points: of a match with its length, else with their sign."""
    if view["score"] is not None:
        return f"{view['score'][seat]}/{view['match_length']}"
    total = view["totals"][seat]
    return f"{total:+d}".replace("-", "−") if total else "0"
