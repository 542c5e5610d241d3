"""The address that takes a match file of a megabyte: signed for an hour, for a player."""

from __future__ import annotations

import re

from django.conf import settings

from games import addresses

MOST = 1 << 20
"""The most bytes of a body there: a file of a million, and the form around it."""
_PURPOSE = "brought_matches"
_PATH = re.compile(r"me/matches/bring/(?P<token>[-\w:.]+)/", re.ASCII)


def token(player_id: int) -> str:
    """Return the part of the address that is signed for a player."""
    return addresses.signed_token(_PURPOSE, player_id)


def player_of(signed: str) -> int | None:
    """Return the id of the player in the signed part of an address; None unless it was signed within the hour."""
    return addresses.account_of_token(_PURPOSE, signed)


def is_open(path: str) -> bool:
    """Tell whether a path is such an address."""
    if not path.startswith(settings.BASE_PATH):
        return False
    found = _PATH.fullmatch(path.removeprefix(settings.BASE_PATH))
    return found is not None and player_of(found["token"]) is not None
