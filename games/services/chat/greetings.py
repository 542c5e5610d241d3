"""Greetings: lines that may always be sent at a table, with one tap, and are read in each reader's language.

A greeting is stored in its sender's words; it is recognised by its words in every language.
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
    """Return the greetings in a language by their keys, most common first."""
    with translation.override(language):
        return {key: gettext(text) for key, text in _WORDS.items()}


def key_of(text: str) -> str:
    """Return the key of a greeting in any language, "" for any other line."""
    return _keys().get(text, "")


@cache
def _keys() -> dict[str, str]:
    return {text: key for code, _ in settings.LANGUAGES for key, text in in_language(code).items()}
