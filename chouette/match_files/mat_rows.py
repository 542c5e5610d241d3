"""Rows of a game in a match file in text (.mat): two columns of plays, cube actions and ends.

A row that is no play ends its game where it is the last one: `44: ????`, `00: ????`, `Concedes`, `Resigns Gammon`, a
roll alone, a play that was cut off or that the rules do not allow. Who won and how much says a line `Wins 2 points`,
with or without `Losses 2 points` beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chouette.board.notation import NO_MOVE
from chouette.board.plays import Dice
from chouette.export.record import DROP, OWN, TAKE
from chouette.match_files.games import BadFile, Builder

NUMBER = r"\d{1,6}"
ROW = re.compile(r"\s*\d+\)(.*)$")
_WON = re.compile(
    rf"(?<!\S)(?P<verb>wins|loss?es) (?P<points>{NUMBER})(?: points?)?(?: and the match)?[.!]?(?=\s|$)", re.IGNORECASE
)
_CELL = re.compile(
    r"(?P<dice>[1-6]{2}|00):(?P<moves>(?:[\s,]*(?!\d\d:)(?:cannot move|can't move|[\w*/()-]*/[\w*/()-]*))*)"
    rf"|(?P<raise>(?:re)?doubles|beavers|raccoons)(?:\s*(?:=>|to\b)\s*(?P<value>{NUMBER}))?"
    r"|(?P<take>takes|accepts)|(?P<drop>drops|passes|rejects)"
    r"|(?P<end>\?{2,}|(?:concedes|resigns)(?: (?:a )?(?P<times>single|gammon|backgammon))?(?: the (?:game|match))?)",
    re.IGNORECASE,
)
_TIMES = {"gammon": 2, "backgammon": 3}
_WIDEST_GAP = 3
"""So many columns at most are between a roll and the word in its cell that ends the game."""
_RAISE_ALONE = re.compile(rf"\s*(?:doubles|beavers) => {NUMBER}\s*$", re.IGNORECASE)
"""A line of GNU Backgammon behind some drops (`Builder.double`)."""
_RIGHT = 15
"""A cell that begins behind so many columns of a line without another one is the right player's."""


@dataclass(slots=True)
class _Cell:
    """Words of a cell, `end` the one that ends the game; the two are one where nothing stands before it."""

    said: re.Match[str]
    end: re.Match[str] | None

    @property
    def dice(self) -> Dice | None:
        """Return the roll, None without one."""
        text = self.said["dice"]
        return (int(text[0]), int(text[1])) if text and text != "00" else None

    @property
    def times(self) -> int:
        """Return how many times the cube its player gives up, 0 where it does not say."""
        if self.end is None or self.end["end"].startswith("?"):
            return 0
        return _TIMES.get((self.end["times"] or "").casefold(), 1)


@dataclass(slots=True)
class GameRows:
    """The rows of a game as far as they were read.

    `sides` are those of the left and the right column; `points` are what the file says that OWN won, None for nothing.
    `stopped_at` is the number of the line that ended the game by no play, 0 before.
    """

    builder: Builder
    sides: Sequence[str]
    points: int | None = None
    stopped_at: int = 0

    def read(self, lines: Sequence[tuple[int, str]], *, is_cut: bool) -> None:
        """Add the acts of lines with their numbers; raises BadFile with the line at fault.

        `is_cut`: the last line may be the beginning of one.
        """
        last_row = max((at for at, line in lines if ROW.match(line)), default=0)
        for at, line in lines:
            try:
                self._read(line, is_last_row=at == last_row)
            except BadFile as why:
                if is_cut and at == lines[-1][0] and not ROW.match(line):
                    return
                # What follows the end of a game may be right: then the row that ended it is at fault.
                why.line = self.stopped_at or at
                raise
            if self.builder.has_stopped:
                self.stopped_at = self.stopped_at or at

    def _read(self, line: str, *, is_last_row: bool) -> None:
        text = self._without_points(line)
        row = ROW.match(text)
        cells, rest = _cells(row[1] if row else text)
        if row is None:
            is_left_out = self.builder.is_dropped and _RAISE_ALONE.match(line)
            if not is_left_out and (rest or not all(cell.said["end"] for cell in cells)):
                raise BadFile("a line that is no play")
            cells = [] if is_left_out else cells
        is_right_alone = len(cells) == 1 and cells[0].said.start() >= _RIGHT
        sides = self.sides[is_right_alone:]
        for number, (side, cell) in enumerate(zip(sides, cells, strict=False), 1):
            try:
                self._add(side, cell)
            except BadFile:
                if number < len(cells) or not is_last_row:
                    raise
                self.builder.stop(side, cell.dice)
        if len(cells) > len(sides) or (rest and not is_last_row):
            raise BadFile("a row that is no play")
        if rest:
            self.builder.stop(self.sides[0])

    def _without_points(self, line: str) -> str:
        """Note the winner and the points of a line, and return the line without them."""
        for found in sorted(_WON.finditer(line), key=lambda each: each["verb"].casefold() == "wins"):
            is_winner = found["verb"].casefold() == "wins"
            side = self.sides[found.start() > _RIGHT]
            self.points = int(found["points"]) * (1 if (side == OWN) == is_winner else -1)
        return _WON.sub("", line)

    def _add(self, side: str, cell: _Cell) -> None:
        said, dice = cell.said, cell.dice
        moves = (said["moves"] or "").strip(" ,")
        if cell.end is not None or said["dice"] == "00":
            if moves:
                raise BadFile("a play without a roll")
            self.builder.stop(side, dice, cell.times)
        elif dice is not None:
            self.builder.play(side, dice, NO_MOVE if moves.casefold() == "can't move" else moves)
        elif said["raise"]:
            self.builder.double(side, int(said["value"]) if said["value"] else None)
        else:
            self.builder.answer(side, TAKE if said["take"] else DROP)


def _cells(row: str) -> tuple[list[_Cell], str]:
    """Return the cells of a row, and what is none of them."""
    found: list[_Cell] = []
    for said in _CELL.finditer(row):
        before = found[-1].said if found else None
        is_roll_alone = before is not None and before["dice"] is not None and not before["moves"]
        if said["end"] and is_roll_alone and before is not None and said.start() - before.end() <= _WIDEST_GAP:
            found[-1].end = said
        else:
            found.append(_Cell(said, said if said["end"] else None))
    return found, _CELL.sub("", row).strip(" ,\t")
