"""Merging two players of the same person into one.

Merging needs knowledge of the person: the guest's own browser, a host, or an admin. A nickname
is never enough: two guests may have the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models.fields.reverse_related import ForeignObjectRel

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, ResultLine, Seat, Table
from games.services import audit, personal_rooms, publication, row_locks
from games.services.people import bans


@dataclass(frozen=True, slots=True)
class Summary:
    """A player's past: nights (newest first), tables and results."""

    nights: tuple[Night, ...]
    tables: int
    results: int


def summary(player: Player) -> Summary:
    """Return the past of a player that a merger would move to another player."""
    inside = Membership.Status.IN, Membership.Status.WAITING
    nights = Night.objects.filter(memberships__player=player, memberships__status__in=inside)
    return Summary(
        tuple(nights.select_related("host")[:50]),
        Seat.objects.filter(player=player).count(),
        ResultLine.objects.filter(player=player).count(),
    )


def check(source: Player, target: Player) -> None:
    """Raise Illegal unless `source` can be merged into `target`.

    `same_player`, `gone_player` (merged or deleted before), `two_accounts`, and
    `same_table` (with the table's `number` and `night`): both sat or played at one table, so they are
    two people.
    """
    if source.pk == target.pk:
        raise Illegal("same_player")
    if not (source.is_somebody and target.is_somebody):
        raise Illegal("gone_player")
    if source.user_id is not None and target.user_id is not None:
        raise Illegal("two_accounts")
    if (table := _shared_table(source, target)) is not None:
        raise Illegal("same_table", number=table.number, night=table.night.name)


def _shared_table(source: Player, target: Player) -> Table | None:
    """Return a table where both have a seat, or a line of one result; None if there is none.

    A line of a past game says nothing until its person has agreed: anybody may have written it.
    """
    tables = Table.objects.select_related("night")
    both_sit = tables.filter(seats__player=source).filter(seats__player=target)
    given = ResultLine.objects.filter(consent=ResultLine.Consent.GIVEN)
    source_lines = given.filter(player=source, result__in=given.filter(player=target).values("result"))
    return both_sit.first() or tables.filter(results__lines__in=source_lines).first()


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
