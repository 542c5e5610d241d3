"""Tables before and after play: opening, house rules, seats, the start, playing again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Unpack

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel import dice, replay
from games.kernel.contract import Event, Illegal, JsonObject
from games.kernel.dice import chains
from games.models import Night, Player, Seat, Table
from games.services import publication, row_locks
from games.services.acts import LogLine
from games.services.arguments import Typed
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.dice import dice_chains
from games.services.house_rules import offers
from games.services.nights import events, night_rights
from games.services.people import players
from games.services.regions import written
from games.services.seats import bot_tables, bots_at_play, seats
from games.services.tables import log
from games.services.tables.commit import submit
from games.services.tables.decisions import Decide, LockedTable, TableDecision
from games.services.tables.log import Receipt
from games.services.tables.registry import ACTS, Adult, Mark, Places, StartId, TableRight
from games.services.tables.seating import acceptance, joining, keeping, leaving

events.LOG.add(
    LogLine("table_opened", _("Table %(number)s was opened: %(game)s.")),
    LogLine("table_started", _("Table %(number)s started: %(game)s.")),
)


@dataclass(frozen=True, slots=True)
class InvitedSitter:
    """A person for a seat: `accepted_at` None for one who has still to accept the rules card."""

    player: Player
    accepted_at: datetime | None = None
    accepted_by: Player | None = None


def table_of_told_match(night: Night, game_id: str, agreed: offers.Terms, people: Sequence[Player]) -> Table:
    """Return a table that is over and archived, for a tournament's match that was played at no table of the house."""
    row_locks.night(night)
    now = datetime.now(UTC)
    over = {"status": Table.Status.FINISHED, "finished_at": now, "archived_at": now}
    table = _next_table(night, game_id=game_id, dice_seed="", **over, **agreed.fields())
    for index, player in enumerate(people):
        Seat.objects.create(table=table, index=index, player=player, name=player.nickname)
    return table


def end_unplayed(table: Table) -> None:
    """End a match table that has not started: its match is decided elsewhere, and no list shows it any more."""
    table = in_lobby(table.pk)
    now = datetime.now(UTC)
    table.status, table.finished_at, table.archived_at = Table.Status.FINISHED, now, now
    table.save(update_fields=["status", "finished_at", "archived_at"])
    publication.table_changed(table)


def hide(table: Table) -> None:
    """Leave a table out of the night's lists: a match's that was opened anew, or one that the house set up in vain."""
    table = log.lock(table.pk)
    table.archived_at = table.archived_at or datetime.now(UTC)
    table.save(update_fields=["archived_at"])
    publication.table_changed(table)


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
    night_rights.check_host(row_locks.night(night), host)
    if night.is_practice:
        raise Illegal("practice_night")
    return open_under(night, host, game_id, offers.agree(host, game_id, preset, changes, **chosen))


def open_under(night: Night, by: Player, game_id: str, agreed: offers.Terms) -> Table:
    """Open the night's next table under agreed terms.

    Raises `night_closed`; `too_many_tables` unless staff open it.
    """
    # The hold gives two tables opened at the same time different numbers.
    row_locks.night(night)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    table = add_table(night, by, game_id=game_id, dice_seed=dice.new_seed(), **agreed.fields())
    events.record(night, "table_opened", number=table.number, game=game_id)
    return table


def add_table(night: Night, by: Player | AbstractBaseUser, **fields: Any) -> Table:
    """Return a new table of a held night, with the next number; raises `too_many_tables`.

    Tables of a tournament's matches do not count.
    """
    most = settings.TABLES_PER_NIGHT
    is_staff = players.is_staff(by) if isinstance(by, Player) else True
    if most and night.tables.filter(pairing=None).count() >= most and not is_staff:
        raise Illegal("too_many_tables", most=most)
    return _next_table(night, **fields)


def _next_table(night: Night, **fields: Any) -> Table:
    last = night.tables.order_by("-number").values_list("number", flat=True).first() or 0
    return Table.objects.create(night=night, number=last + 1, **fields)


def open_for_people(night: Night, game_id: str, agreed: offers.Terms, sitters: Sequence[InvitedSitter]) -> Table:
    """Open the night's next table for people whom the house seats: a pair of a tournament, or a part of a split table.

    Each has the acceptance of the rules that was given there.

    It counts for no limit of the host.
    """
    row_locks.night(night)
    table = _next_table(night, game_id=game_id, dice_seed=dice.new_seed(), **agreed.fields())
    for index, sitter in enumerate(sitters):
        Seat.objects.create(
            table=table,
            index=index,
            player=sitter.player,
            name=sitter.player.nickname,
            accepted_at=sitter.accepted_at,
            accepted_by=sitter.accepted_by,
            nonce=dice.new_seed()[:32],
        )
    events.record(night, "table_opened", number=table.number, game=game_id)
    return table


def set_up_by_house(night: Night, game_id: str, agreed: offers.Terms) -> Table:
    """Set up the night's next table by the house, with nobody at it; it counts for no limit of the host."""
    row_locks.night(night)
    return _next_table(night, game_id=game_id, dice_seed=dice.new_seed(), opened_itself=True, **agreed.fields())


def in_lobby(table_id: int) -> Table:
    """Return the locked table; raises `night_closed`, and `already_started` if play has begun.

    Closing a night holds its tables, so the night that is read after the lock stays open.
    """
    table = log.lock(table_id)
    check_open(table)
    if table.status != Table.Status.LOBBY:
        raise Illegal("already_started")
    return table


def check_open(table: Table) -> None:
    """Raise Illegal `night_closed` if the night of a locked table has been closed."""
    if table.night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")


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
    night_rights.check_host(table.night, host)
    offers.agree_anew(table, host, preset, changes, **chosen).apply(table)
    table.save(update_fields=offers.TABLE_FIELDS)
    table.seats.filter(bot_level="").update(accepted_at=None, accepted_by=None, nonce="")
    publication.table_changed(table)


def seat_bounds(table: Table) -> tuple[int, int]:
    """Return the fewest and the most seats of the table under its house rules."""
    return plugin.game(table.game_id).options.seats(table.preset, table.options)


@transaction.atomic
def sit(
    table: Table,
    player: Player,
    *,
    accept: bool = False,
    mark: str | None = None,
    nonce: str = "",
    is_adult: bool = False,
    accepted_by: Player | None = None,
) -> Seat:
    """Take the next free seat; `accept` accepts the rules card at once, which has to be the one of `mark`.

    `mark` is None if no card was shown: then the present one is accepted. `nonce` is the browser's random number for
    the dice; `is_adult`: the player says so, or `accepted_by`, who accepts for a person without a phone. A seated
    player keeps the seat. Raises `card_changed`, `not_inside`, `adults_only`, `table_full`, `no_newcomers` at
    a table of a tournament, and as `in_lobby`.
    """
    table = in_lobby(table.pk)
    if accept:
        acceptance.check_card(table, mark)
    if not night_rights.is_inside(table.night, player):
        raise Illegal("not_inside")
    seat = table.seats.filter(player=player).first()
    if seat is None or (accept and seat.accepted_at is None):
        acceptance.check_age(table, is_adult)
    if seat is None:
        count = table.seats.count()
        if count >= seat_bounds(table)[1]:
            raise Illegal("table_full")
        if joining.is_drawn_for_others(table, player.pk):
            raise Illegal("no_newcomers")
        seat = Seat.objects.create(table=table, index=count, player=player, name=player.nickname)
        leaving.note_back(table.night, player)
    if accept:
        seat.accepted_at, seat.accepted_by, seat.nonce = datetime.now(UTC), accepted_by, nonce[:64]
        seat.save(update_fields=["accepted_at", "accepted_by", "nonce"])
    publication.table_changed(table)
    return seat


@ACTS.act("sit", TableRight.MEMBER, label=_("Take a seat"))
def take_seat(table: Table, player: Player, *, is_adult: Adult = False) -> None:
    """Take the next free seat, before the rules card is read; raises as `sit`."""
    sit(table, player, is_adult=is_adult)


@ACTS.act("accept", TableRight.MEMBER, label=_("I accept, let's play"))
def accept(table: Table, player: Player, *, mark: Mark, nonce: Typed, is_adult: Adult = False) -> None:
    """Accept the rules card with this `mark`, on one's own seat or the next free one; raises as `sit`."""
    sit(table, player, accept=True, mark=mark, nonce=nonce, is_adult=is_adult)


@ACTS.act("add_bot", TableRight.HOST, label=_("Add a computer player"))
@transaction.atomic
def add_bot(table: Table, host: Player, level: Typed) -> Seat:
    """Put a bot on the next free seat; raises `not_host`, `too_many_bots`, and as `seat_bot`."""
    table = in_lobby(table.pk)
    night_rights.check_host(table.night, host)
    seat = seat_bot(table, level)
    bots_at_play.check(table.night, table.pk, table.seats.exclude(bot_level="").count())
    return seat


@transaction.atomic
def seat_bot(table: Table, level: str) -> Seat:
    """Put a bot on the next free seat by the house; as `in_lobby`.

    Raises `no_bots_here`, `bad_level`, `missing_level`, `table_full`, `no_newcomers` at a table of a tournament.
    """
    table = in_lobby(table.pk)
    seats.check_bots(table.game_id, table.options)
    count = table.seats.count()
    if count >= seat_bounds(table)[1]:
        raise Illegal("table_full")
    if joining.is_drawn_for_others(table, None):
        raise Illegal("no_newcomers")
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


@ACTS.act("vacate", TableRight.MEMBER, label=_("Stand up"), words={"other": _("Take %(name)s off the table")})
@transaction.atomic
def vacate(table: Table, by: Player, seat_id: Typed) -> None:
    """Free a seat before play: one's own, any for the host, that of a person without a phone for the scorekeeper.

    Raises `not_host`, and as `in_lobby` and `seats.waiting_seat`.
    """
    table = in_lobby(table.pk)
    seat = seats.waiting_seat(table, seat_id)
    check_may_free(table, by, seat)
    seats.drop_seat(seat)


def check_may_free(table: Table, by: Player, seat: Seat) -> None:
    """Raise `not_host` unless a player may free a seat before play, as `vacate`."""
    is_kept = keeping.is_kept(table.night_id, seat.player_id) and by.pk == table.scorekeeper_id
    if seat.player_id != by.pk and not is_kept:
        night_rights.check_host(table.night, by)


@ACTS.act("reorder", TableRight.HOST, words={"up": _("Move %(name)s up"), "down": _("Move %(name)s down")})
@transaction.atomic
def move(table: Table, host: Player, seat_id: Typed, by: Places) -> None:
    """Move a seat `by` places down (negative: up) in the order of the seats.

    Raises `not_host`, `bad_argument` for a place that the table does not have; as `in_lobby` and `seats.waiting_seat`.
    """
    table = in_lobby(table.pk)
    night_rights.check_host(table.night, host)
    seat = seats.waiting_seat(table, seat_id)
    order = list(table.seats.order_by("index"))
    place = order.index(seat) + by
    if not 0 <= place < len(order):
        raise Illegal("bad_argument", name="order")
    order.remove(seat)
    order.insert(place, seat)
    seats.renumber(order)
    publication.table_changed(table)


@ACTS.act("start", TableRight.HOST, label=_("Start the game"), words={"without": _("Start without me")})
@transaction.atomic
def start(table: Table, host: Player, command_id: StartId = "") -> Receipt:
    """Start play: the rules are frozen, the dice sealed, entry 1 written.

    Raises `not_host`, `night_closed`, `too_few_seats`, `too_many_seats`, `no_bots_here`, `too_many_bots`,
    `not_accepted` (with the names).
    """
    # Held, so that two tables of one host that start at the same time are counted one after the other.
    row_locks.person(host)
    night_rights.check_host(row_locks.night(table.night), host)
    return _started_by(Actor(host.pk), table, command_id or new_command_id(), _start)


@transaction.atomic
def start_by_house(table: Table, command_id: str) -> Receipt:
    """Start play as `start` does, by the house itself: for a table that counts for no host."""
    row_locks.night(table.night)
    return _started_by(HOUSE, table, command_id, _begin)


def _started_by(actor: Actor, table: Table, command_id: str, decide: Decide) -> Receipt:
    """Start play, tell the night, and count the start as a look at the table."""
    receipt = submit(table.pk, actor, Request("table.start", {}, command_id), decide=decide)
    if not receipt.repeated:
        events.record(table.night, "table_started", number=table.number, game=table.game_id)
        bot_tables.note_watched([table.pk])
    return receipt


def _start(table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the decision that starts play, if the host may have the table's bots at play."""
    begun = _begin(table, args)
    if table.bots:
        bots_at_play.check(table.row.night, table.row.pk, table.bots)
    return begun


def _begin(table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the decision that starts play: the first entry of a table's log."""
    row = table.row
    check_open(row)
    if table.snapshot.status != Table.Status.LOBBY:
        raise Illegal("already_started")
    seated = list(row.seats.order_by("index").select_related("accepted_by"))
    _check_seats(row, seated)
    if any(seat.bot_level for seat in seated):
        seats.check_bots(row.game_id, row.options)
    head = _started(row, seated)
    committed = dice_chains.first_committed(row.dice_seed, waits=bool(row.options.get(chains.WAITS)))
    begun = dice_chains.after(None, replay.Entry(0, (head, committed)), None, {}, 0)
    table.dice = dice_chains.dice(begun, row.public_id, row.dice_seed, "", 0)
    opened = plugin.game(row.game_id).rules.open(row.options, len(seated), table.dice)
    held = dice_chains.held_back(begun, row.dice_seed, table.dice, opened.events)
    accepted = tuple(acceptance.event_for(s.index, s.name, s.accepted_by) for s in seated if s.accepted_by is not None)
    events = (head, committed, *opened.events, *held, *accepted)
    return TableDecision(events, opened.state, status=Table.Status.PLAYING)


def _check_seats(table: Table, seats: Sequence[Seat]) -> None:
    """Raise Illegal unless the number of seats is right and all have accepted the rules card."""
    few, many = seat_bounds(table)
    if len(seats) < few:
        raise Illegal("too_few_seats", few=few)
    if len(seats) > many:
        raise Illegal("too_many_seats", many=many)
    missing = [seat.name for seat in seats if seat.accepted_at is None]
    if missing:
        raise Illegal("not_accepted", names=written.names(missing))


def _started(table: Table, seats: Sequence[Seat]) -> Event:
    """Return the first event of a log: the game, its players and its rules."""
    data = {
        "game": table.game_id,
        "preset": table.preset,
        "options": table.options,
        "house_rules": offers.set_named(table),
        "seats": [{"name": s.name, "player": s.player_id, "bot": s.bot_level} for s in seats],
    }
    return Event("table.started", data)


@ACTS.act("join", TableRight.MEMBER)
def join(table: Table, player: Player, *, is_adult: Adult = False) -> None:
    """Take a seat at a running table, which accepts its house rules; raises as the command `table.join`."""
    args = {"adult": True} if is_adult else {}
    submit(table.pk, Actor(player.pk), Request("table.join", args, new_command_id()))


@ACTS.act("again", TableRight.MEMBER, label=_("Play again"))
@transaction.atomic
def play_again(table: Table, player: Player) -> Table:
    """Open the next table with the same rules, and the seats of bots and of members still in, in the same order.

    A bot that plays out the game of somebody who left comes no further. Any player at the finished table, and the
    host, may ask; a second request gets the same new table. Seats that accepted this card need not accept it again.
    Raises `not_finished`, `night_closed`, `not_seated`.
    """
    night = row_locks.night(table.night)
    table = log.lock(table.pk)
    table.night = night
    if table.successor is not None:
        return table.successor
    if table.status != Table.Status.FINISHED:
        raise Illegal("not_finished")
    check_open(table)
    if table.night.host_id != player.pk and not table.seats.filter(player=player).exists():
        raise Illegal("not_seated")
    following = open_under(table.night, player, table.game_id, offers.table_offer(table))
    for index, old in enumerate(_staying(table)):
        Seat.objects.create(
            table=following,
            index=index,
            player=old.player,
            name=old.name if old.player is None else old.player.nickname,
            bot_level=old.bot_level,
            accepted_at=datetime.now(UTC) if old.accepted_at or old.bot_level else None,
            accepted_by=old.accepted_by,
            nonce=dice.new_seed()[:32],
        )
    if night_rights.is_inside(table.night, table.scorekeeper):
        following.scorekeeper = table.scorekeeper
        following.save(update_fields=["scorekeeper"])
    table.successor = following
    table.save(update_fields=["successor"])
    publication.table_changed(table)
    return following


def _staying(table: Table) -> list[Seat]:
    """Return the seats of a finished table that go on to the next: bots of their own, and members still in."""
    leavers = () if table.is_past else plugin.game(table.game_id).rules.played_on(log.state_of(table))
    seated = table.seats.exclude(index__in=leavers).order_by("index").select_related("player")
    return [seat for seat in seated if seat.bot_level or night_rights.is_inside(table.night, seat.player)]
