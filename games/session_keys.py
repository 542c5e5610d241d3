"""Keys of sessions are stored as digests only: a copy of the database opens nobody's browser.

The keys in cookies have 165 random bits, so that a plain SHA-256 tells nothing about them.
Django's table of sessions and allauth's list of devices both keep keys. `hide` makes a field
of theirs write and look up the digest of whatever key it is given; what is read from the
database is a `Stored`, which is used as it is. A cookie is never a `Stored`: a digest that
somebody got hold of and sends is digested once more, and opens nothing.
"""

from __future__ import annotations

import hashlib
from typing import Any

DIGITS = 40
"""160 bits of the digest, as many as the fields hold."""


class Stored(str):
    """A digest as the database has it; equal to the key that it was made of."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Compare digests; a plain text is a key."""
        return isinstance(other, str) and str.__eq__(self, stored(other))

    def __ne__(self, other: object) -> bool:
        """As `__eq__`; str has its own."""
        return not self == other

    __hash__ = str.__hash__


def stored(key: str) -> Stored:
    """Return what is stored of a key."""
    if isinstance(key, Stored):
        return key
    return Stored(hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS])


def hide(field: Any) -> None:
    """Make a model's field hold digests of the keys that it is given."""

    def get_prep_value(value: str | None) -> str | None:
        return None if value is None else str.__str__(stored(value))

    def from_db_value(value: str | None, expression: Any, connection: Any) -> Stored | None:
        return None if value is None else Stored(value)

    field.get_prep_value, field.from_db_value = get_prep_value, from_db_value
