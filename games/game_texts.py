"""The texts of a game: a catalogue of its own, so that two games may translate a word differently.

Django merges the catalogues of all installed apps into one. A game's texts are compiled as `<game_id>.mo` and so stay
out of it. A text that the game's catalogue lacks is looked up in the house's; a text that neither has is shown in
English.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from django.apps import AppConfig
from django.conf import settings
from django.utils.functional import Promise, lazy
from django.utils.translation import get_language, gettext, pgettext, trans_real


@contextmanager
def texts_of(game: AppConfig | None) -> Iterator[None]:
    """Make gettext, lazy texts and templates search a game's texts first, in the active language."""
    if game is None:
        yield
        return
    active = trans_real._active  # type: ignore[attr-defined]
    before = getattr(active, "value", None)
    active.value = _catalogue(game.label, game.path, get_language() or settings.LANGUAGE_CODE)
    try:
        yield
    finally:
        if before is None:
            del active.value
        else:
            active.value = before


@cache
def _catalogue(game_id: str, folder: str, language: str) -> trans_real.DjangoTranslation:
    """Return the game's catalogue of a language, with the house's as its fallback."""
    found = trans_real.DjangoTranslation(language, domain=game_id, localedirs=[str(Path(folder) / "locale")])
    found.add_fallback(trans_real.translation(language))
    return found


def load_all(games: Collection[AppConfig]) -> None:
    """Load the catalogues of all languages, of the house and of each game."""
    for language, _name in settings.LANGUAGES:
        trans_real.translation(language)
        for game in games:
            _catalogue(game.label, game.path, language)


def gettext_of(game: AppConfig | None, text: str | tuple[str, str]) -> str:
    """Return a text of a game's declaration, or context and text, in the active language; "" stays empty."""
    with texts_of(game):
        if isinstance(text, tuple):
            return pgettext(*text)
        return gettext(text) if text else ""


def _translated(game: AppConfig, text: Promise) -> str:
    with texts_of(game):
        return str(text)


own_text = lazy(_translated, str)
