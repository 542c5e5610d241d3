"""What the admin's modules share: reading only, rights of acts, refusals in words, filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.models import Night
from games.row_ids import row_id
from games.web.errors import said

NEWEST_NIGHTS = 15
# Some refusals speak to the person themselves: here they are about somebody.
_ABOUT_THEM: dict[str, Any] = {
    "hosts_a_night": gettext_lazy("This player hosts “%(night)s”: close that night first."),
    "staff_account": gettext_lazy("This account belongs to the staff: take that away first."),
    "nickname_empty": gettext_lazy("Give a name that people can see."),
}


class ReadOnly:
    """Nothing is added, changed or deleted here by hand; acts go through the services."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Show the list under its own name: there is nothing to select for changing."""
        meta = self.model._meta  # type: ignore[attr-defined]
        more = {"title": capfirst(meta.verbose_name_plural), **(extra_context or {})}
        return super().changelist_view(request, more)  # type: ignore[misc]

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Tell whether the user may carry out acts on these rows."""
        return may(request, "change", self.model)  # type: ignore[attr-defined]


class Inline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """Rows of a parent, to be read."""

    extra = 0
    show_change_link = True


def may(request: HttpRequest, what: str, model: type[Model]) -> bool:
    """Tell whether the user has Django's permission to "change" (…) a model."""
    meta = model._meta
    user: Any = request.user
    return bool(user.has_perm(f"{meta.app_label}.{what}_{meta.model_name}"))


def told(refusal: Illegal) -> str:
    """Return what a refusal says to the staff."""
    words = _ABOUT_THEM.get(refusal.code)
    return str(words) % refusal.params if words else said(refusal)


def checked(check: Callable[..., str], *args: Any) -> str:
    """Return what a check of the services returns; its refusal becomes a form's, with its code."""
    try:
        return check(*args)
    except Illegal as refusal:
        raise ValidationError(told(refusal), code=refusal.code) from None


def refuse(form: forms.Form, field: str, refusal: Illegal) -> None:
    """Put a refusal, with its code, at a field of a form; at the form where it has no such."""
    where = field if field in form.fields else None
    form.add_error(where, ValidationError(told(refusal), code=refusal.code))


def carry_out(request: HttpRequest, rows: Iterable[Model], act: Callable[[Any], object], done: str = "") -> int:
    """Do something to each row, say what was refused, and return for how many it worked.

    `done` is said where it worked for all; without it the number is said.
    """
    count = 0
    for row in rows:
        try:
            act(row)
            count += 1
        except Illegal as refusal:
            messages.error(request, f"{row}: {told(refusal)}")
    if count:
        text = ngettext("Done for %(n)d.", "Done for all %(n)d.", count) % {"n": count}
        messages.success(request, done or text)
    return count


def worded(text: str) -> str:
    """Return a text with a word for the robot after bots' names: many fonts have no such sign."""
    return text.replace(" 🤖", f" ({_('bot')})")


def link(model: str, pk: int, text: object) -> SafeString:
    """Return a link to a row's page in the admin."""
    return format_html('<a href="{}">{}</a>', reverse(f"admin:games_{model}_change", args=[pk]), text)


def list_link(model: str, query: str, text: object) -> SafeString:
    """Return a link to a list in the admin, filtered."""
    address = reverse(f"admin:games_{model}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, query, text)


def counted(rows: QuerySet[Any], parent: str) -> Coalesce:
    """Return how many rows belong to the outer row: a subquery, worked out for a page only."""
    per_row = rows.filter(**{parent: OuterRef("pk")}).order_by().values(parent)
    return Coalesce(Subquery(per_row.annotate(n=Count("pk")).values("n")), 0)


def game_title(game_id: str) -> str:
    """Return a game's title; the id of one that is not installed."""
    game = plugin.all_games().get(game_id)
    return str(game.title) if game else game_id


def preset_label(game_id: str, preset: str) -> str:
    """Return a variant's name; its id where the game has no such variant now."""
    game = plugin.all_games().get(game_id)
    found = {each.id: each.label for each in game.options.presets} if game else {}
    return gettext_of(game, found[preset]) if found.get(preset) else preset


def unit_label(game_id: str, unit: str) -> str:
    """Return what points count, in words; the code where the game has no such unit now."""
    game = plugin.all_games().get(game_id)
    return str(game.units.get(unit, unit)) if game else unit


class PresetFilter(admin.SimpleListFilter):
    """Choose a variant of a game by its name."""

    title = gettext_lazy("variant")
    parameter_name = "variant"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the variants of all games."""
        return [
            (f"{game_id}:{preset.id}", f"{game.title}: {gettext_of(game, preset.label)}")
            for game_id, game in plugin.all_games().items()
            for preset in game.options.presets
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the variant."""
        game_id, found, preset = (self.value() or "").partition(":")
        return queryset.filter(game_id=game_id, preset=preset) if found else queryset


class NightFilter(admin.SimpleListFilter):
    """Choose one of the newest nights; links from a night's page choose any."""

    title = gettext_lazy("night")
    parameter_name = "night"
    field = "night"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the newest nights."""
        newest = Night.objects.only("name", "created_at")[:NEWEST_NIGHTS]
        return [(str(night.pk), f"{night.name} ({night.created_at:%Y-%m-%d})") for night in newest]

    def has_output(self) -> bool:
        """Show it, and heed links, where there are no nights to choose, too."""
        return True

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the night."""
        value = self.value()
        if value is None:
            return queryset
        night_id = row_id(value)
        return queryset.none() if night_id is None else queryset.filter(**{self.field: night_id})
