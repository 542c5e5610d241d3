"""Deciding: a command's way from its sender to a decision, by the game's rules or the house, with or without a throw.

A command that needs dice in which devices have a part begins a throw (throws.py) and is decided again with its dice.
Who comes or goes meanwhile is accepted at once, and carried out by entries after the dice: nobody but the thrower ends
a throw, and nothing that was accepted is lost, as the acceptance is an entry whose command waits with the throw
(`dice_chains.UnderWay.postponed`). Nothing here writes, so a command that is refused or meets a fault fails alone.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from django.db import DatabaseError

from games.kernel.contract import Command, Event, Illegal, Seat
from games.kernel.dice.chains import DiceWanted, NoDiceYet
from games.kernel.records import changed
from games.models import Table
from games.services import commands
from games.services.dice import dice_chains
from games.services.dice.dice_chains import Postponed, UnderWay
from games.services.tables import host_commands, keeping, throws
from games.services.tables.additions import Addition, add
from games.services.tables.decisions import LockedTable, Submission, TableDecision, check_playing

logger = logging.getLogger(__name__)

COMING_AND_GOING = frozenset({"table.join", "table.leave", "table.kick", "table.substitute", "table.forfeit"})
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
        return add(submission, table, _decision(submission, table, seat), seat)
    table.dice = NoDiceYet()
    try:
        return add(submission, table, _decision(submission, table, seat), seat)
    except DiceWanted as needed:
        begun = throws.begun(table, request, seat, devices, needed.count)
        return add(_of_throw(submission, begun), table, begun, None)


def _of_throw(submission: Submission, begun: TableDecision) -> Submission:
    """Return the house's own command that begins a throw for another command, which it stores."""
    kept = throws.pending(submission.actor, submission.request)
    request = commands.Request(throws.THROW, kept, f"throw:{begun.events[0].data['k']}")
    return Submission(submission.table_id, commands.HOUSE, request)


def _answered(submission: Submission, table: LockedTable, seat: Seat | None) -> Addition:
    """Record a device's link or its silence; after the last one carry out the throw."""
    actor, request = submission.actor, submission.request
    if request.name == throws.SILENT and actor != commands.HOUSE:
        raise Illegal("unknown_command", name=request.name)
    if request.name == throws.LINK:
        keeping.check_own(table, actor.player_id, seat)
    check_playing(table.snapshot.status)
    commands.check_at(request, table.snapshot.seq)
    table.dice = table.snapshot.dice()
    event, under_way = throws.answered(table, request, seat)
    if not under_way.waiting:
        return _thrown(submission, table, under_way, event)
    return add(submission, table, TableDecision((event,), table.snapshot.state), seat)


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
        return add(resumed, table, replace(found, events=(*missed, *found.events)), seat)
    except DatabaseError:
        raise
    except Exception as error:
        logger.log(
            logging.INFO if isinstance(error, Illegal) else logging.ERROR,
            "throw %s of table %s is dropped: %r", under_way.k, submission.table_id, error,
        )  # fmt: skip
    table.dice = table.snapshot.dice()
    dropped = TableDecision((*told, throws.dropped(under_way)), table.snapshot.state)
    return add(submission, table, dropped, None)


def after_throw(ended: Addition, table: LockedTable) -> list[Addition]:
    """Let come and go those who were accepted during a throw, each by an entry, if an addition has ended the throw."""
    under_way = ended.before.under_way
    if under_way is None or table.snapshot.under_way is not None:
        return []
    return [_of_postponed(table, act, under_way.k, number) for number, act in enumerate(under_way.postponed)]


def _of_postponed(table: LockedTable, act: Postponed, k: int, number: int) -> Addition:
    """Return the change of a command that has waited for throw `k`; if it is refused by now the entry says so."""
    request = commands.Request(act.name, act.args, f"after:{k}:{number}")
    submission = Submission(table.snapshot.table_id, commands.HOUSE, request)
    table.dice = table.snapshot.dice()
    try:
        if table.snapshot.status == Table.Status.FINISHED:
            raise Illegal("finished")
        decision = host_commands.carried_out(table, act.by, act.name, act.args, act.seat)
        return add(submission, table, decision, None)
    except DatabaseError:
        raise
    except Exception as error:
        code = error.code if isinstance(error, Illegal) else "failed"
        level = logging.INFO if isinstance(error, Illegal) else logging.ERROR
        logger.log(level, "%s after throw %s of table %s lapses: %r", act.name, k, submission.table_id, error)
    table.dice = table.snapshot.dice()
    event = Event(dice_chains.LAPSED, {"command": act.name, "seat": act.args.get("seat"), "code": code})
    return add(submission, table, TableDecision((event,), table.snapshot.state), None)


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
        return add(submission, table, _decision(submission, table, seat), seat)
    if len(under_way.postponed) >= MOST_POSTPONED:
        raise Illegal("throw_under_way")
    args = request.args if to_come.args is None else to_come.args
    data = {"command": request.name, "by": actor.player_id, "for": seat, "seat": args.get("seat")}
    accepted = TableDecision((Event(dice_chains.POSTPONED, data),), snapshot.state, args=args)
    return add(submission, table, accepted, seat)


def _decision(
    submission: Submission, table: LockedTable, seat: Seat | None, *, is_begun: bool = False
) -> TableDecision:
    """Decide a command by the game's rules or by the house; `is_begun`: its throw is under way."""
    actor, request = submission.actor, submission.request
    if submission.is_for_game:
        if table.snapshot.under_way is not None and not is_begun:
            raise Illegal("throw_under_way")
        return _played(table, actor, seat, request)
    commands.check_at(request, table.snapshot.seq)
    if submission.decide is not None:
        return submission.decide(table, request.args)
    _check_basis_of_house(request, table)
    decision = host_commands.decide(table, actor.player_id, request.name, request.args, seat)
    throws.check_keeps(table, decision)
    return decision


def _check_basis_of_house(request: commands.Request, table: LockedTable) -> None:
    """Raise Illegal `stale` for a command of the house if something has happened in the game since its basis.

    A game's command is checked by the rules against its choice; a command of the house has a basis only if its
    sender gives one.
    """
    if request.basis is not None and not table.is_untouched_since(request.basis):
        raise commands.stale(request.basis, table.snapshot.seq)


def _played(table: LockedTable, actor: commands.Actor, seat: Seat | None, request: commands.Request) -> TableDecision:
    """Decide a command by the game's rules; raises Illegal."""
    if actor.player_id is not None:
        if seat is None:
            raise Illegal("not_seated")
        if request.basis is None:
            raise Illegal("no_basis")
    check_playing(table.snapshot.status)
    if actor.player_id is not None and seat is not None:
        keeping.check_may_enter(table, actor.player_id, table.seats[seat], request.name)
    commands.check_at(request, table.snapshot.seq)
    command = Command(request.name, seat, request.args, request.basis, table.until_flags(request.lag))
    found = table.decide(command)
    return TableDecision(keeping.checked(table, actor.player_id, command, found.events), found.state)
