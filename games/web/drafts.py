"""Forms that make or change one thing: a refusal is told at its field, and nothing that was typed is lost.

Form ids on pages: each form that writes a row has one, as a hidden field (templates/parts/form_id.html).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games import plugin
from games.kernel.contract import Illegal
from games.services import form_ids
from games.web.errors import refusal_text, status_of


def sent_form_id(request: HttpRequest) -> str | None:
    """Return the id of the form that was sent; None for a POST without the field."""
    return request.POST.get("form_id")


def new_form_id() -> str:
    """Return an id for a form that has not been sent."""
    return form_ids.new()


def shown_form_id(request: HttpRequest, refusal: str = "") -> str:
    """Return the id for the form on a page: after a `refusal` the sent one, as nothing was written; else a new one."""
    is_usable = refusal not in ("", "bad_form_id", "form_changed")
    return (sent_form_id(request) if is_usable else None) or new_form_id()


V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class DraftForm:
    """A form: its template, field → the refusals that it shows, and the refusals that are pages of their own.

    Any other refusal stands above the form.
    """

    template: str
    refused_at: Mapping[str, tuple[str, ...]]
    pages: tuple[str, ...]

    def answer(
        self, request: HttpRequest, write: Callable[[], HttpResponse], context: Callable[[], dict[str, Any]]
    ) -> HttpResponse:
        """Show the form, or write what was sent; a refusal shows it again. Raises Illegal of `pages`."""
        errors: dict[str, str] = {}
        status, code = 200, ""
        if request.method == "POST":
            try:
                return write()
            except Illegal as refusal:
                if refusal.code in self.pages:
                    raise
                errors[self._field(refusal.code)] = refusal_text(refusal)
                status, code = status_of(refusal), refusal.code
        shown = context() | {"errors": errors, "form_id": shown_form_id(request, code)}
        return render(request, self.template, shown, status=status)

    def _field(self, code: str) -> str:
        return next((field for field, codes in self.refused_at.items() if code in codes), "form")


def parsed(text: str | None, read: Callable[[str | None], V], code: str, **params: int) -> V:
    """Return a field as a reader of `services.arguments` reads it; raises Illegal with a code for what is none."""
    try:
        return read(text)
    except ValueError:
        raise Illegal(code, **params) from None


def boards() -> list[tuple[str, Any, Any]]:
    """Return what a season may count: "game:unit", with the words of both."""
    return [
        (f"{game.game_id}:{unit}", game.title, label)
        for game in plugin.all_games().values()
        for unit, label in game.units.items()
    ]
