"""The nights of a season, as the standing is computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.kernel.seasons.rules import USUAL_STAGE, Number


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
