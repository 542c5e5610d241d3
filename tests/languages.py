"""The languages of the house, for tests that read in each of them."""

from __future__ import annotations

from typing import Final

from games.settings import LANGUAGES

EVERY: Final = tuple(code for code, _name in LANGUAGES)
TRANSLATED: Final = tuple(code for code in EVERY if code != "en")
REGIONS: Final = "en-US,de-DE,nb-NO,fr-CH,it-CH"
"""A browser that accepts every language in one region: what is written by region then asks no house."""
