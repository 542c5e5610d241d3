"""Data of a person in the calendar: series that the person organises, and answers for dates."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Q
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Answer, EveningHost, Player, Series, SeriesDate
from games.services.calendar import all_series, answers, evening_hosts
from games.services.personal_rooms import (
    BY_ITSELF,
    NAMELESS,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    name_of,
    time_text,
)


def _forget(leaver: Leaver) -> None:
    all_series.forget(leaver.player)
    evening_hosts.forget(leaver.player)


def _join(source: Player, target: Player) -> None:
    answers.join(source, target)
    evening_hosts.join(source, target)


def _own(player: Player) -> JsonObject:
    hosts = player.evenings_to_host.select_related("series")
    organised = Series.objects.filter(Q(organiser=player) | Q(second=player)).order_by("pk")
    return {
        "answers": [_answer(row) for row in player.answers.select_related("date__series", "marked_by")],
        "series_organised": [{"series": each.name, "held_at": each.place} for each in organised],
        "evening_host_of": [{"series": row.series.name, "held_at": row.place} for row in hosts],
    }


def _answer(row: Answer) -> JsonObject:
    return {
        "series": row.date.series.name,
        "day": row.date.day.isoformat(),
        "name": row.name,
        "says": row.says,
        "extra": row.extra,
        "word": row.word,
        "answered_at": time_text(row.answered_at),
        "marked_by": name_of(row.marked_by),
        "waits_since": time_text(row.since),
        "moved_up_at": time_text(row.moved_up_at),
    }


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the answers of a guest for dates that are not long past."""
    return (Answer.objects.filter(player=guest, date__day__gte=before.date()),)


_SAID = (
    NoticeRow(
        _("Series that you organise, and where they are held"),
        {Series: "name organiser second place", SeriesDate: "place", EveningHost: "series player place"},
        _("so that somebody is there who decides"),
        _("whoever has the series' link"),
        _("until a month after its end"),
        NAMELESS,
        ("evening_host_of", "series_organised"),
    ),
    NoticeRow(
        _("Whether you come, with whom, and your word with it"),
        {Answer: "date player name says extra word secret_hash marked_by since moved_up_at answered_at"},
        _("so that the others know how many come"),
        _("whoever has the series' link; names as its organisers chose"),
        _("a month after the date"),
        BY_ITSELF,
        ("answers",),
    ),
)
KEPT = Kept((Series, Answer, EveningHost), forget=_forget, join=_join, own=_own, traces=_traces, said=_SAID)
