"""The text format of match files (.mat), as Jellyfish began it and GNU Backgammon reads it.

A header of comments, then `N point match` (0 for points), and for each game two columns of
`dice: moves`, `Doubles => 2`, `Takes` and so on. Programs read comments only ahead of the
match, so everything that the columns can't hold stands there, with its game and line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chouette.board.position import BAR, OFF
from chouette.board.steps import Move
from chouette.export.reading import read
from chouette.export.record import (
    BEAVER,
    DOUBLE,
    DROP,
    OTHER,
    PLAY,
    RACCOON,
    TAKE,
    GameRecord,
    RecordedAct,
    Session,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.replay import Entry

_LEFT = 28
"""Width of the left column; a longer cell moves the right one."""

_UNSAID = ("settled", "left", "beaver_dropped", "time")
"""Ends of a cube whose points the line `Wins … points` does not explain."""

_NO_WORDS = (
    "Automatic doubles, settlements, raccoons and extras have no words in this format: they stand in these comments."
)

_CUBE = {DOUBLE: "Doubles", BEAVER: "Beavers", RACCOON: "Raccoons"}


def mat(
    options: Mapping[str, Any],
    seats: int,
    entries: Iterable[Entry],
    member: Seat,
    names: Sequence[str] = (),
    *,
    grades: Sequence[JsonObject] = (),
) -> str:
    """Return a session from the point of view of one member against the Box, in the left column.

    `seats` is the number that the table was opened with, `names` are by seat. In a game in
    which the member is the Box, the opponent is the Captain at its beginning. Scores are the
    points of earlier games on these cubes; in a match they are the match's. A game that starts
    from another position than the usual one stands among the comments, and so do mistakes (`grades` are as for `read`).
    """
    session = read(options, seats, entries, member, names, grades=grades)
    lines = [*_header(session), "", f" {session.length} point match"]
    for record in session.records:
        if record.is_usual:
            lines += ["", *_game(session, record)]
    return "\n".join([*lines, ""])


def _header(session: Session) -> list[str]:
    """Return the comments ahead of the match."""
    others = dict.fromkeys(record.names[1] for record in session.records)
    found = ['[Site "Stammtisch"]', '[Variation "Backgammon"]']
    found += [f'[Player 1 "{session.name}"]']
    found += [f'[Player 2 "{", ".join(others)}"]'] if others else []
    found += ['[Crawford "On"]'] if session.length else []
    found += [f'[{name} "On"]' for name in ("Jacoby", "Beavers") if getattr(session, name.lower())]
    for record in session.records:
        found += [f"Game {record.number}: {text}" for text in _notes(record)]
    found += [] if session.length else [_NO_WORDS]
    return [f"; {line}" for line in [*found, *session.notes]]


def _notes(record: GameRecord) -> list[str]:
    """Return the notes on a game that its columns can't hold."""
    _, rows = _columns(record)
    found = [f"{_after(rows, at)}{text}" for at, text in record.notes]
    if not record.is_usual:
        found += ["No program starts there, so its plays follow here.", *_columns(record)[0]]
    if record.result is None:
        found.append("It was not finished.")
    elif record.how in _UNSAID:
        found.append(f"It brought {record.result:+d} ({record.how.replace('_', ' ')}).")
    return found


def _after(rows: list[int], acts: int) -> str:
    """Return the prefix of a note that names the line before it; empty at the beginning."""
    return f"after line {rows[min(acts, len(rows)) - 1]}: " if acts and rows else ""


def _game(session: Session, record: GameRecord) -> list[str]:
    own, other = (f"{name} : {n}" for name, n in zip(record.names, record.score, strict=True))
    lines = [f" Game {record.number}", f" {own:<32}  {other}", *_columns(record)[0]]
    points = _wins(record)
    if points is None:
        return lines
    won = f"Wins {abs(points)} point{'s' if abs(points) != 1 else ''}"
    won += " and the match" if session.is_last(record) else ""
    if points > 0:
        return [*lines, " " * 6 + won]
    if lines[-1].endswith("  "):
        # Behind a left cell, on a line of its own, programs read one more double and a resignation.
        return [*lines[:-1], lines[-1] + won]
    return [*lines, " " * (6 + _LEFT) + won]


def _columns(record: GameRecord) -> tuple[list[str], list[int]]:
    """Return the numbered lines of a game, and for each act the number of its line.

    A left cell is filled up to the right column: programs read one more double behind a bare `Takes`.
    """
    cells: list[str] = []
    rows: list[int] = []
    for act, text in _cells(record):
        if text:
            # Where the right side acts first, the left cell of the first line stays empty.
            cells += [""] * (len(cells) % 2 != (act.side == OTHER))
            cells.append(text)
        rows.append((max(len(cells), 1) + 1) // 2)
    pairs = zip(cells[::2], [*cells[1::2], ""], strict=False)
    lines = [f"{n:3}) {left:<{_LEFT}}  {right}" for n, (left, right) in enumerate(pairs, 1)]
    return lines, rows


def _cells(record: GameRecord) -> list[tuple[RecordedAct, str]]:
    """Return each act with the text of its cell.

    A roll that follows a beaver shows that it is accepted, so that take has no text; at the end of a game it
    has. A dropped beaver is a take, and the doubler gives up: programs lose the next game's first play behind it.
    """
    found = []
    acts = record.acts
    for index, act in enumerate(acts):
        before = acts[index - 1].kind if index else ""
        after = acts[index + 1].kind if index + 1 < len(acts) else ""
        if act.kind == BEAVER and after == DROP:
            text = " Takes"
        elif before == BEAVER and (act.kind == DROP or (act.kind == TAKE and after)):
            text = ""
        else:
            text = _cell(act)
        found.append((act, text))
    return found


def _cell(act: RecordedAct) -> str:
    if act.kind == PLAY:
        moves = " ".join(map(_move, act.steps()))
        return f"{''.join(map(str, act.dice))}: {moves}".rstrip()
    if act.kind in _CUBE:
        return f" {_CUBE[act.kind]} => {act.value}"
    return {TAKE: " Takes", DROP: " Drops"}[act.kind]


def _move(move: Move) -> str:
    source = "bar" if move.source == BAR else str(move.source)
    target = "off" if move.target == OFF else str(move.target)
    return f"{source}/{target}{'*' if move.hit else ''}"


def _wins(record: GameRecord) -> int | None:
    """Return the points if a `Wins` line can tell them, else None: a settlement may be no possible win."""
    if record.result is None:
        return None
    times, rest = divmod(abs(record.result), record.cube)
    has_line = record.how != "settled" or (rest == 0 and 1 <= times <= 3)
    return record.result if has_line else None
