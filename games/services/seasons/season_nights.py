"""The nights of a season: those that belong to it by themselves, and the word of its organisers on them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Night, Player, Season, SeasonNight
from games.models.night import today
from games.services import row_locks
from games.services.acts import LogLine
from games.services.arguments import Number
from games.services.people import players
from games.services.seasons import season_log
from games.services.seasons.registry import ACTS, Ids, NightDay, OneNight, SeasonRight
from games.services.seasons.rights import check_open, check_organiser, is_organiser, reader_of

WEIGHTS = range(1, 10)
MOST_PARTS = 9
MOST_TICKED = 400
"""The most nights that are listed with ticks."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A night of a season with its weight and its part of the day; `is_attached` if it is in by an act."""

    night: Night
    weight: int
    part: int
    is_attached: bool

    @property
    def key(self) -> tuple[date, int]:
        """The night of the season that this night is, or is a part of: its day, and the part of the day."""
        return self.night.day, self.part


def nights_of(season: Season) -> list[Placed]:
    """Return the nights of a season in their order."""
    words = {night: row for night, *row in season.nights.values_list("night", "is_in", "weight", "part")}
    attached = [pk for pk, (is_attached, _weight, _part) in words.items() if is_attached]
    found = _by_itself(season) | Q(pk__in=attached)
    rows = []
    for night in Night.objects.filter(found, is_practice=False).order_by("day", "created_at", "pk"):
        is_there, weight, part = words.get(night.pk, (True, 1, 0))
        if is_there:
            rows.append(Placed(night, weight, part, night.pk in words))
    return sorted(rows, key=lambda each: each.key)


def may_read(season: Season, player: Player | None) -> bool:
    """Tell whether the standing of a season is shown to a player."""
    if player is None:
        return False
    return reader_of(season, player, [each.night for each in nights_of(season)]).may_read


def taken_out(season: Season) -> QuerySet[Night]:
    """Return the nights that an organiser has taken out of a season."""
    return Night.objects.filter(season_nights__season=season, season_nights__is_in=False).order_by("day", "pk")


def _by_itself(season: Season) -> Q:
    """Return the condition of nights that belong to a season by themselves.

    Between its days those of the dates of its series; of a season without a series those that its organiser has opened,
    or one of its venue's named hosts there.
    """
    within = Q(day__gte=season.first_day, day__lte=season.last_day)
    if season.series.exists():
        return within & Q(series_date__series__in=season.series.all())
    opened = Q(opened_by=season.organiser_id) if season.organiser_id else Q(pk__in=[])
    if season.venue_id is not None:
        hosts = Player.objects.filter(user__venues=season.venue_id)
        opened |= Q(venue=season.venue_id, opened_by__in=hosts.values("pk"))
    return within & opened


def seasons_of(night: Night) -> list[Season]:
    """Return the open seasons that a night is in, the shortest first."""
    rows = Season.objects.filter(status=Season.Status.OPEN)
    in_days = Q(first_day__lte=night.day, last_day__gte=night.day) | Q(nights__night=night, nights__is_in=True)
    found = [season for season in rows.filter(in_days).distinct() if is_in(season, night)]
    return sorted(found, key=lambda season: (season.last_day - season.first_day, season.pk))


def is_in(season: Season, night: Night) -> bool:
    """Tell whether a night is in a season."""
    row = season.nights.filter(night=night).first()
    if row is not None:
        return row.is_in
    return Night.objects.filter(_by_itself(season), pk=night.pk, is_practice=False).exists()


def candidates(season: Season, by: Player, placed: Sequence[Placed]) -> QuerySet[Night]:
    """Return the nights that a person may attach: their own of other days, and those taken out; the newest first.

    `placed` are the nights of the season.
    """
    inside = [each.night.pk for each in placed]
    own = Q(host=by) | Q(opened_by=by)
    found = own | Q(season_nights__season=season) if is_organiser(season, by) else own
    return Night.objects.filter(found, is_practice=False).exclude(pk__in=inside).distinct().order_by("-day", "-pk")


def past(season: Season, by: Player, placed: Sequence[Placed]) -> list[Night]:
    """Return the nights between a season's days that its organiser may put in by ticks, the oldest first.

    `placed` are the nights of the season. Those of the organisers as hosts, of the season's series, and of its venue if
    the one who asks is named there; never one that is in, or that was taken out.
    """
    if not is_organiser(season, by):
        return []
    theirs = Q(host=by) | Q(opened_by=by) | Q(series_date__series__in=season.series.all())
    if season.organiser is not None and players.is_staff(by):
        theirs |= Q(host=season.organiser)
    if season.venue is not None and season.venue.hosts.filter(pk=by.user_id or 0).exists():
        theirs |= Q(venue=season.venue)
    inside = [each.night.pk for each in placed]
    rows = Night.objects.filter(theirs, day__gte=season.first_day, day__lte=season.last_day, is_practice=False)
    rows = rows.exclude(pk__in=inside).exclude(season_nights__season=season)
    return list(rows.select_related("host").distinct().order_by("day", "pk")[:MOST_TICKED])


@ACTS.act(
    "past", SeasonRight.ORGANISER, done=_("The ticked nights are in the season."), label=_("Put the ticked ones in")
)
@transaction.atomic
def attach_ticked(season: Season, by: Player, nights: Ids) -> int:
    """Put nights of `past` into a season, all or none; return how many. Raises as `attach`, `not_your_night`."""
    check_open(season)
    check_organiser(season, by)
    found = {night.public_id: night for night in past(season, by, nights_of(season))}
    if not set(nights) <= set(found):
        raise Illegal("not_your_night")
    for public_id in dict.fromkeys(nights):
        _put_in(season, by, found[public_id])
    return len(set(nights))


@ACTS.act(
    "attach",
    SeasonRight.PERSON,
    LogLine("night_attached", _("The night of %(day)s was put in.")),
    done=_("The night is in the season."),
    label=_("Put another night in"),
    yes=_("Put it in"),
)
@transaction.atomic
def attach(season: Season, by: Player, night: OneNight) -> None:
    """Put a night into a season: as an organiser one of one's own or one taken out; as who hosts a night of it, too.

    Raises Illegal `season_closed`, `not_organiser`, `night_twice`, `not_your_night`.
    """
    check_open(season)
    is_own = by.pk in (night.host_id, night.opened_by_id)
    if not (is_organiser(season, by) or _hosts_one(season, by)):
        raise Illegal("not_organiser")
    was_out = season.nights.filter(night=night, is_in=False).exists()
    if not (is_own or players.is_staff(by) or (was_out and is_organiser(season, by))):
        raise Illegal("not_your_night")
    if is_in(season, night) or night.is_practice:
        raise Illegal("night_twice")
    _put_in(season, by, night)


def _put_in(season: Season, by: Player, night: Night) -> None:
    row_locks.night(night)
    put_in(season, night)
    season.requests.filter(night=night).delete()
    season_log.note(season, "night_attached", by, night=night.public_id, day=night.day.isoformat())


def put_in(season: Season, night: Night) -> None:
    """Put a night into a season; the caller has checked who may."""
    row_locks.night(night)
    SeasonNight.objects.update_or_create(season=season, night=night, defaults={"is_in": True})


def _hosts_one(season: Season, by: Player) -> bool:
    return any(placed.night.host_id == by.pk for placed in nights_of(season))


@ACTS.act(
    "detach",
    SeasonRight.ORGANISER,
    LogLine("night_detached", _("The night of %(day)s was taken out.")),
    done=_("The night is out of the season."),
    label=_("Take it out"),
)
@transaction.atomic
def detach(season: Season, by: Player, night: OneNight) -> None:
    """Take a night out of a season; raises Illegal `season_closed`, `not_organiser`, `night_not_in`."""
    _check(season, by, night)
    SeasonNight.objects.update_or_create(season=season, night=night, defaults={"is_in": False})
    season_log.note(season, "night_detached", by, night=night.public_id, day=night.day.isoformat())


@ACTS.act(
    "weigh",
    SeasonRight.ORGANISER,
    LogLine("night_weighed", _("The night of %(day)s counts %(weight)s-fold.")),
    done=_("Saved."),
    label=_("Counts"),
    yes=_("Save"),
)
@transaction.atomic
def weigh(season: Season, by: Player, night: OneNight, weight: Number) -> None:
    """Give a night its weight; raises Illegal `season_closed`, `not_organiser`, `night_not_in`, `bad_weight`."""
    _check(season, by, night)
    if weight not in WEIGHTS:
        raise Illegal("bad_weight")
    SeasonNight.objects.update_or_create(season=season, night=night, defaults={"weight": weight})
    season_log.note(season, "night_weighed", by, night=night.public_id, day=night.day.isoformat(), weight=weight)


@ACTS.act(
    "day",
    SeasonRight.ORGANISER,
    LogLine("night_moved", _("The night of %(day)s is that of %(to)s now.")),
    done=_("Saved."),
    label=_("Day"),
    yes=_("Save"),
)
@transaction.atomic
def set_day(season: Season, by: Player, night: OneNight, day: NightDay) -> None:
    """Give a night of a season another day, one of the season's and not one to come.

    Raises Illegal `season_closed`, `not_organiser`, `night_not_in`, `bad_night_day`.
    """
    _check(season, by, night)
    if not season.first_day <= day <= min(season.last_day, today()):
        raise Illegal("bad_night_day")
    night = row_locks.night(night)
    was, night.day = night.day, day
    night.save(update_fields=["day"])
    season_log.note(season, "night_moved", by, night=night.public_id, day=was.isoformat(), to=day.isoformat())


@ACTS.act(
    "part",
    SeasonRight.ORGANISER,
    LogLine("night_parted", _("The nights of %(day)s were parted or joined.")),
    done=_("Saved."),
    label=_("One night with the other"),
    words={"own": _("A night of its own")},
)
@transaction.atomic
def part(season: Season, by: Player, night: OneNight) -> None:
    """Part a night from the others of its day, or join it to them again.

    Raises Illegal `season_closed`, `not_organiser`, `night_not_in`, `night_alone` without another night of that day.
    """
    _check(season, by, night)
    same_day = [placed for placed in nights_of(season) if placed.night.day == night.day]
    own = next(placed for placed in same_day if placed.night.pk == night.pk)
    others = {placed.part for placed in same_day if placed.night.pk != night.pk}
    if not others:
        raise Illegal("night_alone")
    free = next(number for number in range(MOST_PARTS + 1) if number not in others)
    part_now = free if own.part in others else min(others)
    SeasonNight.objects.update_or_create(season=season, night=night, defaults={"part": part_now})
    season_log.note(season, "night_parted", by, night=night.public_id, day=night.day.isoformat())


def _check(season: Season, by: Player, night: Night) -> None:
    check_open(season)
    check_organiser(season, by)
    if not is_in(season, night):
        raise Illegal("night_not_in")


def keep(season: Season) -> None:
    """Attach the nights that are in a season by themselves, before its organiser or its series change."""
    rows = [SeasonNight(season=season, night=each.night) for each in nights_of(season) if not each.is_attached]
    SeasonNight.objects.bulk_create(rows, ignore_conflicts=True)


def with_nights(rows: Collection[Placed]) -> bool:
    """Tell whether there are nights of a season that were played: not only ones just opened."""
    return any(row.night.tables.filter(results__isnull=False).exists() for row in rows)
