"""Pages at a night whose host is gone: the time since, the possible successors, and the return of the night."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.models import Night, Player
from games.services import server_time
from games.services.hosting import take_over
from games.services.nights import former_hosts

HINT_SECONDS = 30
# With this many seconds a time without a day is ambiguous.
HALF_DAY_SECONDS = 12 * 3600
MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class HostGone:
    """The news for a member about a host who is gone; `since` is None after 12 hours.

    `may_now` are the names of those that may take over now, `first` that of who may first; `from_at` is the time from
    which the first one may, `own_at` the reader's own, None if the reader comes in no order.
    """

    since: datetime | None
    from_at: datetime
    first: str
    may_now: tuple[str, ...]
    is_free: bool
    can_take_over: bool
    own_at: datetime | None


def host_gone(found: Night, player: Player) -> HostGone | None:
    """Return the news for a member about the absence of the host; None if nothing is to be shown."""
    since = found.host_away_since
    if since is None or found.host_id == player.pk or found.status == Night.Status.CLOSED:
        return None
    seconds = (server_time.now() - since).total_seconds()
    if seconds < HINT_SECONDS:
        return None
    times = take_over.times(found)
    names = dict(Player.objects.filter(pk__in=times.at).values_list("pk", "nickname"))
    may_now = times.may_now
    return HostGone(
        since=since if seconds < HALF_DAY_SECONDS else None,
        from_at=take_over.free_at(since),
        first=names.get(next(iter(times.at), 0), ""),
        may_now=tuple(names[pk] for pk in may_now[:MOST_NAMES] if pk != player.pk),
        is_free=len(times.at) > 1 and len(set(times.at.values())) == 1,
        can_take_over=player.pk in may_now,
        own_at=times.at.get(player.pk),
    )


def taken_by(found: Night, player: Player) -> str:
    """Return the name of the present host to a former host who may have the night back; "" to all others."""
    return found.host.nickname if former_hosts.may_reclaim(found, player.pk) else ""
