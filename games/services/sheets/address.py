"""The address that takes a spreadsheet of 1 MiB: signed for an hour, for an account and a season.

The servers know it by its signature before any of a body is kept (games/ops/requests/body_limit.py); the view
(games/web/seasons/sheets.py) asks for the account and its rights all the same.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.core import signing

MOST = 1 << 20
"""The most bytes of a body there."""
_SECONDS = 3600
_PATH = re.compile(r"season/(?P<season>[-\w]+)/sheet/read/(?P<token>[-\w:.]+)/", re.ASCII)


def token(user_id: int, season: str) -> str:
    """Return the part of the address that is signed for an account and a season's public id."""
    return _signer().sign(f"{user_id}.{season}")


def _signer() -> signing.TimestampSigner:
    return signing.TimestampSigner(salt="games.sheets")


def account_of(signed: str, season: str) -> int | None:
    """Return the account for which a part of an address was signed within the hour for a season, else None."""
    try:
        account, _dot, of = _signer().unsign(signed, max_age=_SECONDS).partition(".")
        return int(account) if of == season else None
    except (signing.BadSignature, ValueError):
        return None


def is_open(path: str) -> bool:
    """Tell whether a path is such an address."""
    if not path.startswith(settings.BASE_PATH):
        return False
    found = _PATH.fullmatch(path.removeprefix(settings.BASE_PATH))
    return found is not None and account_of(found["token"], found["season"]) is not None
