"""The languages that a page offers: what the browser asks for, three at the door, and which no native has read."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import get_language_info
from django.utils.translation.trans_real import parse_accept_lang_header

from games.models.house import facts

MOST_AT_DOOR = 3

Named = list[tuple[str, str]]
"""Languages by code and own name."""


def own_name(code: str) -> str:
    """Return a language's own name: "Deutsch"."""
    name: str = get_language_info(code)["name_local"]
    return name.split(" (", 1)[0].capitalize()


def named() -> Named:
    """Return all languages, in the order of the settings."""
    return [(code, own_name(code)) for code, _ in settings.LANGUAGES]


def chosen(request: HttpRequest) -> str:
    """Return the language of ours that was chosen by hand in this browser, "" for none."""
    return _spoken(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))


def of_browser(request: HttpRequest) -> str:
    """Return the language of ours that the browser itself asks for before others, "" for none."""
    accepted = parse_accept_lang_header(request.headers.get("accept-language", ""))
    return next((spoken for code, _weight in accepted if (spoken := _spoken(code))), "")


def _spoken(code: str) -> str:
    """Return the language of ours that a code of a browser's means, "" for none."""
    try:
        return translation.get_supported_language_variant(code) if code else ""
    except LookupError:
        return ""


def at_door(request: HttpRequest) -> tuple[Named, Named]:
    """Return the languages at the door, three at most, and the others, which stand under *More*.

    They are the browser's, English and the house's, before these the one that was chosen by hand; where there are no
    more than three in all, they are all of them.
    """
    offered = named()
    if len(offered) <= MOST_AT_DOOR:
        return offered, []
    wanted = [translation.get_language(), of_browser(request), settings.LANGUAGE_CODE, facts().language]
    first = [code for code in dict.fromkeys(wanted) if code in dict(offered)][:MOST_AT_DOOR]
    return [one for one in offered if one[0] in first], [one for one in offered if one[0] not in first]


def is_unread() -> bool:
    """Tell whether the page's language is one of ours that no native has read."""
    code = translation.get_language()
    return code in dict(settings.LANGUAGES) and code not in settings.READ_BY_NATIVES
