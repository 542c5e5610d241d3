"""The base of the admin's modules: read-only models, rights, refusals in words, filters, acts with a confirmation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import Illegal
from games.models import Night
from games.refusals import translate
from games.row_ids import row_id
from games.services.history.exports import File
from games.services.regions import written
from games.streams import download

NEWEST_NIGHTS = 15


class ReadOnly:
    """A model without adding, changing or deleting by hand; acts go through the services."""

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
        """Show the list under the model's own name: there is no row to select for a change."""
        meta = self.model._meta  # type: ignore[attr-defined]
        more = {"title": capfirst(meta.verbose_name_plural), **(extra_context or {})}
        return super().changelist_view(request, more)  # type: ignore[misc]

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Tell whether the user may carry out acts on these rows."""
        return may(request, "change", self.model)  # type: ignore[attr-defined]


class NeverDeleted:
    """A model whose rows other rows refer to, now or in old records."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


class Inline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """Rows of a parent, read-only."""

    extra = 0
    show_change_link = True


def may(request: HttpRequest, permission: str, model: type[Model]) -> bool:
    """Tell whether the user has Django's permission ("change", …) for a model."""
    meta = model._meta
    user: Any = request.user
    return bool(user.has_perm(f"{meta.app_label}.{permission}_{meta.model_name}"))


def refusal_text(refusal: Illegal) -> str:
    """Return the text of a refusal for the staff."""
    return translate(refusal.code, refusal.params, to_staff=True)


def checked(check: Callable[..., str], *args: Any) -> str:
    """Return the result of a service's check; its Illegal becomes a form's ValidationError with its code."""
    try:
        return check(*args)
    except Illegal as refusal:
        raise ValidationError(refusal_text(refusal), code=refusal.code) from None


def refuse(form: forms.Form, field: str, refusal: Illegal) -> None:
    """Add a refusal, with its code, to a field of a form; to the form itself if it has no such field."""
    at = field if field in form.fields else None
    form.add_error(at, ValidationError(refusal_text(refusal), code=refusal.code))


def carry_out(request: HttpRequest, rows: Iterable[Model], act: Callable[[Any], object], done: str = "") -> int:
    """Carry out an act on each row, show refusals as messages, and return the number of rows done.

    The success message is `done`, else the number of rows.
    """
    count = 0
    for row in rows:
        try:
            act(row)
            count += 1
        except Illegal as refusal:
            messages.error(request, f"{row}: {refusal_text(refusal)}")
    if count:
        text = ngettext("Done for %(n)d.", "Done for all %(n)d.", count) % {"n": count}
        messages.success(request, done or text)
    return count


def without_signs(text: str) -> str:
    """Return a text with a word instead of the robot sign after bots' names: many fonts lack the sign."""
    return text.replace(" 🤖", f" ({_('bot')})")


def link(model: str, pk: int, text: object) -> SafeString:
    """Return a link to a row's page in the admin."""
    return format_html('<a href="{}">{}</a>', reverse(f"admin:games_{model}_change", args=[pk]), text)


def list_link(model: str, query: str, text: object) -> SafeString:
    """Return a link to a filtered list in the admin."""
    address = reverse(f"admin:games_{model}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, query, text)


def counted(rows: QuerySet[Any], parent: str) -> Coalesce:
    """Return a subquery that counts the rows of each outer row; it is computed only for the rows of a page."""
    per_row = rows.filter(**{parent: OuterRef("pk")}).order_by().values(parent)
    return Coalesce(Subquery(per_row.annotate(n=Count("pk")).values("n")), 0)


def unit_label(game_id: str, unit: str) -> str:
    """Return the label of a unit; its id if the game does not have it now."""
    game = plugin.all_games().get(game_id)
    return str(game.units.get(unit, unit)) if game else unit


class RowFilter(admin.SimpleListFilter):
    """A filter by conditions: `conditions` maps each value in the address to its label and its rows."""

    conditions: Mapping[str, tuple[Any, Q]] = {}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return values and labels."""
        return [(value, label) for value, (label, _rows) in self.conditions.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the condition."""
        found = self.conditions.get(self.value() or "")
        return queryset.filter(found[1]) if found else queryset


class PresetFilter(admin.SimpleListFilter):
    """A filter by the variant of a game."""

    title = gettext_lazy("variant")
    parameter_name = "variant"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the variants of all games."""
        return [
            (f"{game_id}:{preset.id}", written.labelled(game.title, gettext_of(game, preset.label)))
            for game_id, game in plugin.all_games().items()
            for preset in game.options.presets
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the variant."""
        game_id, found, preset = (self.value() or "").partition(":")
        return queryset.filter(game_id=game_id, preset=preset) if found else queryset


class NewestNightsFilter(admin.SimpleListFilter):
    """A filter by one of the newest nights; links from a night's page may name any night."""

    title = gettext_lazy("night")
    parameter_name = "night"
    field = "night"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the newest nights."""
        newest = Night.objects.only("name", "created_at")[:NEWEST_NIGHTS]
        return [(str(night.pk), f"{night.name} ({night.created_at:%Y-%m-%d})") for night in newest]

    def has_output(self) -> bool:
        """Show the filter, and apply links, also if there are no nights to choose from."""
        return True

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the night."""
        value = self.value()
        if value is None:
            return queryset
        night_id = row_id(value)
        return queryset.none() if night_id is None else queryset.filter(**{self.field: night_id})


MOST_ROWS = 100


@dataclass(frozen=True, slots=True)
class RowAct:
    """An act on rows of a model, with the form of its page.

    `do(row, user, data)` carries it out on a row with the form's data and may raise Illegal. For a single row, the
    refusal is shown at the field that `fields` has for its code, or for "" (any code). `form(rows, data)` makes the
    form. `about(rows)` returns further context of the page. `right` is Django's permission that it requires.
    `answer(request, row)` is shown afterwards in place of the row's page.
    """

    title: Any
    button: Any
    help: Any
    do: Callable[[Any, Any, dict[str, Any]], object]
    done: Any
    form: Callable[[list[Any], Any], forms.Form] = lambda _rows, data: forms.Form(data)
    fields: Mapping[str, str] = field(default_factory=dict)
    right: str = "change"
    many: bool = True
    about: Callable[[list[Any]], dict[str, Any]] = lambda _rows: {}
    is_grave: bool = False
    answer: Callable[[HttpRequest, Any], HttpResponse] | None = None


class Acts(admin.ModelAdmin):  # type: ignore[type-arg]
    """A model's admin with acts: tools on a row's page, actions in the list, a confirmation page for each."""

    acts: dict[str, RowAct] = {}

    class Media:
        """The style of the pages."""

        css = {"all": ["games/admin_acts.css"]}

    def get_urls(self) -> list[URLPattern]:
        """Add the confirmation page of the acts."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_ask"
        view = self.admin_site.admin_view(self.act_view)
        return [path("ask/<slug:key>/", view, name=name), *super().get_urls()]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Add the acts that the user may carry out to the list's actions."""
        own: dict[str, Any] = super().get_actions(request)
        if "_popup" in request.GET:
            return own
        for name, act in self.acts.items():
            if may(request, act.right, self.model):
                own[name] = (_to_page, name, act.title)
        return own

    def act_address(self, act: str, ids: list[Any]) -> str:
        """Return the address of an act's page for rows."""
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_ask", args=[act])
        return f"{address}?{urlencode({'ids': ','.join(map(str, ids))})}"

    def tools(self, request: HttpRequest, row: Any) -> list[tuple[str, Any]]:
        """Return addresses and labels of the acts that the user may carry out on a row now."""
        return [
            (self.act_address(name, [row.pk]), act.title)
            for name, act in self.acts.items()
            if may(request, act.right, self.model) and self.is_open(name, row)
        ]

    def row_name(self, row: Any) -> str:
        """Return the name of a row on its pages."""
        return str(row)

    def is_open(self, act: str, row: Any) -> bool:
        """Tell whether an act is possible on a row in its current state."""
        return True

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a row, with its tools."""
        row = self.get_object(request, object_id)
        tools = self.tools(request, row) if row is not None else []
        named = {"subtitle": self.row_name(row)} if row is not None else {}
        more = {"tools": tools, **named, **(extra_context or {})}
        return super().change_view(request, object_id, form_url, more)

    change_form_template = "admin/games/acts/change_form.html"

    def act_view(self, request: HttpRequest, key: str) -> HttpResponse:
        """Show the confirmation page of an act; a POST carries it out."""
        act = self.acts.get(key)
        if act is None:
            raise Http404
        if not may(request, act.right, self.model):
            raise PermissionDenied
        rows = self._chosen_rows(request, act)
        form = act.form(rows, request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid() and self._did(request, act, rows, form):
            if act.answer is not None:
                return act.answer(request, rows[0])
            if len(rows) == 1 and self.get_queryset(request).filter(pk=rows[0].pk).exists():
                name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
                return redirect(name, rows[0].pk)
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return self._page(request, act, rows, form)

    def _page(self, request: HttpRequest, act: RowAct, rows: list[Any], form: forms.Form) -> HttpResponse:
        """Return the confirmation page."""
        named = [(row.pk, self.row_name(row)) for row in rows]
        own = {"title": act.title, "opts": self.opts, "act": act, "rows": named, "form": form}
        context = {**self.admin_site.each_context(request), **own, **act.about(rows)}
        context["media"] = self.media
        status = 400 if form.errors else 200
        return render(request, "admin/games/acts/ask.html", context, status=status)

    def _chosen_rows(self, request: HttpRequest, act: RowAct) -> list[Any]:
        """Return the rows named in the address; raises Http404 for none, and for more than the act takes."""
        ids = [found for each in request.GET.get("ids", "").split(",") if (found := row_id(each)) is not None]
        most = MOST_ROWS if act.many else 1
        rows = list(self.get_queryset(request).filter(pk__in=ids[: most + 1]))
        if not 0 < len(rows) <= most:
            raise Http404
        return rows

    def _did(self, request: HttpRequest, act: RowAct, rows: list[Any], form: forms.Form) -> bool:
        """Carry out an act; return False if a single row was refused: the form shows the refusal."""

        def carry(row: Model) -> object:
            return act.do(row, request.user, form.cleaned_data)

        if len(rows) > 1:
            carry_out(request, rows, carry)
            return True
        try:
            carry(rows[0])
        except Illegal as refusal:
            refuse(form, act.fields.get(refusal.code, act.fields.get("", "")), refusal)
            return False
        self.message_user(request, act.done)
        return True


def _to_page(model_admin: Acts, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
    """Redirect from the list to the page of the chosen act."""
    name = request.POST.get("action", "")
    ids = list(rows.values_list("pk", flat=True)[: MOST_ROWS + 1])
    act = model_admin.acts[name]
    most = MOST_ROWS if act.many else 1
    if len(ids) > most:
        text = ngettext("Choose one row only.", "Choose at most %(n)d rows.", most) % {"n": most}
        model_admin.message_user(request, text, messages.ERROR)
        return None
    return redirect(model_admin.act_address(name, ids))


class Downloads(Acts):
    """A model's admin whose rows have files: links on a row's page, and a view for each file.

    `files_of(row)` returns names and labels, `file_of(row, name)` the file; it raises Illegal for an unknown name.
    """

    file_route = ""

    def files_of(self, row: Any) -> list[tuple[str, Any]]:
        """Return the names and labels of a row's files."""
        raise NotImplementedError

    def file_of(self, row: Any, name: str) -> File:
        """Return a file of a row; raises Illegal."""
        raise NotImplementedError

    def get_urls(self) -> list[URLPattern]:
        """Add the view of the files."""
        view = self.admin_site.admin_view(self.file_view)
        return [path("<int:pk>/file/<str:name>", view, name=self.file_route), *super().get_urls()]

    def file_view(self, request: HttpRequest, pk: int, name: str) -> HttpResponseBase:
        """Return a file of a row."""
        row = self.model._default_manager.filter(pk=pk).first()
        if row is None or not self.has_view_permission(request, row):
            raise Http404
        try:
            return download(self.file_of(row, name))
        except Illegal:
            raise Http404 from None

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a row with its files."""
        row = self.get_object(request, object_id)
        names = self.files_of(row) if row is not None else []
        files = [(reverse(f"admin:{self.file_route}", args=[object_id, name]), label) for name, label in names]
        return super().change_view(request, object_id, form_url, {"files": files})
