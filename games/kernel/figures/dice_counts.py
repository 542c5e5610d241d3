"""Counts of dice: found and expected numbers, and the ranges of honest dice.

`Counts` are added up roll by roll and stored as JSON; `figures` reads them as rates, each with the
range in which 99 of 100 honest sets of the same size lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from games.kernel.contract import JsonObject
from games.kernel.dice import SIDES, Dice
from games.kernel.figures import dice_ranges
from games.kernel.figures.dice_ranges import Range
from games.kernel.figures.rolls import Faces, Roll, Trial

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
    within = dice_ranges.of_hits({Fraction(1, SIDES): dice})
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
    within = dice_ranges.OF_CHI_SQUARE[freedom] if is_enough else None
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
        within = dice_ranges.of_hits(chances)
        found.append(Figure(name, sum(tried.values()), hits, expected, within, others))
    return found
