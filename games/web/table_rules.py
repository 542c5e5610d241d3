"""Opening a table and changing its house rules: game, preset, then option by option."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import Preset
from games.models import Night, Player, Table
from games.services import lobby, tables
from games.web.cards import rules_card
from games.web.errors import pages_refusals
from games.web.forms import OptionsForm
from games.web.landing import table_url
from games.web.nights import find_night, need_inside
from games.web.table_page import find_table


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def new_table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the choice of game, then of preset and options; a POST opens the table."""
    night = find_night(public_id)
    player = _need_host(request, night)
    sent = request.POST if request.method == "POST" else request.GET
    games = plugin.all_games()
    game = games.get(_only(games) or sent.get("game", ""))
    if game is None:
        return render(request, "new_game.html", {"night": night, "games": games.values()})
    preset = _preset(game, sent)
    form = _form(game, preset, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        table = tables.open_table(night, player, game.game_id, preset.id, form.values)
        if "sit" in request.POST:
            tables.sit(table, player)
        return redirect(table_url(table))
    context = {"night": night, "table": None, "several_games": len(games) > 1}
    return _page(request, game, preset, form, context)


def _only(games: dict[str, plugin.GameConfig]) -> str:
    """Return the id of the one installed game, "" when there is a choice."""
    return next(iter(games)) if len(games) == 1 else ""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table_rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the house rules of a table before play, to be changed by the host."""
    table = find_table(public_id)
    _need_host(request, table.night)
    _need_lobby(table)
    game = plugin.game(table.game_id)
    wanted = request.GET.get("preset", table.preset)
    preset = _preset(game, request.GET) if wanted != table.preset else game.options.preset(wanted)
    base = table.options if wanted == table.preset else None
    form = OptionsForm(game.options, game.options.values(preset.id), base)
    return _page(request, game, preset, form, _table_context(table))


def change_rules(request: HttpRequest, table: Table, player: Player) -> HttpResponse:
    """Change a table's house rules, or show the form again with what is wrong."""
    lobby.check_host(table.night, player)
    _need_lobby(table)
    game = plugin.game(table.game_id)
    preset = _preset(game, request.POST)
    form = _form(game, preset, request.POST)
    if not form.is_valid():
        return _page(request, game, preset, form, _table_context(table))
    tables.change_rules(table, player, preset.id, form.values)
    return redirect(table_url(table))


def _table_context(table: Table) -> dict[str, Any]:
    """Return what the page shows of a table whose rules are changed."""
    return {"night": table.night, "table": table, "several_games": False}


@require_POST
def rules_preview(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the rules card of the values in the form; refused values are left out."""
    try:
        game = plugin.game(game_id)
        preset = _preset(game, request.POST)
    except (plugin.UnknownGame, Illegal):
        return HttpResponse(status=204)
    form = _form(game, preset, request.POST)
    form.is_valid()
    context = {"card": rules_card(game_id, preset.id, form.values)}
    return render(request, "parts/rules_preview.html", context)


def _need_host(request: HttpRequest, night: Night) -> Player:
    """Return the asking player, who is the host; raises Illegal `not_host`."""
    player = need_inside(request, night)
    lobby.check_host(night, player)
    return player


def _need_lobby(table: Table) -> None:
    """Raise Illegal `already_started` when play has begun."""
    if table.status != Table.Status.LOBBY:
        raise Illegal("already_started")


def _preset(game: plugin.GameConfig, sent: QueryDict) -> Preset:
    """Return the chosen preset, the first when none is; raises Illegal `no_such_preset`."""
    wanted = sent.get("preset", game.options.presets[0].id)
    try:
        return game.options.preset(wanted)
    except KeyError:
        raise Illegal("no_such_preset") from None


def _form(game: plugin.GameConfig, preset: Preset, data: QueryDict | None) -> OptionsForm:
    """Return the form of a preset, with what was sent."""
    return OptionsForm(game.options, game.options.values(preset.id), data=data)


def _page(
    request: HttpRequest,
    game: plugin.GameConfig,
    preset: Preset,
    form: OptionsForm,
    context: dict[str, Any],
) -> HttpResponse:
    """Render the form beside its rules card."""
    groups = form.groups()
    context |= {
        "game": game,
        "preset": preset,
        "presets": [_preset_card(p, p.id == preset.id) for p in game.options.presets],
        "groups": groups,
        "error_count": sum(bool(row.errors) for group in groups for row in group.rows),
        "card": rules_card(game.game_id, preset.id, form.values),
    }
    status = 400 if context["error_count"] else 200
    return render(request, "table_rules.html", context, status=status)


def _preset_card(preset: Preset, chosen: bool) -> dict[str, Any]:
    """Return a preset as a card, in the current language."""
    return {
        "id": preset.id,
        "label": gettext(preset.label),
        "blurb": gettext(preset.blurb),
        "seats": preset.seats,
        "chosen": chosen,
    }
