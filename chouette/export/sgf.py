"""The Smart Game Format (FF[4]) of backgammon (GM[6]): a collection with a tree for each game.

White is the member, Black the opponent. Letters are points as White counts them,
`a` the ace point, `y` the bar, `z` off. Automatic doubles are the `CV` of the first node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chouette.board.notation import format_play
from chouette.board.plays import legal_plays
from chouette.board.position import BAR, OFF, START
from chouette.board.steps import Move
from chouette.export.reading import read
from chouette.export.record import BEAVER, DOUBLE, OWN, PLAY, RACCOON, GameRecord, RecordedAct, Session
from games.kernel.contract import JsonObject, Seat
from games.kernel.replay import Entry

LUCKY, VERY_LUCKY = 0.3, 0.6
DOUBTFUL, BAD, VERY_BAD = 0.04, 0.08, 0.16
"""The bounds of GNU Backgammon's own words for luck and mistakes."""

_EXACT = "0 1 0.000000 1"
"""GNU Backgammon's words for an evaluation that is not reduced, is deterministic, has no noise and is pruned."""

_BOARD_POINTS = range(1, BAR)


def sgf(
    options: Mapping[str, Any],
    seats: int,
    entries: Iterable[Entry],
    member: Seat,
    names: Sequence[str] = (),
    *,
    grades: Sequence[JsonObject] = (),
) -> str:
    """Return a session from the point of view of one member against the Box.

    The arguments are the same as for `mat`; notes without a property of the format are comments.
    Without a game there is no tree, and the text is empty.
    """
    session = read(options, seats, entries, member, names, grades=grades)
    return "".join(_tree(session, record) for record in session.records)


def _tree(session: Session, record: GameRecord) -> str:
    nodes = [_root(session, record), *_setup(record)]
    comments = _comments(record)
    for index, act in enumerate(record.acts, 1):
        graded, before = record.graded.get(index - 1), record.graded_before.get(index - 1)
        analysis = _cube_analysis(before) if before is not None else ""
        analysis += _analysis(act, graded) if graded is not None else ""
        nodes.append(_act(act) + analysis + _property("C", *comments.get(index, [])))
    return "(" + "\n".join(f";{node}" for node in nodes) + ")\n"


def _analysis(act: RecordedAct, row: JsonObject) -> str:
    """Return a grade in the properties of GNU Backgammon.

    These are the roll's luck, how bad a mistake was, and of a mistake the plays or the cube's courses that were looked
    at, with their chances; grades that are older than these have none.
    """
    found = _plays_analysis(act, row) if act.kind == PLAY else _cube_analysis(row)
    if act.kind == PLAY and row["luck"] is not None:
        luck, mine, other = row["luck"], _player(act), "B" if _player(act) == "W" else "W"
        found += f"LU[{luck:.5f}]"
        for least, mark in ((VERY_LUCKY, 2), (LUCKY, 1)):
            if abs(luck) >= least:
                found += f"G{mine if luck > 0 else other}[{mark}]"
                break
    names = ("BM", "DO") if act.kind == PLAY else ("BC", "DC")
    if not row["counts"] or row["error"] < DOUBTFUL:
        return found
    if row["error"] < BAD:
        return f"{found}{names[1]}[]"
    return f"{found}{names[0]}[{1 if row['error'] < VERY_BAD else 2}]"


def _plays_analysis(act: RecordedAct, row: JsonObject) -> str:
    """Return the plays of a mistake with the number of the one made, "" without chances."""
    told = row.get("chances")
    if not told:
        return ""
    moves = {format_play(play): play.moves for play in legal_plays(act.before, act.dice)}
    names = [name for name, _ in row["listed"]]
    letters = ["".join(_move(move, act.side) for move in moves[name]) for name in names]
    values = "".join(
        f"[{text} E ver 3 {_numbers(chances)} {told['plies']}C {_EXACT}]"
        for text, chances in zip(letters, told["values"], strict=True)
    )
    return f"A[{names.index(row['played'])}]{values}"


def _cube_analysis(row: JsonObject) -> str:
    """Return what both courses of a cube come to, "" without chances; the chances do not tell them apart."""
    told = row.get("chances")
    if not told:
        return ""
    *chances, no_double, take = told["values"][0]
    courses = [_numbers([*chances, worth]) for worth in (no_double, take)]
    return f"DA[E ver 3 {told['plies']}C 1 0.000000 1 {' '.join(courses)}]"


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{value:.6f}" for value in values)


def _root(session: Session, record: GameRecord) -> str:
    rules = ["Crawford:CrawfordGame"] if record.is_crawford else ["Crawford"] * bool(session.length)
    rules += ["Jacoby"] * session.jacoby
    own, other = record.score
    info = [f"length:{session.length}"] if session.length else []
    info += [f"game:{record.number}", f"ws:{own}", f"bs:{other}"]
    notes = [*_comments(record).get(0, []), *_result_note(record)]
    if record is session.records[-1]:
        notes += session.notes
    return "".join(
        (
            "FF[4]GM[6]CA[UTF-8]AP[Stammtisch:1]",
            "MI" + "".join(f"[{pair}]" for pair in info),
            _property("PW", record.names[0]),
            _property("PB", record.names[1]),
            f"RU[{rules[0]}]" if rules else "",
            _result(record),
            _property("GC", *notes),
        )
    )


def _result(record: GameRecord) -> str:
    if record.result is None:
        return "RE[?]"
    if not record.result:
        return "RE[0]"
    gave_up = "R" if record.is_resigned else ""
    return f"RE[{'W' if record.result > 0 else 'B'}+{abs(record.result)}{gave_up}]"


def _result_note(record: GameRecord) -> list[str]:
    if record.result is None:
        return ["The game was not finished."]
    return [f"Settled for {record.result:+d}."] if record.how == "settled" else []


def _setup(record: GameRecord) -> list[str]:
    """Return the node that sets the cube and, if it is unusual, the position; none if it would be empty."""
    found = f"CV[{record.value}]" if record.value > 1 else ""
    if record.is_crawford:
        found += "CO[n]"
    elif record.owner:
        found += f"CO[{'w' if record.owner == OWN else 'b'}]"
    if record.start != START:
        found += "AE[a:y]" + _stones("AW", record, 1) + _stones("AB", record, -1)
        found += f"PL[{_player(record.acts[0])}]" if record.acts else ""
    return [found] if found else []


def _stones(name: str, record: GameRecord, sign: int) -> str:
    """Return the property with the points of one side's checkers, one value for each checker."""
    start = record.start
    letters = [_letter(p) * max(sign * start[p], 0) for p in _BOARD_POINTS]
    letters.append("y" * abs(start[BAR if sign > 0 else OFF]))
    found = "".join(letters)
    return name + "".join(f"[{letter}]" for letter in found) if found else ""


def _act(act: RecordedAct) -> str:
    if act.kind == PLAY:
        moves = "".join(_move(move, act.side) for move in act.steps())
        value = "".join(map(str, act.dice)) + moves
    else:
        value = "double" if act.kind in (DOUBLE, BEAVER, RACCOON) else act.kind
    return f"{_player(act)}[{value}]"


def _player(act: RecordedAct) -> str:
    return "W" if act.side == OWN else "B"


def _move(move: Move, side: str) -> str:
    source = "y" if move.source == BAR else _letter(move.source, side)
    return source + ("z" if move.target == OFF else _letter(move.target, side))


def _letter(point: int, side: str = OWN) -> str:
    """Return the letter of a point as a side counts it."""
    return chr(ord("a") + (point if side == OWN else BAR - point) - 1)


def _comments(record: GameRecord) -> dict[int, list[str]]:
    """Return the notes by the number of acts before them."""
    found: dict[int, list[str]] = {}
    for at, text in record.notes:
        found.setdefault(min(at, len(record.acts)), []).append(text)
    return found


def _property(name: str, *values: str) -> str:
    """Return a property with lines of text, escaped; none without text."""
    text = "\n".join(values).replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
    return f"{name}[{text}]" if text else ""
