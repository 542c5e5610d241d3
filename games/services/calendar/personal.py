"""Data of a person in the calendar: series that the person organises, and answers for dates."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef

from games.kernel.contract import JsonObject
from games.models import Answer, Player, Series
from games.services.calendar import all_series, answers
from games.services.personal_rooms import Kept, Leaver, Traces, time_text


def _forget(leaver: Leaver) -> None:
    all_series.forget(leaver.player)


def _own(player: Player) -> JsonObject:
    return {"answers": [_answer(row) for row in player.answers.select_related("date__series")]}


def _answer(row: Answer) -> JsonObject:
    said = {"says": row.says, "extra": row.extra, "word": row.word, "answered_at": time_text(row.answered_at)}
    return {"series": row.date.series.name, "day": row.date.day.isoformat(), **said}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the answers of a guest for dates that are not long past."""
    return (Answer.objects.filter(player=guest, date__day__gte=before.date()),)


KEPT = Kept((Series, Answer), forget=_forget, join=answers.join, own=_own, traces=_traces)
