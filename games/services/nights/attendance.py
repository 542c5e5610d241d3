"""Rights and hosts of nights, read for live connections."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.kernel.contract import Illegal
from games.models import Membership, Night, Table
from games.ops.session_keys import SessionStore
from games.services import server_time
from games.services.nights import tv_screens
from games.services.people import players as people_players


@dataclass(frozen=True, slots=True)
class NightAccess:
    """The right to follow a night; `player_id` is None for a TV screen, `person_id` is the browser's player."""

    night_id: int
    player_id: int | None
    person_id: int | None


@dataclass(frozen=True, slots=True)
class HostNote:
    """The host of a night, since when the host is noted as away, and when some process last had their connection.

    `seen_ago` is `seen_at` in seconds before the note was read, None if it is not known.
    """

    night_id: int
    host_id: int
    away_since: datetime | None = None
    seen_at: datetime | None = None
    seen_ago: float | None = None

    @property
    def is_away(self) -> bool:
        """Tell whether the host is noted as away."""
        return self.away_since is not None


def sessions(keys: Collection[str | None]) -> dict[str | None, dict[str, Any]]:
    """Return the data of each browser's session, by its key; {} for a session that has ended."""
    found: dict[str | None, dict[str, Any]] = {key: {} for key in keys}
    return found | SessionStore.read(key for key in keys if key)


def browser_rights(session: Any, tokens: tv_screens.Tokens) -> tuple[int | None, list[str]]:
    """Return the player of a browser's session, and the nights that the browser may show as a TV screen.

    A banned player counts as None and may show nothing.
    """
    return browsers_rights([session], [tokens])[0]


def browsers_rights(sessions: Sequence[Any], tokens: Sequence[tv_screens.Tokens]) -> list[tuple[int | None, list[str]]]:
    """Return player and nights of each browser, as `browser_rights` does for one."""
    players = people_players.session_players(sessions)
    return [
        (None, [])
        if player is not None and people_players.not_banned(player) is None
        else (player.pk if player else None, nights)
        for player, nights in zip(players, tv_screens.visible_nights(tokens), strict=True)
    ]


def night_access(public_id: str, player_id: int | None, tv: Collection[str] = ()) -> NightAccess:
    """Return the right to follow a night; members waiting for the host have it too.

    Raises Illegal `no_such_night`, `removed`, `not_inside`.
    """
    night = Night.objects.filter(public_id=public_id).first()
    if night is None:
        raise Illegal("no_such_night")
    status = _status(night.pk, player_id)
    if status == Membership.Status.KICKED:
        raise Illegal("removed")
    if status is None and night.public_id not in tv:
        raise Illegal("not_inside")
    return NightAccess(night.pk, None if status is None else player_id, player_id)


def _status(night_id: int, player_id: int | None) -> str | None:
    if player_id is None:
        return None
    members = Membership.objects.filter(night_id=night_id, player_id=player_id)
    return members.values_list("status", flat=True).first()


def hosts(night_ids: Collection[int]) -> list[HostNote]:
    """Return the host of each of these nights that is not closed."""
    open_nights = Night.objects.filter(pk__in=night_ids).exclude(status=Night.Status.CLOSED)
    rows = open_nights.values_list("pk", "host_id", "host_away_since", "host_seen_at")
    now = server_time.now()
    return [HostNote(*row, None if row[-1] is None else (now - row[-1]).total_seconds()) for row in rows]


def seen(notes: Collection[HostNote]) -> None:
    """Note that these hosts have a connection now, for other processes."""
    for note in notes:
        Night.objects.filter(pk=note.night_id, host_id=note.host_id).update(host_seen_at=server_time.now())


def night_of(table_id: int) -> int | None:
    """Return the night of a table."""
    return Table.objects.filter(pk=table_id).values_list("night_id", flat=True).first()
