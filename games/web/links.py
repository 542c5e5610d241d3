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
    """Return the address that others reach this server by, without the last slash."""
    return settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/")


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
