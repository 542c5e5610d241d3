"""The session store (SESSION_ENGINE): a copy of the database gives access to no browser's session.

Sessions are stored under digests of their keys. The keys in cookies have 165 random bits, so a plain SHA-256 reveals
nothing about them. allauth's list of devices also stores keys and has no setting for it: `hide` makes its field hold
the same digests. A value read from there is a `Stored`, which is used as it is; a value from a cookie never is, so a
digest sent as a cookie is digested again and gives no access.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.sessions.backends import db
from django.utils import timezone

DIGITS = 40
"""160 bits of the digest, as many as the fields hold."""


class Stored(str):
    """A digest from the database; equal to the key that it was made of."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Compare digests; a plain text is a key and digested first."""
        return isinstance(other, str) and str.__eq__(self, stored(other))

    def __ne__(self, other: object) -> bool:
        """The negation of `__eq__`; str has its own."""
        return not self == other

    __hash__ = str.__hash__


def stored(key: str) -> Stored:
    """Return the stored digest of a key; a `Stored` unchanged."""
    if isinstance(key, Stored):
        return key
    return Stored(hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS])


def _digest(key: str) -> str:
    return str.__str__(stored(key))


class SessionStore(db.SessionStore):
    """Django's store of sessions in the database, queried only by digests."""

    @classmethod
    def read(cls, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Return the data of these keys' sessions, in one query, without expired ones."""
        key_of = {_digest(key): key for key in keys}
        rows = cls.get_model_class().objects.filter(session_key__in=key_of, expire_date__gt=timezone.now())
        return {key_of[row.session_key]: cls().decode(row.session_data) for row in rows}

    def load(self) -> dict[str, Any]:
        """Return the session's data; without a session the key is dropped."""
        found = self.read([self.session_key or ""])
        if not found:
            self._session_key = None
        return next(iter(found.values()), {})

    def exists(self, session_key: str) -> bool:
        """Tell whether a session with this key exists."""
        return super().exists(_digest(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """Return the row to write."""
        row = super().create_model_instance(data)
        row.session_key = _digest(row.session_key)
        return row

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session of a key, or this one."""
        if (key := session_key or self.session_key) is not None:
            super().delete(_digest(key))

    async def aload(self) -> dict[str, Any]:
        """As `load`."""
        return await sync_to_async(self.load)()

    async def aexists(self, session_key: str) -> bool:
        """As `exists`."""
        return await sync_to_async(self.exists)(session_key)

    async def acreate_model_instance(self, data: dict[str, Any]) -> Any:
        """As `create_model_instance`."""
        return await sync_to_async(self.create_model_instance)(data)

    async def adelete(self, session_key: str | None = None) -> None:
        """As `delete`."""
        await sync_to_async(self.delete)(session_key)


def hide(field: Any) -> None:
    """Make a model's field store digests of the keys that it is given."""

    def get_prep_value(value: str | None) -> str | None:
        return None if value is None else _digest(value)

    def from_db_value(value: str | None, expression: Any, connection: Any) -> Stored | None:
        return None if value is None else Stored(value)

    field.get_prep_value, field.from_db_value = get_prep_value, from_db_value
