"""The context of every template."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static

from games.models.house import facts
from games.ops.at_start import files
from games.services.regions import region
from games.version import version
from games.web import languages
from games.web.identity import account_of, is_banned, player_of

THEMES = ("light", "dark")
FIRST_TYPEFACE = "games/fonts/sans.woff2"


def page(request: HttpRequest) -> dict[str, Any]:
    """Return the theme ("" = the system's), languages and locale, the player, base path, the house and its version.

    `is_unread` tells that no native has read the page's language, `must_restart` tells the staff that a new version
    waits for a new start. Of the typefaces: their version, and whether the device has told by a cookie that it has them
    in this one (static/games/pages/base.js).
    """
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in THEMES else "",
        "typefaces": typefaces(),
        "has_typefaces": request.COOKIES.get("typefaces") == typefaces(),
        "languages": languages.named(),
        "is_unread": languages.is_unread(),
        "player": player_of(request),
        "has_account": account_of(request) is not None and not is_banned(request),
        "locale": region.tag(),
        "base_path": settings.BASE_PATH,
        "public_url": settings.PUBLIC_URL,
        "house": facts(),
        "house_version": version(),
        "must_restart": f"{files.CHANGED} {files.REMEDY}" if files.has_changed() and _is_staff(request) else "",
    }


def _is_staff(request: HttpRequest) -> bool:
    return bool(getattr(getattr(request, "user", None), "is_staff", False))


def typefaces() -> str:
    """Return the version of the typefaces: the name under which the first of them is served."""
    return static(FIRST_TYPEFACE).rsplit("/", 1)[-1]
