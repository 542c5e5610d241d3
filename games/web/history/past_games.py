"""Entering a past game: its players and their points, in one form."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services.history import past_games
from games.services.history.corrections import MOST_POINTS
from games.services.history.past_games import PastGame, PastLine
from games.services.house_rules.cards import preset_label
from games.services.nights import membership
from games.web.errors import pages_refusals, refusal_text, status_of
from games.web.nights.page import find_night, need_inside

_FIELDS = {"not_in_night": "at", "no_such_preset": "preset", "no_such_medium": "medium"}
"""Code of a refusal → the field that shows it; the others show at the lines."""


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def past_game(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the host the form of a past game; a POST writes it."""
    night = find_night(public_id)
    player = need_inside(request, night)
    membership.check_host(night, player)
    game = _game(request)
    people = [row.player for row in _members(night)]
    errors: dict[str, str] = {}
    status = 200
    if request.method == "POST":
        try:
            past_games.enter(night, player, _past_game(request, game, people))
        except Illegal as refusal:
            errors[_FIELDS.get(refusal.code, "lines")] = refusal_text(refusal, game.game_id)
            status = status_of(refusal)
        else:
            messages.success(request, _("The game is in the sheet."))
            return redirect("night_results", night.public_id)
    context = {"night": night, "game": game, "games": list(plugin.all_games().values()), "errors": errors}
    context |= _form(request, game, people)
    return render(request, "history/past_game.html", context, status=status)


def _game(request: HttpRequest) -> plugin.GameConfig:
    """Return the game that is entered, by default the first one; raises Illegal `no_such_game`."""
    game_id = request.POST.get("game") or request.GET.get("game") or next(iter(plugin.all_games()))
    found = plugin.all_games().get(game_id)
    if found is None:
        raise Illegal("no_such_game")
    return found


def _members(night: Night) -> Any:
    rows = night.memberships.filter(status=Membership.Status.IN).select_related("player")
    return rows.order_by("player__nickname", "pk")


def _past_game(request: HttpRequest, game: plugin.GameConfig, people: list[Player]) -> PastGame:
    """Return the typed game; raises Illegal `bad_points`, `not_in_night`."""
    lines = [line for player in people if (line := _line(request, game, player)) is not None]
    medium = request.POST.get("medium", "")
    return PastGame(game.game_id, request.POST.get("preset", ""), lines, _at(request), medium)


def _line(request: HttpRequest, game: plugin.GameConfig, player: Player) -> PastLine | None:
    """Return the line of a player; None for a player without a part."""
    if game.past is not None:
        if not request.POST.get(f"in-{player.pk}"):
            return None
        entered = {one.id: request.POST.get(f"{one.id}-{player.pk}", "") for one in game.past.FIELDS}
        return PastLine(player.pk, words=entered)
    text = request.POST.get(f"points-{player.pk}", "").strip().replace("\u2212", "-")
    if not text:
        return None
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 9):
        raise Illegal("bad_points", most=MOST_POINTS)
    return PastLine(player.pk, int(text))


def _at(request: HttpRequest) -> datetime | None:
    """Return when the game ended, None if the field is empty; raises Illegal `not_in_night` for an invalid time."""
    text = request.POST.get("at", "").strip()
    if not text:
        return None
    try:
        at = parse_datetime(text)
    except ValueError:
        at = None
    if at is None:
        raise Illegal("not_in_night")
    return at if timezone.is_aware(at) else timezone.make_aware(at)


def _form(request: HttpRequest, game: plugin.GameConfig, people: list[Player]) -> dict[str, Any]:
    """Return the values of the form, with everything typed so far."""
    typed = request.POST
    fields = [] if game.past is None else list(game.past.FIELDS)
    rows = []
    for player in people:
        chosen = [(one, typed.get(f"{one.id}-{player.pk}", "")) for one in fields]
        rows.append(
            {
                "player": player,
                "points": typed.get(f"points-{player.pk}", ""),
                "is_in": bool(typed.get(f"in-{player.pk}")),
                "fields": [{"field": one, "words": list(one.words.items()), "chosen": word} for one, word in chosen],
            }
        )
    presets = [(preset.id, preset_label(game.game_id, preset.id)) for preset in game.options.presets]
    media = {"media": list(game.media.items()), "medium": typed.get("medium", "")}
    return {**media, "rows": rows, "presets": presets, "preset": typed.get("preset", ""), "at": typed.get("at", "")}
