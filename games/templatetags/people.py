"""Template tags about people: a short name of a device."""

from __future__ import annotations

import re

from django import template

register = template.Library()

# The first match counts: most browsers name others, too.
_BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Mac OS", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


@register.filter
def device(user_agent: str) -> str:
    """Return "Firefox · Android" for a browser's user agent; else the user agent's first word."""
    found = [next((name for sign, name in names if sign in user_agent), "") for names in (_BROWSERS, _SYSTEMS)]
    first = re.match(r"[^\s/]+", user_agent)
    return " · ".join(filter(None, found)) or (first.group() if first else "?")
