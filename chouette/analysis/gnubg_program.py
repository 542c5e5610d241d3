"""GNU Backgammon as a process of its own that answers questions (`gnubg_script`).

A process that is silent, dies or answers what can't be is ended, and the next question starts another one.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from chouette.analysis.engine import Candidate, CubeEquities, EngineFailed, EngineGone, Stakes, checked
from chouette.board.notation import parse_play
from chouette.board.plays import Dice, results
from chouette.board.position import BAR, BoardError, Position, swap
from chouette.board.xgid import Setup, xgid

LEVELS = {f"{plies}-ply": plies for plies in range(4)}
DEFAULT_LEVEL = "2-ply"
LONGEST_MATCH = 64
"""The program reads past the end of its table for longer matches."""

SECONDS = 60.0
"""An answer takes a tenth of a second; a process that is silent for so long is ended."""

_DOUBTFUL = 0.03
_MOST_PLAYS = 10_000
_SCRIPT = Path(__file__).with_name("gnubg_script.py")
_BANNER = re.compile(r"GNU Backgammon (\S+)")
_MARK = b"@answer "


def find() -> str | None:
    """Return where the program is, if it is installed; Debian keeps it off the path of services."""
    return shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


class GnubgProgram:
    """GNU Backgammon, started at the first question."""

    def __init__(
        self,
        command: Sequence[str],
        level: str = DEFAULT_LEVEL,
        luck_level: str = "0-ply",
        seconds: float = SECONDS,
    ) -> None:
        self.command, self.level, self.seconds = [*command], level, seconds
        self._plies, self._luck_plies = LEVELS[level], LEVELS[luck_level]
        self._process: subprocess.Popen[bytes] | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._unread, self._asked, self._version = b"", 0, ""

    @property
    def name(self) -> str:
        """Return the program's name with its version; raises EngineFailed where it does not start."""
        if not self._version:
            self._start()
        return f"gnubg {self._version}"

    def plays(self, position: Position, dice: Dice, stakes: Stakes, played: Position) -> Sequence[Candidate]:
        """Return every legal play, the best first; the one played is judged as deeply as the best."""
        legal = set(results(position, dice))
        if played not in legal:
            raise EngineFailed("the play made is not legal")
        if len(legal) == 1:
            return [Candidate(played, self._evaluated([played], stakes, 0)[0], 0)]
        text = xgid(Setup(position, stakes.state((max(dice), min(dice))), stakes.beavers))
        rows = _rows(self._ask("listed", stakes, xgid=text, most=_MOST_PLAYS), len(legal))
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

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                # A question that the process did not live to read is flushed into a pipe without an end.
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()
        if self._home is not None:
            self._home.cleanup()
            self._home = None

    def _start(self) -> None:
        """Start the process and wait until it is ready."""
        self.close()
        self._home = tempfile.TemporaryDirectory(prefix="gnubg-")
        command = [*self.command, "--tty", "--quiet", "--no-rc", "--python", str(_SCRIPT)]
        environment = {**os.environ, "HOME": self._home.name, "LC_ALL": "C.UTF-8"}
        try:
            self._process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                cwd=self._home.name,
            )
        except OSError as why:
            raise EngineGone(f"it does not start: {why}") from why
        self._unread = b""
        self._write({"plies": self._plies})
        self._answer(0)

    def _ask(self, op: str, stakes: Stakes, **rest: Any) -> object:
        """Return the values of an answer; ends the process where there is none."""
        if stakes.length > LONGEST_MATCH:
            raise EngineFailed("the match is too long")
        if self._process is None:
            self._start()
        self._asked += 1
        question = {"id": self._asked, "op": op, "cube": _cube(stakes), **rest}
        self._write(question)
        answer = self._answer(self._asked)
        if "values" not in answer:
            raise EngineFailed(str(answer.get("error")))
        return answer["values"]

    def _write(self, question: Mapping[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None  # noqa: S101
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as why:
            self.close()
            raise EngineGone("the process has ended") from why

    def _answer(self, number: int) -> dict[str, Any]:
        """Return the answer to a question by its number."""
        until = time.monotonic() + self.seconds
        try:
            while True:
                line = self._line(until)
                if line.startswith(_MARK):
                    answer = json.loads(line[len(_MARK) :])
                    if answer["id"] != number:
                        raise EngineFailed("an answer to another question")
                    return dict(answer)
                if banner := _BANNER.match(line.decode(errors="replace")):
                    self._version = self._version or banner[1]
        except (ValueError, KeyError, TypeError) as why:
            self.close()
            raise EngineFailed("an answer that can't be read") from why
        except EngineFailed:
            self.close()
            raise

    def _line(self, until: float) -> bytes:
        """Return the next line of the process, without waiting beyond a moment."""
        assert self._process is not None and self._process.stdout is not None  # noqa: S101
        while b"\n" not in self._unread:
            if not select.select([self._process.stdout], [], [], max(until - time.monotonic(), 0.0))[0]:
                raise EngineGone(f"it was silent for {self.seconds:g} s")
            data = os.read(self._process.stdout.fileno(), 1 << 16)
            if not data:
                raise EngineGone(f"the process has ended ({self._process.wait()})")
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line


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
