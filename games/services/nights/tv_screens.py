"""TV screens: browsers that follow a night by its TV link, or the house as one of its screens (`services.screens`).

A link's cookie holds the link's own token. Nothing is stored on the server, and the cookie has the same right as the
link: after a new room code both are invalid. A screen of the house has a secret in its cookie, whose digest is stored;
its right ends with its row, or with what it was let show. Each reads the table that it shows and no log; after the end
of the night it shows the night's results for RESULTS_STAND, and no table.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from django.db.models import F, Q
from django.utils.crypto import constant_time_compare

from games import plugin
from games.models import Night, Player, Screen, ScreenShow, Table
from games.services import server_time

COOKIE = "tv"
SCREEN_COOKIE = "screen"
MOST_NIGHTS = 5
RESULT_STANDS = timedelta(minutes=3)
"""The time that a table's result stays on the screen."""
RESULTS_STAND = timedelta(hours=12)
"""The time that the night's results stay on the screen after its end."""
TURN_SECONDS = 60
"""The time for which a screen that shows all tables by turns shows each."""
_SECRET = re.compile(r"[A-Za-z0-9_-]{32}", re.ASCII)
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


def running_tables(night: Night) -> list[Table]:
    """Return the tables of a night at which is played, in order."""
    tables = night.tables.filter(game_id__in=plugin.all_games()).order_by("number")
    return list(tables.filter(status__in=[Table.Status.PLAYING, Table.Status.PAUSED]))


def shown_tables(public_ids: Collection[str]) -> set[int]:
    """Return the ids of the tables that the screens of some nights (public ids) show now."""
    nights = Night.objects.filter(public_id__in=public_ids) if public_ids else ()
    return {table.pk for night in nights if (table := current_table(night)) is not None}


# Screens of the house


@dataclass(frozen=True, slots=True)
class Showing:
    """A screen of the house with the night that it shows now, and whom it obeys in that; None for somebody deleted."""

    screen: Screen
    night: Night
    by: Player | None
    since: datetime


def digest_of(secret: str) -> str:
    """Return the stored form of a screen's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def digest_in(cookies: Mapping[str, str]) -> str:
    """Return the digest of the secret in a browser's cookies; "" without one."""
    secret = _SECRET.fullmatch(cookies.get(SCREEN_COOKIE, ""))
    return "" if secret is None else digest_of(secret[0])


def showing(digests: Collection[str]) -> dict[str, Showing]:
    """Return what screens show now, by their digests; those that show no night are left out.

    That is the open night that they were let show last, else the one that was closed last and is still on.
    """
    wanted = {digest for digest in digests if digest}
    if not wanted:
        return {}
    rows = ScreenShow.objects.filter(screen__secret_hash__in=wanted, screen__taken_at__isnull=False)
    is_on_now = Q(night__closed_at=None) | Q(night__closed_at__gt=server_time.now() - RESULTS_STAND)
    shows = list(rows.filter(is_on_now).select_related("screen", "night", "series", "by"))
    found: dict[str, list[Showing]] = defaultdict(list)
    for each in _candidates(shows):
        found[each.screen.secret_hash].append(each)
    return {digest: max(each, key=_precedence) for digest, each in found.items()}


def candidates(screen: Screen) -> list[Showing]:
    """Return the nights that a screen may show now."""
    return list(_candidates(screen.shows.select_related("screen", "night", "series", "by")))


def _candidates(shows: Iterable[ScreenShow]) -> Iterator[Showing]:
    """Yield each night that a screen may show now, by itself or by its series."""
    rows = list(shows)
    of_series = _nights_of_series({each.series_id for each in rows if each.series_id is not None})
    own = {(each.screen_id, each.night_id) for each in rows if each.night_id is not None}
    for each in rows:
        if each.night is not None and not each.is_off:
            yield Showing(each.screen, each.night, each.by, each.at)
        for night in of_series.get(each.series_id or 0, ()):
            if (each.screen_id, night.pk) not in own:
                yield Showing(each.screen, night, each.by, max(each.at, night.created_at))


def _nights_of_series(series_ids: Collection[int]) -> dict[int, list[Night]]:
    """Return the nights of series that go on, by series: the open ones, and those whose results are still on."""
    if not series_ids:
        return {}
    is_on_now = Q(closed_at=None) | Q(closed_at__gt=server_time.now() - RESULTS_STAND)
    of_series = {"series_date__series__in": series_ids, "series_date__series__ended_at": None}
    nights = Night.objects.filter(is_on_now, **of_series).annotate(of_series=F("series_date__series"))
    found: dict[int, list[Night]] = defaultdict(list)
    for night in nights:
        found[night.of_series].append(night)
    return found


def _precedence(each: Showing) -> tuple[bool, datetime]:
    return each.night.closed_at is None, each.night.closed_at or each.since


def table_on(screen: Screen, night: Night) -> Table | None:
    """Return the table of a night that a screen shows now."""
    if night.status == Night.Status.CLOSED:
        return None
    running = running_tables(night)
    if screen.tables == Screen.Tables.TURNS and len(running) > 1:
        return running[int(server_time.now().timestamp() // TURN_SECONDS) % len(running)]
    chosen = [each for each in running if each.pk == screen.table_id]
    return chosen[0] if screen.tables == Screen.Tables.ONE and chosen else current_table(night)


def readable(digests: Collection[str]) -> dict[str, set[int]]:
    """Return the ids of the tables that each screen of the house may read now: those among which it changes."""
    return {digest: _readable(each) for digest, each in showing(digests).items()}


def _readable(each: Showing) -> set[int]:
    table = table_on(each.screen, each.night)
    found = set() if table is None else {table.pk}
    if each.screen.tables == Screen.Tables.TURNS and each.night.status != Night.Status.CLOSED:
        found |= {running.pk for running in running_tables(each.night)}
    return found
