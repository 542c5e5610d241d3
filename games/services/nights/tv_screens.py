"""Screens: browsers that follow a night by its TV link, which they keep in a cookie.

What a screen keeps is the link's own token, in a cookie. Nothing of it is stored, and it opens
what the link opens: with a new room code neither does any more.
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
    """Return the tokens that a cookie holds, the oldest first; nothing for what is no cookie of ours."""
    found = (_PAIR.fullmatch(pair) for pair in cookie.split("|")[:MOST_NIGHTS])
    return {pair[1]: pair[2] for pair in found if pair is not None}


def write(tokens: Tokens, night: Night) -> str:
    """Return the cookie that holds some tokens and a night's, the latest nights only."""
    kept = [(public_id, token) for public_id, token in tokens.items() if public_id != night.public_id]
    pairs = [*kept, (night.public_id, night.token("tv"))][-MOST_NIGHTS:]
    return "|".join(f"{public_id}.{token}" for public_id, token in pairs)


def is_shown(night: Night, tokens: Tokens) -> bool:
    """Tell whether a browser with these tokens may show a night."""
    return constant_time_compare(tokens.get(night.public_id, ""), night.token("tv"))


def nights_shown(all_tokens: Collection[Tokens]) -> list[list[str]]:
    """Return the nights (public ids) that each of some browsers may show."""
    wanted = {public_id for tokens in all_tokens for public_id in tokens}
    nights = list(Night.objects.filter(public_id__in=wanted)) if wanted else []
    return [[night.public_id for night in nights if is_shown(night, tokens)] for tokens in all_tokens]
