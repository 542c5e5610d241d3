"""Share links: opened, closed and renewed by the host of a night, an organiser of a season, or the staff."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Night, Player, Season, ShareLink
from games.services import audit, row_locks
from games.services.acts import LogLine
from games.services.nights import events, night_rights
from games.services.nights.events import Who
from games.services.nights.registry import NIGHT, NightRight
from games.services.people import players
from games.services.seasons import season_log, seasons
from games.services.seasons.registry import ACTS, SeasonRight

_OPEN, _CLOSE, _RENEW = _("Make a link"), _("Close the link"), _("Give it another address")
"""Labels of the acts, at a night and at a season."""


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


@NIGHT.act(
    "share",
    NightRight.HOST,
    LogLine(
        "shared",
        _("The results are open to outsiders, by a link."),
        _("opened the results of a night to outsiders"),
    ),
    label=_OPEN,
    done=_("Whoever has the link reads the results."),
)
@transaction.atomic
def open_night(night: Night, host: Player, by: Who | None = None) -> None:
    """Open the results of a night to outsiders; an open link stays as it is.

    `by` is a user of the staff acting in the host's place. Raises Illegal `not_host`, `banned`, `practice_night`.
    """
    night = row_locks.night(night)
    night_rights.check_host(night, host)
    if by is None:
        players.check_welcome(host)
    if night.is_practice:
        raise Illegal("practice_night")
    if of_night(night) is None:
        ShareLink.objects.create(night=night)
        events.record(night, "shared", actor=by or host)


@NIGHT.act(
    "unshare",
    NightRight.HOST,
    LogLine(
        "unshared",
        _("The results are not open to outsiders any more."),
        _("closed the results of a night to outsiders"),
    ),
    label=_CLOSE,
    done=_("The link is closed: it shows nothing any more."),
)
@transaction.atomic
def close_night(night: Night, host: Player, by: Who | None = None) -> None:
    """Close the results of a night to outsiders; `by` as in `open_night`. Raises Illegal `not_host`."""
    night = row_locks.night(night)
    night_rights.check_host(night, host)
    if _close(night.share_links.all()):
        events.record(night, "unshared", actor=by or host)


@NIGHT.act(
    "renew_share",
    NightRight.HOST,
    LogLine(
        "share_renewed",
        _("The link of the results for outsiders was renewed."),
        _("renewed the link of a night's results for outsiders"),
    ),
    label=_RENEW,
    done=_("The link is a new one; the old one shows nothing any more."),
)
@transaction.atomic
def renew_night(night: Night, host: Player, by: Who | None = None) -> None:
    """Give the results of a night another link: the old one shows nothing any more.

    `by` as in `open_night`. Raises Illegal `not_host`, `banned`, `share_closed` without an open one.
    """
    night = row_locks.night(night)
    night_rights.check_host(night, host)
    if by is None:
        players.check_welcome(host)
    if not _close(night.share_links.all()):
        raise Illegal("share_closed")
    ShareLink.objects.create(night=night)
    events.record(night, "share_renewed", actor=by or host)


def _close(rows: QuerySet[ShareLink]) -> bool:
    """Close the open one of some links; tell whether there was one."""
    return bool(rows.filter(closed_at=None).update(closed_at=datetime.now(UTC)))


@ACTS.act(
    "share",
    SeasonRight.ORGANISER,
    LogLine("shared", _("The standing was opened to outsiders, by a link.")),
    done=_("Whoever has the link reads the standing."),
    label=_OPEN,
)
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


@ACTS.act(
    "unshare",
    SeasonRight.ORGANISER,
    LogLine("unshared", _("The standing is not open to outsiders any more.")),
    done=_("The link is closed: it shows nothing any more."),
    label=_CLOSE,
)
@transaction.atomic
def close_season(season: Season, by: Player) -> None:
    """Close the standing of a season to outsiders; raises Illegal `not_organiser`."""
    seasons.held(season, by)
    if _close(season.share_links.all()):
        season_log.note(season, "unshared", by)


@ACTS.act(
    "renew_share",
    SeasonRight.ORGANISER,
    LogLine("share_renewed", _("The link of the standing for outsiders was renewed.")),
    done=_("The link is a new one; the old one shows nothing any more."),
    label=_RENEW,
)
@transaction.atomic
def renew_season(season: Season, by: Player) -> None:
    """Give a season's standing another link; raises Illegal `not_organiser`, `share_closed` without an open one."""
    seasons.held(season, by)
    if season.status == Season.Status.ARCHIVED or not _close(season.share_links.all()):
        raise Illegal("share_closed")
    ShareLink.objects.create(season=season)
    season_log.note(season, "share_renewed", by)


@transaction.atomic
def close_by_staff(link: ShareLink, by: AbstractBaseUser) -> None:
    """Close any link, as a user of the staff; raises Illegal `share_closed` for one that is closed."""
    _check_open(link)
    if link.night is not None:
        close_night(link.night, link.night.host, by)
    elif link.season is not None:
        _of_season(link.season, "unshared", by)


@transaction.atomic
def renew_by_staff(link: ShareLink, by: AbstractBaseUser) -> None:
    """Close any link and open another one for the same, as a user of the staff; raises Illegal `share_closed`."""
    _check_open(link)
    if link.night is not None:
        renew_night(link.night, link.night.host, by)
    elif link.season is not None:
        if link.season.status == Season.Status.ARCHIVED:
            raise Illegal("share_closed")
        _of_season(link.season, "share_renewed", by)
        ShareLink.objects.create(season=link.season)


def _check_open(link: ShareLink) -> None:
    """Raise `share_closed` unless a link is open, and of something."""
    is_of_nothing = link.night_id is None and link.season_id is None
    if is_of_nothing or not ShareLink.objects.filter(pk=link.pk, closed_at=None).exists():
        raise Illegal("share_closed")


def _of_season(season: Season, event: str, by: AbstractBaseUser) -> None:
    """Close a season's link, with a line in its log and in the audit."""
    Season.objects.select_for_update(no_key=True).get(pk=season.pk)
    _close(season.share_links.all())
    season_log.note(season, event, None)
    audit.note(f"season_{event}", by, season.name, season=season.public_id)
