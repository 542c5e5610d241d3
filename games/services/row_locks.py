"""Holds: a person, a night or its tables held still until the end of the transaction.

Whatever a service checks before it writes about a person or a night, it reads after the hold: until the transaction
ends, no other one changes it. Three rules, and one order (docs/decisions/holds.md):

- A person comes into a night, or gets a row of their own, under the hold of the person: `person`, `people`, or
  `present`, which follows a merger.
- A row about the people at a night is written under the hold of the night (`night`), and a table that is not over
  by the commit, which locks the table.
- What ends a person or a right holds all of these: `everywhere` for a merger, a deletion or a ban,
  `night_and_tables` for a removal or a closing.

The order is people, nights, tables, each by ascending id, so that no two transactions wait for each other. On
PostgreSQL a hold is a row lock that lets other rows refer to the held one. SQLite has one writer at a time: there
the hold is that everything is read again inside the transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from games.kernel.contract import Illegal
from games.models import Night, Player, Table

Row = TypeVar("Row", bound=Model)


def person(player: Player | int) -> Player:
    """Hold a person, and return the present row, a given one renewed in place.

    Raises `gone_player` for one that was merged into another or deleted, and for an unknown id.
    """
    (found,) = people(player)
    return found


def people(*players: Player | int) -> list[Player]:
    """Hold several persons, and return their rows, as `person` does for one."""
    given = {each.pk: each for each in players if isinstance(each, Player)}
    wanted = [each.pk if isinstance(each, Player) else each for each in players]
    held = {pk: _held(pk, given.get(pk)) for pk in sorted(set(wanted))}
    if not all(each.is_somebody for each in held.values()):
        raise Illegal("gone_player")
    return [held[pk] for pk in wanted]


def present(player: Player | int) -> Player:
    """Hold a person as `person` does; for a merged player hold and return the one into which it was merged."""
    row = _held(player, None) if isinstance(player, int) else _held(player.pk, player)
    while row.merged_into_id is not None:
        row = _held(row.merged_into_id, None)
    if row.deleted_at is not None:
        raise Illegal("gone_player")
    return row


def _held(player_id: int, row: Player | None) -> Player:
    """Lock a player's row, and read it again, in place if it is given."""
    if row is not None:
        return _renewed(row, "gone_player")
    _check()
    found = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
    if found is None:
        raise Illegal("gone_player")
    return found


def night(row: Night) -> Night:
    """Hold a night, and renew its row in place; raises `no_such_night` if it was deleted meanwhile."""
    return _renewed(row, "no_such_night")


def night_and_tables(row: Night) -> Night:
    """Hold a night with all its tables that are not over, as `night` does."""
    night(row)
    _hold(_open_tables([row.pk]))
    return row


def everywhere(*players: Player | int) -> tuple[list[Player], list[Night]]:
    """Hold persons with all nights that they have come to or host, and those nights' tables that are not over.

    Returns the persons' rows and the nights. Raises as `person`.
    """
    found = people(*players)
    here = Q(memberships__player__in=found) | Q(host__in=found)
    ids = Night.objects.filter(here).values("pk")
    nights = _hold(Night.objects.filter(pk__in=ids))
    _hold(_open_tables([each.pk for each in nights]).only("pk"))
    return found, nights


def _open_tables(night_ids: Collection[int]) -> QuerySet[Table]:
    return Table.objects.filter(night__in=night_ids).exclude(status=Table.Status.FINISHED)


def _hold(rows: QuerySet[Row]) -> list[Row]:
    """Lock rows in the order of their ids, and return them."""
    _check()
    return list(rows.order_by("pk").select_for_update(of=("self",), no_key=True))


def _renewed(row: Row, code: str) -> Row:
    """Lock a row, and read it again in place; raises the refusal `code` if there is none."""
    _check()
    try:
        row.refresh_from_db(from_queryset=type(row)._default_manager.select_for_update(no_key=True))
    except ObjectDoesNotExist:
        raise Illegal(code) from None
    return row


def _check() -> None:
    """Raise an error outside of a transaction, where a hold would end at once."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("a hold needs a transaction")
