"""Counts of dice: found and expected numbers, and the ranges of honest dice.

`Counts` are added up roll by roll and stored as JSON; `figures` reads them as rates, each with the
range in which 99 of 100 honest sets of the same size lie.

Ranges in which 99 of 100 honest sets lie: of hits and of chi-squares.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from games.kernel.contract import JsonObject
from games.kernel.dice import SIDES, Dice
from games.kernel.figures.rolls import Faces, Roll, Trial

Range: TypeAlias = tuple[float, float]

RANGE_TAIL = 0.005
"""The share of all honest sets that may lie outside the range, at each end."""
_DEVIATIONS = 2.5758293035489004
MOST_EXACT = 400
"""The most trials with different chances that are computed exactly; for more the normal curve is used."""
MOST_ALIKE = 10_000
"""The most trials with one common chance that are computed exactly."""
OF_CHI_SQUARE: Mapping[int, Range] = {5: (0.4117, 16.7496), 20: (7.4338, 39.9968), 35: (17.1918, 60.2748)}
"""Degrees of freedom → the range of the middle 99 of 100 chi-squares."""


def range_of_hits(trials: Mapping[Fraction, int]) -> Range | None:
    """Return the fewest and the most hits of 99 in 100 honest sets; None without trials.

    `trials` maps a chance to its number of trials.
    """
    trials = {chance: n for chance, n in trials.items() if n}
    total = sum(trials.values())
    if not total:
        return None
    if total <= (MOST_ALIKE if len(trials) == 1 else MOST_EXACT):
        return _of_weights(_together([_binomial(n, float(chance)) for chance, n in trials.items()]))
    mean = float(sum(n * chance for chance, n in trials.items()))
    spread = math.sqrt(sum(n * chance * (1 - chance) for chance, n in trials.items())) * _DEVIATIONS
    return max(0, math.floor(mean - spread)), min(total, math.ceil(mean + spread))


def _binomial(n: int, chance: float) -> list[float]:
    """Return the weights of 0..n hits."""
    sure = math.lgamma(n + 1)
    yes, no = math.log(chance), math.log1p(-chance)
    return [math.exp(sure - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * yes + (n - k) * no) for k in range(n + 1)]


def _together(parts: Sequence[list[float]]) -> list[float]:
    """Return the weights of the sum of several numbers of hits."""
    found = [1.0]
    for part in parts:
        longer = [0.0] * (len(found) + len(part) - 1)
        for i, one in enumerate(found):
            for k, other in enumerate(part):
                longer[i + k] += one * other
        found = longer
    return found


def _of_weights(weights: list[float]) -> Range:
    """Return the range that leaves less than TAIL at each end."""
    return _first(weights), len(weights) - 1 - _first(weights[::-1])


def _first(weights: Sequence[float]) -> int:
    """Return the first number at which the weights so far add up to more than TAIL."""
    passed = 0.0
    for number, weight in enumerate(weights):
        passed += weight
        if passed > RANGE_TAIL:
            return number
    return len(weights) - 1


FACES = range(1, SIDES + 1)
PAIRS = [(high, low) for high in FACES for low in range(1, high + 1)]
SERIAL = [(one, other) for one in FACES for other in FACES]
FEWEST_A_CELL = 5
"""The smallest expected number in each cell for which a chi-square is meaningful."""


@dataclass
class Counts:
    """Sums of dice by how they fell: `faces` of all dice, `pairs` of two thrown together ("61"), `serial`.

    `serial` counts the first dice of two consecutive rolls ("16"); no roll is in two of these pairs. `trials` and
    `hits` are the sums of the game's rates, by rate and chance ("double 1/6"). `levels` counts the rolls by the
    source of their dice; typed rolls are counted here and nowhere else.
    """

    rolls: int = 0
    faces: Counter[str] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)
    serial: Counter[str] = field(default_factory=Counter)
    trials: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    levels: Counter[str] = field(default_factory=Counter)

    def add(self, faces: Faces, trials: Iterable[Trial]) -> None:
        """Count a roll."""
        self.rolls += 1
        self.faces.update(map(str, faces))
        if len(faces) == 2:
            self.pairs["".join(map(str, sorted(faces, reverse=True)))] += 1
        for trial in trials:
            key = f"{trial.rate} {trial.chance}"
            self.trials[key] += 1
            self.hits[key] += trial.is_hit(faces)

    def add_serial(self, rolls: Sequence[Faces]) -> None:
        """Count the first dice of consecutive rolls: of the first and second, the third and fourth …"""
        for one, other in zip(rolls[::2], rolls[1::2], strict=False):
            self.serial[f"{one[0]}{other[0]}"] += 1

    def join(self, more: Counts) -> None:
        """Add other counts to these."""
        self.rolls += more.rolls
        for name in _SUMS:
            getattr(self, name).update(getattr(more, name))

    def to_json(self) -> JsonObject:
        """Return the stored form."""
        return {"rolls": self.rolls, **{name: dict(getattr(self, name)) for name in _SUMS}}

    @classmethod
    def from_json(cls, raw: Mapping[str, object]) -> Counts:
        """Read the stored form; {} gives empty counts."""
        found = cls(int(str(raw.get("rolls", 0))))
        for name in _SUMS:
            getattr(found, name).update(raw.get(name, {}))
        return found


_SUMS = ("faces", "pairs", "serial", "trials", "hits", "levels")


def counted(rolls: Sequence[tuple[Roll, Sequence[Trial]]], control: Dice | None = None) -> Counts:
    """Return the counts of rolls with their trials; with `control`, of as many other dice thrown by it."""
    found, followed = Counts(), []
    for roll, trials in rolls:
        faces = roll.faces if control is None else control.roll(len(roll.faces))
        found.add(faces, trials)
        followed.append(faces)
    found.add_serial(followed)
    return found


@dataclass(frozen=True, slots=True)
class Figure:
    """A rate of `n` trials: the found and the expected value, as numbers of hits or as a chi-square.

    `id` is "face 3", "chi faces", "chi pairs", "chi serial" or a game's rate. `within` is None if there are
    too few trials for a statement.
    """

    id: str
    n: int
    found: float
    expected: float
    within: Range | None
    control: float

    @property
    def is_share(self) -> bool:
        """Tell whether it counts hits and so is a share of `n`."""
        return not self.id.startswith("chi ")

    @property
    def is_outside(self) -> bool:
        """Tell whether the value lies outside the range of 99 of 100 honest sets."""
        return self.within is not None and not self.within[0] <= self.found <= self.within[1]


def figures(counts: Counts, control: Counts) -> list[Figure]:
    """Return the figures that every game has: faces, pairs, consecutive rolls."""
    dice = sum(counts.faces.values())
    within = range_of_hits({Fraction(1, SIDES): dice})
    found = [
        Figure(f"face {face}", dice, counts.faces[str(face)], dice / SIDES, within, control.faces[str(face)])
        for face in FACES
    ]
    for name, cells in _CELLS.items():
        found.append(_chi_square(name, cells, getattr(counts, name), getattr(control, name)))
    return found


_CELLS: Mapping[str, Mapping[str, Fraction]] = {
    "faces": {str(face): Fraction(1, SIDES) for face in FACES},
    "pairs": {f"{high}{low}": Fraction(1 + (high != low), SIDES**2) for high, low in PAIRS},
    "serial": {f"{one}{other}": Fraction(1, SIDES**2) for one, other in SERIAL},
}


def _chi_square(name: str, cells: Mapping[str, Fraction], counts: Counter[str], control: Counter[str]) -> Figure:
    n, freedom = sum(counts.values()), len(cells) - 1
    is_enough = n * min(cells.values()) >= FEWEST_A_CELL
    within = OF_CHI_SQUARE[freedom] if is_enough else None
    return Figure(f"chi {name}", n, chi_square(cells, counts), freedom, within, chi_square(cells, control))


def chi_square(cells: Mapping[str, Fraction], counts: Mapping[str, int]) -> float:
    """Return the chi-square of counts and the chances of their cells: sum of (found - expected)² / expected."""
    n = sum(counts.values())
    return float(sum((counts.get(cell, 0) - n * p) ** 2 / (n * p) for cell, p in cells.items())) if n else 0.0


def rates(counts: Counts, control: Counts, names: Iterable[str]) -> list[Figure]:
    """Return the figures of a game's rates, in this order; rates without trials are left out."""
    found = []
    for name in names:
        tried = {key: n for key, n in counts.trials.items() if key.split()[0] == name}
        chances = {Fraction(key.split()[1]): n for key, n in tried.items()}
        if not tried:
            continue
        expected = float(sum(chance * n for chance, n in chances.items()))
        hits, others = (sum(each.hits[key] for key in tried) for each in (counts, control))
        within = range_of_hits(chances)
        found.append(Figure(name, sum(tried.values()), hits, expected, within, others))
    return found
