"""Rights in a series of evenings."""

from __future__ import annotations

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Series, SeriesDate
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


def may_mark(date: SeriesDate, player: Player | None) -> bool:
    """Tell whether a player may answer for others, and delete answers: organisers, and the host of the date's night."""
    if is_organiser(date.series, player):
        return True
    return player is not None and date.night is not None and date.night.host_id == player.pk


def sees_names(series: Series, player: Player | None) -> bool:
    """Tell whether a reader sees names: with an open list all do, else organisers, hosts, guests and entrants."""
    if series.names_open or is_organiser(series, player):
        return True
    if player is None:
        return False
    nights = Night.objects.filter(series_date__series=series)
    if Membership.objects.filter(night__in=nights, player=player, status=Membership.Status.IN).exists():
        return True
    return series.season is not None and series.season.entrants.filter(player=player).exists()
