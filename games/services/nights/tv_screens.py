"""TV screens: browsers that follow a night by its TV link, which they keep in a cookie.

The cookie holds the link's own token. Nothing is stored on the server, and the cookie has the same right as the
link: after a new room code both are invalid. A screen reads the table that it shows and no log; after the end of the
night it shows the night's results for RESULTS_STAND, and no table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import TypeAlias

from django.utils.crypto import constant_time_compare

from games import plugin
from games.models import Night, Table
from games.services import server_time

COOKIE = "tv"
MOST_NIGHTS = 5
RESULT_STANDS = timedelta(minutes=3)
"""The time that a table's result stays on the screen."""
RESULTS_STAND = timedelta(hours=12)
"""The time that the night's results stay on the screen after its end."""
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
    return is_on(night) and constant_time_compare(tokens.get(night.public_id, ""), night.token("tv"))


def visible_nights(all_tokens: Collection[Tokens]) -> list[list[str]]:
    """Return the nights (public ids) that each browser may show, in the order of `all_tokens`."""
    night_ids = {public_id for tokens in all_tokens for public_id in tokens}
    nights = list(Night.objects.filter(public_id__in=night_ids)) if night_ids else []
    return [[night.public_id for night in nights if may_show(night, tokens)] for tokens in all_tokens]


def is_on(night: Night) -> bool:
    """Tell whether screens show a night at all: while it is not closed, and its results for a while."""
    return night.closed_at is None or server_time.now() - night.closed_at < RESULTS_STAND


def current_table(night: Night) -> Table | None:
    """Return the table of the screen: the latest running one, else the newest; None if that ended long ago."""
    if night.status == Night.Status.CLOSED:
        return None
    tables = night.tables.filter(game_id__in=plugin.all_games())
    running = tables.filter(status__in=[Table.Status.PLAYING, Table.Status.PAUSED])
    latest = running.order_by("-started_at").first()
    latest = latest or tables.filter(archived_at=None).order_by("-number").first()
    if latest is None or latest.finished_at is None or server_time.now() - latest.finished_at < RESULT_STANDS:
        return latest
    return None


def shown_tables(public_ids: Collection[str]) -> set[int]:
    """Return the ids of the tables that the screens of some nights (public ids) show now."""
    nights = Night.objects.filter(public_id__in=public_ids) if public_ids else ()
    return {table.pk for night in nights if (table := current_table(night)) is not None}
