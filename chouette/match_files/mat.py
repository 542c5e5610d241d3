"""Reading of match files in text (.mat), as this house, GNU Backgammon, XG and others write them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from chouette.board.position import START
from chouette.export.record import ROLL, GameRecord, Session
from chouette.match_files.games import SIDES, BadFile, Builder, check_count, check_score, cube_value
from chouette.match_files.mat_rows import NUMBER, ROW, GameRows

_LENGTH = re.compile(rf"\s*({NUMBER})[ -]points?[ -]match\b", re.IGNORECASE)
_UNLIMITED = re.compile(r"\s*(unlimited|money) (match|game|session)", re.IGNORECASE)
_GAME = re.compile(rf"\s*Game\s+#?({NUMBER})\b(?!\s*:\s*\d)", re.IGNORECASE)
_SCORES = re.compile(rf"\s*(.*\S)\s*:\s*({NUMBER})\s{{2,}}(.*\S)\s*:\s*({NUMBER})\s*$")
_TOUCHING = re.compile(rf"\s*(.*?\S)\s*:\s*({NUMBER})(.*?)\s*:\s*({NUMBER})\s*$")
"""Names with scores where a long name reaches up to the one on its right, which may begin with digits."""
_WIDEST_SCORES = 300
_HEAD = re.compile(r";?\s*\[([^\"]+) \"(.*)\"\]\s*$")
_NOTE = re.compile(rf"Game ({NUMBER}): (.*)$")
_START_VALUE = re.compile(rf"(?:The cubes start at|Automatic double: the cubes are at) ({NUMBER})\.")
_BROUGHT = re.compile(rf"It brought ([+-]{NUMBER}) \((.*)\)\.")
_MOST_COLUMNS = 2000
"""Nobody writes longer lines; to look through one takes time by the square of its length."""
_END_OF_LINE = re.compile(r"\r\n?|\n")
"""Nothing else ends a line: U+0085 and U+2028 stand in names."""

_ON = ("on", "true", "yes", "1")

_Block: TypeAlias = Sequence[tuple[int, str]]
"""Lines with their numbers in the file, from 1: of a game, or of the beginning of a match."""


def read(text: str) -> Session:
    """Return the content of a file, of several matches all their games; raises BadFile."""
    lines = _END_OF_LINE.split(text)
    for at, line in enumerate(lines, 1):
        if len(line) > _MOST_COLUMNS:
            raise BadFile("a line that is too long", line=at)
    reader = _MatReader(lines)
    try:
        for block in _blocks(lines):
            reader.read(block)
    except BadFile as why:
        why.before = reader.session()
        raise
    if reader.length is None:
        raise BadFile("no line says how long the match is")
    return reader.session()


def _blocks(lines: Sequence[str]) -> list[_Block]:
    """Return the filled lines in blocks, each from the length of a match or the heading of a game on."""
    found: list[list[tuple[int, str]]] = []
    for at, line in enumerate(lines, 1):
        if line.startswith(";") or not line.strip():
            continue
        if _length(line) is not None or _GAME.match(line):
            found.append([])
        if found:
            found[-1].append((at, line))
    return [*found]


def _length(line: str) -> int | None:
    """Return the length of the match that begins with a line, 0 for points; None for another line."""
    if match := _LENGTH.match(line):
        return int(match[1])
    return 0 if _UNLIMITED.match(line) else None


class _MatReader:
    """A file as far as it was read.

    `records` are the games of all matches, `match` those of the one in hand, of which `length` is the length, None
    before the first; `sides` are those of its left and its right column.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.head = {found[1].casefold(): found[2] for line in reversed(lines) if (found := _HEAD.match(line))}
        self.notes = _notes(lines)
        self.last = max((at for at, line in enumerate(lines, 1) if line.strip()), default=0)
        self.is_cut = bool(lines[-1].strip())
        self.length: int | None = None
        self.lengths: list[int] = []
        self.records: list[GameRecord] = []
        self.match: list[GameRecord] = []
        self.sides: Sequence[str] = SIDES

    def session(self) -> Session:
        """Return what was read."""
        has_points = 0 in self.lengths
        return Session(
            name=self.head.get("player 1") or (self.records[0].names[0] if self.records else ""),
            member=0,
            length=self.lengths[0] if self.lengths else 0,
            jacoby=has_points and self._is_on("jacoby"),
            beavers=has_points and (self._is_on("beavers") or self._is_on("beaver")),
            records=tuple(self.records),
            notes=(),
        )

    def _is_on(self, name: str, default: str = "") -> bool:
        return self.head.get(name, default).casefold() in _ON

    def read(self, block: _Block) -> None:
        """Begin a match, or add a game; raises BadFile."""
        length, heading = _length(block[0][1]), _GAME.match(block[0][1])
        if length is not None:
            self.length, self.match = length, []
            self.lengths.append(length)
            for at, line in block[1:]:
                if ROW.match(line):
                    raise BadFile("a row without the heading of its game", line=at)
        elif heading is not None and self.length is not None:
            try:
                self._read_game(int(heading[1]), self.length, block)
            except BadFile as why:
                why.game, why.line = int(heading[1]), why.line or block[:2][-1][0]
                raise

    def _read_game(self, number: int, length: int, block: _Block) -> None:
        at, scores = block[1] if len(block) > 1 else block[0]
        known = {name for record in self.records for name in record.names}
        found = _scores(scores, known) if len(block) > 1 else None
        if found is None:
            if at == self.last and (len(block) == 1 or self.is_cut):
                # The file ends with a heading, or was cut off in the names behind it.
                return
            raise BadFile("a game without names and scores", line=at)
        record = self._begun(number, length, found)
        told = self.notes.get(number, _Told())
        record.value = cube_value(told.value)
        builder = Builder(record, not length and self._is_on("jacoby"), START)
        rows = GameRows(builder, self.sides)
        rows.read(block[2:], is_cut=self.is_cut and block[-1][0] == self.last)
        self._add(builder.close(rows.points) if told.result is None else builder.close(told.result, told.how))

    def _begun(self, number: int, length: int, found: tuple[tuple[str, int], tuple[str, int]]) -> GameRecord:
        """Return a game that has not begun; raises BadFile for a further match of other people."""
        if self.records and not self.match:
            known = [name.casefold() for name in self.records[0].names]
            said = [name.casefold() for name, _ in found]
            if sorted(said) != sorted(known):
                raise BadFile("a match of other people")
            self.sides = SIDES if said == known else SIDES[::-1]
        check_score((found[0][1], found[1][1]), length)
        first, second = found if self.sides == SIDES else found[::-1]
        score, names = (first[1], second[1]), (first[0], second[0])
        own_length = None if length == self.lengths[0] else length
        return GameRecord(number, 0, 1, score, length=own_length, names=names)

    def _add(self, record: GameRecord) -> None:
        check_count(len(self.records) + 1)
        self.records.append(record)
        self.match.append(record)
        if self.match[:-1]:
            _tell_by_score(self.match[-2], record)
        _mark_crawford(self.match, (self.length or 0) if self._is_on("crawford", "on") else 0)


def _scores(line: str, known: Collection[str]) -> tuple[tuple[str, int], tuple[str, int]] | None:
    """Return both names with their scores, None for another line; `known` are names of earlier games."""
    if len(line) > _WIDEST_SCORES:
        return None
    if found := _SCORES.match(line):
        score, right = found[2], found[3]
    elif found := _TOUCHING.match(line):
        digits, rest = found[2], found[3]
        lengths = range(1, 2 if digits[0] == "0" else len(digits) + 1)
        ways = [(digits[:length], _plain(digits[length:] + rest)) for length in lengths]
        score, right = max(ways, key=lambda way: (way[1] in known, bool(way[1]), len(way[0])))
    if found is None or not _plain(right):
        return None
    return (_plain(found[1]), int(score)), (_plain(right), int(found[4]))


def _plain(name: str) -> str:
    return " ".join(name.split())


@dataclass(slots=True)
class _Told:
    """The comments of a file on a game: the value of its cube at the start, its result and how it came."""

    value: int = 1
    result: int | None = None
    how: str = ""


def _notes(lines: Sequence[str]) -> Mapping[int, _Told]:
    """Return what the comments of a file say of its games, by their numbers."""
    found: dict[int, _Told] = {}
    for line in lines:
        note = _NOTE.match(line[1:].strip()) if line.startswith(";") else None
        if note is None:
            continue
        told = found.setdefault(int(note[1]), _Told())
        if match := _START_VALUE.match(note[2]):
            told.value = max(told.value, int(match[1]))
        elif told.result is None and (match := _BROUGHT.match(note[2])):
            told.result, told.how = int(match[1]), match[2].replace(" ", "_")
    return found


def _tell_by_score(before: GameRecord, after: GameRecord) -> None:
    """Take the winner of a resigned game, and the points of one that ends in a last roll, from the next game's score.

    A line `Wins` may stand in a column that leaves open whose it is.
    """
    gained = [now - then for then, now in zip(before.score, after.score, strict=True)]
    is_rolled = bool(before.acts) and before.acts[-1].kind == ROLL
    known = abs(before.result) if before.result is not None else max(gained) if is_rolled else 0
    is_next = after.number == before.number + 1 and before.how in ("", "resigned")
    if is_next and min(gained) == 0 < max(gained) == known:
        before.result, before.how = gained[0] or -gained[1], "resigned"


def _mark_crawford(records: Sequence[GameRecord], length: int) -> None:
    """Mark the last game as the Crawford game where it is the first in which a side needs one point."""
    last = records[-1]
    has_been = any(length - 1 in record.score for record in records[:-1])
    is_doubled = any(act.value for act in last.acts)
    last.is_crawford = length > 1 and length - 1 in last.score and not has_been and not is_doubled
