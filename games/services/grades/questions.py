"""Positions that the engine is asked about, answered by the analyser between two choices of what it grades."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from games import plugin
from games.kernel.contract import JsonObject
from games.models import EngineQuestion
from games.ops.logs import log_event
from games.services.grades import jobs

logger = logging.getLogger(__name__)

DAY = timedelta(days=1)
PATIENCE = timedelta(minutes=2)
"""A question without an answer for so long is not waited for: nobody answers here, or the engine can't."""


def ask(game_id: str, position: str) -> EngineQuestion:
    """Ask about a position; one that is known keeps its answer, a failure is tried again."""
    found, is_new = EngineQuestion.objects.get_or_create(
        game_id=game_id, position=position, defaults={"asked_at": datetime.now(UTC)}
    )
    if not is_new and (found.answer is None or not found.answer["lines"]):
        found.asked_at, found.answer = datetime.now(UTC), None
        found.save(update_fields=["asked_at", "answer"])
    return found


def look(game_id: str, position: str) -> EngineQuestion | None:
    """Return the stored question about a position, None if it was never asked."""
    return EngineQuestion.objects.filter(game_id=game_id, position=position).first()


def is_given_up(question: EngineQuestion) -> bool:
    """Tell whether a question is not waited for any more."""
    return question.answer is None and datetime.now(UTC) - question.asked_at > PATIENCE


def answer_all(engines: Mapping[str, plugin.GradingEngine]) -> None:
    """Answer the open questions, the oldest first, with the engine of each game."""
    since = datetime.now(UTC) - PATIENCE
    waiting = EngineQuestion.objects.filter(answer__isnull=True, asked_at__gte=since, game_id__in=engines)
    for question in waiting.order_by("asked_at"):
        answer = answer_of(question.game_id, question.position, engines[question.game_id])
        EngineQuestion.objects.filter(pk=question.pk).update(answer=answer)


def answer_of(game_id: str, position: str, engine: plugin.GradingEngine) -> JsonObject:
    """Return an engine's answer to a position with what it was made with; of one that failed it has no lines."""
    grading = jobs.graded_games()[game_id]
    try:
        found = grading.answer(position, engine)
    except Exception as error:
        log_event(logger, logging.WARNING, jobs.TASK, "no_answer", error=error, text=position)
        found = {"kind": "", "lines": [], "best": ""}
    return {**found, "engine": engine.name, "level": engine.level, "formula": grading.FORMULA}


def forget_old(now: datetime) -> int:
    """Delete the questions of more than a day ago; return their number."""
    return EngineQuestion.objects.filter(asked_at__lt=now - DAY).delete()[0]
