"""Share links: opened and closed by the host of a night, or by an organiser of a season."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction

from games.kernel.contract import Illegal
from games.models import Night, Player, Season, ShareLink
from games.services import holds
from games.services.nights import events, membership
from games.services.people import players
from games.services.seasons import season_log, seasons


def find(key: str) -> ShareLink:
    """Return an open link by its key; raises Illegal `no_such_share`, `share_closed`."""
    link = ShareLink.objects.select_related("night", "season").filter(key=key).first()
    if link is None:
        raise Illegal("no_such_share")
    is_archived = link.season is not None and link.season.status == Season.Status.ARCHIVED
    if link.closed_at is not None or is_archived or (link.night is None and link.season is None):
        raise Illegal("share_closed")
    return link


def of_night(night: Night) -> ShareLink | None:
    """Return the open link of a night."""
    return night.share_links.filter(closed_at=None).first()


def of_season(season: Season) -> ShareLink | None:
    """Return the open link of a season."""
    return season.share_links.filter(closed_at=None).first()


@transaction.atomic
def open_night(night: Night, host: Player) -> None:
    """Open the results of a night to outsiders; an open link stays as it is. Raises Illegal `not_host`, `banned`."""
    night = holds.night(night)
    membership.check_host(night, host)
    players.check_welcome(host)
    if of_night(night) is None:
        ShareLink.objects.create(night=night)
        events.record(night, "shared", actor=host)


@transaction.atomic
def close_night(night: Night, host: Player) -> None:
    """Close the results of a night to outsiders; raises Illegal `not_host`."""
    night = holds.night(night)
    membership.check_host(night, host)
    if night.share_links.filter(closed_at=None).update(closed_at=datetime.now(UTC)):
        events.record(night, "unshared", actor=host)


@transaction.atomic
def open_season(season: Season, by: Player) -> None:
    """Open the standing of a season to outsiders; an open link stays. Raises Illegal `not_organiser`, `share_closed`.

    An archived season is not shown to outsiders.
    """
    seasons.held(season, by)
    if season.status == Season.Status.ARCHIVED:
        raise Illegal("share_closed")
    if of_season(season) is None:
        ShareLink.objects.create(season=season)
        season_log.note(season, "shared", by)


@transaction.atomic
def close_season(season: Season, by: Player) -> None:
    """Close the standing of a season to outsiders; raises Illegal `not_organiser`."""
    seasons.held(season, by)
    if season.share_links.filter(closed_at=None).update(closed_at=datetime.now(UTC)):
        season_log.note(season, "unshared", by)
