"""The admin's series."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.admin.base import RowFilter, counted
from games.admin.organisers.pages import Organised
from games.models import Series, SeriesDate
from games.models.night import today


class GoesOnFilter(RowFilter):
    """A filter by state: going on, or ended."""

    title = _("state")
    parameter_name = "state"
    conditions = {
        "on": (_("goes on"), Q(ended_at=None)),
        "ended": (_("ended"), Q(ended_at__isnull=False)),
    }


@admin.register(Series)
class SeriesAdmin(Organised):
    """Series without their links, which open them to everybody."""

    help = _("Evenings that come again: who organises them, and when the next one is.")
    list_display = ("name", "repeat", "start", "next_day", "date_count", "organisers", "ended_at")
    list_select_related = ("organiser", "second")
    list_filter = (GoesOnFilter, "venue", "repeat")
    search_fields = ("name", "organiser__nickname", "place")
    fields = readonly_fields = (
        "name", "repeat", "first_day", "last_day", "start", "minutes", "next_day", "date_count", "organisers", "venue",
        "place", "size", "is_listed", "names_open", "opens_itself", "poster_opens", "ended_at",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Series]:
        """Find the next date and the number of dates of each series in the same query."""
        rows: QuerySet[Series] = super().get_queryset(request)
        coming = SeriesDate.objects.filter(series=OuterRef("pk"), day__gte=today(), is_cancelled=False).order_by("day")
        dates = counted(SeriesDate.objects.all(), "series")
        return rows.annotate(next_at=Subquery(coming.values("day")[:1]), dates_in=dates)

    def address(self, row: Series) -> str:
        """Return the address of the series' page."""
        return reverse("series", args=[row.key])

    @admin.display(description=_("next date"), ordering="next_at")
    def next_day(self, row: Any) -> date | None:
        """Return the day of the next date that is not cancelled."""
        found: date | None = row.next_at
        return found

    @admin.display(description=_("dates"), ordering="dates_in")
    def date_count(self, row: Any) -> int:
        """Return the number of dates, past ones too."""
        return int(row.dates_in)
