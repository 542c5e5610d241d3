"""Deletion of a person's data; results stay, without a name.

The name is removed from the stored rows themselves, including the house's events in the logs,
so that no code that reads them has to hide it (docs/decisions/deleted-names.md).

A person's own data, as JSON.

Guests that gave a name and never played: their rows are deleted after KEEP_GUESTS_DAYS.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.kernel.contract import Illegal, JsonObject
from games.models import DELETED_NAME, Night, Player, Table
from games.services import audit, personal_rooms, publication, row_locks
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
    leaver = personal_rooms.Leaver(player, ids, _names(player), tuple(nights))
    for room in personal_rooms.rooms():
        room.stop(leaver)
    for room in personal_rooms.rooms():
        room.forget(leaver)
    if by is not None:
        audit.note("player_deleted", by, DELETED_NAME, player=player.pk)
    news: list[publication.News] = [publication.PlayerChanged(player.pk)]
    news += [publication.TableTouched(table.pk, table.public_id) for table in touched]
    news += [publication.NightTouched(night.pk, night.public_id) for night in leaver.nights]
    publication.publish_later(*news)


OWN_DATA_FORMAT = 1


def own_data(player: Player) -> JsonObject:
    """Return all stored data of a player, and of the player's account if there is one, room by room.

    It contains no other people's names. Times are ISO 8601 in UTC.
    """
    found: JsonObject = {"format": OWN_DATA_FORMAT, "made_at": personal_rooms.time_text(datetime.now(UTC))}
    for room in personal_rooms.rooms():
        found |= room.own(player)
    return found


BATCH = 200


def unseen_guests(before: datetime) -> QuerySet[Player]:
    """Return the guests created before a time, at no night since, and without a trace in any room (`Kept.traces`).

    Banned guests are kept, because the ban would be deleted with them.
    """
    guests = Player.objects.filter(
        user=None, merged_into=None, deleted_at=None, banned_at=None, created_at__lt=before, merged=None
    )
    for room in personal_rooms.rooms():
        for trace in room.traces(OuterRef("pk"), before):
            guests = guests.filter(~Exists(trace))
    return guests


def delete_unseen_guests(now: datetime, is_ended: Callable[[], bool] = lambda: False) -> int:
    """Delete the unseen guests in batches, until `is_ended`; return their number."""
    if not settings.KEEP_GUESTS_DAYS:
        return 0
    found = unseen_guests(now - timedelta(days=settings.KEEP_GUESTS_DAYS))
    count = 0
    while not is_ended():
        with transaction.atomic():
            ids = list(found.order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True)[:BATCH])
            # Asked again under the lock: a guest may have come in while this waited.
            found.filter(pk__in=ids).delete()
        if not ids:
            break
        count += len(ids)
    return count
