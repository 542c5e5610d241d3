"""Newcomers: people without a seat at a night, and how many of them may be there at a time.

Who typed the room code, or was brought by another guest, is bounded in number. Who came by the QR code counts among
those whom the host allows. All phones of a pub come from one address, and so may one that makes guests up: therefore a
part of the places is kept. When the night is nearly full and most of it are newcomers of one address, whom the house
does not know, the next one of that address waits for the host.

Which address a newcomer came from is in the cache alone, for an evening. After a restart the count begins anew.

Names that look like the host's: nobody has one at a night before its host has said yes.

A guest who comes with such a name waits at the door, also where everybody else comes straight in; nobody takes one
while they are in. Names of former hosts who may have the night back count as well.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.addresses import network_of
from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Seat
from games.services.acts import LogLine
from games.services.nights import events, former_hosts
from games.services.people import confusable_names

MOST_NEWCOMERS = 20
"""People who came by the code and have no seat yet, and people who wait for the host, that are there at a time."""
KEPT_SHARE = 4
"""One in so many places is kept for people whom the house knows, who are expected, or come from elsewhere."""
CROWD_SHARE, LEAST_CROWD = 2, 10
"""Newcomers of one address are a crowd when they are one in so many of all places, and at least so many."""
EVENING_SECONDS = 12 * 3600
KNOWN_AFTER = timedelta(days=1)


def is_known(player: Player) -> bool:
    """Tell whether a player was created at least a day ago and has been in at another host's night."""
    if player.created_at > datetime.now(UTC) - KNOWN_AFTER:
        return False
    been = Membership.objects.filter(player=player, status=Membership.Status.IN)
    return been.exclude(night__host=player).exists()


def seated(night: Night) -> QuerySet[Any]:
    """Return the ids of the players who have, or had, a seat at a table of the night."""
    return Seat.objects.filter(table__night=night, player__isnull=False).values("player")


def never_played() -> Q:
    """Return the condition on rows with a `player`: nobody, or somebody who never had a seat at any table."""
    return Q(~Exists(Seat.objects.filter(player=OuterRef("player"))))


def counted(night: Night) -> QuerySet[Membership]:
    """Return the members who count towards the host's limit: all inside but newcomers by the code without a seat."""
    inside = night.memberships.filter(status=Membership.Status.IN)
    return inside.filter(Q(is_invited=True) | Q(player__in=seated(night)))


def check_cap(night: Night) -> None:
    """Raise Illegal `night_full` if as many are in as the host allows."""
    if counted(night).count() >= night.cap:
        raise Illegal("night_full", cap=night.cap)


def check(night: Night, *, waits: bool, is_invited: bool) -> None:
    """Raise Illegal `too_many_at_door`, `too_many_by_code` while too many newcomers are there."""
    if waits:
        if night.memberships.filter(status=Membership.Status.WAITING).count() >= MOST_NEWCOMERS:
            raise Illegal("too_many_at_door", most=MOST_NEWCOMERS)
    elif not is_invited:
        check_by_code(night)


def check_by_code(night: Night) -> None:
    """Raise Illegal `too_many_by_code` while too many are in uninvited and without a seat."""
    inside = night.memberships.filter(status=Membership.Status.IN, is_invited=False)
    if inside.exclude(player__in=seated(night)).count() >= MOST_NEWCOMERS:
        raise Illegal("too_many_by_code", most=MOST_NEWCOMERS)


def note_address(night: Night, player: Player, address: str) -> None:
    """Note the address from which a player comes to a night; nothing where it is not known."""
    if address:
        cache.set(_came_from(night, player.pk), network_of(address), EVENING_SECONDS)


def is_one_too_many(night: Night, player: Player) -> bool:
    """Tell whether a player has to wait as the next of a crowd of newcomers of their address.

    False for a player whom the house knows, and for one of no noted address.
    """
    network = cache.get(_came_from(night, player.pk))
    is_nearly_full = counted(night).count() >= night.cap - night.cap // KEPT_SHARE
    if network is None or not is_nearly_full or is_known(player):
        return False
    came = counted(night).filter(keeper=None).exclude(player__in=[night.host_id, player.pk])
    newcomers = came.exclude(player__in=seated(night)).values_list("player", flat=True)
    networks = cache.get_many([_came_from(night, player_id) for player_id in newcomers]).values()
    return list(networks).count(network) >= max(LEAST_CROWD, night.cap // CROWD_SHARE)


def leave_room_for(night: Night, member: Membership) -> bool:
    """Tell whether somebody who waits could come in without the host, as far as places and newcomers are concerned."""
    try:
        check_cap(night)
        check(night, waits=False, is_invited=member.is_invited)
    except Illegal:
        return False
    return not (member.is_invited and is_one_too_many(night, member.player))


def _came_from(night: Night, player_id: int) -> str:
    return f"came-from:{night.pk}:{player_id}"


events.LOG.add(
    LogLine("renamed", _("%(name)s is called %(to)s now.")),
)


def looks_like_host(night: Night, player_id: int | None, nickname: str) -> bool:
    """Tell whether a nickname is easily confused with that of a host of a night who is somebody else."""
    ids = {night.host_id, *former_hosts.ids(night)} - {player_id}
    names = Player.objects.filter(pk__in=ids).values_list("nickname", flat=True)
    return any(confusable_names.flags({0: nickname, 1: name}) for name in names)


def check_name(player: Player, nickname: str) -> None:
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
        if is_for_name and leave_room_for(night, member):
            member.status = Membership.Status.IN
            member.save(update_fields=["status"])
            events.record(night, "joined", name=player.nickname, player=player.pk)


def _open_memberships(player: Player) -> QuerySet[Membership]:
    rows = Membership.objects.filter(player=player).exclude(night__status=Night.Status.CLOSED)
    return rows.select_related("night__host").order_by("night")
