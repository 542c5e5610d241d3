"""The engine bgsage, an optional package, in this process.

Its levels count from 1: its second is what others call 1-ply. By default the second judges everything, and the third
judges again where it matters: plays that differ from the best of the second or whose best two are close, and cubes
near the double or the take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from chouette.analysis.engine import Candidate, Chances, CubeEquities, EngineFailed, Stakes, checked
from chouette.board.plays import Dice, results
from chouette.board.position import OFF, Position
from games.kernel.figures.skill import Depth

DEFAULT_LEVEL = "2ply/3ply"
LEVELS = ("2ply", DEFAULT_LEVEL, "3ply", "4ply")
DEPTHS = {Depth.FIRST: "2ply", Depth.DEEP: DEFAULT_LEVEL, Depth.DEEPER: "4ply"}
"""The level of each pass."""

_CLOSE_PLAYS = 0.02
_CLOSE_CUBE = 0.12
_OWNERS = {1: "player", -1: "opponent", 0: "centered"}


def is_installed() -> bool:
    """Tell whether the package is here, without loading it."""
    return find_spec("bgsage") is not None


class Sage:
    """The engine, loaded at the first question."""

    def __init__(self, level: str = DEFAULT_LEVEL) -> None:
        self.level = level
        self._asked: tuple[Position, Stakes] | None = None
        self._rolls: Mapping[tuple[int, int], float] = {}

    @property
    def levels(self) -> tuple[str, str]:
        """Return the levels of plays and cubes, and of luck."""
        return self.level, "2ply"

    @property
    def name(self) -> str:
        """Return the package's name with its version."""
        return f"bgsage {version('bgsage')}"

    def at(self, depth: Depth) -> Sage:
        """Return the engine at another depth."""
        return Sage(DEPTHS[depth])

    def plays(self, position: Position, dice: Dice, stakes: Stakes, played: Position) -> Sequence[Candidate]:
        """Return every legal play, the best first; the one played is judged as deeply as the best."""
        if played not in results(position, dice):
            raise EngineFailed("the play made is not legal")
        found = self._listed(self._first, (position, dice), stakes, played)
        is_close = len(found) > 1 and found[0].equity - found[1].equity <= _CLOSE_PLAYS
        if self._second is not None and len(found) > 1 and (is_close or found[0].result != played):
            found = self._listed(self._second, (position, dice), stakes, played)
        return found

    def cube(self, position: Position, stakes: Stakes) -> CubeEquities:
        """Return the cube's equities for the player on roll."""
        found = self._cube(self._first, position, stakes)
        gap = min(abs(found.no_double - found.best_double), abs(found.take - found.drop))
        if self._second is not None and gap <= _CLOSE_CUBE:
            found = self._cube(self._second, position, stakes)
        return found

    def mean(self, position: Position, stakes: Stakes) -> float:
        """Return the mean equity after all rolls, at the first level."""
        found = self._by_roll(position, stakes)
        return sum(equity * (1 if high == low else 2) for (high, low), equity in found.items()) / 36

    def after_rolls(self, position: Position, rolls: Sequence[Dice], stakes: Stakes) -> Sequence[float]:
        """Return the equity after each of some rolls, at the first level."""
        found = self._by_roll(position, stakes)
        return [found[max(roll), min(roll)] for roll in rolls]

    def chances(self, position: Position, dice: Dice, stakes: Stakes, after: Sequence[Position]) -> Chances:
        """Return the chances of the mover after some plays of a roll, all looked at as deeply."""
        analyzer, boards = self._second or self._first, [_board(each) for each in after]
        told = _asked(analyzer.checker_play, _board(position), *dice, force_boards=boards, **_cube(stakes))
        found = {_position(move.board): move for move in told.moves}
        if not {*after} <= found.keys():
            raise EngineFailed("a play is missing")
        plies = min(int(found[each].eval_level[0]) for each in after) - 1
        return Chances(plies, tuple((*_probabilities(found[each]), float(found[each].equity)) for each in after))

    def cube_chances(self, position: Position, stakes: Stakes) -> Chances:
        """Return the chances of the player on roll before a double; chances to win a match it does not tell."""
        if stakes.length:
            raise EngineFailed("chances to win a match are not told")
        told = _asked((self._second or self._first).cube_action, _board(position), **_cube(stakes))
        rest = checked([float(told.cubeless_equity), float(told.equity_nd), float(told.equity_dt)], 3)
        return Chances(int(told.eval_level[0]) - 1, ((*_probabilities(told), *rest),))

    def close(self) -> None:
        """Forget the last position."""
        self._asked = None

    @cached_property
    def _first(self) -> Any:
        return self._analyzer("2ply" if self.level == DEFAULT_LEVEL else self.level)

    @cached_property
    def _second(self) -> Any:
        return self._analyzer("3ply") if self.level == DEFAULT_LEVEL else None

    @cached_property
    def _luck(self) -> Any:
        return self._analyzer("2ply")

    def _analyzer(self, level: str) -> Any:
        from bgsage import BgBotAnalyzer

        return BgBotAnalyzer(eval_level=level, parallel_threads=1)

    def _listed(
        self, analyzer: Any, rolled: tuple[Position, Dice], stakes: Stakes, played: Position
    ) -> list[Candidate]:
        """Return the plays of one analysis; raises EngineFailed for a list that is not that of the legal plays."""
        position, dice = rolled
        legal = set(results(position, dice))
        told = _asked(analyzer.checker_play, _board(position), *dice, force_boards=[_board(played)], **_cube(stakes))
        equities = checked((float(move.equity) for move in told.moves), len(legal))
        found = [
            Candidate(_position(move.board), equity, int(move.eval_level[0]) - 1)
            for move, equity in zip(told.moves, equities, strict=True)
        ]
        if {each.result for each in found} != legal:
            raise EngineFailed("the plays listed are not the legal ones")
        return sorted(found, key=lambda each: (each.level, each.equity), reverse=True)

    def _cube(self, analyzer: Any, position: Position, stakes: Stakes) -> CubeEquities:
        told = _asked(analyzer.cube_action, _board(position), **_cube(stakes))
        return CubeEquities(*checked([float(told.equity_nd), float(told.equity_dt)], 2))

    def _by_roll(self, position: Position, stakes: Stakes) -> Mapping[tuple[int, int], float]:
        """Return the equity after each of the 21 rolls, kept for the next question about the same position."""
        if self._asked != (position, stakes):
            told = _asked(self._luck.cube_action, _board(position), incl_2ply_details=True, **_cube(stakes))
            rows = (told.details or {}).get("nd") or []
            equities = checked((float(row["cubeful_equity"]) for row in rows), 21)
            keys = [(max(row["die1"], row["die2"]), min(row["die1"], row["die2"])) for row in rows]
            self._rolls, self._asked = dict(zip(keys, equities, strict=True)), (position, stakes)
        return self._rolls


def _probabilities(told: Any) -> list[float]:
    """Return the chances of an answer in the order of `Chances`."""
    names = ("win", "gammon_win", "backgammon_win", "gammon_loss", "backgammon_loss")
    return checked((float(getattr(told.probs, name)) for name in names), len(names))


def _asked(question: Any, *args: Any, **named: Any) -> Any:
    """Return an answer of the package; raises EngineFailed for whatever it raises."""
    try:
        return question(*args, **named)
    except Exception as why:
        raise EngineFailed(f"{type(why).__name__}: {why}") from why


def _cube(stakes: Stakes) -> dict[str, Any]:
    own, other = stakes.score
    return {
        "cube_value": stakes.cube,
        "cube_owner": _OWNERS[stakes.owner],
        "away1": stakes.length and stakes.length - own,
        "away2": stakes.length and stakes.length - other,
        "is_crawford": stakes.is_crawford,
        "jacoby": stakes.jacoby,
        # Else the equity of a take may be that of a beaver.
        "beaver": False,
    }


def _board(position: Position) -> list[int]:
    """Return a board in the package's order: as here, but the other side's bar counts up."""
    return [-position[OFF], *position[1:]]


def _position(board: Sequence[int]) -> Position:
    return (-board[OFF], *board[1:])
