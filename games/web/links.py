"""Links that are shown, copied, scanned: full addresses of the night's doors."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from games.models import Night

_ONLY_HERE = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}  # noqa: S104 (compared, not bound)


def base_url(request: HttpRequest) -> str:
    """Return the address that others reach this server by, without the last slash.

    It is PUBLIC_URL (`manage.py serve` sets it to the address it found), else where the
    connection arrived; never the Host header, which whoever asks can make up.
    """
    return settings.PUBLIC_URL or _arrived_at(request)


def _arrived_at(request: HttpRequest) -> str:
    """Return the origin of this end of a connection, as the server knows it."""
    name, port = request.META.get("SERVER_NAME", ""), request.META.get("SERVER_PORT", "")
    if not port.isdecimal() or port == "0":
        # A Unix socket, or a server that does not say: only this computer is certain.
        name, port = "localhost", ""
    name = f"[{name}]" if ":" in name else name
    is_usual = port in {"", {"http": "80", "https": "443"}.get(request.scheme or "", "")}
    return f"{request.scheme}://{name}" + ("" if is_usual else f":{port}")


def is_only_here(request: HttpRequest) -> bool:
    """Tell whether links would lead nowhere on another device."""
    return urlsplit(base_url(request)).hostname in _ONLY_HERE


def join_url(request: HttpRequest, night: Night) -> str:
    """Return the full join link of a night."""
    return base_url(request) + reverse("join_link", args=[night.public_id, night.token("join")])


def tv_url(request: HttpRequest, night: Night) -> str:
    """Return the full TV link of a night."""
    return base_url(request) + reverse("tv", args=[night.public_id, night.token("tv")])


@lru_cache(maxsize=64)
def qr_svg(url: str) -> SafeString:
    """Return a QR code as inline SVG that fills its box; dark on light in every theme."""
    code = segno.make(url, error="m", micro=False)
    svg = code.svg_inline(border=2, dark="#1c1510", light="#ffffff", omitsize=True, svgclass="qr")
    return mark_safe(svg)  # noqa: S308 (made by segno; the link is drawn, not written)
