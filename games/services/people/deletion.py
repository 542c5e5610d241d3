"""Deletion of a person's data; results stay, without a name.

The name is removed from the stored rows themselves, including the house's events in the logs,
so that no code that reads them has to hide it (docs/decisions/deleted-names.md).
"""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games.kernel.contract import Illegal
from games.models import DELETED_NAME, Night, Player, Table
from games.services import audit, personal_registry, publication, row_locks
from games.services.people import players


def check(player: Player) -> None:
    """Raise Illegal if a player cannot be deleted now.

    `gone_player`, `hosts_a_night` (with its `night`: close it or hand it over first), and
    `staff_account` for accounts of staff, whose acts must keep a name.
    """
    if not player.is_somebody:
        raise Illegal("gone_player")
    if player.user is not None and player.user.is_staff:
        raise Illegal("staff_account")
    hosted = player.hosted.filter(is_practice=False).exclude(status=Night.Status.CLOSED).first()
    if hosted is not None:
        raise Illegal("hosts_a_night", night=hosted.name)


def _names(player: Player) -> frozenset[str]:
    """Return every name that a player has had, that of the account, too, but not the one of all who were deleted."""
    account = {str(player.user)} if player.user is not None else set()
    return frozenset((players.names_of(player) | account) - {DELETED_NAME, ""})


@transaction.atomic
def delete(player: Player, by: AbstractBaseUser | None = None) -> None:
    """Delete a player's account, chat and name, wherever they are stored; raises as `check`.

    `by` is a user of the staff acting for the player, for the audit.
    """
    (player,), _nights = row_locks.everywhere(player)
    check(player)
    touched = list(Table.objects.filter(seats__player=player))
    nights = Night.objects.filter(memberships__player=player).exclude(host=player, is_practice=True)
    ids = frozenset({player.pk, *players.joined_to(player.pk)})
    leaver = personal_registry.Leaver(player, ids, _names(player), tuple(nights))
    for room in personal_registry.rooms():
        room.stop(leaver)
    for room in personal_registry.rooms():
        room.forget(leaver)
    if by is not None:
        audit.note("player_deleted", by, DELETED_NAME, player=player.pk)
    news: list[publication.News] = [publication.PlayerChanged(player.pk)]
    news += [publication.TableTouched(table.pk, table.public_id) for table in touched]
    news += [publication.NightTouched(night.pk, night.public_id) for night in leaver.nights]
    publication.publish_later(*news)
