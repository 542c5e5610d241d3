"""The rules of a season, as the standing is computed by them.

The nights of a season, as the standing is computed from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

Number: TypeAlias = int | Fraction
"""An exact number; whole ones are ints, as sums of these are faster."""

Worth: TypeAlias = Literal["points", "per_game", "places", "won", "attendance", "keizer", "match"]
Equal: TypeAlias = Literal["mean", "best"]
Tie: TypeAlias = Literal["nights", "best_night", "duel"]

WORTHS: tuple[Worth, ...] = ("points", "per_game", "places", "won", "attendance", "keizer", "match")
EQUALS: tuple[Equal, ...] = ("mean", "best")
TIES: tuple[Tie, ...] = ("nights", "best_night", "duel")

USUAL_STAGE = ""
STAGES: Mapping[str, tuple[Number, Number]] = {USUAL_STAGE: (1, 0)}
"""The worth of a match, won and lost, where the rules name no stage."""


@dataclass(frozen=True, slots=True)
class Count:
    """The nights that count: all, the best `number`, or all without the worst `number`."""

    kind: Literal["all", "best", "without_worst"] = "all"
    number: int = 0


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """The rules of a season.

    `places`: the worths of the places of a night, None for the size of the field minus the place. `missed`: the worth
    of a missed night where the worst nights are struck, None where missed nights are struck first. `bye` and `absent`:
    the parts of one's own value in a Keizer standing. `stages`: the worth of a match by its stage, won and lost.
    """

    worth: Worth = "points"
    places: tuple[Number, ...] | None = None
    equal: Equal = "mean"
    count: Count = Count()
    missed: Number | None = None
    least_nights: int = 1
    ties: tuple[Tie, ...] = ()
    lower_is_better: bool = False
    bye: Number = Fraction(1, 2)
    absent: Number = Fraction(1, 3)
    stages: Mapping[str, tuple[Number, Number]] = field(default_factory=lambda: STAGES)

    @property
    def fewer_first(self) -> bool:
        """Tell whether a lower total is better: only where the points themselves are counted."""
        return self.lower_is_better and self.worth in ("points", "per_game")

    @property
    def is_by_matches(self) -> bool:
        """Tell whether matches make the standing, and not points."""
        return self.worth in ("keizer", "match")

    def stage_worths(self, stage: str) -> tuple[Number, Number]:
        """Return the worths of a match of a stage, won and lost; an unknown stage is the usual one."""
        return self.stages.get(stage, self.stages.get(USUAL_STAGE, STAGES[USUAL_STAGE]))


@dataclass(frozen=True, slots=True)
class NightPoints:
    """The points of a player in the games of a night."""

    player: str
    points: Number
    games: Number = 1


@dataclass(frozen=True, slots=True)
class NightMatch:
    """A match of a night, and its stage ("final")."""

    winner: str
    loser: str
    stage: str = USUAL_STAGE


@dataclass(frozen=True)
class NightOfSeason:
    """A night of a season: rows, matches, byes, and the players who were absent with notice."""

    id: str
    weight: Number = 1
    rows: tuple[NightPoints, ...] = ()
    matches: tuple[NightMatch, ...] = ()
    byes: tuple[str, ...] = ()
    absences: tuple[str, ...] = ()

    @cached_property
    def attended(self) -> dict[str, NightPoints]:
        """Return the row of each player who was there; without a row of their own they have no points and no games."""
        found = {row.player: row for row in self.rows}
        others = [player for match in self.matches for player in (match.winner, match.loser)]
        for player in (*others, *self.byes):
            found.setdefault(player, NightPoints(player, 0, 0))
        return found

    @property
    def named(self) -> set[str]:
        """Return all players named by the night, absent ones too."""
        return {*self.attended, *self.absences}
