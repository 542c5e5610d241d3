"""The region by which numbers, lists and dates are written: the reader's, else the house's.

The reader's is that of the first language of their browser that is the one shown: somebody with de-CH reads a German
page as Swiss people write, and an English one as the house's country does. Mails, prints and feeds have no browser and
go by the house.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation.trans_real import parse_accept_lang_header

from games.models.house import facts
from games.services.regions.countries import zones

UNSAID = "150"
"""Europe, by the code of the United Nations: the region of a house that has said neither country nor time zone."""
_LANGUAGE_OF_REGION = re.compile(r"([a-z]{2,3})(?:-[a-z]{4})?-([a-z]{2}|[0-9]{3})")
_accepted: ContextVar[str] = ContextVar("accepted", default="")


def locale() -> Locale:
    """Return the language that is shown, as it is written in the region."""
    language = (get_language() or settings.LANGUAGE_CODE).split("-")[0]
    return _known(language, _of_browser(_accepted.get(), language) or of_house())


def tag() -> str:
    """Return the same for a browser's `Intl`, and as a part of keys of what is kept: "de-CH"."""
    return str(locale()).replace("_", "-")


def of_house() -> str:
    """Return the code of the house's country: as its staff say, else that of the time zone that they have said."""
    known = facts()
    return known.country or next(iter(zones().get(known.time_zone, ())), UNSAID)


@contextmanager
def of_reader(accepted: str) -> Iterator[None]:
    """Write for a browser with this header Accept-Language; "" is without one."""
    before = _accepted.set(accepted)
    try:
        yield
    finally:
        _accepted.reset(before)


@contextmanager
def by_house() -> Iterator[None]:
    """Write as the house's country does, whoever asks; also a decorator of a view."""
    with of_reader(""):
        yield


@lru_cache(maxsize=256)
def _of_browser(accepted: str, language: str) -> str:
    """Return the region of the first accepted language that is this one and has a region; "" without one."""
    for code, _weight in parse_accept_lang_header(accepted):
        found = _LANGUAGE_OF_REGION.fullmatch(code.lower())
        if found and found[1] == language:
            return found[2].upper()
    return ""


@lru_cache(maxsize=256)
def _known(language: str, country: str) -> Locale:
    """Return a language in a country; as it is usually written where nothing is known of it there."""
    try:
        return Locale(language, country)
    except UnknownLocaleError:
        return Locale(language)
