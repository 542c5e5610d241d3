"""The admin's house rules: the editor of the site, old versions, and the policy for hosts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import plugin
from games.admin.base import NeverDeleted, ReadOnly, RowFilter
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.models import GamePolicy, HouseRules, HouseRulesVersion
from games.services.house_rules import descriptions
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.sets import ACTS, HostsMay, SetKeeper
from games.web.errors import refusal_text
from games.web.house_rules import set_notes
from games.web.house_rules.editor import Editor, change_editor, file_response, new_editor, take_file
from games.web.house_rules.sets import NEWEST

FOLDER = "admin/games/houserules"
OFFERS: dict[str, Any] = {
    HostsMay.NOTHING: gettext_lazy("not on offer"),
    HostsMay.CHOOSE: gettext_lazy("choose it"),
    HostsMay.CHANGE: gettext_lazy("choose and change it"),
}


class GameFilter(admin.SimpleListFilter):
    """A filter by game."""

    title = gettext_lazy("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the games."""
        return [(game.game_id, str(game.title)) for game in plugin.all_games().values()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the game."""
        return queryset.filter(game_id=self.value()) if self.value() else queryset


class OwnerFilter(RowFilter):
    """A filter by owner: the house or hosts."""

    title = gettext_lazy("owner")
    parameter_name = "whose"
    conditions = {
        "house": (gettext_lazy("the house"), Q(owner__isnull=True)),
        "hosts": (gettext_lazy("hosts"), Q(owner__isnull=False)),
    }


@admin.register(HouseRules)
class HouseRulesAdmin(NeverDeleted, admin.ModelAdmin):  # type: ignore[type-arg]
    """Rule sets: made, changed, archived, exported; their history is beside the form."""

    help = gettext_lazy("The house's own rules by name: make, change, archive, share them.")
    change_list_template = f"{FOLDER}/change_list.html"
    list_display = (
        "name", "game", "variant", "whose", "status", "is_default", "offer", "version",
        "updated_at",
    )  # fmt: skip
    list_select_related = ("owner",)
    list_filter = (GameFilter, "status", "is_default", "hosts_may", OwnerFilter)
    search_fields = ("name", "owner__nickname", "public_id")
    actions = ("archive_sets", "restore_sets", "make_default", "export_sets")

    @admin.display(description=gettext_lazy("game"), ordering="game_id")
    def game(self, rules: HouseRules) -> str:
        """Return the title of a set's game; its id if the game is not installed."""
        game = plugin.all_games().get(rules.game_id)
        return str(game.title) if game else rules.game_id

    @admin.display(description=gettext_lazy("variant"))
    def variant(self, rules: HouseRules) -> str:
        """Return the name of a set's variant, with a mark if a stored value is refused now."""
        summary = set_notes.set_summary(rules)
        return summary.preset if summary.is_sound else f"{summary.preset} ⚠ {_('needs a look')}"

    @admin.display(description=gettext_lazy("owner"), ordering="owner__nickname")
    def whose(self, rules: HouseRules) -> str:
        """Return the owner's name."""
        return rules.owner.nickname if rules.owner else _("the house")

    @admin.display(description=gettext_lazy("hosts may"), ordering="hosts_may")
    def offer(self, rules: HouseRules) -> str:
        """Return in short what hosts may do with a set of the house."""
        return str(OFFERS[rules.hosts_may]) if rules.is_of_the_house else "–"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """List the sets, and below them the variants that the games bring along."""
        games = [(game, variant_names(game)) for game in plugin.all_games().values()]
        return super().changelist_view(request, {"games": games, **(extra_context or {})})

    def get_urls(self) -> list[URLPattern]:
        """Add the import and the acts on a set."""
        wrap = self.admin_site.admin_view
        own = [
            path("import/", wrap(self.import_view), name="games_houserules_import"),
            path("<int:pk>/do/<slug:name>/", wrap(self.act_view), name="games_houserules_do"),
        ]
        return own + super().get_urls()

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Show the choice of game, then the form; a POST makes the set."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        games = plugin.all_games()
        game = games.get(request.GET.get("game", ""))
        if game is None:
            context = self._context(request, _("For which game?"), games=games.values())
            return render(request, f"{FOLDER}/games.html", context)
        return self._edit(request, new_editor(request, keeper(request), game))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: Any = None,
    ) -> HttpResponse:
        """Show the form; a POST changes the set. Without the right to change, show the card."""
        rules: Any = self.get_object(request, object_id)
        if rules is None or rules.game_id not in plugin.all_games():
            raise Http404
        if not self.has_view_or_change_permission(request, rules):
            raise PermissionDenied
        if not self.has_change_permission(request, rules) or rules.status == HouseRules.Status.ARCHIVED:
            return self._show(request, rules)
        return self._edit(request, change_editor(request, keeper(request), rules))

    def _edit(self, request: HttpRequest, editor: Editor) -> HttpResponse:
        """Show the form, or save the values sent."""
        if request.method == "POST" and (saved := editor.carry_out()) is not None:
            is_new = editor.rules is None
            note = _("Version %(n)d") % {"n": saved.version}
            (self.log_addition if is_new else self.log_change)(request, saved, note)
            self.message_user(request, _("Saved."), messages.SUCCESS)
            return redirect("admin:games_houserules_change", saved.pk)
        title = _("New house rules") if editor.rules is None else editor.rules.name
        context = self._context(request, title, **editor.context(), with_game=editor.rules is None)
        context |= self._of(editor.rules)
        return render(request, f"{FOLDER}/change_form.html", context)

    def _show(self, request: HttpRequest, rules: HouseRules) -> HttpResponse:
        """Show a set that the user may not change."""
        context = self._context(request, rules.name, card=descriptions.card_of(rules))
        return render(request, f"{FOLDER}/show.html", context | self._of(rules))

    def _of(self, rules: HouseRules | None) -> dict[str, Any]:
        """Return the context of a set beside its form."""
        if rules is None:
            return {"rules": None}
        return {"rules": rules, "original": rules, "history": descriptions.versions(rules, NEWEST)}

    def _context(self, request: HttpRequest, title: str, **more: Any) -> dict[str, Any]:
        """Return the context of every page of the admin, with more values."""
        may_change = self.has_change_permission(request)
        own = {"title": title, "opts": self.opts, "may_change": may_change}
        return {**self.admin_site.each_context(request), **own, **more}

    def act_view(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Carry out an act on a set, by POST; then show the resulting set."""
        rules = HouseRules.objects.filter(pk=pk).first()
        if rules is None or name not in ACTS or request.method != "POST":
            raise Http404
        if not self.has_change_permission(request):
            raise PermissionDenied
        try:
            rules = ACTS.do(rules, keeper(request), name, {})
        except Illegal as refusal:
            self.message_user(request, refusal_text(refusal), messages.ERROR)
        else:
            self.message_user(request, ACTS[name].done, messages.SUCCESS)
        return redirect("admin:games_houserules_change", rules.pk)

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Import sets of the house from a file."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        refused: dict[str, Any] = {}
        if request.method == "POST":
            made, refused = take_file(request, keeper(request))
            if made:
                return redirect("admin:games_houserules_changelist")
        context = self._context(request, _("Import house rules"), **refused)
        status = 400 if refused else 200
        return render(request, f"{FOLDER}/import.html", context, status=status)

    @admin.action(description=ACTS["archive"].label, permissions=["change"])
    def archive_sets(self, request: HttpRequest, sets: QuerySet[HouseRules]) -> None:
        """Archive sets."""
        self._do(request, sets, "archive")

    @admin.action(description=ACTS["restore"].label, permissions=["change"])
    def restore_sets(self, request: HttpRequest, sets: QuerySet[HouseRules]) -> None:
        """Restore archived sets."""
        self._do(request, sets, "restore")

    @admin.action(description=ACTS["default"].label, permissions=["change"])
    def make_default(self, request: HttpRequest, sets: QuerySet[HouseRules]) -> None:
        """Make sets the default of their games, one for each game."""
        games = [rules.game_id for rules in sets]
        if len(games) != len(set(games)):
            text = _("A game has one default: choose one set for each game.")
            self.message_user(request, text, messages.ERROR)
        else:
            self._do(request, sets, "default")

    @admin.action(description=gettext_lazy("Save as a file"), permissions=["view"])
    def export_sets(self, request: HttpRequest, sets: QuerySet[HouseRules]) -> HttpResponse | None:
        """Return sets as one file."""
        try:
            return file_response(list(sets), "house-rules")
        except Illegal as refusal:
            self.message_user(request, refusal_text(refusal), messages.ERROR)
            return None

    def _do(self, request: HttpRequest, sets: QuerySet[HouseRules], name: str) -> None:
        """Carry out an act on each set, and show refusals as messages."""
        done = 0
        for rules in sets:
            try:
                ACTS.do(rules, keeper(request), name, {})
                done += 1
            except Illegal as refusal:
                self.message_user(request, f"{rules.name}: {refusal_text(refusal)}", messages.ERROR)
        if done:
            text = ngettext("Done for %(n)d set.", "Done for %(n)d sets.", done) % {"n": done}
            self.message_user(request, text, messages.SUCCESS)


def variant_names(game: plugin.GameConfig) -> list[dict[str, Any]]:
    """Return the variants of a game in their order: id, label, blurb and numbers of players."""
    return [
        {
            "id": preset.id,
            "label": gettext_of(game, preset.label),
            "blurb": gettext_of(game, preset.blurb),
            "seats": preset.seats,
        }
        for preset in game.options.presets
    ]


def keeper(request: HttpRequest) -> SetKeeper:
    """Return the admin's keeper of house rules: the house."""
    user: Any = request.user
    return SetKeeper(user=user)


@admin.register(HouseRulesVersion)
class VersionAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Old versions of sets, read-only."""

    help = gettext_lazy("How house rules were at any time.")
    list_display = ("name", "version", "rules", "created_at", "by_name")
    list_select_related = ("rules",)
    list_filter = ("rules__game_id", "created_at")
    search_fields = ("name", "by_name", "rules__public_id")
    fields = readonly_fields = ("rules", "name", "version", "created_at", "by_name", "card")

    class Media:
        """The style of the card."""

        css = {"all": ["games/admin_rules.css"]}

    @admin.display(description=gettext_lazy("House rules"))
    def card(self, row: HouseRulesVersion) -> SafeString:
        """Return the rules card of a version."""
        if row.rules.game_id not in plugin.all_games():
            return SafeString("–")
        return render_to_string("admin/games/houserules/card.html", {"card": descriptions.card_of(row)})


class PolicyForm(forms.ModelForm):  # type: ignore[type-arg]
    """The policy of a game for hosts; the game is chosen among the installed ones."""

    game_id = forms.ChoiceField(label=gettext_lazy("Game"))

    class Meta:
        """The fields."""

        model = GamePolicy
        fields = ("game_id", "hosts_may", "seats")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["game_id"]
        field.choices = [(game.game_id, game.title) for game in plugin.all_games().values()]
        self.fields["seats"].required = False
        if self.instance.pk:
            field.disabled = True


@admin.register(GamePolicy)
class PolicyAdmin(NeverDeleted, admin.ModelAdmin):  # type: ignore[type-arg]
    """The policy for hosts: whether they may play a game by rules other than the house's sets."""

    help = gettext_lazy("Whether hosts may play by other rules than the house's, and how many people a table wants.")
    form = PolicyForm
    list_display = ("game", "hosts_may", "seats", "updated_at", "updated_by")

    @admin.display(description=gettext_lazy("game"), ordering="game_id")
    def game(self, row: GamePolicy) -> str:
        """Return the title of the game; its id if the game is not installed."""
        game = plugin.all_games().get(row.game_id)
        return str(game.title) if game else row.game_id

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save by the services."""
        house_rule_sets.set_policy(keeper(request), obj.game_id, obj.hosts_may, obj.seats or 0)
        obj.pk = GamePolicy.objects.get(game_id=obj.game_id).pk
