"""A sheet on paper for a table: people with their points so far, and rows for games in the fields of the game's form.

What was written on it is entered as past games, which take the same form, or handed over by a device (docs/host.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import JsonObject
from games.models import ResultLine, Seat, Table
from games.services import server_time
from games.services.tables import log
from games.web import links
from games.web.errors import pages_refusals
from games.web.identity import need_inside
from games.web.tables.page import find_table

ROWS = 12
"""The rows of a sheet: so many are a page, upright or across."""
SHORT = 26
"""The most letters of a field's words that stand in each row, to be ringed; longer ones stand below the sheet."""
MOST_WORDS = 4
"""The most words of a field that are told; more of them, such as a cube's numbers, are known."""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def paper_sheet(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a table's sheet to the members of its night."""
    found = find_table(public_id)
    need_inside(request, found.night)
    form = _form(found)
    game_fields = [*form.get("game", ()), *form.get("rounds", ())]
    fields = [_field(one, has_room=True) for one in game_fields]
    of_seat = [_field(one, has_room=False) for one in form.get("seats", ())]
    context = {
        "table": found,
        "night": found.night,
        "game": plugin.game(found.game_id),
        "people": _people(found, {one["id"]: one["label"] for one in game_fields}),
        "is_by_rounds": bool(form.get("rounds")),
        "fields": fields,
        "of_seat": of_seat,
        # Without a form each person's points of a game are written below the name.
        "has_columns": bool(of_seat) or not form,
        "explained": [one for one in (*fields, *of_seat) if one["legend"]],
        "rows": range(1, ROWS + 1),
        "join_url": links.join_url(request, found.night) if found.night.code else "",
        "address": links.base_url(request, found.night).split("://", 1)[-1],
        "now": server_time.now(),
    }
    return render(request, "tables/paper_sheet.html", context)


def _form(found: Table) -> Mapping[str, Any]:
    """Return the form of a table's game in words, {} for a game without."""
    game = plugin.game(found.game_id)
    form = game.told_form(found.options)
    return {} if form is None else form[0].to_json(partial(gettext_of, game))


def _field(one: JsonObject, *, has_room: bool) -> dict[str, Any]:
    """Return a field with the words that stand in each row, if there is room, else below the sheet."""
    words = [word["label"] for word in one.get("words", ())]
    is_short = has_room and len(words) <= MOST_WORDS and sum(map(len, words)) <= SHORT
    legend = "" if is_short or len(words) > MOST_WORDS else " · ".join(words)
    return {"label": one["label"], "choices": words if is_short else [], "legend": legend}


def _people(found: Table, labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the names at a table in the order of the seats, with what each has so far: points, and the game's own.

    A figure that the sheet asks for, too, has there the name that it has under the table's house rules (`labels`).
    """
    game = plugin.game(found.game_id)
    rows = ResultLine.objects.filter(result__table=found).values("seat").annotate(points=Sum("points"))
    points = {row["seat"]: row["points"] for row in rows}
    state = None if found.status == Table.Status.LOBBY else log.state_of(found)
    seats = [] if state is None else game.rules.view(state, None)["seats"]
    return [
        _person(seat, points.get(seat.index, 0), _own(game, seats, seat.index, labels)) for seat in found.seats.all()
    ]


def _person(seat: Seat, points: int, own: list[tuple[str, int]]) -> dict[str, Any]:
    return {"name": seat.name, "points": points, "own": own}


def _own(
    game: plugin.GameConfig, seats: list[Mapping[str, Any]], index: int, labels: Mapping[str, str]
) -> list[tuple[str, int]]:
    """Return the figures of a seat that the game counts while it runs, by their labels."""
    if index >= len(seats):
        return []
    counted = {name: seats[index].get(name) for name in game.paper_figures}
    return [(labels.get(name, str(game.paper_figures[name])), count) for name, count in counted.items() if count]
