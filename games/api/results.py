"""Results: what the games at the asker's nights were worth to each seat."""

from __future__ import annotations

from typing import ClassVar

from django.db.models import Exists, OuterRef, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.asking import Asker
from games.api.base import ListView
from games.api.described import described
from games.api.filters import ResultFilter
from games.api.pages import Cursor
from games.api.shapes_history import ResultSerializer
from games.models import Membership, Result

REGULAR = 50
"""Whoever was at more nights than that has a part in many of the newest."""


def results_of(asker: Asker) -> QuerySet[Result]:
    """Return the results of the nights that the asker is in; all of them for staff."""
    if asker.is_staff:
        return Result.objects.all()
    mine = Membership.objects.filter(player=asker.need_player(), status=Membership.Status.IN)
    if mine[: REGULAR + 1].count() > REGULAR:
        # The newest results are looked through until there are enough: soon, for a regular.
        return Result.objects.filter(Exists(mine.filter(night=OuterRef("table__night"))))
    return Result.objects.filter(table__night__in=mine.values("night"))


class Results(ListView):
    """Results of nights."""

    queryset = Result.objects.none()
    serializer_class = ResultSerializer
    pagination_class = Cursor
    filterset_class = ResultFilter
    orderings: ClassVar = {
        "-finished_at": ("-finished_at", "-pk"),
        "finished_at": ("finished_at", "pk"),
    }

    @described(
        "listResults",
        "The results of the nights that the asker is in; for staff all of them",
        ResultSerializer(many=True),
        tag="results",
        codes="not_known not_inside removed no_such_night not_found",
        told="A correction is a row of its own, with its reason in `note`: add it to the rest.",
    )
    def get(self, request: Request) -> Response:
        """Return a page of results with their lines."""
        rows = results_of(self.asker).select_related("table__night").prefetch_related("lines")
        return self.page(rows.defer("table__state", "table__options"))
