"""Named rule sets on the site: the list, a set with its history, the form, files, acts."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import plugin
from games.kernel.contract import Illegal
from games.models import GamePolicy, HouseRules
from games.services import arguments
from games.services.house_rules import descriptions
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.cards import differences
from games.services.house_rules.compatibility import fitted
from games.services.house_rules.sets import ACTS, SetKeeper, Status, find
from games.web.errors import forms_only, pages_refusals, refusals_as_messages
from games.web.house_rules import set_notes
from games.web.house_rules.editor import Editor, change_editor, file_response, new_editor, take_file
from games.web.identity import keeper_of

MOST_LISTED = 200
NEWEST = 20
"""The number of versions of a set that are shown."""


@require_http_methods(["GET", "HEAD"])
def index(request: HttpRequest) -> HttpResponse:
    """List the sets on offer to all hosts, and the reader's own."""
    keeper = keeper_of(request)
    summaries = [set_notes.set_summary(rules) for rules in visible(keeper)]
    policies = {row.game_id: row for row in GamePolicy.objects.all()}
    context = {
        "games": [_game(game, summaries, policies) for game in plugin.all_games().values()],
        "gone": [one for one in summaries if one.game is None],
        "is_keeper": keeper.may_make,
        "is_house": keeper.is_house,
        "policies": GamePolicy.HostsMay.choices,
    }
    return render(request, "house_rules/sets.html", context)


def visible(keeper: SetKeeper) -> list[HouseRules]:
    """Return the sets that a keeper may see: the default first, the archived last."""
    return list(descriptions.visible(keeper).select_related("owner")[:MOST_LISTED])


def _game(
    game: plugin.GameConfig, summaries: list[set_notes.SetSummary], policies: dict[str, GamePolicy]
) -> dict[str, Any]:
    """Return a game's part of the list."""
    sets, policy = [one for one in summaries if one.game is game], policies.get(game.game_id)
    return {
        "game": game,
        "active": [one for one in sets if one.rules.status == Status.ACTIVE],
        "archived": [one for one in sets if one.rules.status == Status.ARCHIVED],
        "policy": policy.hosts_may if policy is not None else GamePolicy.HostsMay.ANYTHING,
        "seats": (policy.seats if policy is not None else 0) or "",
        "usual_seats": game.wanted_seats or "",
    }


def need_visible(keeper: SetKeeper, public_id: str) -> HouseRules:
    """Return a set that the reader may see, of an installed game; raises Illegal `no_such_rules`."""
    rules = descriptions.visible_set(public_id, keeper)
    if rules.game_id not in plugin.all_games():
        raise Illegal("no_such_rules")
    return rules


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a set: its card, its differences from the variant, its history, its acts."""
    keeper = keeper_of(request)
    rules = need_visible(keeper, public_id)
    options, now = plugin.game(rules.game_id).options, fitted(rules)
    context = {
        "shown": set_notes.set_summary(rules),
        "rules": rules,
        "game": plugin.game(rules.game_id),
        "card": descriptions.card_of(rules),
        "differences": set_notes.preset_differences(options, now),
        "notes": set_notes.change_notes(options, now),
        "problems": set_notes.problems(options, now),
        "history": descriptions.versions(rules, NEWEST) if keeper.may_keep(rules) else [],
        "may_keep": keeper.may_keep(rules),
        "is_keeper": keeper.may_make,
    }
    return render(request, "house_rules/set.html", context)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def version(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a version of a set, and the changes since."""
    keeper = keeper_of(request)
    rules = need_visible(keeper, public_id)
    row = rules.versions.filter(version=number).select_related("rules").first()
    if row is None or not keeper.may_keep(rules):
        raise Http404
    options = plugin.game(rules.game_id).options
    context = {
        "rules": rules,
        "row": row,
        "game": plugin.game(rules.game_id),
        "card": descriptions.card_of(row),
        "differences": differences(options, fitted(row).values, fitted(rules).values),
        "notes": set_notes.change_notes(options, fitted(row)),
    }
    return render(request, "house_rules/version.html", context)


@require_POST
@pages_refusals
def act(request: HttpRequest, public_id: str, name: str) -> HttpResponse:
    """Carry out an act on a set, then show the resulting set."""
    if name not in ACTS:
        raise Http404
    with refusals_as_messages(request):
        rules = ACTS.do(find(public_id), keeper_of(request), name, request.POST, arguments.typed)
        messages.success(request, str(ACTS[name].done))
        return redirect("rule_set", rules.public_id)
    return redirect("rule_set", public_id)


@forms_only("rule_sets")
@pages_refusals
def policy(request: HttpRequest, game_id: str) -> HttpResponse:
    """Set what hosts may play of a game, for the house."""
    with refusals_as_messages(request):
        seats = arguments.any_number(request.POST["seats"] or "0") if "seats" in request.POST else None
        house_rule_sets.set_policy(keeper_of(request), game_id, request.POST.get("hosts_may", ""), seats)
        messages.success(request, _("Saved."))
    return redirect("rule_sets")


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def new(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make a new set of a game, from a preset."""
    return _edit(request, new_editor(request, keeper_of(request), plugin.game(game_id)))


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def change(request: HttpRequest, public_id: str) -> HttpResponse:
    """Change a set."""
    keeper = keeper_of(request)
    rules = need_visible(keeper, public_id)
    return _edit(request, change_editor(request, keeper, rules))


def _edit(request: HttpRequest, editor: Editor) -> HttpResponse:
    """Show the form, or save the values sent and show the set."""
    if request.method == "POST" and (saved := editor.carry_out()) is not None:
        messages.success(request, _("Saved."))
        return redirect("rule_set", saved.public_id)
    context = editor.context()
    return render(request, "house_rules/edit.html", context, status=400 if context["is_refused"] else 200)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def export(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a set as a file."""
    rules = need_visible(keeper_of(request), public_id)
    return file_response([rules], slugify(rules.name) or rules.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def import_file(request: HttpRequest) -> HttpResponse:
    """Import the sets of a file, all of them or none."""
    keeper = keeper_of(request)
    keeper.check_maker()
    refused: dict[str, Any] = {}
    if request.method == "POST":
        made, refused = take_file(request, keeper)
        if made:
            return redirect("rule_set", made[0].public_id) if len(made) == 1 else redirect("rule_sets")
    return render(request, "house_rules/import.html", refused, status=400 if refused else 200)
