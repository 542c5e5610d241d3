"""The door with a room code: wrong codes are counted, for each address and for all together.

A code has 21^5, about four million, values, so that guessing has to be slow however many
guess. Only wrong codes count: a full pub behind one address comes in at once, and links and
QR codes open their night whatever guessers do.
"""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings

from games.kernel.contract import Illegal
from games.models import Night
from games.services import lobby, tries


def allowed(scope: str) -> int:
    """Return how many attempts a minute the settings grant ("10/min")."""
    rates: dict[str, str] = cast("Any", settings.REST_FRAMEWORK)["DEFAULT_THROTTLE_RATES"]
    return int(rates[scope].split("/", 1)[0])


def by_code(code: str, address: str) -> Night:
    """Return the night that a room code opens to an address.

    Raises Illegal `wrong_code`, and `too_many_tries` (with `seconds`).
    """
    counts = {
        f"tries:code:{address}": allowed("code"),
        "tries:code_house": allowed("code_house"),
    }
    for key, most in counts.items():
        tries.check(key, most)
    try:
        return lobby.find_by_code(code)
    except Illegal:
        for key in counts:
            tries.note(key)
        raise
