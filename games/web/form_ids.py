"""Form ids on pages: each form that writes a row has one, as a hidden field (templates/parts/form_id.html)."""

from __future__ import annotations

from django.http import HttpRequest

from games.services import form_ids


def sent(request: HttpRequest) -> str | None:
    """Return the id of the form that was sent; None for a POST without the field."""
    return request.POST.get("form_id")


def new() -> str:
    """Return an id for a form that has not been sent."""
    return form_ids.new()


def shown(request: HttpRequest, refusal: str = "") -> str:
    """Return the id for the form on a page: after a `refusal` the sent one, as nothing was written; else a new one."""
    is_usable = refusal not in ("", "bad_form_id", "form_changed")
    return (sent(request) if is_usable else None) or new()
