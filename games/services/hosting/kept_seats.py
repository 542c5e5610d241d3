"""Seats of people without a phone: seating a person, the scorekeeper, and continuing with a phone.

Regulars: people without a phone who are seated again by one tap, as the same people.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Membership, Night, Player, Seat, Table
from games.services import publication, row_locks
from games.services.arguments import RowId, Typed
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.nights import membership, night_rights, without_phone
from games.services.people import name_order
from games.services.seasons import season_nights
from games.services.seats import seats
from games.services.tables import log, setup
from games.services.tables.commit import submit
from games.services.tables.registry import ACTS, Adult, Mark, TableRight, check_entrusted
from games.services.tables.seating import acceptance, keeping

MOST_OFFERED = 40
"""The most people who are offered at a table."""


def offered_regulars(night: Night, by: Player) -> list[Player]:
    """Return the people without a phone who can be seated again by one tap, by name, not too many; see `regulars`."""
    return list(regulars(night, by)[:MOST_OFFERED])


def regulars(night: Night, by: Player) -> QuerySet[Player]:
    """Return the people without a phone who can be seated again, by name: those that `by` knows, and tonight's.

    They were at nights of `by` or where `by` was, and where `by` hosts the night also at nights of its seasons.
    Whoever sits at a table of tonight, was shown the door, is banned, or has a phone by now, is not among them.
    """
    ids = without_phone.regulars(by)
    if by.pk == night.host_id:
        nights = [
            placed.night.pk for season in season_nights.seasons_of(night) for placed in season_nights.nights_of(season)
        ]
        kept = Membership.objects.filter(keeper__isnull=False, night__in=nights)
        ids |= set(kept.values_list("player", flat=True))
    seated = Seat.objects.filter(table__night=night, player__isnull=False).exclude(table__status=Table.Status.FINISHED)
    here = Membership.objects.filter(night=night).filter(~Q(status=Membership.Status.IN) | Q(keeper=None))
    found = Player.objects.filter(pk__in=ids, merged_into=None, deleted_at=None, banned_at=None)
    found = without_phone.among(found).exclude(pk__in=seated.values("player"))
    return found.exclude(pk__in=here.values("player")).order_by(name_order.order("nickname"), "pk")


def check_offered(night: Night, by: Player, person: Player) -> None:
    """Raise Illegal `not_offered` for a person who is not offered; `removed`, `not_inside` where `by` is not in."""
    night_rights.check_inside(night, by)
    if not regulars(night, by).filter(pk=person.pk).exists():
        raise Illegal("not_offered")


@transaction.atomic
def seat_person(
    table: Table,
    by: Player,
    nickname: str,
    *,
    mark: str | None = None,
    is_adult: bool = False,
    instead_of: int | None = None,
    known: int | None = None,
) -> Player:
    """Seat a person without a phone, accept the rules card for them, and return them; `mark` as in `setup.sit`.

    With `known` it is a person of `regulars`, by id, and the nickname is theirs.

    Before play they take the next free seat; at a running table a new one, or the seat `instead_of`, where no person
    sits. Raises `not_host`, `card_changed`, `adults_only`, `table_full`, `gone_player`, as `check_offered` and
    `membership.bring`, and as `table.join` and `table.substitute` do.
    """
    regular = None if known is None else row_locks.person(known)
    night = row_locks.night(table.night)
    table = log.lock(table.pk)
    table.night = night
    check_entrusted(table, by)
    if regular is not None:
        check_offered(table.night, by, regular)
    person = membership.bring(table.night, by, nickname, regular)
    if table.status != Table.Status.LOBBY:
        args = {"player": person.pk, **({"adult": True} if is_adult else {})}
        name = "table.join" if instead_of is None else "table.substitute"
        more = {} if instead_of is None else {"seat": instead_of, "sitter": None}
        submit(table.pk, Actor(by.pk), Request(name, {**args, **more}, new_command_id()))
        return person
    setup.sit(table, person, accept=True, mark=mark, nonce=new_command_id(), is_adult=is_adult, accepted_by=by)
    return person


@ACTS.act("accept_for", TableRight.MEMBER, label=_("Accept for %(name)s"))
@transaction.atomic
def accept_for(table: Table, by: Player, seat_id: Typed, *, mark: Mark, is_adult: Adult = False) -> None:
    """Accept the rules card with this `mark` for a person without a phone, before play.

    Raises `not_keeper`, `card_changed`, `adults_only`, and as `setup.in_lobby` and `seats.waiting_seat`.
    """
    table = setup.in_lobby(table.pk)
    seat = seats.waiting_seat(table, seat_id)
    if not is_kept_by(table, seat, by):
        raise Illegal("not_keeper")
    acceptance.check_card(table, mark)
    acceptance.check_age(table, is_adult)
    seat.accepted_at, seat.accepted_by, seat.nonce = datetime.now(UTC), by, new_command_id()
    seat.save(update_fields=["accepted_at", "accepted_by", "nonce"])
    publication.table_changed(table)


def is_kept_by(table: Table, seat: Seat, by: Player) -> bool:
    """Tell whether a player acts for the seat of a person without a phone: as its keeper, or as the host."""
    kept = without_phone.people(table.night).filter(player=seat.player_id).first()
    if kept is None:
        return False
    return by.pk in (keeping.keeper_of(kept.keeper_id, table.scorekeeper_id), table.night.host_id)


@ACTS.act("scorekeeper", TableRight.HOST, label=_("Scorekeeper"), yes=_("Save"))
@transaction.atomic
def name_scorekeeper(table: Table, host: Player, player_id: RowId) -> None:
    """Name a member of the night as the table's scorekeeper.

    Raises `not_host`, `bad_argument`, `no_such_player`, `no_phone`.
    """
    night = row_locks.night(table.night)
    table = log.lock(table.pk)
    setup.check_open(table)
    night_rights.check_host(night, host)
    if table.status != Table.Status.LOBBY:
        submit(table.pk, Actor(host.pk), Request("table.scorekeeper", {"player": player_id}, new_command_id()))
        return
    table.scorekeeper = keeping.member_with_phone(table.night_id, player_id).player
    table.save(update_fields=["scorekeeper"])
    publication.table_changed(table)


@transaction.atomic
def got_phone(person: Player) -> None:
    """Let a person with a new phone act for themselves, and tell the tables where the person sits."""
    if not without_phone.is_without_phone(person):
        return
    row_locks.everywhere(person)
    without_phone.got_phone(person)
    for seat in Seat.objects.filter(player=person).select_related("table__night"):
        if seat.table.is_running:
            request = Request("table.taken_over", {"seat": seat.index}, new_command_id())
            submit(seat.table_id, HOUSE, request, decide=keeping.taken_over)
        elif seat.table.status == Table.Status.LOBBY:
            publication.table_changed(seat.table)
