"""Taking a night over whose host is gone, and reclaiming it.

The order and the times are in `succession`; what a night that was taken over forbids its host is in `former_hosts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import LogEntry, Membership, Night, Player, Seat, Table
from games.services import row_locks, server_time
from games.services.acts import LogLine
from games.services.hosting import succession
from games.services.nights import former_hosts, night_rights
from games.services.nights.events import record
from games.services.nights.registry import NIGHT, NightRight
from games.services.seats import sittings
from games.services.tables import snapshot


@dataclass(frozen=True, slots=True)
class TakeOverTimes:
    """The players that may take a night over, each with the time from which they may; `now` is the house's time."""

    at: Mapping[int, datetime]
    now: datetime

    @property
    def may_now(self) -> tuple[int, ...]:
        """The players that may take over now."""
        return succession.may_now(self.at, self.now)


def free_at(away_since: datetime) -> datetime:
    """Return the time from which the first successor may take over from a host away since `away_since`."""
    return away_since + timedelta(seconds=settings.HOST_AWAY_SECONDS)


def times(night: Night) -> TakeOverTimes:
    """Return who may take a night over, and when; nobody while the host is here."""
    if night.host_away_since is None:
        return TakeOverTimes({}, server_time.now())
    # A process that died has noted nothing: then the host was gone before it was noted.
    gone_at = min(night.host_away_since, night.host_seen_at or night.host_away_since)
    is_anybodys = former_hosts.is_nobodys(night)
    found = succession.times(_candidates(night), gone_at, free_at(night.host_away_since), is_anybodys=is_anybodys)
    return TakeOverTimes(found, server_time.now())


def _candidates(night: Night) -> list[succession.Successor]:
    inside = night.memberships.filter(status=Membership.Status.IN, keeper=None, player__banned_at=None)
    rows = inside.exclude(player=night.host_id).values_list("player_id", "joined_at")
    since = _sitting_since(night)
    return [succession.Successor(player_id, joined_at, since.get(player_id)) for player_id, joined_at in rows]


def _sitting_since(night: Night) -> dict[int, datetime]:
    """Return player → the time since which the player has had a seat at a running table, the earliest of several."""
    found: dict[int, datetime] = {}
    for table in night.tables.filter(status__in=[Table.Status.PLAYING, Table.Status.PAUSED]):
        for player_id, since in _sitting_at(table).items():
            found[player_id] = min(since, found.get(player_id, since))
    return found


def _sitting_at(table: Table) -> dict[int, datetime]:
    """Return player → the time at which the player's present sitting at a running table began."""
    seated = Seat.objects.filter(table=table, player__isnull=False).values_list("index", "player_id")
    known = snapshot.cached(table.pk)
    is_current = known is not None and known.seq == table.seq
    last = sittings.last_of_each(known.sat if known and is_current else sittings.read(table.pk, table.seq))
    first = {player_id: last[index].first for index, player_id in seated if index in last}
    rows = LogEntry.objects.filter(table=table, seq__in={seq for seq in first.values() if seq})
    began = dict(rows.values_list("seq", "created_at"))
    start = table.started_at or table.created_at
    return {player_id: began.get(seq, start) for player_id, seq in first.items()}


@NIGHT.act(
    "take_over",
    NightRight.MEMBER,
    former_hosts.HANDED_OVER,
    label=_("Take over as host"),
    done=_("You are the host now."),
)
@transaction.atomic
def take_over(night: Night, player: Player) -> None:
    """Make a member the host of a night whose host has been away long enough.

    Raises `gone_player`, `night_closed`, `removed`, `not_inside`, `host_is_here`, `no_phone`, `came_later`, and
    `others_first` with the `seconds` until it is the member's turn.
    """
    row_locks.person(player)
    row_locks.night(night)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    member = night_rights.member(night, player)
    night_rights.check_inside(night, player)
    found = times(night)
    if night.host_away_since is None or found.now < free_at(night.host_away_since):
        raise Illegal("host_is_here")
    if member.keeper_id is not None:
        raise Illegal("no_phone")
    if (at := found.at.get(player.pk)) is None:
        raise Illegal("came_later")
    if found.now < at:
        raise Illegal("others_first", seconds=-int((found.now - at).total_seconds() // 1))
    former_hosts.take_from_host(night, player)
    record(night, "host_changed", name=player.nickname, player=player.pk)


@NIGHT.act(
    "reclaim",
    NightRight.MEMBER,
    LogLine("host_reclaimed", _("%(name)s is the host again."), _("took the night back as its host")),
    label=_("Take the night back"),
    done=_("You are the host again."),
)
@transaction.atomic
def reclaim(night: Night, player: Player) -> None:
    """Make a former host the host again.

    Raises `gone_player`, `night_closed`, `removed`, `not_inside`, `not_former_host`.
    """
    row_locks.person(player)
    row_locks.night(night)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    night_rights.check_inside(night, player)
    if not former_hosts.may_reclaim(night, player.pk):
        raise Illegal("not_former_host")
    former_hosts.change_host(night, player)
    record(night, "host_reclaimed", actor=player, name=player.nickname, player=player.pk)
