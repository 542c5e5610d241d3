"""Making and changing rule sets on the site, and their files."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.messages import translate, translate_option
from games.models import HouseRules
from games.services import rule_files
from games.services.house_rules import Keeper
from games.web.errors import pages_refusals, said
from games.web.keepers import is_keeper, keeper_of
from games.web.rule_editor import Editor, change_editor, new_editor, preset_cards
from games.web.rule_sets import need_visible


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def new(request: HttpRequest, game_id: str) -> HttpResponse:
    """Make a new set of a game, from a preset."""
    try:
        game = plugin.game(game_id)
    except plugin.UnknownGame:
        raise Illegal("no_such_game") from None
    return _edit(request, new_editor(request, keeper_of(request), game))


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def change(request: HttpRequest, public_id: str) -> HttpResponse:
    """Change a set."""
    keeper = keeper_of(request)
    rules = need_visible(keeper, public_id)
    return _edit(request, change_editor(request, keeper, rules))


def _edit(request: HttpRequest, editor: Editor) -> HttpResponse:
    """Show the form, or save what was sent and show the set."""
    if request.method == "POST":
        saved = editor.carry_out()
        if saved is not None:
            messages.success(request, _("Saved."))
            return redirect("rule_set", saved.public_id)
    context = editor.context()
    context["presets"] = preset_cards(editor.game, editor.preset)
    is_refused = bool(editor.errors or (request.method == "POST" and context["error_count"]))
    return render(request, "house_rules_edit.html", context, status=400 if is_refused else 200)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def export(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return a set as a file."""
    rules = need_visible(keeper_of(request), public_id)
    return file_response([rules], slugify(rules.name) or rules.public_id)


def file_response(sets: list[HouseRules], name: str) -> HttpResponse:
    """Return sets as a JSON file to be saved."""
    text = rule_files.export_json(sets)
    disposition = f'attachment; filename="{name}.json"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition})


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def import_file(request: HttpRequest) -> HttpResponse:
    """Take sets from a file, all of them or none."""
    keeper = keeper_of(request)
    if not is_keeper(keeper):
        raise Illegal("not_a_host")
    refused: dict[str, Any] = {}
    if request.method == "POST":
        made, refused = take_file(request, keeper)
        if made:
            return redirect("rule_set", made[0].public_id) if len(made) == 1 else redirect("rule_sets")
    return render(request, "house_rules_import.html", refused, status=400 if refused else 200)


def take_file(request: HttpRequest, keeper: Keeper) -> tuple[list[HouseRules], dict[str, Any]]:
    """Import the file that was sent; return its sets, or what a page shows of its faults."""
    sent = request.FILES.get("file")
    if sent is None:
        return [], {"error": said(Illegal("no_file"))}
    try:
        made = rule_files.import_json(keeper, sent.read(rule_files.LONGEST_FILE + 1))
    except rule_files.FileRefused as refusal:
        return [], {"faults": [fault_shown(fault) for fault in refusal.faults]}
    except Illegal as refusal:
        return [], {"error": said(refusal)}
    for rules, added in made:
        _tell_added(request, rules, added)
    count = len(made)
    text = ngettext("%(n)d set of rules imported.", "%(n)d sets of rules imported.", count)
    messages.success(request, text % {"n": count})
    return [rules for rules, _added in made], {}


def _tell_added(request: HttpRequest, rules: HouseRules, added: tuple[str, ...]) -> None:
    """Say which options the file did not name."""
    game = plugin.game(rules.game_id)
    for key in added:
        text = _("%(name)s: the file says nothing about “%(rule)s”. It is set as in the variant.")
        messages.info(request, text % {"name": rules.name, "rule": gettext_of(game, game.options[key].label)})


def fault_shown(fault: rule_files.Fault) -> dict[str, str]:
    """Return a fault of a file in words: where it is, and what is wrong."""
    where = fault.set_name
    if not fault.option or not fault.game_id:
        return {"path": fault.path, "where": where, "text": translate(fault.code, fault.params)}
    game = plugin.game(fault.game_id)
    known = {option.id: option.label for option in game.options.options}
    label = gettext_of(game, known[fault.option]) if fault.option in known else fault.option
    text = translate_option(game.options, fault.option, fault.code, fault.params)
    where = f"{where}: {label}" if where else label
    return {"path": fault.path, "where": where, "text": text}
