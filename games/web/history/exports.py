"""Downloads: a night's results, sheets and logs, alone or as one zip."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.services.grades import visibility
from games.services.history import exports
from games.services.history.exports import LOG
from games.streams import download
from games.web.errors import pages_refusals
from games.web.identity import find_night, need_inside
from games.web.tables.page import find_table


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def night_file(request: HttpRequest, public_id: str, name: str) -> HttpResponseBase:
    """Return `results.csv`, `night.zip` or a score sheet of a night to its members."""
    night = find_night(public_id)
    need_inside(request, night)
    try:
        return download(exports.night_file(night, name))
    except Illegal:
        raise Http404 from None


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table_log(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Return a finished table's log as JSON; raises Illegal `not_finished`."""
    found = find_table(public_id)
    need_inside(request, found.night)
    return download(exports.table_file(found, LOG))


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table_file(request: HttpRequest, public_id: str, name: str) -> HttpResponseBase:
    """Return a finished table in one of its game's own formats, or the grades that the player may see."""
    found = find_table(public_id)
    player = need_inside(request, found.night)
    try:
        return download(exports.table_file(found, name, visibility.viewer(found, player)))
    except Illegal as refusal:
        if refusal.code == "no_such_file":
            raise Http404 from None
        raise
