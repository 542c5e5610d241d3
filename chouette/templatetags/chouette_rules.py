"""Template tags of the rules page: the board, the next Box, the house rules, an example sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import gettext

from chouette.board.position import START
from chouette.rules.options.declaration import OPTIONS
from chouette.rules.seating import rotation
from games.kernel.options.kinds import BoolOption, ChoiceOption, Option
from games.kernel.text import gettext_noop as _

register = template.Library()

# The board in its own units: twelve columns, the bar between the sixth and the seventh.
COLUMN, BAR, EDGE, HEIGHT, SIZE = 24, 20, 16, 276, 22
PLACES = 12


@dataclass(frozen=True, slots=True)
class Point:
    """A point: its number, the triangle, the place of its number, and the checkers on it."""

    number: int
    triangle: str
    x: float
    y: int
    is_dark: bool
    checkers: tuple[tuple[float, float, bool], ...]


@register.inclusion_tag("chouette/board.html")
def start_board() -> dict[str, Any]:
    """Return the position at the start, seen by the side whose home is at the bottom right."""
    return {
        "points": [_point(number, START[number]) for number in range(1, 25)],
        "width": 2 * EDGE + PLACES * COLUMN + BAR,
        "height": HEIGHT,
        "edge": EDGE,
        "inside": PLACES * COLUMN + BAR,
        "deep": HEIGHT - 2 * EDGE,
        "bar": EDGE + PLACES // 2 * COLUMN,
        "bar_width": BAR,
    }


def _point(number: int, count: int) -> Point:
    is_top = number > PLACES
    column = number - PLACES - 1 if is_top else PLACES - number
    left = EDGE + column * COLUMN + (BAR if column >= PLACES // 2 else 0)
    base, way = (EDGE, 1) if is_top else (HEIGHT - EDGE, -1)
    middle, tip = left + COLUMN / 2, base + way * 100
    checkers = tuple((middle, base + way * (SIZE / 2 + 1 + i * (SIZE - 1)), count > 0) for i in range(abs(count)))
    triangle = f"{left},{base} {left + COLUMN},{base} {middle},{tip}"
    y = EDGE - 4 if is_top else HEIGHT - 4
    return Point(number, triangle, middle, y, number % 2 == 0, checkers)


@dataclass(frozen=True, slots=True)
class Case:
    """An example: the doubles and answers of a game of X (Box), K (Captain), L and M."""

    sentence: str
    captains: str
    results: tuple[int, int, int]
    box_wins: bool


CUSTOMS = {
    "captain_result": _("First Captain"),
    "last_man_standing": _("Last man standing"),
    "game_result": _("Result of the game"),
}

# Points of K, L and M; the Captains in the order in which they played.
CASES = (
    Case(_("X beats everybody, or everybody drops."), "K", (-1, -1, -1), True),
    Case(_("X drops all cubes."), "K", (1, 1, 1), False),
    Case(_("X drops K's double. The others play on and beat X."), "KL", (1, 1, 1), False),
    Case(_("X drops K's double, then X wins."), "KL", (1, -1, -1), True),
    Case(_("X doubles: K drops, L and M take. X loses."), "KL", (-1, 2, 2), False),
    Case(_("X doubles: K drops, L and M take. X wins."), "KL", (-1, -2, -2), True),
    Case(_("Only M doubles and X drops. Later K beats X."), "K", (1, 1, 1), False),
)


@register.simple_tag
def rotation_table() -> dict[str, Any]:
    """Return the next line after each case under each custom, worked out by the rules themselves."""
    rows = [(gettext(case.sentence), [_line(kind, case) for kind in CUSTOMS]) for case in CASES]
    return {"heads": [gettext(name) for name in CUSTOMS.values()], "rows": rows}


def _line(rotation_id: str, case: Case) -> str:
    names = "XKLM"
    record = rotation.FinishedGame(
        line=(0, 1, 2, 3),
        captains=tuple(names.index(name) for name in case.captains),
        results=dict(enumerate(case.results, 1)),
        box_wins=case.box_wins,
        box_net=-sum(case.results),
    )
    return "".join(names[seat] for seat in rotation.next_line(rotation_id, record).line)


@register.simple_tag
def house_rules() -> list[dict[str, Any]]:
    """Return every house rule by group: its label, its help, and its values with their meaning."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for option in OPTIONS.options:
        row = {"id": option.id, "label": gettext(option.label), "ways": _ways(option)}
        row["help"] = gettext(option.help) if option.help else ""
        groups.setdefault(gettext(option.group), []).append(row)
    return [{"name": name, "rules": rows} for name, rows in groups.items()]


def _ways(option: Option) -> list[tuple[str, str]]:
    """Return (value in words, its meaning); a number or a text is explained by its help."""
    if isinstance(option, ChoiceOption):
        return [(gettext(pick.label), gettext(option.sentence(pick.id))) for pick in option.picks]
    if isinstance(option, BoolOption):
        ways = ((gettext("yes"), option.on), (gettext("no"), option.off))
        return [(value, gettext(sentence)) for value, sentence in ways if sentence]
    return []


@dataclass(frozen=True, slots=True)
class Example:
    """A score sheet with one row a game: the Box, and points by player."""

    names: str
    rows: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def lines(self) -> list[list[tuple[str, bool]]]:
        """The rows of points as a sheet writes them, each with whether that player was the Box."""
        return [
            [(signed(p), name == box) for name, p in zip(self.names, points, strict=True)] for box, points in self.rows
        ]

    @property
    def totals(self) -> list[str]:
        """The totals, signed."""
        return [signed(sum(column)) for column in zip(*(p for _, p in self.rows), strict=True)]


# docs/rules-chouette.md §10, examples 1 and 2; tests/chouette/test_examples.py plays them.
EXAMPLE = Example("ABCDE", (("C", (-4, -1, 13, -4, -4)), ("C", (-1, 1, -6, 4, 2))))


@register.simple_tag
def example_sheet() -> Example:
    """Return the score sheet of the first two worked examples."""
    return EXAMPLE


def signed(points: int) -> str:
    """Return points with a real minus sign."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")
