"""GNU Backgammon as an engine: a process of its own (`process`) that answers questions (`script`)."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from chouette.analysis.engine import Candidate, Chances, CubeEquities, EngineFailed, Stakes, checked
from chouette.analysis.gnubg.process import GnubgProcess
from chouette.board.notation import parse_play
from chouette.board.plays import Dice, results
from chouette.board.position import BAR, BoardError, Position, swap
from chouette.board.xgid import Setup, xgid
from games.kernel.figures.skill import Depth

LEVELS = {f"{plies}-ply": plies for plies in range(4)}
DEFAULT_LEVEL, LUCK_LEVEL = "2-ply", "0-ply"
DEPTHS: Mapping[Depth, tuple[str, str]] = {
    Depth.FIRST: (DEFAULT_LEVEL, LUCK_LEVEL),
    Depth.DEEP: (DEFAULT_LEVEL, "1-ply"),
    Depth.DEEPER: ("3-ply", "1-ply"),
}
"""The levels of plays and cubes, and of luck, of each pass."""
LONGEST_MATCH = 64
"""The program reads past the end of its table for longer matches."""

SECONDS = 60.0
"""An answer takes a tenth of a second; a process that is silent for so long is ended."""

_DOUBTFUL = 0.03
_AFTER_PLAY, _BEFORE_DOUBLE = 6, 8
"""So many numbers tell the chances."""
_MOST_PLAYS = 10_000


def program(command: Sequence[str], level: str = DEFAULT_LEVEL, seconds: float = SECONDS) -> GnubgProgram:
    """Return the program at a level, to be started by a command."""
    return GnubgProgram(GnubgProcess(command, seconds), level)


def find() -> str | None:
    """Return where the program is, if it is installed; Debian keeps it off the path of services."""
    return shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


class GnubgProgram:
    """GNU Backgammon at one depth."""

    def __init__(self, process: GnubgProcess, level: str = DEFAULT_LEVEL, luck_level: str = LUCK_LEVEL) -> None:
        self._process = process
        self._plies, self._luck_plies = LEVELS[level], LEVELS[luck_level]
        self.levels = (level, luck_level)
        self.level = level if luck_level == LUCK_LEVEL else f"{level}, luck {luck_level}"

    @property
    def name(self) -> str:
        """Return the program's name with its version; raises EngineFailed where it does not start."""
        return f"gnubg {self._process.version}"

    @property
    def pid(self) -> int | None:
        """The number of the running process; None while there is none."""
        return self._process.pid

    def at(self, depth: Depth) -> GnubgProgram:
        """Return the same process asked at another depth."""
        return GnubgProgram(self._process, *DEPTHS[depth])

    def answer_within(self, seconds: float) -> None:
        """Set how long an answer may take from now on."""
        self._process.seconds = seconds

    def plays(self, position: Position, dice: Dice, stakes: Stakes, played: Position) -> Sequence[Candidate]:
        """Return every legal play, the best first; the one played is judged as deeply as the best."""
        legal = set(results(position, dice))
        if played not in legal:
            raise EngineFailed("the play made is not legal")
        if len(legal) == 1:
            return [Candidate(played, self._evaluated([played], stakes, 0)[0], 0)]
        text = xgid(Setup(position, stakes.state((max(dice), min(dice))), stakes.beavers))
        rows = _rows(self._ask("listed", stakes, xgid=text, most=_MOST_PLAYS, plies=self._plies), len(legal))
        found = [_candidate(row, position, dice) for row in rows]
        if {each.result for each in found} != legal:
            raise EngineFailed("the plays listed are not the legal ones")
        return self._deeper(found, played, stakes)

    def _deeper(self, found: list[Candidate], played: Position, stakes: Stakes) -> list[Candidate]:
        """Return the list with the play made judged as deeply as the best; both at the full level where it is an error.

        GNU Backgammon's own analysis does so.
        """
        best, made = found[0], next(each for each in found if each.result == played)
        level, again = best.level, [made] if made.level < best.level else []
        if best.level < self._plies and best.equity - made.equity > _DOUBTFUL:
            level, again = self._plies, [best, made]
        if not again:
            return found
        results_again = [each.result for each in again]
        equities = self._evaluated(results_again, stakes, level)
        done = [Candidate(each, equity, level) for each, equity in zip(results_again, equities, strict=True)]
        rest = [each for each in found if each.result not in results_again]
        return sorted([*done, *rest], key=lambda each: (each.level, each.equity), reverse=True)

    def _evaluated(self, positions: Sequence[Position], stakes: Stakes, plies: int) -> list[float]:
        """Return the equities for the mover of positions after plays."""
        boards = [(_side(each), _side(swap(each))) for each in positions]
        values = self._ask("evaluated", stakes, boards=boards, plies=plies)
        return checked(_rows(values, len(boards)), len(boards))

    def cube(self, position: Position, stakes: Stakes) -> CubeEquities:
        """Return the cube's equities for the player on roll."""
        values = self._ask("cube", stakes, board=_board(position), plies=self._plies)
        return CubeEquities(*checked(_rows(values, 2), 2))

    def mean(self, position: Position, stakes: Stakes) -> float:
        """Return the mean equity after all rolls, at the level of luck."""
        values = self._ask("mean", stakes, board=_board(position), plies=self._luck_plies)
        return checked(_rows(values, 1), 1)[0]

    def after_rolls(self, position: Position, rolls: Sequence[Dice], stakes: Stakes) -> Sequence[float]:
        """Return the equity after each of some rolls, at the level of luck."""
        values = self._ask("after_rolls", stakes, board=_board(position), rolls=rolls, plies=self._luck_plies)
        return checked(_rows(values, len(rolls)), len(rolls))

    def chances(self, position: Position, dice: Dice, stakes: Stakes, after: Sequence[Position]) -> Chances:
        """Return the chances of the mover after some plays of a roll."""
        # The program judges the player on roll, the opponent of who has moved.
        boards = [_board(swap(each)) for each in after]
        found = self._ask("chances", stakes, boards=boards, plies=self._plies)
        rows = [checked(_rows(row, _AFTER_PLAY), _AFTER_PLAY) for row in _rows(found, len(boards))]
        return Chances(self._plies, tuple(_turned(row) for row in rows))

    def cube_chances(self, position: Position, stakes: Stakes) -> Chances:
        """Return the chances of the player on roll before a double."""
        found = self._ask("cube_chances", stakes, board=_board(position), plies=self._plies)
        return Chances(self._plies, (tuple(checked(_rows(found, _BEFORE_DOUBLE), _BEFORE_DOUBLE)),))

    def close(self) -> None:
        """End the process, which the same program at other depths shares."""
        self._process.close()

    def _ask(self, op: str, stakes: Stakes, **rest: Any) -> object:
        """Return the values of an answer."""
        if stakes.length > LONGEST_MATCH:
            raise EngineFailed("the match is too long")
        return self._process.ask({"op": op, "cube": _cube(stakes), **rest})


def _turned(row: Sequence[float]) -> tuple[float, ...]:
    """Return chances and equity of one side in the view of the other."""
    win, gammon, backgammon, lost_gammon, lost_backgammon, equity = row
    return 1 - win, lost_gammon, lost_backgammon, gammon, backgammon, -equity


def _rows(values: object, count: int) -> list[Any]:
    """Return the values of an answer as a list of so many; raises EngineFailed."""
    if not isinstance(values, list) or len(values) != count:
        raise EngineFailed("an answer has not the numbers that were asked for")
    return values


def _candidate(row: object, position: Position, dice: Dice) -> Candidate:
    """Return a play of the program's list; raises EngineFailed for one that can't be."""
    match row:
        case [str(move), float() as equity, int(level)] if level in LEVELS.values():
            try:
                return Candidate(parse_play(move, position, dice).result, checked([equity], 1)[0], level)
            except BoardError as why:
                raise EngineFailed(f"a play that can't be: {move[:40]!a}") from why
    raise EngineFailed("an answer has not the numbers that were asked for")


def _cube(stakes: Stakes) -> list[int]:
    """Return the stakes in the order of the script; the owner is the program's: 0 on roll, 1 the other, -1 nobody."""
    owner = {1: 0, -1: 1, 0: -1}[stakes.owner]
    flags = (stakes.is_crawford, stakes.jacoby, stakes.beavers)
    return [stakes.cube, owner, stakes.length, *stakes.score, *map(int, flags)]


def _board(position: Position) -> tuple[list[int], list[int]]:
    """Return the board in the order of the program: the other side's checkers, then those of the player on roll."""
    return _side(swap(position)), _side(position)


def _side(position: Position) -> list[int]:
    """Return the checkers of the player whose view it is, on the points from 1 to 24 and the bar."""
    return [max(position[point], 0) for point in range(1, BAR + 1)]
