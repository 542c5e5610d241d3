"""Names that look like the host's: nobody has one at a night before its host has said yes.

A guest who comes with such a name waits at the door, also where everybody else comes straight in; nobody takes one
while they are in. Names of former hosts who may have the night back count as well.
"""

from __future__ import annotations

from django.db.models import QuerySet

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player
from games.services.nights import events, former_hosts, newcomers
from games.services.people import confusable_names


def looks_like_host(night: Night, player_id: int | None, nickname: str) -> bool:
    """Tell whether a nickname is easily confused with that of a host of a night who is somebody else."""
    ids = {night.host_id, *former_hosts.ids(night)} - {player_id}
    names = Player.objects.filter(pk__in=ids).values_list("nickname", flat=True)
    return any(confusable_names.flags({0: nickname, 1: name}) for name in names)


def check(player: Player, nickname: str) -> None:
    """Raise Illegal `nickname_of_host` where a player is in at an open night under whose host's name they would be."""
    for member in _open_memberships(player).filter(status=Membership.Status.IN):
        night = member.night
        if looks_like_host(night, player.pk, nickname) and not looks_like_host(night, player.pk, player.nickname):
            raise Illegal("nickname_of_host", host=night.host.nickname)


def tell_renamed(player: Player, old: str) -> None:
    """Record another nickname at the open nights where the player is in, and let them in who waited for it alone."""
    for member in _open_memberships(player).filter(status=Membership.Status.IN):
        events.record(member.night, "renamed", name=old, to=player.nickname, player=player.pk)
    _let_in(player, old)


def _let_in(player: Player, old: str) -> None:
    """Let a player in who waited for their old name alone, and has another one now."""
    waiting = _open_memberships(player).filter(status=Membership.Status.WAITING, night__status=Night.Status.OPEN)
    for member in waiting.filter(night__admit_by_hand=False):
        night = member.night
        is_for_name = looks_like_host(night, player.pk, old) and not looks_like_host(night, player.pk, player.nickname)
        if is_for_name and newcomers.leave_room_for(night, member):
            member.status = Membership.Status.IN
            member.save(update_fields=["status"])
            events.record(night, "joined", name=player.nickname, player=player.pk)


def _open_memberships(player: Player) -> QuerySet[Membership]:
    rows = Membership.objects.filter(player=player).exclude(night__status=Night.Status.CLOSED)
    return rows.select_related("night__host").order_by("night")
