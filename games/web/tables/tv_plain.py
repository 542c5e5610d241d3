"""The big screen without script, for browsers below the oldest ones: televisions, e-readers, old tablets.

The page loads itself again every few seconds. It shows what the other one shows (`tv.tv_context`), and of a table the
turn, the last headline and the game's picture; where a game has none, names and points.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import texts_of
from games.kernel.contract import JsonObject, Seat
from games.models import Table
from games.services import server_time
from games.services.logs import choice_texts, event_texts, log_views
from games.services.regions import region
from games.services.tables import log
from games.web.errors import pages_refusals
from games.web.tables import tv

EVERY = 5
"""The seconds after which the page loads itself again."""
SLIDE_SECONDS = 10
ROWS_A_PAGE = {"pairs": 12, "places": 15}
"""The rows of a tournament's lists that have room at once."""
KEPT_SECONDS = 600
TAIL = 40
"""The number of entries in which the last headline is looked for."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def tv_plain(request: HttpRequest, public_id: str, token: str) -> HttpResponse:
    """Show the night's current table, or its door, without script."""
    night = tv.night_of(public_id, token)
    return page(request, tv.of_link(request, night, token))


def page(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Return what a screen shows (`tv.tv_context`) as a page without script."""
    slides = context.get("slides") or [None]
    turn = int(server_time.now().timestamp()) // SLIDE_SECONDS
    is_play = context["mode"] == "play"
    more = _of_table(context["table"], context["first"]) if is_play else {"slide": slides[turn % len(slides)]}
    more |= {name: _page_of(context[name], most, turn) for name, most in ROWS_A_PAGE.items() if name in context}
    return render(request, "tables/tv_plain.html", context | more | {"every": EVERY})


def _page_of(rows: Sequence[Any], most: int, turn: int) -> Sequence[Any]:
    """Return the page of a long list that has its turn."""
    pages = max(1, -(-len(rows) // most))
    return rows[turn % pages * most :][:most]


def _of_table(table: Table, first: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of a table in play: `turn`, `headline`, and `picture` or `rows` of names and points."""
    state, seats = first["state"], first["table"]["seats"]
    seq, view = state["seq"], state["view"]
    by_seat = event_texts.names_at(seats, seq)
    name = event_texts.telling_of(by_seat, {}).name
    count = max(len(seats), len(view.get("seats", ())))
    names = [name(seat) for seat in range(count)]
    text = choice_texts.with_words(table.game_id, state, by_seat)["text"]
    return {
        "turn": _("The game is paused.") if table.status == Table.Status.PAUSED else text,
        "headline": _headline(table, seq, seats),
        "picture": _picture(table, seq, view, names),
        "rows": _rows(view, names),
    }


def _picture(table: Table, seq: int, view: Mapping[str, Any], names: Sequence[str]) -> SafeString | str:
    """Return a game's picture of a spectator's view, made once for an entry and these names; "" without one."""
    make = plugin.game(table.game_id).rules.picture
    if make is None:
        return ""
    people = hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
    svg = _once(f"picture-{table.pk}-{seq}-{people}", lambda: make(view, names))
    return mark_safe(svg)  # noqa: S308 (a game's drawing: the contract's check holds it to shapes and escaped words)


def _headline(table: Table, seq: int, seats: Sequence[JsonObject]) -> str:
    """Return the last line that stands in the bar of a big screen; "" if there was none for a while."""
    return _once(f"headline-{table.pk}-{seq}-{region.tag()}", lambda: _last_headline(table, seq, seats))


def _last_headline(table: Table, seq: int, seats: Sequence[JsonObject]) -> str:
    game = plugin.game(table.game_id)
    told = event_texts.sentences_of(table.game_id)["events"]
    reader = log_views.snapshot(table.pk).reader(None)
    for entry in reversed(log.entries(table.pk, seq, max(0, seq - TAIL))):
        events = [
            each
            for each in log_views.entry_json(entry, reader)["events"]
            if told.get(each["type"], {}).get("isHeadline")
        ]
        with texts_of(game):
            lines = event_texts.texts(table.game_id, table.options, events, event_texts.names_at(seats, entry.seq))
        if any(lines):
            return " ".join(filter(None, lines))
    return ""


def _once(key: str, make: Callable[[], str]) -> str:
    """Return a text that many screens show: the first of them makes it."""
    found = cache.get(key)
    if found is None:
        found = make()
        cache.set(key, found, KEPT_SECONDS)
    return str(found)


def _rows(view: Mapping[str, Any], names: Sequence[str]) -> list[tuple[str, object, bool]]:
    """Return names and points by seat, as far as the view has them as the kit reads them, and who is waited for."""
    seats: Sequence[Mapping[str, Any]] = view.get("seats", ())
    points = {Seat(index): each.get("points", "") for index, each in enumerate(seats)}
    waiting = view.get("waiting_for", ())
    return [(name, points.get(seat, ""), seat in waiting) for seat, name in enumerate(names)]
