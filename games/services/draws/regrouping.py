"""Tables for many that are split in two, or joined: proposed by the house, confirmed by the host.

People change tables after the game that runs, at no cost, and their points of the night stay as they are. At the new
table they need not accept its rules again: they are those of the one that they come from.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.kernel.contract import CLOSE, CLOSE_AFTER, LEAVE_AFTER, Illegal
from games.models import DrawnTable, Night, Player, Regrouping, Table
from games.services import publication, row_locks, server_time
from games.services.acts import LogLine
from games.services.commands import HOUSE, Request, new_command_id
from games.services.draws import drawn_tables
from games.services.house_rules import offers
from games.services.nights import events, night_rights
from games.services.people import players
from games.services.seats import sittings
from games.services.tables import log, setup
from games.services.tables.commit import submit

logger = logging.getLogger(__name__)

FEWEST = 3
"""The fewest people of each part of a split table; tables of fewer are proposed to be joined."""
events.LOG.add(
    LogLine("table_split", _("Table %(number)s is split after the game that runs.")),
    LogLine("tables_joined", _("The people of table %(number)s go to table %(to)s after the game that runs.")),
)


@dataclass(frozen=True, slots=True)
class SeatedPerson:
    """A person at a table, in the order of play; `goes`: to the new table, as proposed."""

    seat: int
    player: int
    name: str
    goes: bool


@dataclass(frozen=True, slots=True)
class TableSplit:
    """A full table while others wait for a seat: its people, and how many wait."""

    table: Table
    people: tuple[SeatedPerson, ...]
    waiting: int


@dataclass(frozen=True, slots=True)
class TableJoin:
    """Two small tables under the same house rules: the people of `source` go to `target`."""

    source: Table
    target: Table
    names: tuple[str, ...]


def waiting(night: Night) -> list[Regrouping]:
    """Return the regroupings of a night that wait for the end of a game."""
    rows = Regrouping.objects.filter(source__night=night, is_over=False)
    return list(rows.select_related("source", "target"))


def splits(night: Night) -> list[TableSplit]:
    """Return the tables that are proposed to be split, each with its people.

    The first in the order of play (the Box), the second (the Captain, who may win the box) and every second one behind
    them stay.
    """
    tables = _tables(night)
    # A host without a seat serves.
    free = sum(row.player_id != night.host_id for row in drawn_tables.people(night)) if tables else 0
    if not free or any(_count(table) < _most(table) for table in tables):
        return []
    found = [TableSplit(table, _people(table), free) for table in tables if _count(table) >= 2 * FEWEST]
    return [each for each in found if sum(person.goes for person in each.people) >= FEWEST]


def joins(night: Night) -> list[TableJoin]:
    """Return the pairs of small tables that are proposed to be joined: people of the later one go to the earlier."""
    small = [table for table in _tables(night) if _count(table) < FEWEST]
    found = []
    while small:
        target = small.pop(0)
        source = next((each for each in small if _has_same_rules(each, target)), None)
        if source is not None:
            small.remove(source)
            names = tuple(seat.name for seat in source.seats.all() if seat.player_id is not None)
            found.append(TableJoin(source, target, names))
    return found


def _tables(night: Night) -> list[Table]:
    """Return the open-ended tables of a night that people come to and go from, and that are not being regrouped."""
    busy = [row.pk for each in waiting(night) for row in (each.source, each.target) if row is not None]
    running = night.tables.filter(status__in=(Table.Status.PLAYING, Table.Status.PAUSED), pairing=None)
    rows = running.filter(game_id__in=plugin.all_games()).exclude(pk__in=busy)
    return [table for table in rows.prefetch_related("seats") if _is_for_many(table)]


def _is_for_many(table: Table) -> bool:
    is_at_once = plugin.game(table.game_id).leaving == plugin.LEAVING_AT_ONCE
    return is_at_once and _most(table) >= FEWEST and bool(_listed(table) & {CLOSE, CLOSE_AFTER})


def _most(table: Table) -> int:
    """Return the most people that a table's house rules take."""
    return setup.seat_bounds(table)[1]


def _listed(table: Table) -> set[str]:
    """Return the names of the house commands that are open at a table."""
    return {choice.name for choice in plugin.game(table.game_id).rules.choices(log.state_of(table), None)}


def _count(table: Table) -> int:
    return len(plugin.game(table.game_id).rules.order(log.state_of(table)))


def _has_same_rules(one: Table, other: Table) -> bool:
    return (one.game_id, one.preset, one.options) == (other.game_id, other.preset, other.options)


def _people(table: Table) -> tuple[SeatedPerson, ...]:
    """Return the people of a table in the order of play, with who goes: bots stay."""
    order = plugin.game(table.game_id).rules.order(log.state_of(table))
    seats = {seat.index: seat for seat in table.seats.all()}
    seated = [seats[place] for place in order if place in seats]
    going = [seat for seat in seated[2::2] if seat.player_id is not None]
    more = [seat for seat in reversed(seated[3::2]) if seat.player_id is not None]
    going += more[: max(0, FEWEST - len(going))]
    return tuple(SeatedPerson(s.index, s.player_id, s.name, s in going) for s in seated if s.player_id is not None)


@transaction.atomic
def split(night: Night, host: Player, table_id: str, player_ids: Sequence[int]) -> Regrouping:
    """Let some of the people of a table go to a new one after the game that runs; it opens then, with the same rules.

    Raises `not_host`, `night_closed`, `no_such_table`, `nobody_named`, `no_such_player`, and `bad_split` where too few
    would go or stay.
    """
    source = _held(night, host, table_id)
    people = {each.player: each for each in _people(source)}
    if not player_ids:
        raise Illegal("nobody_named")
    if not set(player_ids) <= people.keys():
        raise Illegal("no_such_player")
    going = sorted({people[pk].seat for pk in player_ids})
    if len(going) < FEWEST or _count(source) - len(going) < FEWEST:
        raise Illegal("bad_split", few=FEWEST)
    return _noted(night, source, None, going)


@transaction.atomic
def join(night: Night, host: Player, source_id: str, target_id: str) -> Regrouping:
    """Let the people of a table go to another one under the same rules, after the game that runs; theirs ends then.

    Raises `not_host`, `night_closed`, `no_such_table`, and `bad_join` for other rules or too many people.
    """
    source, target = _held(night, host, source_id), _held(night, host, target_id)
    going = [each.seat for each in _people(source)]
    is_fit = source.pk != target.pk and _has_same_rules(source, target) and going
    if not is_fit or _count(target) + len(going) > _most(target):
        raise Illegal("bad_join")
    return _noted(night, source, target, going)


def _held(night: Night, host: Player, table_id: str) -> Table:
    """Return a table that may be regrouped, of a night that is held with its tables."""
    held = row_locks.night_and_tables(night)
    night_rights.check_host(held, host)
    if held.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    found = next((table for table in _tables(held) if table.public_id == table_id), None)
    if found is None:
        raise Illegal("no_such_table")
    return found


def _noted(night: Night, source: Table, target: Table | None, going: Sequence[int]) -> Regrouping:
    row = Regrouping.objects.create(source=source, target=target, seats=list(going), created_at=server_time.now())
    told: dict[str, Any] = {"number": source.number, **({} if target is None else {"to": target.number})}
    events.record(night, "table_split" if target is None else "tables_joined", **told)
    return row


def run_due() -> int:
    """Go on with the regroupings that wait; return their number."""
    found = list(Regrouping.objects.filter(is_over=False).select_related("source__night"))
    for row in found:
        try:
            _run(row)
        except Illegal as refusal:
            # A table is paused, or somebody was faster: the next round sees.
            logger.info("the regrouping of table %s waits: %s", row.source.public_id, refusal.code)
    return len(found)


@transaction.atomic
def _run(row: Regrouping) -> None:
    """Tell who goes, and let them sit down at the other table as soon as nobody of them plays at the old one."""
    night = row_locks.night_and_tables(row.source.night)
    row = Regrouping.objects.select_related("source", "target").get(pk=row.pk)
    if row.is_over:
        return
    if night.status == Night.Status.CLOSED:
        _over(row)
        return
    if not row.is_announced and row.source.is_running:
        _announce(row)
    if not _is_played_out(row):
        return
    going = _gone(night, row)
    if row.target is not None:
        _sit_down(row.target, going)
    elif going:
        row.target = _opened(night, row, going)
    _over(row)


def _over(row: Regrouping) -> None:
    row.is_over = True
    row.save(update_fields=["is_over", "target"])
    night = row.source.night
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))


def _announce(row: Regrouping) -> None:
    """Tell the table: of a join it closes with its running game, of a split some leave with it; now between games."""
    if row.target is not None:
        name = "table.close_after" if CLOSE_AFTER in _listed(row.source) else "table.close"
        args = {"on": True} if name == "table.close_after" else {}
        submit(row.source.pk, HOUSE, Request(name, args, new_command_id()))
    for seat in row.source.seats.filter(index__in=row.seats) if row.target is None else ():
        if seat.player_id is not None:
            about = {"seat": seat.index, "sitter": seat.player_id}
            submit(row.source.pk, HOUSE, Request("table.move", about, new_command_id()))
    row.is_announced = True
    row.save(update_fields=["is_announced"])
    row.source.refresh_from_db()


def _is_played_out(row: Regrouping) -> bool:
    """Tell whether nobody who goes plays at the old table any more; who has said since that they stay does not go."""
    if row.source.status == Table.Status.FINISHED:
        return True
    if row.target is not None or not row.is_announced:
        return False
    rules = plugin.game(row.source.game_id).rules
    listed = {choice.name: choice.options for choice in rules.choices(log.state_of(row.source), None)}
    if CLOSE in listed:
        return True
    taken = row.source.seats.filter(index__in=row.seats, player__isnull=False)
    return all({"seat": index} in listed.get(LEAVE_AFTER, ()) for index in taken.values_list("index", flat=True))


def _gone(night: Night, row: Regrouping) -> list[setup.InvitedSitter]:
    """Return the people who go and are free, with their acceptance of the rules."""
    last = sittings.last_of_each(log.snapshot_of(row.source).sat)
    free = {member.player_id: member for member in drawn_tables.people(night)}
    seats = {seat.index: seat for seat in row.source.seats.select_related("accepted_by")}
    found = []
    for place in row.seats:
        seat, sitting = seats[place], last.get(place)
        is_in_play = seat.player_id is not None and row.source.is_running
        player = None if sitting is None or is_in_play else players.current_player(sitting.player_id)
        if player is not None and player.pk in free:
            member = free[player.pk]
            found.append(setup.InvitedSitter(member.player, seat.accepted_at, seat.accepted_by))
    return found


def _opened(night: Night, row: Regrouping, people: Sequence[setup.InvitedSitter]) -> Table:
    """Open the new table of a split, and start it if enough people are there; it belongs to the same drawn round."""
    source = row.source
    table = setup.open_for_people(night, source.game_id, offers.table_offer(source), people)
    drawn = DrawnTable.objects.filter(table=source).select_related("round").first()
    if drawn is not None:
        DrawnTable.objects.create(round=drawn.round, table=table, place=drawn.round.tables.count() + 1)
    if len(people) >= setup.seat_bounds(table)[0] and all(each.accepted_at for each in people):
        setup.start_by_house(table, f"split:{row.pk}")
    return table


def _sit_down(target: Table, people: Sequence[setup.InvitedSitter]) -> None:
    """Let people come to a running table whose rules they have accepted."""
    if not target.is_running:
        return
    for each in people:
        about = {"player": each.player.pk, "has_accepted": each.accepted_at is not None, "adult": True}
        submit(target.pk, HOUSE, Request("table.join", about, new_command_id()))
