"""The languages of the house, for tests that read in each of them."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import Final

import polib

from games.management.translations import catalogs
from games.settings import LANGUAGES

EVERY: Final = tuple(code for code, _name in LANGUAGES)
TRANSLATED: Final = tuple(code for code in EVERY if code != "en")
REGIONS: Final = "en-US,de-DE,nb-NO,fr-CH,it-CH"
"""A browser that accepts every language in one region: what is written by region then asks no house."""
_GAP: Final = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


@cache
def _said(language: str) -> dict[str, frozenset[str]]:
    """Return what a language says for each text, in the house's catalogues and the games'."""
    found: dict[str, set[str]] = defaultdict(set)
    for _catalogue, path in catalogs.of_language(language):
        for entry in polib.pofile(str(path)).translated_entries():
            found[entry.msgid].add(entry.msgstr or entry.msgstr_plural[0])
    return {text: frozenset(said) for text, said in found.items()}


def said(language: str, text: str) -> re.Pattern[str]:
    """Return the pattern of how a page begins to say a text of the catalogues, with anything in its places."""
    forms = {text} if language == "en" else _said(language)[text]
    return re.compile(f"^(?:{'|'.join('.+'.join(map(re.escape, _GAP.split(form))) for form in sorted(forms))})")
