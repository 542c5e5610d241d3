"""Merging two players of the same person into one.

Merging needs knowledge of the person: the guest's own browser, a host, or an admin. A nickname
is never enough: two guests may have the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel

from games.kernel.contract import Illegal
from games.models import (
    DeviceMove,
    HistoryClaim,
    Membership,
    Night,
    NightTally,
    Player,
    ResultLine,
    Seat,
    SentForm,
    Table,
    Tally,
)
from games.services import audit, holds, log_files
from games.services.calendar import answers
from games.services.history import night_tallies, tallies
from games.services.mails import wishes
from games.services.nights import former_hosts, membership
from games.services.payments import erasure
from games.services.people import bans
from games.services.rolls import dice_figures
from games.services.seasons import entrants
from games.services.tables import publication
from games.services.tables.commands import HOUSE
from games.services.tournaments import tournaments


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
    (source, target), _nights = holds.everywhere(source, target)
    check(source, target)
    tables = list(Table.objects.filter(seats__player=source).select_related("night"))
    nights = list(Night.objects.filter(memberships__player=source))
    _join_memberships(source, target)
    DeviceMove.objects.filter(player=source).delete()
    HistoryClaim.objects.filter(guest=source).delete()
    HistoryClaim.objects.filter(account=source).delete()
    Tally.objects.filter(player=source).delete()
    NightTally.objects.filter(player=source).delete()
    SentForm.objects.filter(player=source, form_id__in=_form_ids(target)).delete()
    dice_figures.join(source, target)
    log_files.join_actors(source, target)
    _part_lines(source, target)
    entrants.join(source, target)
    tournaments.join(source, target)
    answers.join(source, target)
    wishes.join(source, target)
    erasure.join(source, target)
    _point_at(source, target)
    former_hosts.join(source.pk, target.pk)
    _keep_phone(source, target)
    _close_row(source, target)
    _stand_up(target)
    if target.banned_at is not None:
        bans.remove_from_nights(target, by)
    tallies.rebuild([target.pk])
    night_tallies.rebuild([target.pk])
    if by is not None:
        names = f"{source.nickname} → {target.nickname}"
        audit.note("players_merged", by, names, player=target.pk, other=source.pk)
    _publish(source, target, tables, nights)
    return target


def _form_ids(target: Player) -> QuerySet[SentForm, Any]:
    return SentForm.objects.filter(player=target).values("form_id")


def _keep_phone(source: Player, target: Player) -> None:
    """Remove all keepers if one of the two has a phone."""
    has_phone = source.user_id or target.user_id or Membership.objects.filter(player=target, keeper=None).exists()
    if has_phone:
        Membership.objects.filter(player=target).update(keeper=None)


def _part_lines(source: Player, target: Player) -> None:
    """Leave one line of each result to the merged player: others, without consent, belong to nobody."""
    for one, other in ((source, target), (target, source)):
        lines = ResultLine.objects.filter(player=one).exclude(consent=ResultLine.Consent.GIVEN)
        theirs = ResultLine.objects.filter(player=other).values("result")
        lines.filter(result__in=list(theirs.values_list("result", flat=True))).update(player=None)


def _join_memberships(source: Player, target: Player) -> None:
    """Leave one membership per night; a removal of either counts, but not where one of them hosts or hosted."""
    kept = {member.night_id: member for member in Membership.objects.filter(player=target)}
    for member in Membership.objects.filter(player=source).select_related("night"):
        other = kept.get(member.night_id)
        if other is None:
            continue
        hosts = {member.night.host_id, *former_hosts.ids(member.night)}
        is_host = not hosts.isdisjoint((source.pk, target.pk))
        statuses = {member.status, other.status} - ({Membership.Status.KICKED} if is_host else set())
        first = (status for status in (Membership.Status.KICKED, Membership.Status.IN) if status in statuses)
        other.status = next(first, other.status)
        other.is_muted |= member.is_muted
        other.is_invited |= member.is_invited
        other.gone_at = other.gone_at and member.gone_at
        other.save(update_fields=["status", "is_muted", "is_invited", "gone_at"])
        member.delete()


def _stand_up(target: Player) -> None:
    """Free the merged player's seats at nights that the player was removed from."""
    for member in Membership.objects.filter(player=target, status=Membership.Status.KICKED).select_related("night"):
        membership.free_seats(member.night, target.pk, HOUSE)


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
