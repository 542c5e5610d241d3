"""Opening a table and changing its house rules: game, preset or rule set, then the options."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.kernel.contract import Illegal
from games.models import HouseRules, Night, Player, Table
from games.services.calendar import dates
from games.services.house_rules import sets
from games.services.house_rules.cards import differences, rules_card
from games.services.house_rules.sets import SetDraft
from games.services.nights import night_rights
from games.services.tables import setup
from games.services.tables.seating import acceptance
from games.web.errors import pages_refusals, refusal_text
from games.web.house_rules.editor import preset_of
from games.web.house_rules.options_form import OptionsForm
from games.web.house_rules.starting_values import StartingPoint, on_offer, start_of
from games.web.identity import find_night, keeper_of, need_inside
from games.web.links import table_url
from games.web.tables.page import find_table

# Refusals after which the page is shown again, with the current rules.
ABOUT_RULES = {"rules_moved_on", "rules_fixed", "rules_broken", "sets_only"}
AT_NAME = {"rules_name", "rules_name_taken", "too_many_rules"}


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def new_table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the choice of game, then of rules; a POST opens the table."""
    night = find_night(public_id)
    player = _need_host(request, night)
    sent = request.POST if request.method == "POST" else request.GET
    games = plugin.all_games()
    date = dates.of_night(night)
    game = games.get(_only(games) or sent.get("game", ""))
    if game is None:
        first = date.series.game_id if date is not None else ""
        ordered = sorted(games.values(), key=lambda each: each.game_id != first)
        return render(request, "nights/new_game.html", {"night": night, "games": ordered})
    series = date.series if date is not None else None
    context = {"night": night, "table": None, "several_games": len(games) > 1, "series": series}
    return _answer(request, game, player, context)


def _only(games: dict[str, plugin.GameConfig]) -> str:
    """Return the id of the only installed game, "" if there are several."""
    return next(iter(games)) if len(games) == 1 else ""


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def table_rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form of a table's house rules before play, to the host."""
    table = find_table(public_id)
    player = _need_host(request, table.night)
    return change_rules(request, table, player)


def change_rules(request: HttpRequest, table: Table, player: Player) -> HttpResponse:
    """Show the form of a table's house rules; a POST changes them unless a value is refused."""
    night_rights.check_host(table.night, player)
    setup.check_open(table)
    if table.status != Table.Status.LOBBY:
        raise Illegal("already_started")
    context = {"night": table.night, "table": table, "several_games": False}
    return _answer(request, plugin.game(table.game_id), player, context)


def _answer(request: HttpRequest, game: plugin.GameConfig, player: Player, context: dict[str, Any]) -> HttpResponse:
    """Show the form, or carry out the POST and redirect to the table."""
    start = start_of(request, game, player, context["table"], context.get("series"))
    context |= {"game": game} | on_offer(game, player, start)
    if start is None:
        return render(request, "tables/rules.html", context)
    form = start.form(request.POST if request.method == "POST" else None)
    if request.method == "POST" and (not form.is_bound or form.is_valid()):
        try:
            table = _carry_out(request, player, start, form, context)
        except Illegal as refusal:
            context |= _refused(refusal)
            if refusal.code not in AT_NAME:
                start = start.renewed()
                form = start.form()
        else:
            return redirect(table_url(table))
    return _page(request, start, form, context)


@transaction.atomic
def _carry_out(
    request: HttpRequest, host: Player, start: StartingPoint, form: OptionsForm, context: dict[str, Any]
) -> Table:
    """Open the table or change its rules; save them as a set if a name was given."""
    changes, chosen = form.values if form.is_bound else {}, start.chosen
    if request.POST.get("set_name", "").strip():
        rules = _keep(request, start, form)
        chosen = {"rules": rules, "version": rules.version}
    table: Table | None = context["table"]
    if table is not None:
        setup.change_rules(table, host, start.preset.id, changes, **chosen)
        return table
    night, game_id = context["night"], start.game.game_id
    table = setup.open_table(night, host, game_id, start.preset.id, changes, **chosen)
    # A browser that cannot show a table gives its host no seat (templates/parts/too_old.html); at a table for adults
    # only, the table's own page asks the host, too.
    if "sit" in request.POST and "no_table" not in request.POST and not acceptance.is_for_adults(table):
        setup.sit(table, host)
    return table


def _keep(request: HttpRequest, start: StartingPoint, form: OptionsForm) -> HouseRules:
    """Save the rules in the form as a set."""
    draft = SetDraft(request.POST["set_name"], start.preset.id, form.values)
    return sets.create(keeper_of(request), start.game.game_id, draft)


def _refused(refusal: Illegal) -> dict[str, Any]:
    """Return the context that shows a refusal; a refusal that is not about the rules is raised."""
    if refusal.code in AT_NAME:
        return {"set_name_error": refusal_text(refusal)}
    if refusal.code in ABOUT_RULES:
        return {"refused": refusal_text(refusal)}
    raise refusal


@require_POST
def rules_preview(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return the rules card of the values in the form; refused values are left out.

    With `diff` in the form, also the differences from the preset.
    """
    try:
        game = plugin.game(game_id)
        preset = preset_of(game, request.POST.get("preset", game.options.presets[0].id))
    except Illegal:
        return HttpResponse(status=204)
    base = game.options.values(preset.id)
    form = OptionsForm(game.options, base, data=request.POST)
    form.is_valid()
    name = " ".join(request.POST.get("name", "").split())[: sets.LONGEST_NAME]
    context: dict[str, Any] = {"card": rules_card(game_id, preset.id, form.values, name)}
    if "diff" in request.POST:
        context["differences"] = differences(game.options, base, form.values)
        context["with_diff"] = True
    return render(request, "house_rules/parts/preview.html", context)


def _need_host(request: HttpRequest, night: Night) -> Player:
    """Return the asking player; raises Illegal `not_host` unless they are the host."""
    player = need_inside(request, night)
    night_rights.check_host(night, player)
    return player


def _page(request: HttpRequest, start: StartingPoint, form: OptionsForm, context: dict[str, Any]) -> HttpResponse:
    """Render the form beside its rules card."""
    groups = form.groups()
    error_count = sum(bool(row.errors) for group in groups for row in group.rows)
    context |= {
        "start": start,
        "preset": start.preset,
        "groups": groups,
        "locked": start.locked,
        "error_count": error_count,
        # Where something stands that is not the variant's, or is refused.
        "is_unfolded": bool(error_count or "set_name_error" in context or any(each.is_open for each in groups)),
        "card": rules_card(start.game.game_id, start.preset.id, form.values, start.name),
        "set_name": request.POST.get("set_name", ""),
        "may_keep": not start.locked and (not context["sets_only"] or keeper_of(request).is_house),
    }
    is_refused = "refused" in context or "set_name_error" in context
    status = 400 if is_refused or (form.is_bound and error_count) else 200
    return render(request, "tables/rules.html", context, status=status)
