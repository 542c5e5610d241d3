"""Dates of a series: the list of answers, the asker's own, and the acts of organisers."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.dateparse import parse_date
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import View
from games.api.fields import PersonSerializer, Shape
from games.api.schema import described
from games.kernel.contract import Illegal
from games.models import Answer, Player, SeriesDate
from games.services.calendar import all_series, answers, dates, opening, rights

TAG = "series"
FOUND = "no_such_series series_ended no_such_date"


class OwnAnswerSerializer(Shape):
    """The asker's own answer; `waiting` for a place."""

    says = serializers.ChoiceField(Answer.Says.values)
    extra = serializers.IntegerField()
    word = serializers.CharField(allow_blank=True)
    waiting = serializers.BooleanField()


class AnswerSerializer(Shape):
    """An answer; `name` and `word` are empty for whom the asker may not see, and for those of a month ago."""

    name = serializers.CharField(allow_blank=True)
    says = serializers.ChoiceField(Answer.Says.values)
    extra = serializers.IntegerField()
    word = serializers.CharField(allow_blank=True)
    waiting = serializers.BooleanField()


class DateSerializer(Shape):
    """A date. `planned` is the day by the series' rule, by which it is asked for, `day` the one on which it is held.

    `people` come, `missing` more are wanted for a table; `places` is 0 for any number. `night` is the id of the night
    that was opened on it, `opens_at` when the house opens it by itself, null if it does not.
    """

    planned = serializers.DateField()
    day = serializers.DateField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    place = serializers.CharField(allow_blank=True)
    cancelled = serializers.BooleanField()
    places = serializers.IntegerField()
    people = serializers.IntegerField()
    missing = serializers.IntegerField()
    own = OwnAnswerSerializer(allow_null=True)
    night = serializers.CharField(allow_null=True)
    opens_at = serializers.DateTimeField(allow_null=True)
    url = serializers.CharField()


class OneDateSerializer(DateSerializer):
    """A date with its answers, in the order in which they were given.

    `host` is who will host the night that opens by itself, null while nobody has said so, and for whom sees no names.
    """

    host = PersonSerializer(allow_null=True)
    answers = AnswerSerializer(many=True)


def told(found: SeriesDate, player: Player | None) -> dict[str, Any]:
    """Return a date as it is told to a player, or to a stranger for None."""
    coming = answers.coming(found)
    own = answers.of_player(found, player)
    return {
        "planned": found.planned,
        "day": found.day,
        "starts_at": found.starts_at,
        "ends_at": found.ends_at,
        "place": found.place,
        "cancelled": found.is_cancelled,
        "places": found.places,
        "people": coming.people,
        "missing": coming.missing,
        "own": None if own is None else _own(own, own in coming.waiting),
        "night": found.night.public_id if found.night is not None else None,
        "opens_at": opening.opens_at(found),
        "url": reverse("series_date", args=[found.series.key, found.planned.isoformat()]),
    }


def _own(row: Answer, is_waiting: bool) -> dict[str, Any]:
    return {"says": row.says, "extra": row.extra, "word": row.word, "waiting": is_waiting}


def _one(found: SeriesDate, player: Player | None) -> dict[str, Any]:
    """Return a date with its answers, named as far as the asker sees names."""
    sees = rights.sees_names(found, player)
    coming = answers.coming(found)
    rows = [*coming.yes, *coming.waiting, *coming.maybe, *coming.no]
    host = opening.host_of(found) if sees and opening.opens_at(found) else None
    shown = [_shown(row, row in coming.waiting, sees, player) for row in rows]
    return told(found, player) | {"host": host, "answers": shown}


def _shown(row: Answer, is_waiting: bool, sees: bool, player: Player | None) -> dict[str, Any]:
    is_seen = sees or (player is not None and row.player_id == player.pk)
    shown = _own(row, is_waiting) | {"name": answers.shown_name(row) if is_seen else ""}
    return shown if is_seen else shown | {"word": ""}


def date_of(key: str, planned: str) -> SeriesDate:
    """Return a date of a link; raises Illegal `no_such_series`, `series_ended`, `no_such_date`."""
    series = all_series.find(key)
    rights.check_goes_on(series)
    try:
        day = parse_date(planned)
    except ValueError:
        day = None
    if day is None:
        raise Illegal("no_such_date")
    return dates.find(series, day)


class OneDate(View):
    """A date."""

    @described(
        "getDate",
        "A date of a series, and who comes",
        OneDateSerializer,
        tag=TAG,
        codes=FOUND,
        description="For whoever has the link of the series. Names are for organisers, hosts and guests of its nights "
        "and entrants of its season, or for everybody if the organiser has opened the list.",
    )
    def get(self, request: Request, key: str, planned: str) -> Response:
        """Return the date."""
        return Response(OneDateSerializer(_one(date_of(key, planned), self.asker.player)).data)
