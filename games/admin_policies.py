"""The admin's view of old versions of house rules, and of what hosts may play of a game."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from games import plugin
from games.admin_rules import keeper
from games.models import GamePolicy, HouseRulesVersion
from games.services import house_rules
from games.web import rule_words


@admin.register(HouseRulesVersion)
class VersionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Sets as they were, to be read."""

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
        return render_to_string("admin/games/houserules/card.html", {"card": rule_words.card_of(row)})

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


class PolicyForm(forms.ModelForm):  # type: ignore[type-arg]
    """What hosts may play of a game, chosen among the games that are installed."""

    game_id = forms.ChoiceField(label=gettext_lazy("Game"))

    class Meta:
        """The fields."""

        model = GamePolicy
        fields = ("game_id", "hosts_may")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["game_id"]
        field.choices = [(game.game_id, game.title) for game in plugin.all_games().values()]
        if self.instance.pk:
            field.disabled = True


@admin.register(GamePolicy)
class PolicyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Whether hosts may play a game by other rules than the house's sets."""

    help = gettext_lazy("Whether hosts may play by other rules than the house's.")
    form = PolicyForm
    list_display = ("game", "hosts_may", "updated_at", "updated_by")

    @admin.display(description=gettext_lazy("game"), ordering="game_id")
    def game(self, row: GamePolicy) -> str:
        """Return the title of the game; the id of one that is not installed."""
        game = plugin.all_games().get(row.game_id)
        return str(game.title) if game else row.game_id

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: the setting is changed instead."""
        return False

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Leave the writing to the services."""
        house_rules.set_policy(keeper(request), obj.game_id, obj.hosts_may)
        obj.pk = GamePolicy.objects.get(game_id=obj.game_id).pk
