"""TV screens: browsers that follow a night by its TV link, which they keep in a cookie.

The cookie holds the link's own token. Nothing is stored on the server, and the cookie has the same right as the
link: after a new room code both are invalid.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TypeAlias

from django.utils.crypto import constant_time_compare

from games.models import Night

COOKIE = "tv"
MOST_NIGHTS = 5
_PAIR = re.compile(r"([a-z0-9]{1,16})\.([0-9a-f]{32})", re.ASCII)

Tokens: TypeAlias = Mapping[str, str]
"""Night (public id) → the token of its TV link."""


def read(cookie: str) -> dict[str, str]:
    """Return the tokens in a cookie, oldest first; invalid parts are left out."""
    found = (_PAIR.fullmatch(pair) for pair in cookie.split("|")[:MOST_NIGHTS])
    return {pair[1]: pair[2] for pair in found if pair is not None}


def write(tokens: Tokens, night: Night) -> str:
    """Return the cookie with the tokens and a night's token added, limited to the latest nights."""
    kept = [(public_id, token) for public_id, token in tokens.items() if public_id != night.public_id]
    pairs = [*kept, (night.public_id, night.token("tv"))][-MOST_NIGHTS:]
    return "|".join(f"{public_id}.{token}" for public_id, token in pairs)


def may_show(night: Night, tokens: Tokens) -> bool:
    """Tell whether a browser with these tokens may show a night."""
    return constant_time_compare(tokens.get(night.public_id, ""), night.token("tv"))


def visible_nights(all_tokens: Collection[Tokens]) -> list[list[str]]:
    """Return the nights (public ids) that each browser may show, in the order of `all_tokens`."""
    night_ids = {public_id for tokens in all_tokens for public_id in tokens}
    nights = list(Night.objects.filter(public_id__in=night_ids)) if night_ids else []
    return [[night.public_id for night in nights if may_show(night, tokens)] for tokens in all_tokens]
