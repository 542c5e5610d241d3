"""Calendar files: the feed of a series, and one date."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.models import SeriesDate
from games.services.calendar import feeds
from games.web import links
from games.web.calendar import page
from games.web.errors import pages_refusals


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def series_feed(request: HttpRequest, feed_key: str) -> HttpResponse:
    """Return the feed of a series, 304 where the reader's is the newest; an ended series' says so for a month."""
    series = feeds.find(feed_key)
    mark = feeds.mark(series)
    if request.headers.get("If-None-Match", "") == mark:
        return HttpResponse(status=304, headers={"ETag": mark})
    return _file(request, list(feeds.dates_of(series).select_related("series")), {"ETag": mark})


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def date_ics(request: HttpRequest, key: str, planned: str) -> HttpResponse:
    """Return a date as a file for a calendar."""
    found = page.find_date(key, planned)
    name = f"{found.planned.isoformat()}.ics"
    return _file(request, [found], {"Content-Disposition": f'attachment; filename="{name}"'})


def _file(request: HttpRequest, dates: list[SeriesDate], headers: dict[str, str]) -> HttpResponse:
    base = links.base_url(request)

    def address_of(date: SeriesDate) -> str:
        return base + reverse("series_date", args=[date.series.key, date.planned.isoformat()])

    body = feeds.calendar(dates, address_of)
    return HttpResponse(
        body, content_type=feeds.MEDIA_TYPE, headers={"Cache-Control": "private, max-age=900", **headers}
    )
