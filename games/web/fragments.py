"""Parts of a page that are drawn anew while it is shown.

A page asks for its parts when something changed. The answer holds all of them as htmx's
out-of-band swaps, or nothing (204) when the browser shows just that already, so that a
reader's place, focus and screen reader are left in peace.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

# A fresh mask is put on the CSRF token for each page: it changes nothing that is shown.
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"')


def is_htmx(request: HttpRequest) -> bool:
    """Tell whether htmx asks for parts of a page."""
    return request.headers.get("HX-Request") == "true"


def parts(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    always: bool = False,
    done: bool = False,
) -> HttpResponse:
    """Return the parts as out-of-band swaps, or 204 when `?have=` says they are shown.

    `always`: after an act, with what there is to say about it. `done` tells the form that
    it may empty itself.
    """
    html = _render(request, template, context)
    mark = fingerprint(html)
    if not always and request.GET.get("have") == mark:
        return HttpResponse(status=204)
    messages = render_to_string("parts/messages.html", {"oob": True}, request) if always else ""
    seal = f'<span id="live-mark" data-mark="{mark}" hidden hx-swap-oob="true"></span>'
    return HttpResponse(html + messages + seal, headers={"HX-Trigger": "done"} if done else {})


def mark_of(request: HttpRequest, template: str, context: Mapping[str, Any]) -> str:
    """Return the mark of the parts as a page shows them from the start."""
    return fingerprint(_render(request, template, context))


def _render(request: HttpRequest, template: str, context: Mapping[str, Any]) -> str:
    """Render the parts as out-of-band swaps."""
    return render_to_string(template, {**context, "oob": True}, request)


def fingerprint(html: str) -> str:
    """Return a short mark of what a piece of HTML shows."""
    return hashlib.sha256(_TOKEN.sub("", html).encode()).hexdigest()[:16]
