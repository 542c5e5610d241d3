"""Two engines under the same counting: matches of bots with planted blunders, and what each says of every side."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

from chouette.analysis.engine import Engine
from chouette.analysis.report import report
from chouette.board.plays import Dice
from chouette.board.position import Position
from chouette.bot import bots
from chouette.export.record import Session
from chouette.match_files.reading import read
from games.kernel.contract import Choice, JsonObject
from tests.chouette.analysis.files import as_mat, session

MATCHES = 40
LEAST_DECISIONS = 50
BLUNDERS = (0.0, 0.1, 0.2, 0.3)
"""So often a side plays or doubles as a bot that misjudges everything."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match with the PR that each of two engines gives it, over so many choices of the first."""

    match: int
    player: int
    decisions: int
    pr: float
    other: float

    @property
    def gap(self) -> float:
        """What the second engine says more."""
        return self.other - self.pr

    @property
    def allowed(self) -> float:
        """What players would expect that two engines differ by: 1, or 5 % of the PR."""
        return max(1.0, 0.05 * self.pr)

    @property
    def is_near(self) -> bool:
        """Tell whether the two differ by no more than that."""
        return abs(self.gap) <= self.allowed


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well two engines agree over sides: the share that is near, the mean gap without its sign, and with it."""

    sides: int
    near: float
    gap: float
    bias: float


def agreement(sides: Sequence[Side]) -> Agreement:
    """Return the agreement over sides of which there is at least one."""
    return Agreement(
        len(sides),
        fmean(side.is_near for side in sides),
        fmean(abs(side.gap) for side in sides),
        fmean(side.gap for side in sides),
    )


def match(number: int) -> Session:
    """Return a match with planted blunders as it is read from its file."""
    return read(match_file(number).encode())


@cache
def match_file(number: int) -> str:
    """Return the file of a match to 7 points, or for every second number of three games for money, of bots that err."""
    shares = BLUNDERS[number % 4], BLUNDERS[number // 4 % 4]

    def choose(view: JsonObject, choices: list[Choice], level: str, seed: int) -> tuple[str, JsonObject]:
        errs = random.Random(f"blunder {seed}").random() < shares[int(level)]
        return bots.choose(view, choices, bots.NOISY if errs else bots.NET, seed)

    kind: tuple[str, dict[str, Any], int] = ("money", {}, 3) if number % 2 else ("match", {"match_length": 7}, 99)
    preset, options, games = kind
    table = session(preset, options, seed=1000 + number, games=games, levels=("0", "1"), choose=choose)
    return as_mat(table)


class WithoutLuck:
    """An engine that is not asked about luck, which no PR has in it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def mean(self, *args: object) -> float:
        """Return nothing."""
        return 0.0

    def after_rolls(self, position: Position, rolls: Sequence[Dice], stakes: object) -> Sequence[float]:
        """Return nothing for each roll."""
        return [0.0 for _ in rolls]


def compared(number: int, first: Engine, second: Engine) -> Iterator[Side]:
    """Yield the sides of a match that have enough choices which count."""
    played = match(number)
    one, other = (report(played, WithoutLuck(engine))["players"] for engine in (first, second))
    for player, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        if mine["decisions"] >= LEAST_DECISIONS and theirs["decisions"]:
            yield Side(number, player, mine["decisions"], mine["pr"], theirs["pr"])
