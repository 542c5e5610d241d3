"""Rights in a season: its organisers, and the people that a reader sees by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from games.kernel.contract import Illegal
from games.models import Match, Membership, Night, NightTally, Player, Season
from games.services.history import player_history
from games.services.people import players


def is_organiser(season: Season, player: Player | None) -> bool:
    """Tell whether a player organises a season: as its organiser, its second, or as staff."""
    if player is None:
        return False
    return player.pk in (season.organiser_id, season.second_id) or players.is_staff(player)


def check_organiser(season: Season, player: Player) -> None:
    """Raise Illegal `banned`, `not_organiser` unless a player organises a season."""
    players.check_welcome(player)
    if not is_organiser(season, player):
        raise Illegal("not_organiser")


def check_open(season: Season) -> None:
    """Raise `season_closed` unless a season is open."""
    if season.status != Season.Status.OPEN:
        raise Illegal("season_closed")


@dataclass(frozen=True, slots=True)
class SeasonReader:
    """A reader of a season: whether they see everybody by name, and the ids `named` that they see otherwise."""

    player: Player | None
    sees_all: bool
    is_entrant: bool
    is_guest: bool
    named: frozenset[int]

    @property
    def may_read(self) -> bool:
        """Tell whether the standing is shown at all."""
        return self.sees_all or self.is_entrant or self.is_guest

    def sees(self, player_id: int) -> bool:
        """Tell whether a player is shown by name."""
        return self.sees_all or player_id in self.named


def reader_of(season: Season, player: Player | None, nights: list[Night]) -> SeasonReader:
    """Return what a player sees of a season with these nights; whoever a name of its spreadsheets is, is a guest of it.

    Organisers and staff see everybody. Hosts of its nights and entrants see the entrants, hosts and guests those whom
    they have met, and all of them who is listed.
    """
    if player is None:
        return SeasonReader(None, sees_all=False, is_entrant=False, is_guest=False, named=frozenset())
    everybody = is_organiser(season, player)
    is_entrant = season.entrants.filter(player=player).exists()
    is_host = any(player.pk in (night.host_id, night.opened_by_id) for night in nights)
    ids = [night.pk for night in nights]
    inside = Membership.objects.filter(night__in=ids, player=player, status=Membership.Status.IN)
    is_guest = is_host or inside.exists() or season.names.filter(player=player).exists()
    if everybody:
        return SeasonReader(player, everybody, is_entrant, is_guest, frozenset({player.pk}))
    named = Q(pk=player.pk) | Q(is_listed=True)
    if is_guest:
        named |= Q(pk__in=player_history.met(player).values("player"))
    if is_entrant or is_host:
        named |= Q(pk__in=season.entrants.values("player"))
    found = Player.objects.filter(named, pk__in=people_of(season, nights)).values_list("pk", flat=True)
    return SeasonReader(player, everybody, is_entrant, is_guest, frozenset(found) | {player.pk})


def people_of(season: Season, nights: Sequence[Night]) -> set[int]:
    """Return the people of a season: by a result, a match, a bye, an absence with notice, or a spreadsheet."""
    ids = [night.pk for night in nights]
    matches = Match.objects.filter(table__night__in=ids).order_by()
    found = NightTally.objects.filter(night__in=ids).order_by().values_list("player", flat=True)
    others = (
        *(matches.values_list(side, flat=True) for side in ("winner", "loser")),
        season.notices.order_by().values_list("player", flat=True),
        season.names.filter(player__isnull=False).order_by().values_list("player", flat=True),
    )
    return set(found.union(*others))


def check_reader(season: Season, reader: SeasonReader) -> None:
    """Raise `not_in_season` unless the standing of a season is shown to a reader."""
    if not reader.may_read:
        raise Illegal("not_in_season")
