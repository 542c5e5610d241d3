"""An engine that remembers its answers: what was asked while a game was played is not asked again at its end."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from chouette.analysis.engine import Candidate, Chances, CubeEquities, Engine, Stakes
from chouette.board.plays import Dice
from chouette.board.position import Position
from games.kernel.figures.skill import Depth

T = TypeVar("T")

MOST_ANSWERS = 4096
"""Some twenty games of a chouette, and as many megabytes."""


class Remembered:
    """An engine with the newest of its answers, shared by all its depths; failures are not remembered."""

    def __init__(self, engine: Engine, answers: OrderedDict[Hashable, Any] | None = None) -> None:
        self._engine = engine
        self._answers: OrderedDict[Hashable, Any] = OrderedDict() if answers is None else answers

    @property
    def level(self) -> str:
        """The depth of the engine, for people."""
        return self._engine.level

    @property
    def levels(self) -> tuple[str, str]:
        """The levels of plays and cubes, and of luck."""
        return self._engine.levels

    @property
    def name(self) -> str:
        """Return the engine's name with its version."""
        return self._engine.name

    def at(self, depth: Depth) -> Remembered:
        """Return the engine at another depth, with the same memory."""
        return Remembered(self._engine.at(depth), self._answers)

    def plays(self, position: Position, dice: Dice, stakes: Stakes, played: Position) -> Sequence[Candidate]:
        """Return every legal play, the best first; the one played is judged as deeply as the best."""
        key = ("plays", self.levels[0], position, tuple(dice), stakes, played)
        return self._known(key, lambda: self._engine.plays(position, dice, stakes, played))

    def cube(self, position: Position, stakes: Stakes) -> CubeEquities:
        """Return the cube's equities for the player on roll."""
        key = ("cube", self.levels[0], position, stakes)
        return self._known(key, lambda: self._engine.cube(position, stakes))

    def mean(self, position: Position, stakes: Stakes) -> float:
        """Return the mean equity after all rolls, at the level of luck."""
        key = ("mean", self.levels[1], position, stakes)
        return self._known(key, lambda: self._engine.mean(position, stakes))

    def after_rolls(self, position: Position, rolls: Sequence[Dice], stakes: Stakes) -> Sequence[float]:
        """Return the equity after each of some rolls, at the level of luck."""
        key = ("after_rolls", self.levels[1], position, tuple(map(tuple, rolls)), stakes)
        return self._known(key, lambda: self._engine.after_rolls(position, rolls, stakes))

    def chances(self, position: Position, dice: Dice, stakes: Stakes, after: Sequence[Position]) -> Chances:
        """Return the chances of the mover after some plays of a roll."""
        key = ("chances", self.levels[0], position, tuple(dice), stakes, tuple(after))
        return self._known(key, lambda: self._engine.chances(position, dice, stakes, after))

    def cube_chances(self, position: Position, stakes: Stakes) -> Chances:
        """Return the chances of the player on roll before a double."""
        key = ("cube_chances", self.levels[0], position, stakes)
        return self._known(key, lambda: self._engine.cube_chances(position, stakes))

    def close(self) -> None:
        """End what the engine keeps running."""
        self._engine.close()

    def _known(self, key: Hashable, ask: Callable[[], T]) -> T:
        """Return the answer that is known, else that of the engine."""
        if key not in self._answers:
            self._answers[key] = ask()
            if len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        found: T = self._answers[key]
        return found
