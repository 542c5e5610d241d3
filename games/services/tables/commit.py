"""The commit: the only way in for commands, of a game or of the host, and the only code that writes the log.

It locks and reads the tables, decides, writes, and publishes after the commit. Commands that arrive
together share a transaction; each has its own entry and its own answer, and none is answered before
the commit. Deciding writes nothing, so a command that is refused or meets a fault of a game fails
alone. If the database refuses the writes of several commands, they are committed in halves until only
the commands at fault fail.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias

from django.db import DatabaseError, OperationalError, transaction

from games import plugin
from games.kernel.contract import CORRECT, Command, Event, Illegal, JsonObject, Seat
from games.kernel.dice.chains import DiceWanted, NoDiceYet, dump_throw
from games.kernel.records import changed, record
from games.models import Table
from games.services import audit, commands, publication
from games.services.dice import dice_chains
from games.services.dice.dice_chains import Postponed, UnderWay
from games.services.seats import seats, sittings
from games.services.tables import cache, deadlines, host_commands, keeping, log, postponed, sql, throws
from games.services.tables.additions import ADDED, Addition
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.log import LoggedEntry, Receipt
from games.services.tables.news import TableNews
from games.services.tables.snapshot import TableSnapshot

logger = logging.getLogger(__name__)

# The number of entries after which the state in the table's row is renewed. A process that does not
# know a table folds at most this many.
STATE_EVERY = 50

Answer: TypeAlias = Receipt | Exception
Done: TypeAlias = Callable[[Answer], None]
Decide: TypeAlias = Callable[[LockedTable, JsonObject], TableDecision]


@record(frozen=True, slots=True)
class Submission:
    """A request to a table, with its actor.

    `done`, if set, gets the answer after the commit. `decide` decides a command of a service (the start of
    a table, a correction), which neither the game's rules nor `host_commands` know.
    """

    table_id: int
    actor: commands.Actor
    request: commands.Request
    done: Done | None = None
    decide: Decide | None = None

    @property
    def id(self) -> tuple[int, str]:
        """The identity of a command: its table and its id there."""
        return self.table_id, commands.scoped(self.actor, self.request.id)

    @property
    def is_for_game(self) -> bool:
        """Tell whether the game's rules decide it."""
        return self.decide is None and not self.request.name.startswith(host_commands.PREFIX)

    @property
    def may_be_legal_twice(self) -> bool:
        """Tell whether it could be accepted twice. A link could not: a seat gives one link for each throw."""
        if self.decide is None and self.request.name == throws.LINK:
            return False
        return not self.is_for_game or _is_unbound(self.request)


@record(frozen=True, slots=True)
class _Change:
    """A decided command: its entry, and the table before and after it."""

    submission: Submission
    decision: TableDecision
    entry: LoggedEntry
    table: LockedTable
    before: TableSnapshot
    after: TableSnapshot
    seats_before: seats.Seats
    seats: seats.Seats


def submit(table_id: int, actor: commands.Actor, request: commands.Request, decide: Decide | None = None) -> Receipt:
    """Carry out a command and return its receipt: a commit of one.

    Raises Illegal with the rules' code or one of: `no_such_table`, `bad_command_id`, `not_seated`,
    `not_host`, `removed`, `not_started`, `paused`, `finished`, `no_basis`, `accept_first`, `stale`.
    """
    (answer,) = commit([Submission(table_id, actor, request, decide=decide)])
    if isinstance(answer, Exception):
        raise answer
    return answer


def commit(submissions: Sequence[Submission]) -> list[Answer]:
    """Carry out commands in their order, in as few transactions as possible; return their answers.

    Several that seat bots are carried out one after the other: each is counted before the next one.
    """
    if len(submissions) > 1 and sum(host_commands.seats_bot(each.request) for each in submissions) > 1:
        return [answer for each in submissions for answer in commit([each])]
    try:
        return _together(submissions)
    except OperationalError as error:
        # A full disk, a lock or a lost server: each command alone would fail for the same reason.
        if not _is_deadlock(error):
            return [error] * len(submissions)
        return _halved(submissions, error)
    except Exception as error:
        return _halved(submissions, error)


def _halved(submissions: Sequence[Submission], error: Exception) -> list[Answer]:
    """Carry out each half of a failed batch by itself; for a single command, look its id up first."""
    level = logging.DEBUG if isinstance(error, DatabaseError) else logging.ERROR
    logger.log(level, "a commit of %s commands is halved: %r", len(submissions), error)
    if len(submissions) > 1:
        half = len(submissions) // 2
        return [*commit(submissions[:half]), *commit(submissions[half:])]
    try:
        return _together(submissions, with_ids=True)
    except Exception as again:
        return [again]


def _is_deadlock(error: Exception) -> bool:
    return getattr(error.__cause__, "sqlstate", None) == "40P01"


def _together(submissions: Sequence[Submission], *, with_ids: bool = False) -> list[Answer]:
    """Carry out commands in one transaction; if the database raises, nothing is written and the error is passed on."""
    now = datetime.now(UTC)
    with transaction.atomic():
        tables = _locked({each.table_id for each in submissions}, now)
        # A command that may be legal twice is looked up first; any other is refused the second time.
        twice = (each.id for each in submissions if with_ids or each.may_be_legal_twice)
        receipts = log.accepted(twice)
        changes: list[_Change] = []
        answers = [_answer(each, tables, receipts, changes) for each in submissions]
        refused = (s.id for s, answer in zip(submissions, answers, strict=True) if isinstance(answer, Illegal))
        repeated = log.accepted(id_ for id_ in refused if id_ not in receipts)
        if changes:
            _write(changes, now)
    if not repeated:
        return answers
    return [
        repeated.get(each.id, answer) if _may_repeat(answer) else answer
        for each, answer in zip(submissions, answers, strict=True)
    ]


def _is_unbound(request: commands.Request) -> bool:
    """Tell whether a request refers to no entry, so that it may be legal again later."""
    return request.basis is None and request.at is None


def _may_repeat(answer: Answer) -> bool:
    """Tell whether a refused command may have been accepted before."""
    return isinstance(answer, Illegal) and answer.code != "removed"


# Lock and read


def _locked(table_ids: Iterable[int], now: datetime) -> dict[int, LockedTable]:
    """Lock tables and return each in its present state: the snapshot, and the seats with their membership."""
    heads = sql.lock(set(table_ids))
    if not heads:
        return {}
    found = {pk: each for pk, (seq, _) in heads.items() if (each := cache.get(pk)) is not None and each.seq == seq}
    found |= _read(heads.keys() - found.keys())
    seated = sql.seats(heads)
    for pk, (_, status) in heads.items():
        if found[pk].status != status:
            found[pk] = changed(found[pk], status=status)
    return {pk: LockedTable(found[pk], seated[pk], now) for pk in heads}


def _read(table_ids: Iterable[int]) -> dict[int, TableSnapshot]:
    """Return the snapshots of tables for which this process has no current one."""
    found = {}
    for pk in table_ids:
        old = cache.get(pk)
        row = Table.objects.filter(pk=pk).defer(*(("state",) if old is not None else ())).get()
        found[pk] = log.snapshot_of(row, old)
    return found


# Decide


def _answer(
    submission: Submission,
    tables: Mapping[int, LockedTable],
    receipts: dict[tuple[int, str], Receipt],
    changes: list[_Change],
) -> Answer:
    """Decide a command and return its answer; add its changes to `changes` and `receipts`."""
    try:
        table = tables.get(submission.table_id)
        if table is None:
            raise Illegal("no_such_table")
        if not 0 < len(submission.request.id) <= commands.LONGEST_COMMAND_ID:
            raise Illegal("bad_command_id")
        if (receipt := receipts.get(submission.id)) is not None:
            _seat_of(table, submission.actor, submission.request)
            return receipt
        change = _carried_out(submission, table)
    except DatabaseError:
        raise
    except Illegal as refusal:
        return refusal
    except Exception as error:
        logger.exception("a command met a fault: table %s", submission.table_id)
        return error
    _take(change, table, changes)
    if (named := change.decision.scorekeeper) is not None:
        table.row.scorekeeper_id = named
    receipts[submission.id] = Receipt(change.entry, repeated=True)
    _carry_out_postponed(change, table, changes)
    return Receipt(change.entry)


def _take(change: _Change, table: LockedTable, changes: list[_Change]) -> None:
    """Add a change to the changes of this commit; the table is as after it from now on."""
    changes.append(change)
    table.snapshot, table.seats = change.after, change.seats


def _carry_out_postponed(ended: _Change, table: LockedTable, changes: list[_Change]) -> None:
    """Let come and go those who were accepted during a throw, each by an entry, if a change has ended the throw."""
    under_way = ended.before.under_way
    if under_way is None or table.snapshot.under_way is not None:
        return
    for number, act in enumerate(under_way.postponed):
        _take(_of_postponed(table, act, under_way.k, number), table, changes)


def _of_postponed(table: LockedTable, act: Postponed, k: int, number: int) -> _Change:
    """Return the change of a command that has waited for throw `k`; if it is refused by now the entry says so."""
    submission = Submission(table.snapshot.table_id, commands.HOUSE, postponed.request_of(act, k, number))
    table.dice = table.snapshot.dice()
    try:
        return _changed(submission, table, postponed.carried_out(table, act), None)
    except DatabaseError:
        raise
    except Exception as error:
        code = error.code if isinstance(error, Illegal) else "failed"
        level = logging.INFO if isinstance(error, Illegal) else logging.ERROR
        logger.log(level, "%s after throw %s of table %s lapses: %r", act.name, k, submission.table_id, error)
    table.dice = table.snapshot.dice()
    return _changed(submission, table, postponed.lapsed(table, act, code), None)


def _postponed(submission: Submission, table: LockedTable) -> _Change:
    """Accept a command by which somebody comes or goes after the throw under way.

    It is decided for the table as it will be: without the throw, and after all who wait already. The going of the
    thrower ends the throw at once.
    """
    actor, request, later = submission.actor, submission.request, postponed.without_throw(table)
    under_way = table.snapshot.under_way
    for number, act in enumerate(() if under_way is None else under_way.postponed):
        _take(_of_postponed(later, act, 0, number), later, [])
    seat = _seat_of(later, actor, request)
    later.dice = later.snapshot.dice()
    to_come = _decision(submission, later, seat)
    table.dice = table.snapshot.dice()
    if postponed.is_of_thrower(table, to_come):
        return _changed(submission, table, _decision(submission, table, seat), seat)
    accepted = postponed.accepted(table, request, actor.player_id, seat, to_come)
    return _changed(submission, table, accepted, seat)


def _carried_out(submission: Submission, table: LockedTable) -> _Change:
    """Decide a command; if it needs dice in which devices have a part, it begins a throw."""
    request = submission.request
    if submission.decide is None and postponed.may_wait(table, request.name):
        return _postponed(submission, table)
    seat = _seat_of(table, submission.actor, request)
    if request.name in throws.ANSWERS and submission.decide is None:
        return _answered(submission, table, seat)
    devices = () if submission.decide is not None else throws.contributors(table, request, seat)
    if table.snapshot.under_way is not None or not devices:
        table.dice = table.snapshot.dice()
        return _changed(submission, table, _decision(submission, table, seat), seat)
    table.dice = NoDiceYet()
    try:
        return _changed(submission, table, _decision(submission, table, seat), seat)
    except DiceWanted as needed:
        begun = throws.begun(table, request, seat, devices, needed.count)
        return _changed(_of_throw(submission, begun), table, begun, None)


def _of_throw(submission: Submission, begun: TableDecision) -> Submission:
    """Return the house's own command that begins a throw for another command, which it stores."""
    kept = throws.pending(submission.actor, submission.request)
    request = commands.Request(throws.THROW, kept, f"throw:{begun.events[0].data['k']}")
    return Submission(submission.table_id, commands.HOUSE, request)


def _answered(submission: Submission, table: LockedTable, seat: Seat | None) -> _Change:
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
    return _changed(submission, table, TableDecision((event,), table.snapshot.state), seat)


def _thrown(submission: Submission, table: LockedTable, under_way: UnderWay, last: Event) -> _Change:
    """Carry out the command of a throw that has its links, with its dice; `last` is the last link, or a silence.

    If the command is refused or fails by now, the throw ends without dice.
    """
    told = (last,) if last.data["seat"] is not None else ()
    missed = told if last.type == dice_chains.MISSED else ()
    actor, request = throws.command_of(under_way)
    resumed = Submission(submission.table_id, actor, request)
    try:
        seat = _seat_of(table, actor, request)
        table.dice = throws.dice(table, under_way)
        decided = _decision(resumed, table, seat, is_begun=True)
        return _changed(resumed, table, replace(decided, events=(*missed, *decided.events)), seat)
    except DatabaseError:
        raise
    except Exception as error:
        logger.log(
            logging.INFO if isinstance(error, Illegal) else logging.ERROR,
            "throw %s of table %s is dropped: %r", under_way.k, submission.table_id, error,
        )  # fmt: skip
    table.dice = table.snapshot.dice()
    dropped = TableDecision((*told, throws.dropped(under_way)), table.snapshot.state)
    return _changed(submission, table, dropped, None)


def _seat_of(table: LockedTable, actor: commands.Actor, request: commands.Request) -> Seat | None:
    """Return the seat that the actor acts for: the one that the request names, else the actor's own.

    Raises `removed` for a removed player, `bad_args`, `not_keeper` and `other_sitter` for a seat that the actor may
    not act for.
    """
    if actor.player_id is None:
        return actor.bot_seat
    seat = table.seat_of(actor.player_id)
    if not (table.is_inside(actor.player_id) if seat is None else seat.is_in):
        raise Illegal("removed")
    if request.seat is not None:
        return keeping.seat_to_act_for(table, actor.player_id, request)
    return None if seat is None else seat.index


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
    acting = request.args.get("seat") if seat is None else seat
    by_bot = any(each.index == acting and each.bot_level for each in table.seats.values())
    command = Command(request.name, seat, request.args, request.basis, table.until_flags(request.lag), by_bot)
    decided = table.decide(command)
    keeping.check_consent(table, actor.player_id, command)
    if request.name == CORRECT:
        keeping.check_correction(table, actor.player_id, seat, decided.events)
    entered = keeping.entered(table, actor.player_id, seat, decided.events)
    return TableDecision((*entered, *decided.events), decided.state)


_NOT_PLAYED = {
    Table.Status.LOBBY: "not_started",
    Table.Status.PAUSED: "paused",
    Table.Status.FINISHED: "finished",
}


def check_playing(status: str) -> None:
    """Raise Illegal unless a table's game is under way and not paused."""
    if status != Table.Status.PLAYING:
        raise Illegal(_NOT_PLAYED[Table.Status(status)])


def _changed(submission: Submission, table: LockedTable, decision: TableDecision, seat: Seat | None) -> _Change:
    """Return the change of a decision: seats that follow the game, the end, deadlines, the entry."""
    before, config = table.snapshot, plugin.game(table.snapshot.game_id)
    now_seated = table.seats
    if decision.seats:
        now_seated = {**now_seated, **{each.index: each for each in decision.seats}}
    events, state, status = decision.events, decision.state, decision.status or before.status
    if before.state is not None and _moves_seats(config, before.state, state):
        moved, seat_events = seats.follow_game(before.game_id, now_seated, before.state, state)
        now_seated = {**now_seated, **{each.index: each for each in moved}}
        events += seat_events
    if config.rules.is_over(state) and status != Table.Status.LOBBY:
        status = Table.Status.FINISHED
    events += _about_dice(table, decision, events, status)
    entry = _entry(submission, table, decision, seat, events)
    chains = _chains(before, entry, status)
    clocks, due_at, open_now = _deadlines(before, decision, status, now_seated, chains)
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
    )
    return _Change(submission, decision, entry, table, before, _with_state_seq(after, entry), table.seats, now_seated)


def _moves_seats(config: plugin.GameConfig, before: Any, after: Any) -> bool:
    """Tell whether a change of state frees seats or starts or ends a bot's play for a departed player."""
    rules = config.rules
    return rules.gone(after) != rules.gone(before) or rules.played_on(after) != rules.played_on(before)


def _about_dice(
    table: LockedTable, decision: TableDecision, so_far: tuple[Event, ...], status: str
) -> tuple[Event, ...]:
    """Return the house's events about the dice: the end of a throw, the next chain, the seed at the end.

    `so_far` and `status` are the events and the status of the table after the decision.
    """
    found, throw = table.snapshot.chains, table.dice.throw
    events: tuple[Event, ...] = ()
    if found is not None and (throw is None or throw.k != found.k):
        if found.under_way is not None:
            events += throws.ended_by(table, replace(decision, events=so_far, status=status))
        events += () if throw is None else dice_chains.committed_ahead(found, table.snapshot.dice_seed, throw.k)
    events += dice_chains.held_back(found, table.snapshot.dice_seed, table.dice, so_far)
    if status == Table.Status.FINISHED != table.snapshot.status:
        events += (Event("table.dice_revealed", {"seed": table.snapshot.dice_seed, "salt": table.snapshot.dice_salt}),)
    return events


def _chains(before: TableSnapshot, entry: LoggedEntry, status: str) -> dice_chains.Chains | None:
    """Return the position in the chains of a table's dice after an entry."""
    now = deadlines.now_ms()
    found = dice_chains.after(before.chains, entry, entry.throw, entry.command["args"], now)
    if before.status == Table.Status.PAUSED and status == Table.Status.PLAYING:
        return dice_chains.going_on(found, now)
    return found


def _entry(
    submission: Submission, table: LockedTable, decision: TableDecision, seat: Seat | None, events: tuple[Event, ...]
) -> LoggedEntry:
    request = submission.request
    command: JsonObject = {"name": request.name, "args": request.args if decision.args is None else decision.args}
    if not request.name.startswith(host_commands.PREFIX):
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


def _deadlines(
    before: TableSnapshot,
    decision: TableDecision,
    status: str,
    now_seated: seats.Seats,
    chains: dice_chains.Chains | None,
) -> tuple[Mapping[str, int], datetime | None, deadlines.Open | None]:
    """Return a table's deadlines, the time of the clock's next act, and the open choices; in a pause nothing is due."""
    clocks = before.clocks if decision.clocks is None else decision.clocks
    if status == Table.Status.PAUSED:
        return clocks, None, None
    if status != Table.Status.PLAYING:
        return {}, None, None
    if chains is not None and chains.under_way is not None:
        return clocks, deadlines.first([] if chains.under_way.due is None else [chains.under_way.due]), None
    if before.under_way is not None:
        clocks = deadlines.later(clocks, before.under_way.began)
    levels = {index: each.bot_level for index, each in now_seated.items()}
    open_now = deadlines.open_choices(before.game_id, decision.state, levels)
    without = {index for index, each in now_seated.items() if each.must_accept}
    return *deadlines.after(before.game_id, decision.state, open_now, levels, clocks, without=without), open_now


def _with_state_seq(after: TableSnapshot, entry: LoggedEntry) -> TableSnapshot:
    """Return a snapshot marked for storing its state if that is due."""
    is_due = after.state_seq is None or after.seq - after.state_seq >= STATE_EVERY or entry.is_meta
    return changed(after, state_seq=after.seq) if is_due else after


# Write and publish


def _write(changes: Sequence[_Change], now: datetime) -> None:
    """Write the changes; they are published after the commit."""
    last: dict[int, TableSnapshot] = {}
    for each in changes:
        after, earlier = each.after, last.get(each.after.table_id)
        # A state that an earlier entry of this commit was to store is stored with the last one.
        if earlier is not None and earlier.state_seq == earlier.seq:
            after = changed(after, state_seq=after.seq)
        last[after.table_id] = after
    sql.insert([(each.after.table_id, each.entry) for each in changes], now)
    sql.update_tables(last.values())
    transaction.on_commit(partial(_publish, changes, last))
    for each in changes:
        _write_more(each, now)


def _write_more(change: _Change, now: datetime) -> None:
    """Write the changes that few entries make: seats, start and end, the audit, and what other rooms write by them."""
    before, after, entry, table = change.before, change.after, change.entry, change.table
    if change.seats is not change.seats_before:
        _write_seats(change)
    if before.status != after.status:
        _write_turn(before, after, now)
    if (named := change.decision.scorekeeper) is not None:
        Table.objects.filter(pk=after.table_id).update(scorekeeper=named)
    ADDED.tell(Addition(table, entry, before, after, change.seats, change.decision.corrects, now))
    if (note := change.decision.audit) is not None:
        night = table.row.night
        audit.note(note.act, night.host, f"{after.game_id} {table.row.number}", night=night, **note.about)


def _write_seats(change: _Change) -> None:
    old, table_id = change.seats_before, change.after.table_id
    sql.seat_down(
        [(table_id, each) for index, each in change.seats.items() if index in old and each is not old[index]],
        [(table_id, each) for index, each in change.seats.items() if index not in old],
    )


def _write_turn(before: TableSnapshot, after: TableSnapshot, now: datetime) -> None:
    """Write the start of play and its end, or that a table that was over goes on."""
    row = Table.objects.filter(pk=after.table_id)
    if before.status == Table.Status.LOBBY:
        row.update(started_at=now)
    if Table.Status.FINISHED in (before.status, after.status):
        row.update(finished_at=now if after.status == Table.Status.FINISHED else None)


def _publish(changes: Sequence[_Change], last: Mapping[int, TableSnapshot]) -> None:
    """Store the committed snapshots in the cache and publish the changes, entry by entry."""
    for snapshot in last.values():
        cache.keep(changed(snapshot, open_now=None))
    for each in changes:
        newest = last[each.after.table_id]
        publication.publish(TableNews(newest if newest.seq == each.after.seq else each.after, each.entry))
