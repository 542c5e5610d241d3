"""Merging two players of the same person into one.

Merging needs knowledge of the person: the guest's own browser, a host, or an admin. A nickname
is never enough: two guests may have the same one.
"""

from __future__ import annotations

from functools import partial

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models.fields.reverse_related import ForeignObjectRel

from games.kernel.contract import Illegal
from games.models import Night, Player, Table
from games.services import audit, personal_rooms, publication, row_locks
from games.services.people import bans, two_people


def check(source: Player, target: Player) -> None:
    """Raise Illegal unless `source` can be merged into `target`.

    `same_player`, `gone_player` (merged or deleted before), `two_accounts`, and as `two_people.check`.
    """
    if source.pk == target.pk:
        raise Illegal("same_player")
    if not (source.is_somebody and target.is_somebody):
        raise Illegal("gone_player")
    if source.user_id is not None and target.user_id is not None:
        raise Illegal("two_accounts")
    two_people.check(source, target)


@transaction.atomic
def merge(source: Player, target: Player, by: AbstractBaseUser | None = None) -> Player:
    """Merge `source` into `target` and return `target`, which then has everything of both.

    This includes seats, results, nights, acts in the logs, chat, and hosted nights. The row of `source` stays,
    so that old links still work. Prohibitions of either apply to the merged player: a ban, and a removal from
    a night. `by` is a user of the staff, for the audit. Raises as `check`.
    """
    (source, target), _nights = row_locks.everywhere(source, target)
    check(source, target)
    tables = list(Table.objects.filter(seats__player=source).select_related("night"))
    nights = list(Night.objects.filter(memberships__player=source))
    for room in personal_rooms.rooms():
        room.join(source, target)
    _point_at(source, target)
    for room in personal_rooms.rooms():
        room.joined(source, target)
    _close_row(source, target)
    if target.banned_at is not None:
        bans.BANNED.tell(target, by)
    if by is not None:
        names = f"{source.nickname} → {target.nickname}"
        audit.note("players_merged", by, names, player=target.pk, other=source.pk)
    _publish(source, target, tables, nights)
    return target


def _point_at(source: Player, target: Player) -> None:
    """Change every row of the database that refers to `source` to `target`."""
    for relation in Player._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or relation.many_to_many:
            continue
        rows = relation.related_model._default_manager
        rows.filter(**{relation.field.name: source}).update(**{relation.field.name: target})


def _close_row(source: Player, target: Player) -> None:
    """Mark `source` as merged; move its account and its ban to `target`."""
    user, banned_at = source.user, source.banned_at
    source.user, source.merged_into = None, target
    source.save(update_fields=["user", "merged_into"])
    target.user = target.user or user
    target.banned_at = target.banned_at or banned_at
    target.hides_grades = target.hides_grades or source.hides_grades
    target.save(update_fields=["user", "banned_at", "hides_grades"])


def _publish(source: Player, target: Player, tables: list[Table], nights: list[Night]) -> None:
    """Publish the changes after the commit."""
    news: list[publication.News] = [publication.PlayerChanged(source.pk)]
    if target.banned_at is not None:
        news.append(publication.PlayerChanged(target.pk))
    news += [publication.TableTouched(table.pk, table.public_id) for table in tables]
    news += [publication.NightTouched(night.pk, night.public_id) for night in nights]
    for each in news:
        transaction.on_commit(partial(publication.publish, each))
