"""Series of evenings: the asker's, one by its link, and new ones."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ListView, View
from games.api.calendar.dates import DateSerializer, told
from games.api.fields import Body, Day, PersonSerializer, PublicId, Shape, Text, Whole, YesNo
from games.api.nights.nights import VenueSerializer
from games.api.pagination import Pages
from games.api.schema import described
from games.models import Series
from games.models.night import today
from games.models.series import USUAL_MINUTES
from games.services.calendar import all_series, rights, season_days
from games.services.calendar.all_series import SeriesDraft

TAG = "series"


class ClockTime(serializers.TimeField):  # type: ignore[misc]
    """A time of day, such as 19:30."""


@extend_schema_field({"type": "string", "pattern": r"^\d\d:\d\d$"})
class ShownTime(serializers.TimeField):  # type: ignore[misc]
    """Hours and minutes of a time of day, such as 19:30."""


class SeriesSerializer(Shape):
    """A series; `key` is that of its link, by which it is asked for. `organiser` is null for one that the staff keep.

    `weekday` counts from 0, Monday. `size` is the number of people whom a table wants, 0 for none.
    """

    key = serializers.CharField()
    name = serializers.CharField()
    organiser = PersonSerializer(allow_null=True)
    venue = VenueSerializer(allow_null=True)
    place = serializers.CharField(allow_blank=True)
    repeat = serializers.ChoiceField(Series.Repeat.values)
    weekday = serializers.IntegerField()
    start = ShownTime(format="%H:%M")
    minutes = serializers.IntegerField()
    first_day = serializers.DateField()
    last_day = serializers.DateField(allow_null=True)
    game = serializers.CharField(source="game_id", allow_blank=True)
    size = serializers.IntegerField()
    opens_itself = serializers.BooleanField()
    poster_opens = serializers.BooleanField()
    url = serializers.SerializerMethodField()

    def get_url(self, series: Any) -> str:
        """Return the address of the series' page."""
        return reverse("series", args=[series["key"] if isinstance(series, dict) else series.key])


class OneSeriesSerializer(SeriesSerializer):
    """A series with its dates from today on.

    `season` is the id of its season: that whose days hold today (of several the shortest), else the next one, else the
    last; `seasons` are those of all in which its nights count, the first one first.
    """

    season = serializers.CharField(allow_null=True)
    seasons = serializers.ListField(child=serializers.CharField())
    dates = DateSerializer(many=True)


class SeriesBody(Body):
    """A series. `counts` begins a season with it: a game and a unit, such as "chouette:points".

    `seasons` are ids of open seasons of the asker's in which its nights count as well.

    `night` is a night of the asker's from which it is made: the first date's, with that night's Wi-Fi and the house
    rules of its last table. `rules` is the id of a set of house rules.
    """

    name = Text(max_length=200)
    weekday = Whole(min_value=0, max_value=6)
    start = ClockTime()
    repeat = serializers.ChoiceField(Series.Repeat.values, required=False)
    minutes = Whole(required=False)
    first_day = Day(required=False)
    last_day = Day(required=False)
    game = Text(required=False, max_length=32)
    venue = PublicId(required=False, help_text="A venue's id.")
    place = Text(required=False, allow_blank=True, max_length=300)
    size = Whole(required=False)
    listed = YesNo(required=False)
    names_open = YesNo(required=False)
    opens_itself = YesNo(required=False)
    poster_opens = YesNo(required=False)
    counts = Text(required=False, max_length=64)
    seasons = serializers.ListField(child=PublicId(), required=False, max_length=50)
    rules = PublicId(required=False, help_text="A set of house rules, by its id.")
    wifi_name = Text(required=False, allow_blank=True, max_length=64)
    wifi_password = Text(required=False, allow_blank=True, max_length=64)
    night = PublicId(required=False, help_text="A night's id.")
    id = Text(required=False, max_length=48, help_text="Sent twice with one id, it is made once.")


class AllSeries(ListView):
    """The asker's series."""

    queryset = Series.objects.none()
    serializer_class = SeriesSerializer
    pagination_class = Pages

    @described(
        "listSeries",
        "The series that the asker organises, has answered for, or was at a night of",
        SeriesSerializer(many=True),
        tag=TAG,
        codes="not_known not_found",
    )
    def get(self, request: Request) -> Response:
        """Return a page of series."""
        return self.page(all_series.series_of(self.player()).select_related("organiser", "venue"))

    @described(
        "makeSeries",
        "Make a series, which the asker organises",
        OneSeriesSerializer,
        tag=TAG,
        codes="not_known no_account too_many_series series_name series_place series_repeat series_time series_size "
        "series_days no_such_game no_such_unit no_such_venue not_venue_host too_many_seasons bad_form_id form_changed "
        "no_such_season no_such_night not_host night_of_series no_such_rules rules_archived sets_only wifi_name "
        "wifi_password",
        body=SeriesBody,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Make a series."""
        body = self.body(SeriesBody)
        series = all_series.create(self.player(), _draft(body), body.get("id"))
        return Response(OneSeriesSerializer(_one(series, self)).data, 201)


def _draft(body: dict[str, Any]) -> SeriesDraft:
    same = ("repeat", "first_day", "last_day", "venue", "place", "size", "names_open", "opens_itself", "counts")
    more = ("poster_opens", "rules", "wifi_name", "wifi_password", "night")
    return SeriesDraft(
        name=body["name"],
        weekday=body["weekday"],
        start=body["start"].replace(second=0, microsecond=0, tzinfo=None),
        minutes=body.get("minutes", USUAL_MINUTES),
        game_id=body.get("game") or body.get("counts", "").partition(":")[0],
        is_listed=body.get("listed", False),
        seasons=tuple(body["seasons"]) if "seasons" in body else None,
        **{name: body[name] for name in (*same, *more) if name in body},
    )


class OneSeries(View):
    """A series."""

    @described(
        "getSeries",
        "A series with its dates from today on",
        OneSeriesSerializer,
        tag=TAG,
        codes="no_such_series series_ended",
        description="For whoever has its link: `key` is the part of the link behind `/series/`.",
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the series."""
        series = all_series.find(key)
        rights.check_goes_on(series)
        return Response(OneSeriesSerializer(_one(series, self)).data)


def _one(series: Series, view: View) -> dict[str, Any]:
    """Return a series as it is told to the asker."""
    fields = ("key", "name", "organiser", "venue", "place", "repeat", "weekday", "start", "minutes", "first_day")
    more = ("last_day", "game_id", "size", "opens_itself", "poster_opens")
    rows = series.dates.filter(day__gte=today()).select_related("night__host")
    for row in rows:
        row.series = series
    return {name: getattr(series, name) for name in (*fields, *more)} | {
        "season": next((each.public_id for each in season_days.told(series, today())), None),
        "seasons": [each.public_id for each in season_days.all_of(series)],
        "dates": [told(row, view.asker.player) for row in rows],
    }
