"""Data of a person in the calendar: series that the person organises, and answers for dates."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef

from games.kernel.contract import JsonObject
from games.models import Answer, EveningHost, Player, Series
from games.services.calendar import all_series, answers, evening_hosts
from games.services.personal_rooms import Kept, Leaver, Traces, time_text


def _forget(leaver: Leaver) -> None:
    all_series.forget(leaver.player)
    evening_hosts.forget(leaver.player)


def _join(source: Player, target: Player) -> None:
    answers.join(source, target)
    evening_hosts.join(source, target)


def _own(player: Player) -> JsonObject:
    hosts = player.evenings_to_host.select_related("series")
    return {
        "answers": [_answer(row) for row in player.answers.select_related("date__series")],
        "evening_host_of": [row.series.name for row in hosts],
    }


def _answer(row: Answer) -> JsonObject:
    said = {"says": row.says, "extra": row.extra, "word": row.word, "answered_at": time_text(row.answered_at)}
    return {"series": row.date.series.name, "day": row.date.day.isoformat(), **said}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the answers of a guest for dates that are not long past."""
    return (Answer.objects.filter(player=guest, date__day__gte=before.date()),)


KEPT = Kept((Series, Answer, EveningHost), forget=_forget, join=_join, own=_own, traces=_traces)
