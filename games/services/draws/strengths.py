"""Strengths that a host keeps of people, for draws: only the host and directors of the host's tournaments see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from games.kernel.contract import Illegal, JsonObject
from games.models import Membership, Night, Player, Strength
from games.services import row_locks
from games.services.nights import night_rights

VALUES = range(1, 10)
"""The strengths; 1 is the strongest."""


def of(host: Player, ids: Iterable[int]) -> dict[int, int]:
    """Return the strengths that a host keeps of these players, by their ids; who has none is left out."""
    return dict(Strength.objects.filter(host=host, player__in=list(ids)).values_list("player", "value"))


@transaction.atomic
def keep(night: Night, host: Player, values: Mapping[int, int | None]) -> None:
    """Keep the strengths of members of a night, None: none any more; those of others stay as they are.

    Raises `not_host`, `bad_strength`, `no_such_player`.
    """
    held = row_locks.night(night)
    night_rights.check_host(held, host)
    if any(value is not None and value not in VALUES for value in values.values()):
        raise Illegal("bad_strength", low=VALUES[0], high=VALUES[-1])
    inside = held.memberships.filter(status=Membership.Status.IN, player__in=list(values))
    if inside.count() < len(values):
        raise Illegal("no_such_player")
    Strength.objects.filter(host=host, player__in=[pk for pk, value in values.items() if value is None]).delete()
    for pk, value in values.items():
        if value is not None:
            Strength.objects.update_or_create(host=host, player_id=pk, defaults={"value": value})


def forget(ids: Iterable[int]) -> None:
    """Delete the strengths of deleted players, and those that they kept of others."""
    gone = list(ids)
    Strength.objects.filter(host__in=gone).delete()
    Strength.objects.filter(player__in=gone).delete()


def join(source: Player, target: Player) -> None:
    """Leave one strength of each host to a merged player, and one of each player that both have kept: the target's."""
    hosts = list(Strength.objects.filter(player=target).values_list("host", flat=True))
    Strength.objects.filter(player=source, host__in=hosts).delete()
    kept = list(Strength.objects.filter(host=target).values_list("player", flat=True))
    Strength.objects.filter(host=source, player__in=kept).delete()


def own(player: Player) -> list[JsonObject]:
    """Return the strengths that hosts keep of a player, and those that the player keeps, for the export."""
    of_player = Strength.objects.filter(player=player).select_related("host")
    kept = Strength.objects.filter(host=player).select_related("player")
    return [
        *({"kept_by": row.host.displayed_name, "strength": row.value} for row in of_player),
        *({"of": row.player.displayed_name, "strength": row.value} for row in kept),
    ]
