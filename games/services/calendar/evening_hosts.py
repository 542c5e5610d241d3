"""Evening hosts of a series: up to three people who host the nights that no organiser comes to, in their order."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import EveningHost, Player, Series
from games.services.arguments import RowIds
from games.services.calendar.rights import SERIES, SeriesRight
from games.services.history import player_history

MOST = 3


def of(series: Series) -> list[Player]:
    """Return the evening hosts of a series in their order."""
    return [row.player for row in series.evening_hosts.select_related("player")]


def on_offer(series: Series, by: Player) -> list[Player]:
    """Return the people whom an organiser may name: accounts that they have met, and those who are named already."""
    met = player_history.people_met(by).filter(user__isnull=False)
    named = of(series)
    known = {each.pk for each in named} | {series.organiser_id, series.second_id}
    return named + [each for each in met if each.pk not in known]


@SERIES.act(
    "evening_hosts",
    SeriesRight.ORGANISER,
    done=_("Saved."),
    label=_("Evening hosts"),
    yes=_("Save"),
)
def name(series: Series, by: Player, players: RowIds) -> None:
    """Name the evening hosts of a series, the first one first; no ids for none.

    Raises Illegal as `rights.check_organiser`, `too_many_evening_hosts`, `no_such_player`.
    """
    wanted = list(dict.fromkeys(players))
    if len(wanted) > MOST:
        raise Illegal("too_many_evening_hosts", most=MOST)
    offered = {each.pk: each for each in on_offer(series, by)}
    if not set(wanted) <= set(offered):
        raise Illegal("no_such_player")
    series.evening_hosts.all().delete()
    rows = [EveningHost(series=series, player_id=pk, place=place) for place, pk in enumerate(wanted, 1)]
    EveningHost.objects.bulk_create(rows)


def join(source: Player, target: Player) -> None:
    """Leave a merged player one row a series."""
    had = target.evenings_to_host.values_list("series", flat=True)
    source.evenings_to_host.filter(series__in=list(had)).delete()


def forget(player: Player) -> None:
    """Delete what a deleted player was to host."""
    player.evenings_to_host.all().delete()
