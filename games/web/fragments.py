"""Parts of a page that are rendered again while it is shown.

A page loads its parts when something changed. The answer holds all of them as htmx's out-of-band swaps, or nothing
(204) if the browser already shows exactly these, so that scroll position, focus and screen reader are not disturbed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

# The CSRF token gets a fresh mask and a form a fresh id for each page, and a swap is marked as one: nothing visible.
_TOKEN = re.compile(r'name="(?:csrfmiddlewaretoken|form_id)" value="[^"]+"|\s+hx-swap-oob="true"')


class CommonContext:
    """A context that many readers share in one language of a region, with the parts of pages made of it alone."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self._lock = Lock()
        self._made: dict[tuple[str, bool], SafeString] = {}

    def part(self, template: str, *, oob: bool) -> SafeString:
        """Return a part as it was made for the first reader; its template sees no request, and nothing of a reader."""
        with self._lock:
            if (template, oob) not in self._made:
                self._made[template, oob] = render_to_string(template, {**self.values, "oob": oob})
            return self._made[template, oob]


def is_htmx(request: HttpRequest) -> bool:
    """Tell whether the request comes from htmx."""
    return request.headers.get("HX-Request") == "true"


def parts(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    always: bool = False,
    done: bool = False,
) -> HttpResponse:
    """Return the parts as out-of-band swaps, or 204 if `?have=` has their mark.

    `always`: after an act, with the messages about it. `done` tells the form that it may clear itself.
    """
    html = _render(request, template, context)
    mark = fingerprint(html)
    if not always and request.GET.get("have") == mark:
        return HttpResponse(status=204)
    messages = render_to_string("parts/messages.html", {"oob": True}, request) if always else ""
    seal = f'<span id="live-mark" data-mark="{mark}" hidden hx-swap-oob="true"></span>'
    return HttpResponse(html + messages + seal, headers={"HX-Trigger": "done"} if done else {})


def mark_of(request: HttpRequest, template: str, context: Mapping[str, Any]) -> str:
    """Return the mark of the parts as they are on a page's first load."""
    return fingerprint(_render(request, template, context))


def on_page(request: HttpRequest, template: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts as a page's `live_parts`, rendered once, with their `live_mark`.

    For parts that take long to render, and that differ from a swap's in the mark of the swap alone.
    """
    html = render_to_string(template, dict(context), request)
    return {"live_parts": html, "live_mark": fingerprint(html)}


def _render(request: HttpRequest, template: str, context: Mapping[str, Any]) -> str:
    return render_to_string(template, {**context, "oob": True}, request)


def fingerprint(html: str) -> str:
    """Return a short digest of the visible content of HTML."""
    return hashlib.sha256(_TOKEN.sub("", html).encode()).hexdigest()[:16]
