"""Waiting tables: set up by the house, newcomers spread over them, and moved between them before play.

Nobody is taken to accept rules by being moved: what somebody accepted stands at a table under the same rules alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.draws.wishes import LARGEST, Size, sizes
from games.models import Night, Player, Seat, SeriesDate, Table
from games.services import publication, row_locks
from games.services.acts import LogLine
from games.services.arguments import Typed
from games.services.draws.regrouping import FEWEST
from games.services.house_rules import offers, sets
from games.services.nights import events, night_rights, without_phone
from games.services.nights.registry import NIGHT, NightRight
from games.services.seats import seats
from games.services.tables import setup
from games.services.tables.registry import ACTS, TableRight
from games.services.tables.seating import acceptance

MOST_TABLES = 12
"""The most tables that the house sets up for a date."""


@dataclass(frozen=True, slots=True)
class WaitingPeople:
    """People who wait at several tables under the same rules, the seats of one, and whether the house spread them."""

    people: int
    seats: int
    are_spread: bool

    @property
    def may_join(self) -> bool:
        """Tell whether all of them have a seat at one table."""
        return self.people <= self.seats


events.LOG.add(
    LogLine("waiting_table_split", _("Those who wait at table %(number)s are spread over two: %(number)s and %(to)s."))
)


def wanted(night: Night, game_id: str) -> int:
    """Return how many people a table wants: by the night's series, the house, or the game; 0 for any number."""
    date = SeriesDate.objects.filter(night=night).select_related("series").first()
    if date is not None and date.series.size and date.series.game_id in ("", game_id):
        return date.series.size
    return sets.wanted_seats(game_id) or plugin.game(game_id).wanted_seats


def count_for(people: int, want: int, most: int) -> int:
    """Return how many tables of `most` seats so many people give: by the sizes that draws go by, one at least.

    Where no size is wanted they are as few as hold everybody.
    """
    most = min(most, LARGEST)
    want = min(want or most, most)
    size = Size(want, min(FEWEST, want), min(most, max(2 * FEWEST, want)))
    return min(MOST_TABLES, max(1, len(sizes(people, size, []))))


def set_up(night: Night, game_id: str, agreed: offers.Terms, people: int) -> list[Table]:
    """Set up the tables that so many people give, with nobody at them; unused ones go with their night."""
    most = plugin.game(game_id).options.seats(agreed.preset, agreed.options)[1]
    count = count_for(people, wanted(night, game_id), most)
    return [setup.set_up_by_house(night, game_id, agreed) for _number in range(count)]


def waiting(night: Night) -> list[Table]:
    """Return the tables of a night that wait for their start, those of tournaments left out."""
    rows = night.tables.filter(status=Table.Status.LOBBY, archived_at=None, pairing=None)
    return list(rows.filter(game_id__in=plugin.all_games()).order_by("number"))


def may_halve(table: Table) -> bool:
    """Tell whether those who wait at a table can be spread over two."""
    return bool(_who_go(table, 0))


def together(night: Night) -> WaitingPeople | None:
    """Return those who wait at several tables of a night that could be one; None if there are no two such tables."""
    taken = [each for each in waiting(night) if each.seats.exists()]
    same = [each for each in taken if _terms(each) == _terms(taken[0])]
    if len(same) < 2:
        return None
    people = sum(each.seats.count() for each in same)
    return WaitingPeople(people, setup.seat_bounds(same[0])[1], any(each.opened_itself for each in same))


def others(table: Table) -> list[Table]:
    """Return the other waiting tables of a table's night with a free seat, to which somebody may move."""
    return [each for each in waiting(table.night) if each.pk != table.pk and _free(each) > 0]


def _free(table: Table) -> int:
    return setup.seat_bounds(table)[1] - table.seats.count()


@transaction.atomic
def seat_newcomer(night: Night, player: Player) -> Table | None:
    """Seat a newcomer at the waiting table that they come to; return it, None where they have to choose.

    That is the only one, or of tables that the house set up beside it under the same rules the first that wants more.
    Where the newcomer would be one more than the table wants, those who wait are spread over two, with three at least
    at each. A table for adults only asks first: nobody is seated there. Raises as `setup.sit`.
    """
    tables = waiting(row_locks.night_and_tables(night))
    if not tables or len({_terms(each) for each in tables}) > 1:
        tables = [each for each in tables if _free(each) > 0]
        return _seated(tables[0], player) if len(tables) == 1 else None
    if sum(not each.opened_itself for each in tables) > 1:
        with_room = [each for each in tables if _free(each) > 0]
        return _seated(with_room[0], player) if len(with_room) == 1 else None
    return _spread(night, tables, player)


def _terms(table: Table) -> str:
    return repr((table.game_id, table.preset, sorted(table.options.items())))


def _seated(table: Table, player: Player) -> Table:
    if not acceptance.is_for_adults(table):
        setup.sit(table, player)
    return table


def _spread(night: Night, tables: Sequence[Table], player: Player) -> Table | None:
    """Seat a newcomer at one of tables under the same rules, all but one of which the house has set up."""
    most = setup.seat_bounds(tables[0])[1]
    want = min(wanted(night, tables[0].game_id), most)
    counts = {each.pk: each.seats.count() for each in tables}
    begun = [each for each in tables if 0 < counts[each.pk] < (want or most)]
    empty = [each for each in tables if not counts[each.pk]]
    full = [each for each in tables if want and counts[each.pk] >= want]
    if begun or not full:
        found = next(iter(begun or empty), None)
        return None if found is None else _seated(found, player)
    table = min(full, key=lambda each: (counts[each.pk], each.number))
    going = [] if night.one_table or acceptance.is_for_adults(table) else _who_go(table, 1)
    if going:
        target = empty[0] if empty else setup.set_up_by_house(night, table.game_id, offers.table_offer(table))
        _go(table, target, going)
        return _seated(target, player)
    found = table if _free(table) > 0 else next(iter(empty), None)
    return None if found is None else _seated(found, player)


def _who_go(table: Table, coming: int) -> list[Seat]:
    """Return the seats that go where a table and so many who come are spread over two; none where too few would be.

    The first ones stay, and so do the host, bots, and people without a phone, who stay with their keeper.
    """
    rows = list(table.seats.order_by("index"))
    half = (len(rows) + coming) // 2
    kept = {member.player_id for member in without_phone.people(table.night)} | {table.night.host_id}
    free = [seat for seat in rows if seat.player_id is not None and seat.player_id not in kept]
    count = half - coming
    return free[-count:] if half >= FEWEST and 0 < count <= len(free) else []


def _go(table: Table, target: Table, going: Sequence[Seat]) -> None:
    """Move seats to another waiting table, and tell the night."""
    for seat in going:
        _move(seat, target)
    seats.renumber(list(table.seats.order_by("index")))
    events.record(table.night, "waiting_table_split", number=table.number, to=target.number)
    for each in (table, target):
        publication.table_changed(each)


def _move(seat: Seat, target: Table) -> None:
    """Let somebody sit at another waiting table; they accept its rules anew unless they are the same."""
    is_same = _terms(seat.table) == _terms(target)
    about = {"player": seat.player, "name": seat.name, "bot_level": seat.bot_level}
    accepted = {name: getattr(seat, name) for name in ("accepted_at", "accepted_by", "nonce")}
    seat.delete()
    Seat.objects.create(table=target, index=target.seats.count(), **about, **(accepted if is_same else {}))


@ACTS.act("halve", TableRight.HOST, label=_("Split these %(n)s"), done=_("They are spread over two tables."))
@transaction.atomic
def halve(table: Table, host: Player) -> Table:
    """Spread those who wait at a table over two of the same rules; the host stays.

    Raises `not_host`, `bad_split` where one of the two would have too few, and as `setup.in_lobby`.
    """
    night = row_locks.night_and_tables(table.night)
    table = setup.in_lobby(table.pk)
    night_rights.check_host(night, host)
    going = _who_go(table, 0)
    if not going:
        raise Illegal("bad_split", few=FEWEST)
    empty = [each for each in waiting(night) if not each.seats.exists() and _terms(each) == _terms(table)]
    target = empty[0] if empty else setup.set_up_by_house(night, table.game_id, offers.table_offer(table))
    _go(table, target, going)
    _set_one(night, is_one=False)
    return target


@NIGHT.act(
    "one_table",
    NightRight.HOST,
    LogLine("one_table", _("Everybody who waits sits at table %(number)s.")),
    label=_("One table"),
    done=_("Everybody sits at one table."),
)
@transaction.atomic
def join_all(night: Night, host: Player) -> None:
    """Let everybody who waits sit at the first of the waiting tables under its rules; nobody is spread any more.

    Raises `not_host`, `night_closed`, `not_waiting`, and `table_full` where it has too few seats.
    """
    night = row_locks.night_and_tables(night)
    night_rights.check_host(night, host)
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    tables = waiting(night)
    first = next((each for each in tables if each.seats.exists()), None)
    if first is None:
        raise Illegal("not_waiting")
    same = [each for each in tables if each.pk != first.pk and _terms(each) == _terms(first)]
    if sum(each.seats.count() for each in same) > _free(first):
        raise Illegal("table_full")
    for each in same:
        for seat in each.seats.order_by("index").select_related("table", "player"):
            _move(seat, first)
        if each.opened_itself:
            # Its page leads those who sat there to the other one.
            setup.hide(each)
        else:
            publication.table_changed(each)
    _set_one(night, is_one=True)
    events.record(night, "one_table", number=first.number)
    publication.table_changed(first)


def _set_one(night: Night, *, is_one: bool) -> None:
    night.one_table = is_one
    night.save(update_fields=["one_table"])


@ACTS.act(
    "change_table",
    TableRight.MEMBER,
    words={"own": _("To table %(n)s"), "other": _("%(name)s to table %(n)s")},
)
@transaction.atomic
def change_table(table: Table, by: Player, seat_id: Typed, to: Typed) -> Table:
    """Move somebody to another waiting table: oneself, anybody as the host, who has no phone as the scorekeeper.

    Raises `not_host`, `not_waiting`, `table_full`, `seated`, and as `setup.in_lobby` and `seats.waiting_seat`.
    """
    night = row_locks.night_and_tables(table.night)
    table = setup.in_lobby(table.pk)
    seat = seats.waiting_seat(table, seat_id)
    setup.check_may_free(table, by, seat)
    target = next((each for each in waiting(night) if each.public_id == to and each.pk != table.pk), None)
    if target is None:
        raise Illegal("not_waiting")
    if _free(target) < 1:
        raise Illegal("table_full")
    if seat.player_id is not None and target.seats.filter(player=seat.player_id).exists():
        raise Illegal("seated")
    _move(seat, target)
    seats.renumber(list(table.seats.order_by("index")))
    for each in (table, target):
        publication.table_changed(each)
    return target
