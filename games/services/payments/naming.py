"""Acts of naming: the holder of a night's kitty, and a person's own value of a point."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.kernel.payments import point_values
from games.models import Night, Player, PointValue, Table
from games.services import audit, row_locks
from games.services.arguments import Number
from games.services.nights import night_rights
from games.services.payments.registry import ACTS, OwedRight, Person, TableId
from games.services.payments.ticks import has_phone
from games.services.point_values import own_values


@ACTS.act(
    "kitty",
    OwedRight.HOST,
    done=_("Saved."),
    audit={"kitty_named": _("named who holds the kitty")},
    label=_("The kitty"),
    yes=_("Save"),
)
@transaction.atomic
def name_holder(night: Night, by: Player, player: Person) -> None:
    """Let a person who is in hold the night's kitty; raises Illegal `not_host`, `no_such_player`."""
    row_locks.night(night)
    night_rights.check_host(night, by)
    if not night_rights.is_inside(night, player):
        raise Illegal("no_such_player")
    night.kitty_holder = player
    night.save(update_fields=["kitty_holder"])
    audit.note("kitty_named", by, night=night, holder=player.pk)


@ACTS.act(
    "value",
    OwedRight.MEMBER,
    done=_("Saved. It counts from the next game on."),
    label=_("Value of a point"),
    yes=_("Save"),
)
def set_value_at(night: Night, by: Player, table_id: TableId, player: Person, value: Number) -> None:
    """Set a person's own value of a point at a table of the night; raises `no_such_table`, and as `set_value`."""
    table = night.tables.filter(pk=table_id).first()
    if table is None:
        raise Illegal("no_such_table")
    set_value(table, by, player, value)


@transaction.atomic
def set_value(table: Table, by: Player, person: Player, value: int) -> None:
    """Set a person's own value of a point at a table, from the next game on.

    `by` is the person, or the host for a person without a phone. Raises Illegal `no_own_values`, `not_your_payment`,
    `not_inside`, `bad_point_value`, `value_too_high`.
    """
    night = row_locks.night(table.night)
    terms = own_values.terms_of(table)
    if terms is None or not own_values.has_own(table) or table.status == Table.Status.FINISHED:
        raise Illegal("no_own_values")
    if by.pk != person.pk and not (by.pk == night.host_id and not has_phone(night, person)):
        raise Illegal("not_your_payment")
    if not night_rights.is_inside(night, person):
        raise Illegal("not_inside")
    if not 1 <= value <= point_values.MOST:
        raise Illegal("bad_point_value", most=point_values.MOST)
    own_values.check_value(terms.currency, value)
    PointValue.objects.create(table=table, player=person, value=value)
