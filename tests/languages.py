"""The languages of the house, for tests that read in each of them."""

from __future__ import annotations

from typing import Final

from games.settings import LANGUAGES

EVERY: Final = tuple(code for code, _name in LANGUAGES)
TRANSLATED: Final = tuple(code for code in EVERY if code != "en")
