"""Entrants of a season: players who are counted in; and what a season keeps of a person."""

from __future__ import annotations

from django.db import transaction

from games.kernel.contract import Illegal
from games.models import Entrant, Player, Season, SeasonRequest
from games.services import holds
from games.services.seasons import frozen, season_log, season_matches, season_nights, sheet_names
from games.services.seasons.rights import check_open, reader_of


@transaction.atomic
def enter(season: Season, player: Player) -> None:
    """Count a player in; raises Illegal `season_closed`, `gone_player`, `not_in_season` for who was at no night."""
    check_open(season)
    player = holds.person(player)
    reader = reader_of(season, player, [placed.night for placed in season_nights.nights_of(season)])
    if not reader.may_read:
        raise Illegal("not_in_season")
    Entrant.objects.get_or_create(season=season, player=player)


@transaction.atomic
def leave(season: Season, player: Player) -> None:
    """Count a player in no more; their points stay. Raises `gone_player`."""
    player = holds.person(player)
    Entrant.objects.filter(season=season, player=player).delete()


def join(source: Player, target: Player) -> None:
    """Give a merged player's places to the player into which it is merged."""
    theirs = Entrant.objects.filter(player=target).values("season")
    Entrant.objects.filter(player=source, season__in=list(theirs.values_list("season", flat=True))).delete()
    Season.objects.filter(organiser__in=(source, target), second__in=(source, target)).update(second=None)
    season_matches.join(source, target)
    frozen.rename(source.pk, target.pk)


def forget(player: Player) -> None:
    """Leave what a deleted player organised to the second organiser, else to the staff; places stay without a name."""
    Entrant.objects.filter(player=player).delete()
    sheet_names.forget(player)
    SeasonRequest.objects.filter(night__host=player).delete()
    Season.objects.filter(second=player).update(second=None)
    for season in Season.objects.filter(organiser=player):
        season_nights.keep(season)
        season.organiser, season.second = season.second, None
        season.save(update_fields=["organiser", "second"])
        season_log.note(season, "handed_over", None)
