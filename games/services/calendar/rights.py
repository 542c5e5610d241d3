"""The registries of the acts at a series and at one of its dates, and the rights that they need.

Rights in a series of evenings.
"""

from __future__ import annotations

from datetime import date, time
from enum import StrEnum
from typing import Annotated, TypeAlias

from django.db.models import QuerySet

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Series, SeriesDate
from games.services import arguments, row_locks
from games.services.acts import DeclaredActs
from games.services.arguments import Argument
from games.services.calendar import season_days
from games.services.people import players


def is_organiser(series: Series, player: Player | None) -> bool:
    """Tell whether a player organises a series: as its organiser, its second, or as staff."""
    if player is None:
        return False
    return player.pk in (series.organiser_id, series.second_id) or players.is_staff(player)


def check_organiser(series: Series, player: Player) -> None:
    """Raise Illegal `banned`, `not_series_organiser`, `series_ended` unless a player may change a series."""
    players.check_welcome(player)
    if not is_organiser(series, player):
        raise Illegal("not_series_organiser")
    check_goes_on(series)


def check_goes_on(series: Series) -> None:
    """Raise `series_ended` for a series that was ended."""
    if series.ended_at is not None:
        raise Illegal("series_ended")


def may_open(date_of: SeriesDate, player: Player | None) -> bool:
    """Tell whether a player may open the night of a date: organisers, and the series' evening hosts."""
    if player is None or is_organiser(date_of.series, player):
        return player is not None
    return date_of.series.evening_hosts.filter(player=player).exists()


def check_opener(date_of: SeriesDate, player: Player) -> None:
    """Raise Illegal `banned`, `not_series_organiser`, `series_ended` unless a player may open a date's night."""
    players.check_welcome(player)
    if not may_open(date_of, player):
        raise Illegal("not_series_organiser")
    check_goes_on(date_of.series)


def may_mark(date: SeriesDate, player: Player | None) -> bool:
    """Tell whether a player may answer for others, and delete answers: organisers, and the host of the date's night."""
    if is_organiser(date.series, player):
        return True
    return player is not None and date.night is not None and date.night.host_id == player.pk


def sees_names(date_of: SeriesDate, player: Player | None) -> bool:
    """Tell whether a reader sees who answers for a date: with an open list all do, else organisers, hosts, guests.

    So do those who are counted in at the season of that day.
    """
    series = date_of.series
    if series.names_open or is_organiser(series, player):
        return True
    if player is None:
        return False
    if _memberships(series, player).filter(status=Membership.Status.IN).exists():
        return True
    return season_days.has_entrant(series, player, date_of.day)


def _memberships(series: Series, player: Player) -> QuerySet[Membership]:
    return Membership.objects.filter(night__in=Night.objects.filter(series_date__series=series), player=player)


def comes_straight_in(series: Series, player: Player | None) -> bool:
    """Tell whether a player needs no room code at the nights of a series.

    Those are its organisers, and who has been in at one of them and was shown the door of none.
    """
    if player is None or is_organiser(series, player):
        return player is not None
    found = set(_memberships(series, player).values_list("status", flat=True))
    return Membership.Status.IN in found and Membership.Status.KICKED not in found


class SeriesRight(StrEnum):
    """The right needed for an act."""

    ORGANISER = "organiser"
    NOTER = "noter"
    """Organisers, and the host of the date's night: who may answer for others."""
    OPENER = "opener"
    """Organisers and evening hosts: who may open the night of a date."""
    PERSON = "person"
    """Anybody who is not banned, within the limits of the act's service."""


def _check_person(_about: Series | SeriesDate, player: Player) -> None:
    players.check_welcome(player)


def _check_organiser(date_of: SeriesDate, player: Player) -> None:
    check_organiser(date_of.series, player)


def check_noter(date_of: SeriesDate, player: Player) -> None:
    """Raise Illegal `banned`, `not_series_organiser` unless a player may answer for others."""
    players.check_welcome(player)
    if not may_mark(date_of, player):
        raise Illegal("not_series_organiser")


def _hold_series(series: Series, by: Player) -> None:
    """Lock the rows of a series and of the acting player, and read the series anew.

    Raises Illegal `gone_player`, `no_such_series`.
    """
    row_locks.person(by)
    if Series.objects.select_for_update(no_key=True).filter(pk=series.pk).first() is None:
        raise Illegal("no_such_series")
    series.refresh_from_db()


def _hold_date(date_of: SeriesDate, by: Player) -> None:
    """Lock the rows of a date's series and of the acting player, and read the date anew; raises as `_hold_series`."""
    _hold_series(date_of.series, by)
    date_of.refresh_from_db()


SERIES: DeclaredActs[Series, Player] = DeclaredActs(
    "series",
    {SeriesRight.ORGANISER: check_organiser, SeriesRight.PERSON: _check_person},
    {SeriesRight.ORGANISER: _hold_series},
)
"""The acts at a series by name, each declared by `SERIES.act` beside its service; `games.apps` brings them all."""
DATE: DeclaredActs[SeriesDate, Player] = DeclaredActs(
    "date",
    {
        SeriesRight.ORGANISER: _check_organiser,
        SeriesRight.NOTER: check_noter,
        SeriesRight.OPENER: check_opener,
        SeriesRight.PERSON: _check_person,
    },
    {SeriesRight.ORGANISER: _hold_date, SeriesRight.OPENER: _hold_date},
)
"""The acts at a date."""
SeriesDay: TypeAlias = Annotated[date, Argument(arguments.field_of(arguments.day), code="series_days")]
SeriesTime: TypeAlias = Annotated[time, Argument(arguments.field_of(arguments.clock_time), code="series_time")]
AnswerId: TypeAlias = Annotated[int, Argument(arguments.field_of(arguments.row_id), code="no_such_answer")]
