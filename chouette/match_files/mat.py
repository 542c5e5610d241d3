"""Reading of match files in text (.mat), as this house, GNU Backgammon, XG and others write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chouette.board.position import START
from chouette.export.record import DROP, TAKE, GameRecord, Session
from chouette.match_files.games import SIDES, BadFile, Builder, check_count, cube_value

_NUMBER = r"\d{1,6}"
_LENGTH = re.compile(rf"\s*({_NUMBER}) point match\s*$", re.IGNORECASE)
_UNLIMITED = re.compile(r"\s*(unlimited|money) (match|game|session)", re.IGNORECASE)
_GAME = re.compile(rf"\s*Game ({_NUMBER})\s*$", re.IGNORECASE)
_SCORE = re.compile(rf"\s*(.*\S)\s*:\s*({_NUMBER})\s{{2,}}(.*\S)\s*:\s*({_NUMBER})\s*$")
_LINE = re.compile(r"\s*\d+\)(.*)$")
_WINS = re.compile(rf"(?<!\S)wins ({_NUMBER}) points?( and the match)?\s*$", re.IGNORECASE)
_HEAD = re.compile(r";?\s*\[([^\"]+) \"(.*)\"\]\s*$")
_CELL = re.compile(
    r"(?P<dice>[1-6]{2}):(?P<moves>(?:\s*(?!\d\d:)(?:cannot move|can't move|[\w*/()-]*/[\w*/()-]*))*)"
    rf"|(?P<raise>doubles|beavers|raccoons|redoubles)(?:\s*=>\s*(?P<value>{_NUMBER}))?"
    r"|(?P<take>takes|accepts)|(?P<drop>drops|passes|rejects)",
    re.IGNORECASE,
)
_RAISE_ALONE = re.compile(rf"\s*(?:doubles|beavers) => {_NUMBER}\s*$", re.IGNORECASE)
"""A line of GNU Backgammon behind some drops (`Builder.double`)."""
_NOTE = re.compile(rf"Game ({_NUMBER}): (.*)$")
_START_VALUE = re.compile(rf"(?:The cubes start at|Automatic double: the cubes are at) ({_NUMBER})\.")
_BROUGHT = re.compile(rf"It brought ([+-]{_NUMBER}) \((.*)\)\.")
_MOST_COLUMNS = 2000
"""Nobody writes longer lines; to look through one takes time by the square of its length."""
_RIGHT = 15
"""A cell that begins behind so many columns of a line without another one is the right player's."""

_ON = ("on", "true", "yes", "1")


def read(text: str) -> Session:
    """Return the content of a file; raises BadFile."""
    lines = text.splitlines()
    if any(len(line) > _MOST_COLUMNS for line in lines):
        raise BadFile("a line that is too long")
    head = {match[1].casefold(): match[2] for line in lines if (match := _HEAD.match(line))}
    notes = _notes(lines)
    length, body = _length(lines)
    jacoby = not length and head.get("jacoby", "").casefold() in _ON
    has_crawford = head.get("crawford", "on").casefold() in _ON
    records: list[GameRecord] = []
    for block in _blocks(body):
        records.append(_game(block, jacoby, notes))
        check_count(len(records))
        _mark_crawford(records, length if has_crawford else 0)
    names = records[0].names if records else ("", "")
    return Session(
        name=head.get("player 1") or names[0],
        member=0,
        length=length,
        jacoby=jacoby,
        beavers=not length and head.get("beavers", head.get("beaver", "")).casefold() in _ON,
        records=tuple(records),
        notes=(),
    )


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


def _length(lines: Sequence[str]) -> tuple[int, list[str]]:
    """Return the match's length and the lines behind it; raises BadFile."""
    for number, line in enumerate(lines):
        if match := _LENGTH.match(line):
            return int(match[1]), [each for each in lines[number + 1 :] if not each.startswith(";")]
        if _UNLIMITED.match(line):
            return 0, [each for each in lines[number + 1 :] if not each.startswith(";")]
    raise BadFile("no line says how long the match is")


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each game, from its number on."""
    block: list[str] = []
    for line in lines:
        if _GAME.match(line):
            if block:
                yield block
            block = []
        if line.strip() and (block or _GAME.match(line)):
            block.append(line)
    if block:
        yield block


def _game(lines: Sequence[str], jacoby: bool, notes: Mapping[int, _Told]) -> GameRecord:
    number = _GAME.match(lines[0])
    score = _SCORE.match(lines[1]) if len(lines) > 1 else None
    if number is None or score is None:
        raise BadFile("a game without names and score")
    record = GameRecord(
        number=int(number[1]),
        own=0,
        other=1,
        score=(int(score[2]), int(score[4])),
        names=(score[1].strip(), score[3].strip()),
    )
    told = notes.get(record.number, _Told())
    record.value = cube_value(told.value)
    builder = Builder(record, jacoby, START)
    points = None
    for line in lines[2:]:
        if (wins := _wins(line)) is not None:
            points = wins
        _add_cells(builder, _WINS.sub("", line))
    return builder.close(points) if told.result is None else builder.close(told.result, told.how)


def _wins(line: str) -> int | None:
    """Return the points that a result line names, negative if the right player won; None for another line."""
    found = _WINS.search(line)
    if found is None:
        return None
    return int(found[1]) * (1 if found.start() <= _RIGHT else -1)


def _add_cells(builder: Builder, line: str) -> None:
    """Add the one or two acts of a line."""
    numbered = _LINE.match(line)
    if numbered is None:
        if line.strip() and not (builder.is_dropped and _RAISE_ALONE.match(line)):
            raise BadFile("a line that is no play")
        return
    cells = list(_CELL.finditer(numbered[1]))
    rest = _CELL.sub("", numbered[1]).strip()
    if rest or len(cells) > 2:
        raise BadFile("a cell that is no play")
    is_right_alone = len(cells) == 1 and cells[0].start() >= _RIGHT
    for side, cell in zip(SIDES[is_right_alone:], cells, strict=False):
        _add(builder, side, cell)


def _add(builder: Builder, side: str, cell: re.Match[str]) -> None:
    if cell["dice"]:
        moves = cell["moves"].strip()
        is_none = moves.casefold() in ("", "cannot move", "can't move")
        builder.play(side, (int(cell["dice"][0]), int(cell["dice"][1])), "" if is_none else moves)
    elif cell["raise"]:
        builder.double(side, int(cell["value"]) if cell["value"] else None)
    else:
        builder.answer(side, TAKE if cell["take"] else DROP)


def _mark_crawford(records: Sequence[GameRecord], length: int) -> None:
    """Mark the last game as the Crawford game where it is the first in which a side needs one point."""
    last = records[-1]
    has_been = any(length - 1 in record.score for record in records[:-1])
    is_doubled = any(act.value for act in last.acts)
    last.is_crawford = length > 1 and length - 1 in last.score and not has_been and not is_doubled
