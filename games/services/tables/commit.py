"""The commit: the only way in for commands, of a game or of the host, and the only code that writes the log.

It locks and reads the tables, decides, writes, and publishes after the commit. Commands that arrive
together share a transaction; each has its own entry and its own answer, and none is answered before
the commit. Deciding writes nothing, so a command that is refused or meets a fault of a game fails
alone. If the database refuses the writes of several commands, they are committed in halves until only
the commands at fault fail.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from django.db import DatabaseError, OperationalError, transaction

from games.kernel.contract import Illegal
from games.kernel.data.records import changed
from games.models import HandOver, Table
from games.services import audit, commands, publication
from games.services.tables import deciding, host_commands, log, sql, throws
from games.services.tables import snapshot as table_snapshot
from games.services.tables.decisions import ADDED, Addition, Answer, Decide, LockedTable, Submission
from games.services.tables.log import Receipt
from games.services.tables.relay import TableNews
from games.services.tables.seating import keeping
from games.services.tables.snapshot import TableSnapshot

logger = logging.getLogger(__name__)


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
        twice = (each.id for each in submissions if with_ids or _may_be_legal_twice(each))
        receipts = log.accepted(twice)
        changes: list[Addition] = []
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


def _may_be_legal_twice(submission: Submission) -> bool:
    """Tell whether a command could be accepted twice. A link could not: a seat gives one link for each throw."""
    request = submission.request
    if submission.decide is None and request.name == throws.LINK:
        return False
    return not submission.is_for_game or (request.basis is None and request.at is None)


def _may_repeat(answer: Answer) -> bool:
    """Tell whether a refused command may have been accepted before."""
    return isinstance(answer, Illegal) and answer.code != "removed"


# Lock and read


def _locked(table_ids: Iterable[int], now: datetime) -> dict[int, LockedTable]:
    """Lock tables and return each in its present state: the snapshot, and the seats with their membership."""
    heads = sql.lock(set(table_ids))
    seated, found = (sql.seats(heads), log.present(heads)) if heads else ({}, {})
    return {pk: LockedTable(found[pk], seated[pk], now) for pk in heads}


# Decide


def _answer(
    submission: Submission,
    tables: Mapping[int, LockedTable],
    receipts: dict[tuple[int, str], Receipt],
    changes: list[Addition],
) -> Answer:
    """Decide a command and return its answer; add its changes to `changes` and `receipts`."""
    try:
        table = tables.get(submission.table_id)
        if table is None:
            raise Illegal("no_such_table")
        if not 0 < len(submission.request.id) <= commands.LONGEST_COMMAND_ID:
            raise Illegal("bad_command_id")
        if (receipt := receipts.get(submission.id)) is not None:
            keeping.seat_of(table, submission.actor, submission.request)
            return receipt
        change = deciding.decided(submission, table)
    except DatabaseError:
        raise
    except Illegal as refusal:
        return refusal
    except Exception as error:
        logger.exception("a command met a fault: table %s", submission.table_id)
        return error
    receipts[submission.id] = Receipt(change.entry, repeated=True)
    changes += [change, *deciding.after_throw(change, table)]
    return Receipt(change.entry)


# Write and publish


def _write(changes: Sequence[Addition], now: datetime) -> None:
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


def _write_more(change: Addition, now: datetime) -> None:
    """Write the changes that few entries make: seats, start and end, the audit, and what other rooms write by them."""
    before, after = change.before, change.after
    if change.seats is not change.seats_before:
        _write_seats(change)
    if before.status != after.status:
        _write_turn(before, after, now)
    if (named := change.decision.scorekeeper) is not None:
        Table.objects.filter(pk=after.table_id).update(scorekeeper=named)
    ADDED.tell(change)
    if (note := change.decision.audit) is not None:
        row, night = change.table.row, change.table.row.night
        audit.note(note.act, night.host, f"{after.game_id} {row.number}", night=night, **note.about)


def _write_seats(change: Addition) -> None:
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
    if after.status == Table.Status.FINISHED:
        HandOver.objects.filter(table_id=after.table_id).delete()
    if Table.Status.FINISHED in (before.status, after.status):
        row.update(finished_at=now if after.status == Table.Status.FINISHED else None)


def _publish(changes: Sequence[Addition], last: Mapping[int, TableSnapshot]) -> None:
    """Store the committed snapshots in the cache and publish the changes, entry by entry."""
    for snapshot in last.values():
        table_snapshot.keep(changed(snapshot, open_now=None))
    for each in changes:
        newest = last[each.after.table_id]
        publication.publish(TableNews(newest if newest.seq == each.after.seq else each.after, each.entry))
