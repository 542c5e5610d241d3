"""The order of names in the reader's language: Ä beside A in German, Å behind Z in Norwegian; capitals do not count.

PostgreSQL has the rules of each language by itself (ICU). SQLite gets them as collations of the same names, by `key`,
with which Python sorts, too: a few letters stand elsewhere than their shape says, and no library that is kept up has
only these (docs/decisions/libraries.md).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.db.models.expressions import Combinable
from django.db.models.functions import Collate
from django.utils.translation import get_language

Row = TypeVar("Row")
_SHAPES = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"})
"""Letters that stand beside others without being these with a mark."""
_BEHIND_Z = {"nb": str.maketrans({"æ": "{", "ä": "{", "ø": "|", "ö": "|", "å": "}"})}
"""Letters behind Z, by language; the signs stand behind z in ASCII."""


def key(text: str, language: str = "") -> tuple[str, str]:
    """Return what a text is sorted by in a language, that of the reader for ""."""
    language = language or _language()
    folded = unicodedata.normalize("NFC", text).casefold()
    if language in _BEHIND_Z:
        folded = folded.replace("aa", "å").translate(_BEHIND_Z[language])
    parts = unicodedata.normalize("NFKD", folded.translate(_SHAPES))
    return "".join(sign for sign in parts if not unicodedata.combining(sign)), text


def by_name(rows: Iterable[Row], name: Callable[[Row], str]) -> list[Row]:
    """Return rows sorted by a name in the reader's language."""
    return sorted(rows, key=lambda row: key(name(row)))


def order(column: str) -> Combinable:
    """Return what a query is ordered by to have a column's names in the reader's language."""
    return Collate(F(column), _collation(_language())) if _has_collations() else F(column)


def _language() -> str:
    return (get_language() or settings.LANGUAGE_CODE).split("-")[0]


def _collation(language: str) -> str:
    return f"{language}-x-icu"


@cache
def _has_collations() -> bool:
    """Tell whether the database knows the collations: a PostgreSQL that was built without ICU sorts as it is set."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_collation WHERE collname = %s", [_collation("nb")])
        return bool(cursor.fetchone()[0])


def add_collations(connection: Any, **_kwargs: Any) -> None:
    """Let a new connection to SQLite know the collations, by the languages of the house."""
    if connection.vendor == "sqlite":
        for language in {code.split("-")[0] for code, _name in settings.LANGUAGES}:
            connection.connection.create_collation(_collation(language), _comparison(language))


def _comparison(language: str) -> Callable[[str, str], int]:
    def compare(one: str, other: str) -> int:
        first, second = key(one, language), key(other, language)
        return (first > second) - (first < second)

    return compare
