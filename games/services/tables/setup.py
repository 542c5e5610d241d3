"""Tables before and after play: opening, house rules, seats, the start, playing again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Unpack

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from games import plugin
from games.kernel import dice, replay
from games.kernel.contract import Event, Illegal, JsonObject
from games.kernel.dice import chains
from games.models import Night, Player, Seat, Table
from games.services.dice import dice_chains
from games.services.house_rules import offers
from games.services.nights import events, membership
from games.services.people import players
from games.services.seats import acceptance, keeping, seats
from games.services.tables import log, publication
from games.services.tables.commands import Actor, Request
from games.services.tables.commit import submit
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.log import Receipt


@transaction.atomic
def open_table(
    night: Night,
    host: Player,
    game_id: str,
    preset: str,
    changes: Mapping[str, Any],
    **chosen: Unpack[offers.Chosen],
) -> Table:
    """Open a table with house rules: a preset or a rule set, and changes to it.

    Raises Illegal `not_host`, `practice_night`, `night_closed` and as `offers.agree`, OptionErrors for bad changes.
    """
    membership.check_host(night, host)
    if night.is_practice:
        raise Illegal("practice_night")
    return open_under(night, host, game_id, offers.agree(host, game_id, preset, changes, **chosen))


def open_under(night: Night, by: Player, game_id: str, agreed: offers.Terms) -> Table:
    """Open the night's next table under agreed terms.

    Raises `night_closed`; `too_many_tables` unless staff open it.
    """
    # The lock gives two tables opened at the same time different numbers.
    night = Night.objects.select_for_update(no_key=True).get(pk=night.pk)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    table = add_table(night, by, game_id=game_id, dice_seed=dice.new_seed(), **agreed.fields())
    events.record(night, "table_opened", number=table.number, game=game_id)
    return table


def add_table(night: Night, by: Player | AbstractBaseUser, **fields: Any) -> Table:
    """Return a new table of a night whose row is locked, with the next number; raises `too_many_tables`."""
    most = settings.TABLES_PER_NIGHT
    is_staff = players.is_staff(by) if isinstance(by, Player) else True
    if most and night.tables.count() >= most and not is_staff:
        raise Illegal("too_many_tables", most=most)
    last = night.tables.order_by("-number").values_list("number", flat=True).first() or 0
    return Table.objects.create(night=night, number=last + 1, **fields)


def in_lobby(table_id: int) -> Table:
    """Return the locked table; raises `already_started` if play has begun."""
    table = log.lock(table_id)
    if table.status != Table.Status.LOBBY:
        raise Illegal("already_started")
    return table


@transaction.atomic
def change_rules(
    table: Table,
    host: Player,
    preset: str,
    changes: Mapping[str, Any],
    **chosen: Unpack[offers.Chosen],
) -> None:
    """Change the house rules before play; everybody must accept the card again."""
    table = in_lobby(table.pk)
    membership.check_host(table.night, host)
    offers.agree_anew(table, host, preset, changes, **chosen).apply(table)
    table.save(update_fields=offers.TABLE_FIELDS)
    table.seats.update(accepted_at=None, nonce="")
    publication.table_changed(table)


def seat_bounds(table: Table) -> tuple[int, int]:
    """Return the fewest and the most seats of the table under its house rules."""
    return plugin.game(table.game_id).options.seats(table.preset, table.options)


@transaction.atomic
def sit(table: Table, player: Player, *, accept: bool = False, nonce: str = "", is_adult: bool = False) -> Seat:
    """Take the next free seat; `accept` accepts the rules card at once.

    `nonce` is the browser's random number for the dice; `is_adult`: the player says so. A seated
    player keeps the seat. Raises `already_started`, `not_inside`, `adults_only`, `table_full`.
    """
    table = in_lobby(table.pk)
    if not membership.is_inside(table.night, player):
        raise Illegal("not_inside")
    seat = table.seats.filter(player=player).first()
    if seat is None or (accept and seat.accepted_at is None):
        acceptance.check_age(table, is_adult)
    if seat is None:
        count = table.seats.count()
        if count >= seat_bounds(table)[1]:
            raise Illegal("table_full")
        seat = Seat.objects.create(table=table, index=count, player=player, name=player.nickname)
    if accept:
        seat.accepted_at, seat.nonce = datetime.now(UTC), nonce[:64]
        seat.save(update_fields=["accepted_at", "nonce"])
    publication.table_changed(table)
    return seat


@transaction.atomic
def add_bot(table: Table, host: Player, level: str) -> Seat:
    """Put a bot on the next free seat; raises `not_host`, `no_bots_here`, `bad_level`, `table_full`."""
    table = in_lobby(table.pk)
    membership.check_host(table.night, host)
    seats.check_bots(table.game_id, table.options)
    count = table.seats.count()
    if count >= seat_bounds(table)[1]:
        raise Illegal("table_full")
    others = table.seats.values_list("name", flat=True)
    seat = Seat.objects.create(
        table=table,
        index=count,
        name=seats.bot_name(others, count),
        bot_level=seats.check_level(table.game_id, level),
        accepted_at=datetime.now(UTC),
    )
    publication.table_changed(table)
    return seat


@transaction.atomic
def vacate(table: Table, by: Player, index: int) -> None:
    """Free a seat before play: one's own, any for the host, that of a person without a phone for the scorekeeper.

    Raises `bad_args`, `not_host`.
    """
    table = in_lobby(table.pk)
    seat = table.seats.filter(index=index).first()
    if seat is None:
        raise Illegal("bad_args", name="seat")
    is_kept = keeping.is_kept(table.night_id, seat.player_id) and by.pk == table.scorekeeper_id
    if seat.player_id != by.pk and not is_kept:
        membership.check_host(table.night, by)
    seats.drop_seat(seat)


@transaction.atomic
def reorder(table: Table, host: Player, order: Sequence[int]) -> None:
    """Put the seats in a new order: `order` lists the present indexes; raises `bad_args`."""
    table = in_lobby(table.pk)
    membership.check_host(table.night, host)
    present = {seat.index: seat for seat in table.seats.all()}
    if sorted(order) != sorted(present):
        raise Illegal("bad_args", name="order")
    seats.renumber([present[index] for index in order])
    publication.table_changed(table)


@transaction.atomic
def start(table: Table, host: Player, command_id: str) -> Receipt:
    """Start play: the rules are frozen, the dice sealed, entry 1 written.

    Raises `not_host`, `too_few_seats`, `too_many_seats`, `no_bots_here`, `not_accepted` (with the names).
    """
    membership.check_host(table.night, host)
    receipt = submit(table.pk, Actor(host.pk), Request("table.start", {}, command_id), decide=_start)
    if not receipt.repeated:
        events.record(table.night, "table_started", number=table.number, game=table.game_id)
    return receipt


def _start(table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the decision that starts play: the first entry of a table's log."""
    row = table.row
    if table.snapshot.status != Table.Status.LOBBY:
        raise Illegal("already_started")
    seated = list(row.seats.order_by("index"))
    _check_seats(row, seated)
    if any(seat.bot_level for seat in seated):
        seats.check_bots(row.game_id, row.options)
    is_sealed = dice_chains.has_hidden_dice(row.game_id, row.options)
    salt = dice.salt_of(seat.nonce for seat in seated) if is_sealed else ""
    head = _started(row, seated, _sealed(row, salt) if is_sealed else {})
    table.dice = dice.FairDice(row.dice_seed, salt)
    committed: tuple[Event, ...] = ()
    if not is_sealed:
        waits = bool(row.options.get(chains.WAITS))
        committed = (dice_chains.committed(row.dice_seed, 0, waits=waits),)
        begun = dice_chains.Chains(waits=waits, digest=dice_chains.digest("", replay.Entry(0, (head, *committed))))
        table.dice = dice_chains.dice(begun, row.public_id, row.dice_seed, "", 0)
    opened = plugin.game(row.game_id).rules.open(row.options, len(seated), table.dice)
    return TableDecision((head, *committed, *opened.events), opened.state, status=Table.Status.PLAYING, salt=salt)


def _check_seats(table: Table, seats: Sequence[Seat]) -> None:
    """Raise Illegal unless the number of seats is right and all have accepted the rules card."""
    few, many = seat_bounds(table)
    if len(seats) < few:
        raise Illegal("too_few_seats", few=few)
    if len(seats) > many:
        raise Illegal("too_many_seats", many=many)
    missing = [seat.name for seat in seats if seat.accepted_at is None]
    if missing:
        raise Illegal("not_accepted", names=", ".join(missing))


def _started(table: Table, seats: Sequence[Seat], sealed: JsonObject) -> Event:
    """Return the first event of a log: the game, its players and its rules, and the published part of sealed dice."""
    people = [{"name": s.name, "player": s.player_id, "bot": s.bot_level} for s in seats]
    if sealed:
        people = [{**each, "nonce": s.nonce} for each, s in zip(people, seats, strict=True)]
    data = {
        "game": table.game_id,
        "preset": table.preset,
        "options": table.options,
        "house_rules": offers.set_named(table),
        "seats": people,
        **sealed,
    }
    return Event("table.started", data)


def _sealed(table: Table, salt: str) -> JsonObject:
    """Return the published part of the sealed dice: the seed's commitment and the salt."""
    return {"commitment": dice.commitment(table.dice_seed), "salt": salt}


@transaction.atomic
def play_again(table: Table, player: Player) -> Table:
    """Open the next table with the same rules, and the seats of bots and of members still in, in the same order.

    Any player at the finished table, and the host, may ask; a second request gets the same new table. Seats
    that accepted this card need not accept it again. Raises `not_finished`, `night_closed`, `not_seated`.
    """
    table = log.lock(table.pk)
    if table.successor is not None:
        return table.successor
    if table.status != Table.Status.FINISHED:
        raise Illegal("not_finished")
    if table.night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    if table.night.host_id != player.pk and not table.seats.filter(player=player).exists():
        raise Illegal("not_seated")
    following = open_under(table.night, player, table.game_id, offers.table_offer(table))
    stayed = [
        seat
        for seat in table.seats.order_by("index").select_related("player")
        if seat.bot_level or membership.is_inside(table.night, seat.player)
    ]
    for index, old in enumerate(stayed):
        Seat.objects.create(
            table=following,
            index=index,
            player=old.player,
            name=old.name,
            bot_level=old.bot_level,
            accepted_at=datetime.now(UTC) if old.accepted_at or old.bot_level else None,
            nonce=dice.new_seed()[:32],
        )
    if membership.is_inside(table.night, table.scorekeeper):
        following.scorekeeper = table.scorekeeper
        following.save(update_fields=["scorekeeper"])
    table.successor = following
    table.save(update_fields=["successor"])
    publication.table_changed(table)
    return following
