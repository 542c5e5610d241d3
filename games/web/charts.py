"""Charts as SVG, made on the server: coordinates for a template, without script or style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

WIDTH, HEIGHT, EDGE = 720, 200, 12
MOST_POINTS = 240
"""The most points of a line: more points than pixels show nothing more."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A level of a chart: the height of its line, and its value."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class LineChart:
    """A line over time: `points` for a polyline in a box of `width` × `height`."""

    points: str
    zero: float
    marks: tuple[Mark, ...]
    last_x: float
    last_y: float
    last: int
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class Track:
    """One of several lines: its name, the number of its colour, its points, and its end."""

    name: str
    colour: int
    points: str
    last_x: float
    last_y: float
    last: int


@dataclass(frozen=True, slots=True)
class Tracks:
    """Several lines over the same steps, in one box."""

    tracks: tuple[Track, ...]
    zero: float
    marks: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT


def tracks(series: Sequence[tuple[str, int, Sequence[int]]]) -> Tracks | None:
    """Return the chart of several running totals, each a (name, colour, values).

    All begin at 0 and have the same number of values; None with fewer than two lines or without a value.
    """
    if len(series) < 2 or not series[0][2]:
        return None
    every = [0, *(value for _, _, values in series for value in values)]
    low, high = min(every), max(every)
    span = max(1, high - low)

    def y(value: int) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (high - value) / span, 1)

    def track(name: str, colour: int, values: Sequence[int]) -> Track:
        drawn = thinned([0, *values])
        step = (WIDTH - 2 * EDGE) / (len(drawn) - 1)
        places = [(round(EDGE + step * i, 1), y(value)) for i, value in enumerate(drawn)]
        points = " ".join(f"{px},{py}" for px, py in places)
        return Track(name, colour, points, *places[-1], drawn[-1])

    marks = tuple(Mark(y(v), v) for v in dict.fromkeys((high, low)) if v)
    return Tracks(tuple(track(*one) for one in series), y(0), marks)


@dataclass(frozen=True, slots=True)
class PlaceTrack:
    """The places of one person: name, colour, points of each unbroken stretch, the end, and the last place."""

    name: str
    colour: int
    stretches: tuple[str, ...]
    last_x: float
    last_y: float
    last: int


@dataclass(frozen=True, slots=True)
class Places:
    """The places of several people over the same steps, the first place at the top."""

    tracks: tuple[PlaceTrack, ...]
    marks: tuple[Mark, ...]
    width: int = WIDTH
    height: int = HEIGHT


def places(series: Sequence[tuple[str, int, Sequence[int | None]]]) -> Places | None:
    """Return the chart of places, each series a (name, colour, place after each step, None for none).

    None with fewer than two steps or without a place.
    """
    known = [place for _, _, values in series for place in values if place is not None]
    if not known or len(series[0][2]) < 2:
        return None
    lowest = max(2, *known)

    def y(place: int) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (place - 1) / (lowest - 1), 1)

    def track(name: str, colour: int, values: Sequence[int | None]) -> PlaceTrack | None:
        step = (WIDTH - 2 * EDGE) / (len(values) - 1)
        stretches: list[list[str]] = [[]]
        end = None
        for i, place in enumerate(values):
            if place is None:
                stretches.append([])
                continue
            end = (round(EDGE + step * i, 1), y(place), place)
            stretches[-1].append(f"{end[0]},{end[1]}")
        drawn = tuple(" ".join(points) for points in stretches if len(points) > 1)
        return None if end is None else PlaceTrack(name, colour, drawn, *end)

    drawn = tuple(found for one in series if (found := track(*one)) is not None)
    return Places(drawn, (Mark(y(1), 1), Mark(y(lowest), lowest)))


def line(values: Sequence[int]) -> LineChart | None:
    """Return the chart of running totals, oldest first; None for fewer than two values."""
    if len(values) < 2:
        return None
    drawn = thinned(values)
    low, high = min(0, *values), max(0, *values)
    span = max(1, high - low)

    def y(value: int) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (high - value) / span, 1)

    step = (WIDTH - 2 * EDGE) / (len(drawn) - 1)
    xs = [round(EDGE + step * i, 1) for i in range(len(drawn))]
    points = " ".join(f"{x},{y(value)}" for x, value in zip(xs, drawn, strict=True))
    marks = tuple(Mark(y(v), v) for v in dict.fromkeys((high, low)) if v)
    return LineChart(points, y(0), marks, xs[-1], y(drawn[-1]), drawn[-1])


@dataclass(frozen=True, slots=True)
class Band:
    """A figure over time within its range: `points` of the line, `area` of the range, for a polyline and a polygon."""

    points: str
    area: str
    marks: tuple[Mark, ...]
    last_x: float
    last_y: float
    width: int = WIDTH
    height: int = HEIGHT


def band(values: Sequence[tuple[float, float, float] | None]) -> Band | None:
    """Return the chart of figures that are never negative, each a (value, low, high), oldest first, from 0 upwards.

    None for fewer than two values; the scale is that of the values, and ranges that are higher are cut.
    """
    known = [each for each in values if each is not None]
    if len(known) < 2:
        return None
    top = max(1, ceil(1.5 * max(value for value, _, _ in known)))
    step = (WIDTH - 2 * EDGE) / (len(known) - 1)
    xs = [round(EDGE + step * i, 1) for i in range(len(known))]

    def points(heights: Iterable[float]) -> list[str]:
        places = [round(EDGE + (HEIGHT - 2 * EDGE) * (top - min(each, top)) / top, 1) for each in heights]
        return [f"{x},{y}" for x, y in zip(xs, places, strict=True)]

    line_points = points(value for value, _, _ in known)
    lows, highs = points(low for _, low, _ in known), points(high for _, _, high in known)
    last_y = float(line_points[-1].split(",")[1])
    marks = (Mark(EDGE, top), Mark(round(HEIGHT - EDGE, 1), 0))
    return Band(" ".join(line_points), " ".join(highs + lows[::-1]), marks, xs[-1], last_y)


def thinned(values: Sequence[int], most: int = MOST_POINTS) -> list[int]:
    """Return at most `most` of the values, evenly spaced, with the first and the last."""
    if len(values) <= most:
        return list(values)
    last = len(values) - 1
    return [values[round(i * last / (most - 1))] for i in range(most)]
