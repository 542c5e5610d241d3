"""The one address that takes a large body: pieces of a backup, from the first admin of a new house.

The admin's page gives it, signed for an hour: the servers know it by its signature, before any of a body is kept. The
view (games/admin/backups/restore.py) asks for session, rights and an empty house all the same.
"""

from __future__ import annotations

from django.conf import settings

from games import addresses

PIECE = 1 << 20
"""The most bytes of a body there: a piece of a backup."""
MOST = 1 << 30
"""The most bytes of a whole backup."""
_PURPOSE = "restore"
_FOLDER = "restore/piece/"


def token(user_id: int) -> str:
    """Return the part of the address that is signed for an account."""
    return addresses.signed_token(_PURPOSE, user_id)


def account_of(signed: str) -> int | None:
    """Return the account for which a part of the address was signed within the hour; None for another one."""
    return addresses.account_of_token(_PURPOSE, signed)


def is_open(path: str) -> bool:
    """Tell whether a path is such an address."""
    below = f"{settings.ADMIN_PATH}{_FOLDER}"
    return path.startswith(below) and account_of(path.removeprefix(below).partition("/")[0]) is not None
