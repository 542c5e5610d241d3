"""Acts in the admin that ask first: a page that says what will happen, then a POST."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.translation import ngettext

from games.admin_base import carry_out, may, refuse
from games.kernel.contract import Illegal
from games.row_ids import row_id

MOST_ROWS = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """An act on rows of a model, with the form that it asks for.

    `do(row, user, data)` carries it out on a row with the form's data and may raise Illegal,
    which is then shown, where there is one row, at the field that `fields` has for its code,
    or "" for any code. `form(rows, data)` makes the form. `about(rows)` returns what the page
    tells beside the form. `right` is Django's permission that it takes.
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


class Acts(admin.ModelAdmin):  # type: ignore[type-arg]
    """A model's admin with acts: tools on a row's page, actions in the list, a page for each."""

    acts: dict[str, Asked] = {}

    class Media:
        """The style of the pages."""

        css = {"all": ["games/admin_acts.css"]}

    def get_urls(self) -> list[URLPattern]:
        """Add the page of an act."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_ask"
        view = self.admin_site.admin_view(self.ask_view)
        return [path("ask/<slug:act>/", view, name=name), *super().get_urls()]

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Add the acts that the user may carry out to the list's actions."""
        own: dict[str, Any] = super().get_actions(request)
        if "_popup" in request.GET:
            return own
        for name, act in self.acts.items():
            if may(request, act.right, self.model):
                own[name] = (_to_page, name, act.title)
        return own

    def ask_address(self, act: str, ids: list[Any]) -> str:
        """Return the address of an act's page for rows."""
        address = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_ask", args=[act])
        return f"{address}?{urlencode({'ids': ','.join(map(str, ids))})}"

    def tools(self, request: HttpRequest, row: Any) -> list[tuple[str, Any]]:
        """Return addresses and labels of the acts that are open to the user on a row."""
        return [
            (self.ask_address(name, [row.pk]), act.title)
            for name, act in self.acts.items()
            if may(request, act.right, self.model) and self.is_open(name, row)
        ]

    def row_name(self, row: Any) -> str:
        """Return what a row is called on its pages."""
        return str(row)

    def is_open(self, act: str, row: Any) -> bool:
        """Tell whether an act makes sense on a row as it is."""
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

    def ask_view(self, request: HttpRequest, act: str) -> HttpResponse:
        """Ask before an act; a POST carries it out."""
        asked = self.acts.get(act)
        if asked is None:
            raise Http404
        if not may(request, asked.right, self.model):
            raise PermissionDenied
        rows = self._asked_rows(request, asked)
        form = asked.form(rows, request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid() and self._did(request, asked, rows, form):
            if len(rows) == 1:
                name = f"admin:{self.opts.app_label}_{self.opts.model_name}_change"
                return redirect(name, rows[0].pk)
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return self._page(request, asked, rows, form)

    def _page(self, request: HttpRequest, asked: Asked, rows: list[Any], form: forms.Form) -> HttpResponse:
        """Return the page that asks."""
        named = [(row.pk, self.row_name(row)) for row in rows]
        own = {"title": asked.title, "opts": self.opts, "asked": asked, "rows": named, "form": form}
        context = {**self.admin_site.each_context(request), **own, **asked.about(rows)}
        context["media"] = self.media
        status = 400 if form.errors else 200
        return render(request, "admin/games/acts/ask.html", context, status=status)

    def _asked_rows(self, request: HttpRequest, asked: Asked) -> list[Any]:
        """Return the rows that the address names; 404 for none, and for more than an act takes."""
        ids = [found for each in request.GET.get("ids", "").split(",") if (found := row_id(each)) is not None]
        most = MOST_ROWS if asked.many else 1
        rows = list(self.get_queryset(request).filter(pk__in=ids[: most + 1]))
        if not 0 < len(rows) <= most:
            raise Http404
        return rows

    def _did(self, request: HttpRequest, asked: Asked, rows: list[Any], form: forms.Form) -> bool:
        """Carry an act out; False where a single row was refused: the form says why."""

        def act(row: Model) -> object:
            return asked.do(row, request.user, form.cleaned_data)

        if len(rows) > 1:
            carry_out(request, rows, act)
            return True
        try:
            act(rows[0])
        except Illegal as refusal:
            refuse(form, asked.fields.get(refusal.code, asked.fields.get("", "")), refusal)
            return False
        self.message_user(request, asked.done)
        return True


def _to_page(model_admin: Acts, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
    """Lead from the list to the page of the act that was chosen there."""
    name = request.POST.get("action", "")
    ids = list(rows.values_list("pk", flat=True)[: MOST_ROWS + 1])
    asked = model_admin.acts[name]
    most = MOST_ROWS if asked.many else 1
    if len(ids) > most:
        text = ngettext("Choose one row only.", "Choose at most %(n)d rows.", most) % {"n": most}
        model_admin.message_user(request, text, messages.ERROR)
        return None
    return redirect(model_admin.ask_address(name, ids))
