"""A deeper look at single choices of graded games, asked for by those who see their figures.

It is taken after the first and deep passes, by the analyser alone; the figure that stands gives way when the deeper one
is there, which says its level.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import F

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures.skill import Depth
from games.models import DeeperQuestion, GameGrades, Table
from games.ops.logs import log_event
from games.services.grades import jobs, visibility
from games.services.grades.visibility import Viewer
from games.services.seats import sittings

logger = logging.getLogger(__name__)

ASKED, DONE, OPEN = "asked", "done", "open"
"""The states of a deeper look: it is awaited, it is there, or nobody has asked (or the engine had no answer)."""
_SAME = ("seq", "kind", "xgid")


def state(table: Table, by: Viewer, ended: int, number: int) -> str:
    """Return the state of a deeper look at a choice; raises Illegal `no_such_grade` where its grade is not seen.

    The choice is that with a number among the rows of the game that an entry ended.
    """
    return _state(*_seen(table, by, ended, number))


def ask(table: Table, by: Viewer, ended: int, number: int) -> str:
    """Ask for a deeper look at a choice; return its state. Raises Illegal `no_such_grade`, `no_engine`."""
    grades, row = _seen(table, by, ended, number)
    found = _state(grades, row)
    if found != OPEN:
        return found
    grading = jobs.graded_games().get(table.game_id)
    if grading is None or not grading.has_engine():
        raise Illegal("no_engine")
    DeeperQuestion.objects.get_or_create(grades=grades, row=number, defaults={"asked_at": datetime.now(UTC)})
    return ASKED


def _seen(table: Table, by: Viewer, ended: int, number: int) -> tuple[GameGrades, JsonObject]:
    """Return a game's grades and the row with a number, if the viewer sees it."""
    grades = GameGrades.objects.filter(result__table=table, result__seq=ended, formula__gt=0).first()
    rows = visibility.seen(table, grades, by).rows if grades is not None else ()
    row = next((row for row in rows if row["row"] == number), None)
    if grades is None or row is None:
        raise Illegal("no_such_grade")
    return grades, row


def _state(grades: GameGrades, row: JsonObject) -> str:
    if row["deeper"]:
        return DONE
    return ASKED if DeeperQuestion.objects.filter(grades=grades, row=row["row"]).exists() else OPEN


def answer_one(engines: Mapping[str, plugin.GradingEngine]) -> bool:
    """Look at the choice that was asked about first, of games with their deep pass; tell whether there was one."""
    asked = DeeperQuestion.objects.filter(grades__depth=Depth.DEEP, grades__graded_at__isnull=False)
    asked = asked.filter(grades__result__game_id__in=engines).select_related("grades__result__table")
    question = asked.order_by("asked_at", "pk").first()
    if question is None:
        return False
    if question.tries < jobs.MOST_TRIES:
        DeeperQuestion.objects.filter(pk=question.pk).update(tries=F("tries") + 1)
        game_id = question.grades.result.game_id
        _answer(question, jobs.graded_games()[game_id], engines[game_id].at(Depth.DEEPER))
    # What the engine has no answer to is open again.
    question.delete()
    return True


def _answer(question: DeeperQuestion, grading: plugin.Grading, engine: plugin.GradingEngine) -> None:
    """Put the deeper row in the place of the one that stands, unless the game was graded anew meanwhile."""
    result = question.grades.result
    try:
        row = grading.row(jobs.played(result), engine, question.row)
    except Exception as error:
        _log_failure(question, error)
        return
    if row is None or not row["graded"]:
        _log_failure(question)
        return
    new = jobs.with_owner(row, sittings.read(result.table_id, result.seq or 0), result.seq or 0)
    with transaction.atomic():
        grades = GameGrades.objects.select_for_update().get(pk=question.grades_id)
        rows = list(grades.rows)
        is_same = question.row < len(rows) and all(rows[question.row].get(key) == new.get(key) for key in _SAME)
        if grades.graded_at == question.grades.graded_at and is_same:
            rows[question.row] = {**new, "deeper": engine.level}
            GameGrades.objects.filter(pk=grades.pk).update(rows=rows)


def _log_failure(question: DeeperQuestion, error: Exception | None = None) -> None:
    result, text = question.grades.result, f"choice {question.row}"
    table = result.table.public_id
    log_event(logger, logging.WARNING, jobs.TASK, "no_deeper_answer", error=error, text=text, table=table)
