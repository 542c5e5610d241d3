"""Greetings: what may always be said at a table, in one tap, and is read in each reader's language.

A greeting is stored as its sender sent it; by its words it is known in every language.
"""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

_WORDS = {
    "well_played": gettext_noop("Well played!"),
    "ouch": gettext_noop("Ouch!"),
    "cheers": gettext_noop("Cheers!"),
    "good_luck": gettext_noop("Good luck!"),
    "thank_you": gettext_noop("Thank you!"),
    "hello": gettext_noop("Hello!"),
    "back_soon": gettext_noop("Back in a moment."),
}


def in_language(language: str) -> dict[str, str]:
    """Return the greetings in a language by their keys, those that fit most often first."""
    with translation.override(language):
        return {key: gettext(text) for key, text in _WORDS.items()}


def key_of(text: str) -> str:
    """Return the key of the greeting that a line is in some language, "" for any other line."""
    return _keys().get(text, "")


@cache
def _keys() -> dict[str, str]:
    return {text: key for code, _ in settings.LANGUAGES for key, text in in_language(code).items()}
