"""Requests of organisers for nights of other hosts: the host agrees or refuses."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Season, SeasonRequest
from games.services import row_locks
from games.services.acts import LogLine
from games.services.people import players
from games.services.seasons import season_log, season_nights
from games.services.seasons.registry import ACTS, OneNight, SeasonRight
from games.services.seasons.rights import check_open, check_organiser
from games.services.seasons.season_nights import Placed

MOST_WAITING = 30
"""The most requests of a season that wait at the same time."""
season_log.LOG.add(
    LogLine("night_agreed", _("The host of the night of %(day)s agreed: it was put in.")),
    LogLine("night_refused", _("The host of the night of %(day)s refused: it stays out.")),
)


def candidates(season: Season, by: Player, placed: Sequence[Placed]) -> QuerySet[Night]:
    """Return the nights of other hosts that an organiser was at and may ask for, the newest first.

    `placed` are the nights of the season.
    """
    inside = Membership.objects.filter(player=by, status=Membership.Status.IN)
    present = [each.night.pk for each in placed]
    rows = Night.objects.filter(pk__in=inside.values("night"), is_practice=False).exclude(pk__in=present)
    rows = rows.exclude(Q(host=by) | Q(opened_by=by)).exclude(pk__in=season.requests.values("night"))
    return rows.exclude(pk__in=season.nights.values("night")).order_by("-day", "-pk")


@ACTS.act(
    "ask",
    SeasonRight.ORGANISER,
    LogLine("night_asked_for", _("The host of the night of %(day)s was asked whether it may be put in.")),
    done=_("The host is asked."),
    label=_("Ask for a night of somebody else"),
    yes=_("Ask the host"),
)
@transaction.atomic
def ask(season: Season, by: Player, night: OneNight) -> None:
    """Ask a night's host whether the night may be in a season, as an organiser who was there.

    Raises Illegal `season_closed`, `not_organiser`, `not_inside`, `night_twice`, `asked_already`, `too_many_requests`.
    """
    check_open(season)
    check_organiser(season, by)
    row_locks.night(night)
    if not Membership.objects.filter(night=night, player=by, status=Membership.Status.IN).exists():
        raise Illegal("not_inside")
    if season_nights.is_in(season, night) or night.is_practice or by.pk in (night.host_id, night.opened_by_id):
        raise Illegal("night_twice")
    if season.requests.filter(night=night).exists():
        raise Illegal("asked_already")
    if season.requests.filter(is_refused=False).count() >= MOST_WAITING:
        raise Illegal("too_many_requests", most=MOST_WAITING)
    SeasonRequest.objects.create(season=season, night=night)
    season_log.note(season, "night_asked_for", by, night=night.public_id, day=night.day.isoformat())


def asked_of(player: Player) -> QuerySet[SeasonRequest]:
    """Return the requests that wait for a host's answer: those for nights that they host."""
    rows = SeasonRequest.objects.filter(is_refused=False, season__status=Season.Status.OPEN, night__host=player)
    return rows.select_related("season__organiser", "night")


@transaction.atomic
def answer(request_id: int | None, by: Player, *, agrees: bool) -> SeasonRequest:
    """Answer a request as the night's host; raises Illegal `no_question`, `banned`, `gone_player`, `season_closed`."""
    by = row_locks.person(by)
    players.check_welcome(by)
    row = asked_of(by).select_for_update(of=("self",)).filter(pk=request_id or 0).first()
    if row is None:
        raise Illegal("no_question")
    check_open(row.season)
    day = row.night.day.isoformat()
    if agrees:
        season_nights.put_in(row.season, row.night)
        row.delete()
        season_log.note(row.season, "night_agreed", by, night=row.night.public_id, day=day)
    else:
        row.is_refused = True
        row.save(update_fields=["is_refused"])
        season_log.note(row.season, "night_refused", by, night=row.night.public_id, day=day)
    return row
