"""Making and changing a named rule set, and files of sets: the same for the site and the admin.

The form is that of the game's declaration (`OptionsForm`) with a name, and for sets of the house with the rights of
hosts. Refusals of the services show at their fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.kernel.options import OptionErrors, Preset
from games.models import HouseRules
from games.refusals import translate, translate_option
from games.row_ids import number
from games.services.house_rules import files
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.cards import differences, rules_card
from games.services.house_rules.compatibility import Fitted, fitted
from games.services.house_rules.sets import HostsMay, SetDraft, SetKeeper
from games.services.regions import written
from games.web.errors import refusal_text
from games.web.house_rules.options_form import OptionsForm
from games.web.house_rules.set_notes import change_notes, stored_faults

# The field that shows a refusal; any other refusal shows above the form.
FIELDS = {
    "rules_name": "name",
    "rules_name_taken": "name",
    "default_not_offered": "hosts_may",
    "bad_argument": "hosts_may",
}


@dataclass
class Editor:
    """A form while it is filled in. `rules` is the set that is changed, None for a new one.

    `version` is the version that was shown; `errors` has the mistakes at "name", "hosts_may" and "form", beside those
    of the options form.
    """

    keeper: SetKeeper
    game: plugin.GameConfig
    preset: Preset
    form: OptionsForm
    rules: HouseRules | None = None
    name: str = ""
    hosts_may: str = HostsMay.CHANGE
    version: int = 0
    notes: list[str] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)

    def carry_out(self) -> HouseRules | None:
        """Make or change the set; return None if a value is refused; the form then shows why."""
        try:
            house_rule_sets.clean_name(self.name)
        except Illegal as refusal:
            self._refuse(refusal)
        if not self.form.is_valid() or self.errors:
            return None
        try:
            return self._write()
        except Illegal as refusal:
            self._refuse(refusal)
        except OptionErrors:  # the form has checked by the same declaration
            self.errors["form"] = refusal_text(Illegal("bad_options"))
        return None

    def _write(self) -> HouseRules:
        draft = SetDraft(self.name, self.preset.id, self.form.values, self.hosts_may)
        if self.rules is None:
            return house_rule_sets.create(self.keeper, self.game.game_id, draft)
        return house_rule_sets.change(self.keeper, self.rules.public_id, draft, self.version)

    def _refuse(self, refusal: Illegal) -> None:
        """Put a refusal at its field; refusals of the right to edit are raised."""
        if refusal.code in {"not_your_rules", "not_a_host", "no_such_rules"}:
            raise refusal
        self.errors[FIELDS.get(refusal.code, "form")] = refusal_text(refusal)

    def context(self) -> dict[str, Any]:
        """Return the context of the form's templates."""
        groups = self.form.groups()
        error_count = sum(bool(row.errors) for group in groups for row in group.rows)
        base = self.game.options.values(self.preset.id)
        owned = self.keeper.is_house if self.rules is None else self.rules.is_of_the_house
        return {
            "editor": self,
            "game": self.game,
            "preset": self.preset,
            "groups": groups,
            "error_count": error_count,
            "card": rules_card(self.game.game_id, self.preset.id, self.form.values, self.name),
            "differences": differences(self.game.options, base, self.form.values),
            "hosts_may": HostsMay.choices if owned else [],
            "presets": preset_cards(self.game, self.preset),
            "is_refused": bool(self.errors or (self.form.is_bound and error_count)),
        }


def new_editor(request: HttpRequest, keeper: SetKeeper, game: plugin.GameConfig) -> Editor:
    """Return the form of a new set: from a preset, with the values sent; raises Illegal `not_a_host`."""
    keeper.check_maker()
    sent = request.POST if request.method == "POST" else request.GET
    preset = preset_of(game, sent.get("preset", game.options.presets[0].id))
    form = OptionsForm(game.options, game.options.values(preset.id), None, _data(request))
    return _with_heads(Editor(keeper, game, preset, form), request)


def change_editor(request: HttpRequest, keeper: SetKeeper, rules: HouseRules) -> Editor:
    """Return the form of a set: with its current values, a version's, or another preset's."""
    house_rule_sets.check_keeper(rules, keeper)
    now = _start(request, rules)
    options = plugin.game(rules.game_id).options
    sent = request.POST if request.method == "POST" else request.GET
    preset = preset_of(plugin.game(rules.game_id), sent.get("preset", now.preset.id))
    is_same = preset == now.preset
    form = OptionsForm(
        options,
        options.values(preset.id),
        now.values if is_same else None,
        _data(request),
        stored_faults=stored_faults(options, now) if is_same else {},
    )
    editor = Editor(keeper, plugin.game(rules.game_id), preset, form, rules)
    editor.name, editor.hosts_may, editor.version = rules.name, rules.hosts_may, rules.version
    editor.notes = change_notes(options, now) if is_same else []
    return _with_heads(editor, request)


def _start(request: HttpRequest, rules: HouseRules) -> Fitted:
    """Return the values to start from: the values of the version `?version=`, else the set's current ones."""
    version = number(request.GET.get("version", "")) if request.method == "GET" else None
    row = None if version is None else rules.versions.filter(version=version).select_related("rules").first()
    return fitted(row or rules)


def _data(request: HttpRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _with_heads(editor: Editor, request: HttpRequest) -> Editor:
    """Read the values that were sent beside the options."""
    if request.method == "POST":
        editor.name = request.POST.get("name", "")
        editor.hosts_may = request.POST.get("hosts_may", editor.hosts_may)
        editor.version = number(request.POST.get("version", "")) or 0
    return editor


def preset_of(game: plugin.GameConfig, preset_id: str) -> Preset:
    """Return a preset of a game; raises Illegal `no_such_preset`."""
    try:
        return game.options.preset(preset_id)
    except KeyError:
        raise Illegal("no_such_preset") from None


def preset_cards(game: plugin.GameConfig, chosen: Preset | None) -> list[dict[str, Any]]:
    """Return the presets of a game as cards, in the current language."""
    return [
        {
            "id": preset.id,
            "label": gettext_of(game, preset.label),
            "blurb": gettext_of(game, preset.blurb),
            "seats": preset.seats,
            "chosen": preset == chosen,
        }
        for preset in game.options.presets
    ]


def file_response(sets: list[HouseRules], name: str) -> HttpResponse:
    """Return sets as a JSON file for download."""
    text = files.export_json(sets)
    disposition = f'attachment; filename="{name}.json"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition})


def take_file(request: HttpRequest, keeper: SetKeeper) -> tuple[list[HouseRules], dict[str, Any]]:
    """Import the uploaded file; return its sets, or the context that shows its faults."""
    sent = request.FILES.get("file")
    if sent is None:
        return [], {"error": refusal_text(Illegal("no_file"))}
    try:
        made = files.import_json(keeper, sent.read(files.LONGEST_FILE + 1))
    except files.FileRefused as refusal:
        return [], {"faults": [fault_text(fault) for fault in refusal.faults]}
    except Illegal as refusal:
        return [], {"error": refusal_text(refusal)}
    for rules, added in made:
        _announce_added(request, rules, added)
    count = len(made)
    text = ngettext("%(n)d set of rules imported.", "%(n)d sets of rules imported.", count)
    messages.success(request, text % {"n": count})
    return [rules for rules, _added in made], {}


def _announce_added(request: HttpRequest, rules: HouseRules, added: tuple[str, ...]) -> None:
    """Add a message for each option that the file did not name."""
    game = plugin.game(rules.game_id)
    for key in added:
        text = _("%(name)s: the file says nothing about “%(rule)s”. It is set as in the variant.")
        messages.info(request, text % {"name": rules.name, "rule": gettext_of(game, game.options[key].label)})


def fault_text(fault: files.Fault) -> dict[str, str]:
    """Return a fault of a file in words: its place and its text."""
    place = fault.set_name
    if not fault.option or not fault.game_id:
        return {"path": fault.path, "where": place, "text": translate(fault.code, fault.params)}
    game = plugin.game(fault.game_id)
    labels = {option.id: option.label for option in game.options.options}
    label = gettext_of(game, labels[fault.option]) if fault.option in labels else fault.option
    text = translate_option(game.options, fault.option, fault.code, fault.params)
    place = written.labelled(place, label) if place else label
    return {"path": fault.path, "where": place, "text": text}
