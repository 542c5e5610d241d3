"""Nights between two seasons of a series: named to the organisers of both, who take them into either or into none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Night, Player, Season, SeasonNight
from games.services import row_locks
from games.services.acts import LogLine
from games.services.arguments import Typed
from games.services.seasons import season_log, season_nights
from games.services.seasons.registry import ACTS, OneNight, SeasonRight
from games.services.seasons.rights import check_open, is_organiser


@dataclass(frozen=True, slots=True)
class NightsBetween:
    """The nights after a season's last day and before the next one's first that were said to count in none."""

    before: Season
    after: Season
    nights: tuple[Night, ...]

    @property
    def seasons(self) -> tuple[Season, ...]:
        """The seasons into which they may be taken, the former one first: open ones."""
        return tuple(each for each in (self.before, self.after) if each.status == Season.Status.OPEN)


def of(season: Season, by: Player) -> list[NightsBetween]:
    """Return the nights between a season and its neighbours that a person organises, too; nothing where there are none.

    Neighbours are the season before and the next one: one was begun after the other, or they share a series.
    """
    found = []
    for before, after in _pairs(season):
        if is_organiser(before, by) and is_organiser(after, by):
            nights = tuple(_nights(before, after))
            found += [NightsBetween(before, after, nights)] if nights else []
    return found


def _pairs(season: Season) -> Iterator[tuple[Season, Season]]:
    """Yield a season with the one before it, and with the next one."""
    rows = Season.objects.exclude(status=Season.Status.ARCHIVED)
    shared = Q(series__in=season.series.all())
    former = rows.filter(shared | Q(pk=season.former_id or 0), last_day__lt=season.first_day)
    following = rows.filter(shared | Q(former=season), first_day__gt=season.last_day)
    before = former.order_by("-last_day", "-pk").first()
    after = following.order_by("first_day", "pk").first()
    if before is not None:
        yield before, season
    if after is not None:
        yield season, after


def _nights(before: Season, after: Season) -> Iterator[Night]:
    """Yield the nights between two seasons on dates of their series; without series those that their organiser opened.

    What an organiser has said of a night in one of the two stands.
    """
    shared = before.series.filter(pk__in=after.series.values("pk"))
    theirs = Q(series_date__series__in=shared)
    if not before.series.exists() and not after.series.exists() and before.organiser_id:
        theirs |= Q(opened_by=before.organiser_id)
    rows = Night.objects.filter(theirs, day__gt=before.last_day, day__lt=after.first_day, is_practice=False)
    said = SeasonNight.objects.filter(season__in=(before, after)).values("night")
    yield from rows.exclude(pk__in=said).order_by("day", "pk")


@ACTS.act(
    "place",
    SeasonRight.ORGANISER,
    LogLine("night_in_none", _("The night of %(day)s counts in no season.")),
    done=_("Saved."),
    words={"before": _("To the old one"), "after": _("To the new one"), "none": _("To none")},
)
@transaction.atomic
def place(season: Season, by: Player, night: OneNight, into: Typed) -> None:
    """Take a night between a season and its neighbour into one of the two, by its id, or into none.

    Raises Illegal `not_organiser`, `season_closed`, `night_not_between`, `no_such_season`.
    """
    row_locks.night(night)
    found = next((each for each in of(season, by) if night in each.nights), None)
    if found is None:
        raise Illegal("night_not_between")
    both = {each.public_id: each for each in (found.before, found.after)}
    if into and into not in both:
        raise Illegal("no_such_season")
    day = {"night": night.public_id, "day": night.day.isoformat()}
    if into:
        check_open(both[into])
        season_nights.put_in(both[into], night)
        season_log.note(both[into], "night_attached", by, **day)
        return
    for each in both.values():
        SeasonNight.objects.update_or_create(season=each, night=night, defaults={"is_in": False})
        season_log.note(each, "night_in_none", by, **day)
