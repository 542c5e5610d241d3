"""Deciding: a command's way from its sender to an addition to the log, by the rules of its game or by the house.

A command that needs dice in which devices have a part begins a throw (throws.py) and is decided again with its dice.
Who comes or goes meanwhile is accepted at once, and carried out by entries after the dice: nobody but the thrower ends
a throw, and nothing that was accepted is lost, as the acceptance is an entry whose command waits with the throw
(`dice_chains.UnderWay.postponed`). Nothing here writes, so a command that is refused or meets a fault fails alone.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from django.db import DatabaseError

from games.kernel.contract import Command, Event, Illegal, JsonObject, Seat
from games.kernel.data.records import changed
from games.kernel.dice.chains import DiceWanted, NoDiceYet, dump_throw
from games.kernel.replay import HOUSE_PREFIX
from games.models import Table
from games.services import commands, server_time
from games.services.dice import dice_chains
from games.services.dice.dice_chains import Postponed, UnderWay
from games.services.seats import seats, sittings
from games.services.tables import deadlines, host_commands, throws
from games.services.tables.decisions import Addition, LockedTable, Submission, TableDecision
from games.services.tables.log import LoggedEntry
from games.services.tables.seating import keeping

logger = logging.getLogger(__name__)

COMING_AND_GOING = frozenset({"table.join", "table.leave", "table.kick", "table.substitute", "table.forfeit"})
# The number of entries after which the state in the table's row is renewed. A process that does not
# know a table folds at most this many.
STATE_EVERY = 50
MOST_POSTPONED = 100
"""The most commands that wait for one throw."""


def decided(submission: Submission, table: LockedTable) -> Addition:
    """Decide a command; if it needs dice in which devices have a part, it begins a throw."""
    request = submission.request
    if submission.decide is None and request.name in COMING_AND_GOING and table.snapshot.under_way is not None:
        return _postponed(submission, table, table.snapshot.under_way)
    seat = keeping.seat_of(table, submission.actor, request)
    if request.name in throws.ANSWERS and submission.decide is None:
        return _answered(submission, table, seat)
    devices = () if submission.decide is not None else throws.contributors(table, request, seat)
    if table.snapshot.under_way is not None or not devices:
        table.dice = table.snapshot.dice()
        return _added(submission, table, _decision(submission, table, seat), seat)
    table.dice = NoDiceYet()
    try:
        return _added(submission, table, _decision(submission, table, seat), seat)
    except DiceWanted as needed:
        return _added(*throws.begun(submission, table, seat, devices, needed.count), None)


def _answered(submission: Submission, table: LockedTable, seat: Seat | None) -> Addition:
    """Record a device's link or its silence; after the last one carry out the throw."""
    actor, request = submission.actor, submission.request
    if request.name == throws.SILENT and actor != commands.HOUSE:
        raise Illegal("unknown_command", name=request.name)
    if request.name == throws.LINK and seat is not None and actor.player_id not in (None, table.seats[seat].player_id):
        raise Illegal("not_keeper")
    table.check_playing(request)
    table.dice = table.snapshot.dice()
    event, under_way = throws.answered(table, request, seat)
    if not under_way.waiting:
        return _thrown(submission, table, under_way, event)
    return _added(submission, table, TableDecision((event,), table.snapshot.state), seat)


def _thrown(submission: Submission, table: LockedTable, under_way: UnderWay, last: Event) -> Addition:
    """Carry out the command of a throw that has its links, with its dice; `last` is the last link, or a silence.

    If the command is refused or fails by now, the throw ends without dice.
    """
    told = (last,) if last.data["seat"] is not None else ()
    missed = told if last.type == dice_chains.MISSED else ()
    actor, request = throws.command_of(under_way)
    resumed = Submission(submission.table_id, actor, request)
    try:
        seat = keeping.seat_of(table, actor, request)
        table.dice = throws.dice(table, under_way)
        found = _decision(resumed, table, seat, is_begun=True)
        return _added(resumed, table, replace(found, events=(*missed, *found.events)), seat)
    except DatabaseError:
        raise
    except Exception as error:
        logger.log(
            logging.INFO if isinstance(error, Illegal) else logging.ERROR,
            "throw %s of table %s is dropped: %r", under_way.k, submission.table_id, error,
        )  # fmt: skip
    table.dice = table.snapshot.dice()
    dropped = TableDecision((*told, throws.dropped(under_way)), table.snapshot.state)
    return _added(submission, table, dropped, None)


def after_throw(ended: Addition, table: LockedTable) -> list[Addition]:
    """Let come and go those who were accepted during a throw, each by an entry, if an addition has ended the throw."""
    under_way = ended.before.under_way
    if under_way is None or table.snapshot.under_way is not None:
        return []
    return [_of_postponed(table, act, under_way.k, number) for number, act in enumerate(under_way.postponed)]


def _of_postponed(table: LockedTable, act: Postponed, k: int, number: int) -> Addition:
    """Return the addition of a command that has waited for throw `k`; if it is refused by now the entry says so."""
    request = commands.Request(act.name, act.args, f"after:{k}:{number}")
    submission = Submission(table.snapshot.table_id, commands.HOUSE, request)
    table.dice = table.snapshot.dice()
    try:
        if table.snapshot.status == Table.Status.FINISHED:
            raise Illegal("finished")
        decision = host_commands.carried_out(table, act.by, act.name, act.args, act.seat)
        return _added(submission, table, decision, None)
    except DatabaseError:
        raise
    except Exception as error:
        code = error.code if isinstance(error, Illegal) else "failed"
        level = logging.INFO if isinstance(error, Illegal) else logging.ERROR
        logger.log(level, "%s after throw %s of table %s lapses: %r", act.name, k, submission.table_id, error)
    table.dice = table.snapshot.dice()
    event = Event(dice_chains.LAPSED, {"command": act.name, "seat": act.args.get("seat"), "code": code})
    return _added(submission, table, TableDecision((event,), table.snapshot.state), None)


def _postponed(submission: Submission, table: LockedTable, under_way: UnderWay) -> Addition:
    """Accept a command by which somebody comes or goes after the throw under way.

    It is decided for the table as it will be: without the throw, and after all who wait already. The going of the
    thrower ends the throw at once. Raises `throw_under_way` where too many wait.
    """
    actor, request, snapshot = submission.actor, submission.request, table.snapshot
    chains = None if snapshot.chains is None else replace(snapshot.chains, under_way=None)
    later = LockedTable(changed(snapshot, chains=chains), table.seats, table.now, table.row)
    for number, act in enumerate(under_way.postponed):
        _of_postponed(later, act, 0, number)
    seat = keeping.seat_of(later, actor, request)
    later.dice = later.snapshot.dice()
    to_come = _decision(submission, later, seat)
    table.dice = snapshot.dice()
    if dice_chains.changes_sitter(to_come.events, under_way.seat):
        return _added(submission, table, _decision(submission, table, seat), seat)
    if len(under_way.postponed) >= MOST_POSTPONED:
        raise Illegal("throw_under_way")
    args = request.args if to_come.args is None else to_come.args
    data = {"command": request.name, "by": actor.player_id, "for": seat, "seat": args.get("seat")}
    accepted = TableDecision((Event(dice_chains.POSTPONED, data),), snapshot.state, args=args)
    return _added(submission, table, accepted, seat)


def _decision(
    submission: Submission, table: LockedTable, seat: Seat | None, *, is_begun: bool = False
) -> TableDecision:
    """Decide a command by the game's rules or by the house; `is_begun`: its throw is under way."""
    actor, request = submission.actor, submission.request
    if submission.is_for_game:
        if table.snapshot.under_way is not None and not is_begun:
            raise Illegal("throw_under_way")
        return _played(table, actor, seat, request)
    table.check_at(request)
    if submission.decide is not None:
        return submission.decide(table, request.args)
    table.check_basis(request)
    decision = host_commands.decide(table, actor.player_id, request.name, request.args, seat)
    throws.check_keeps(table, decision)
    return decision


def _played(table: LockedTable, actor: commands.Actor, seat: Seat | None, request: commands.Request) -> TableDecision:
    """Decide a command by the game's rules; raises Illegal."""
    if actor.player_id is not None:
        if seat is None:
            raise Illegal("not_seated")
        if request.basis is None:
            raise Illegal("no_basis")
    table.check_playing(request)
    if actor.player_id is not None and seat is not None:
        keeping.check_may_enter(table, actor.player_id, table.seats[seat], request.name)
    acting = request.args.get("seat") if seat is None else seat
    by_bot = any(each.index == acting and each.bot_level for each in table.seats.values())
    command = Command(request.name, seat, request.args, request.basis, table.until_flags(request.lag), by_bot)
    found = table.decide(command)
    return TableDecision(keeping.checked(table, actor.player_id, command, found.events), found.state)


def _added(submission: Submission, table: LockedTable, decision: TableDecision, seat: Seat | None) -> Addition:
    """Return the addition of a decision: seats that follow the game, the end, deadlines, the entry.

    The table is as after it from now on.
    """
    before, state, status = table.snapshot, decision.state, decision.status or table.snapshot.status
    now_seated, events = _with_seats(table, decision)
    if table.game.rules.is_over(state) and status != Table.Status.LOBBY:
        status = Table.Status.FINISHED
    events += throws.events_about(table, decision, events, status)
    entry = _entry(submission, table, decision, seat, events)
    is_resumed = before.status == Table.Status.PAUSED and status == Table.Status.PLAYING
    now, args = server_time.now_ms(), entry.command["args"]
    chains = dice_chains.after(before.chains, entry, entry.throw, args, now, is_resumed=is_resumed)
    clocks = before.clocks if decision.clocks is None else decision.clocks
    throw = None if chains is None else chains.under_way
    clocks, due_at, open_now = deadlines.of_table(
        table.game, state, status, now_seated, clocks=clocks, ended=before.under_way, throw=throw
    )
    is_state_due = before.state_seq is None or entry.seq - before.state_seq >= STATE_EVERY or entry.is_meta
    after = changed(
        before,
        seq=entry.seq,
        state=state,
        status=status,
        dice_drawn=before.dice_drawn + len(entry.dice),
        clocks=clocks,
        due_at=due_at,
        open_now=open_now,
        sat=sittings.after(before.sat, entry) if entry.is_meta else before.sat,
        chains=chains,
        state_seq=entry.seq if is_state_due else before.state_seq,
    )
    added = Addition(table, decision, entry, before, after, table.seats, now_seated)
    table.snapshot, table.seats = after, now_seated
    if decision.scorekeeper is not None:
        table.row.scorekeeper_id = decision.scorekeeper
    return added


def _with_seats(table: LockedTable, decision: TableDecision) -> tuple[seats.Seats, tuple[Event, ...]]:
    """Return the seats after a decision, those that follow the game included, and its events with those about seats."""
    found, before = table.seats, table.snapshot.state
    if decision.seats:
        found = {**found, **{each.index: each for each in decision.seats}}
    if before is None:
        return found, decision.events
    moved, events = seats.follow_game(table.game, found, before, decision.state)
    return ({**found, **{each.index: each for each in moved}} if moved else found), decision.events + events


def _entry(
    submission: Submission, table: LockedTable, decision: TableDecision, seat: Seat | None, events: tuple[Event, ...]
) -> LoggedEntry:
    request = submission.request
    command: JsonObject = {"name": request.name, "args": request.args if decision.args is None else decision.args}
    if not request.name.startswith(HOUSE_PREFIX):
        command["basis"] = request.basis
    return LoggedEntry(
        table.snapshot.seq + 1,
        events,
        submission.id[1],
        submission.actor.player_id,
        seat if submission.is_for_game else None,
        command,
        tuple(table.dice.thrown),
        None if table.dice.throw is None else dump_throw(table.dice.throw),
    )
