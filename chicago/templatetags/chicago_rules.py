"""Template tags of the rules page: dice as pictures, and the exact odds as charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django import template
from django.utils.translation import gettext

from chicago.odds import exact
from chicago.rules.options.declaration import options

register = template.Library()

# The chart's field in its own units: room on the left for the scale, below for the results.
LEFT, TOP, WIDTH, HEIGHT = 34, 10, 296, 190
PIPS = {
    1: ((50, 50),),
    2: ((27, 27), (73, 73)),
    3: ((27, 27), (50, 50), (73, 73)),
    4: ((27, 27), (73, 27), (27, 73), (73, 73)),
    5: ((27, 27), (73, 27), (50, 50), (27, 73), (73, 73)),
    6: ((27, 25), (73, 25), (27, 50), (73, 50), (27, 75), (73, 75)),
}


@register.inclusion_tag("chicago/dice.html")
def dice(values: str) -> dict[str, Any]:
    """Return dice as a picture, from a text like "6 6 3"."""
    faces = [int(v) for v in values.split()]
    return {"dice": [PIPS[face] for face in faces], "text": "-".join(map(str, faces))}


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: its place and its text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve: the best chance with `throws` throws as a path, and the place of its name."""

    throws: int
    path: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The odds of one preset."""

    id: str
    label: str
    declared: bool
    lines: tuple[Curve, ...]
    across: tuple[Tick, ...]
    rows: tuple[tuple[str, tuple[exact.ExactChance, ...]], ...]
    three_ones: exact.ExactChance


@register.simple_tag
def odds_charts() -> list[Chart]:
    """Return a chart for each preset; if the starter declares, for 100 and 60, high."""
    return [_chart(preset.id, preset.label) for preset in options().presets]


def _chart(preset_id: str, label: str) -> Chart:
    values = options().values(preset_id)
    rows = exact.odds_table(values)
    return Chart(
        id=preset_id,
        label=gettext(label),
        declared=values["valuation"] == "starter",
        lines=tuple(_line(rows, throws) for throws in (1, 2, 3)),
        across=tuple(_ticks(rows)),
        rows=tuple((_name(row), row.chances) for row in rows),
        three_ones=_chance(exact.three_ones(values, 3)),
    )


def _chance(chance: Fraction) -> exact.ExactChance:
    return exact.ExactChance(3, chance.numerator, chance.denominator, float(chance))


def _name(row: exact.OddsRow) -> str:
    return gettext("a Fish") if row.is_fish else str(row.above)


def _line(rows: Sequence[exact.OddsRow], throws: int) -> Curve:
    """Return the curve of the chances with `throws` throws, worst result on the left."""
    points = [(_x(i, len(rows)), _y(row.chances[throws - 1].decimal)) for i, row in enumerate(rows)]
    # The names stand where the three curves are far apart and fall gently.
    x, y = points[len(points) // 5]
    path = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
    return Curve(throws, path, round(x + 3, 1), round(y - 7, 1))


def _x(index: int, count: int) -> float:
    return LEFT + WIDTH * index / (count - 1)


def _y(chance: float) -> float:
    return TOP + HEIGHT * (1 - chance)


def _ticks(rows: Sequence[exact.OddsRow]) -> list[Tick]:
    """Return a mark for every fifth result."""
    last = len(rows) - 1
    marked = range(0, last + 1, 5)
    return [
        Tick(round(_x(i, len(rows)), 1), gettext("Fish") if rows[i].is_fish else str(rows[i].above)) for i in marked
    ]


@register.simple_tag
def facts() -> list[dict[str, Any]]:
    """Return the chances of the page's common questions, as fractions and decimals."""
    found = (
        (gettext("a Chick in the first throw"), exact.chick_first()),
        (gettext("at least one 1 in one throw"), exact.one_first()),
        (gettext("a Fish in one throw"), exact.fish_one_throw()),
    )
    return [{"what": what, "chance": _chance(chance)} for what, chance in found]


@register.simple_tag
def scale() -> list[tuple[int, float]]:
    """Return the lines across the chart: their height and their chance."""
    return [(round(_y(share)), share) for share in (0, 0.25, 0.5, 0.75, 1)]
