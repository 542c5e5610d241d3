"""The report of a match file: every grade and each player's sums, as one JSON object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chouette.analysis import counting
from chouette.analysis.engine import Engine
from chouette.analysis.grading import Grade, Grader
from chouette.analysis.problems import problems
from chouette.export.record import PLAY, GameRecord, Session
from games.kernel.contract import JsonObject


def report(session: Session, engine: Engine, go_on: Callable[[], object] = lambda: None) -> JsonObject:
    """Return the report of a file, asking the engine game by game; `go_on` is called after each decision.

    Of a file that could not be read to its end `unread` is the place from which on it is left out.
    """
    rows: list[JsonObject] = []
    grader = Grader(engine)
    for number, record in enumerate(session.records):
        for grade in grader.grades(problems(session, record)):
            rows.append(row(grade, number))
            go_on()
    unread = {"unread": session.unread} if session.unread else {}
    return {
        "engine": engine.name,
        "level": engine.level,
        "formula": counting.FORMULA,
        "length": session.length,
        "jacoby": session.jacoby,
        "games": len(session.records),
        **unread,
        "decisions": rows,
        "players": [_player(session, rows, player) for player in (0, 1)],
    }


def row(grade: Grade, game: int) -> JsonObject:
    """Return a grade as an object of the report."""
    problem, cost = grade.problem, grade.cost
    return {
        "game": game,
        "player": problem.player,
        "kind": problem.kind,
        "xgid": problem.xgid,
        "dice": list(problem.dice) if problem.dice else None,
        "played": problem.played,
        "best": grade.best if cost else None,
        "equities": dict(grade.equities) if grade.equities is not None else None,
        "error": cost.error if cost else None,
        "counts": bool(cost and cost.counts),
        "luck": grade.luck,
        "graded": cost is not None,
    }


def _player(session: Session, rows: Sequence[JsonObject], player: int) -> JsonObject:
    """Return the sums of a player over what counts; luck is that of their own rolls."""
    own = [each for each in rows if each["player"] == player]
    counted = [each for each in own if each["counts"]]
    plays = sum(each["kind"] == PLAY for each in counted)
    error = sum((each["error"] for each in counted), 0.0)
    return {
        "name": names(session)[player],
        "plays": plays,
        "cubes": len(counted) - plays,
        "decisions": len(counted),
        "error": error,
        "pr": counting.pr(error, len(counted)),
        "luck": sum((each["luck"] for each in own if each["luck"] is not None), 0.0),
        "points": sum(points(session, record) for record in session.records) * (1 if player == 0 else -1),
    }


def names(session: Session) -> tuple[str, str]:
    """Return the names of both players: those of the last game."""
    return session.records[-1].names if session.records else (session.name, "")


def points(session: Session, record: GameRecord) -> int:
    """Return what a game brought the first player; in a match no more than its length still held."""
    won: Any = record.result or 0
    length = session.length_of(record)
    if not length:
        return int(won)
    room = length - record.score[0 if won > 0 else 1]
    return int(max(min(abs(won), room), 0)) * (1 if won > 0 else -1)
