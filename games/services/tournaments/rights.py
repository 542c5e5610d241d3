"""Rights in a tournament: the host of its night, directors, and members."""

from __future__ import annotations

from games.kernel.contract import Illegal
from games.models import Night, Player, Tournament
from games.services.nights import night_rights


def find(public_id: str) -> Tournament:
    """Return a tournament with its night; raises `no_such_tournament`."""
    found = Tournament.objects.select_related("night__host").filter(public_id=public_id).first()
    if found is None:
        raise Illegal("no_such_tournament")
    return found


def is_director(tournament: Tournament, player: Player | None) -> bool:
    """Tell whether a player directs a tournament: as host of the night, or named by the host and in at the night."""
    if player is None:
        return False
    if tournament.night.host_id == player.pk:
        return True
    is_named = tournament.directors.filter(player=player).exists()
    return is_named and night_rights.is_inside(tournament.night, player)


def check_director(tournament: Tournament, player: Player) -> None:
    """Raise Illegal `removed`, `not_inside`, `not_director` unless a player directs a tournament."""
    night_rights.check_inside(tournament.night, player)
    if not is_director(tournament, player):
        raise Illegal("not_director")


def check_open(tournament: Tournament) -> None:
    """Raise Illegal `night_closed` when the night of a tournament is over."""
    if tournament.night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
