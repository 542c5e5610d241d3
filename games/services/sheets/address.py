"""The address that takes a spreadsheet of 1 MiB: signed for an hour, for an account and a season."""

from __future__ import annotations

import re

from django.conf import settings

from games import signed_address

MOST = 1 << 20
"""The most bytes of a body there."""
_PURPOSE = "sheets"
_PATH = re.compile(r"season/(?P<season>[-\w]+)/sheet/read/(?P<token>[-\w:.]+)/", re.ASCII)


def token(user_id: int, season: str) -> str:
    """Return the part of the address that is signed for an account and a season's public id."""
    return signed_address.token(_PURPOSE, user_id, season)


def account_of(signed: str, season: str) -> int | None:
    """Return the account for which a part of an address was signed within the hour for a season, else None."""
    return signed_address.account_of(_PURPOSE, signed, season)


def is_open(path: str) -> bool:
    """Tell whether a path is such an address."""
    if not path.startswith(settings.BASE_PATH):
        return False
    found = _PATH.fullmatch(path.removeprefix(settings.BASE_PATH))
    return found is not None and account_of(found["token"], found["season"]) is not None
