"""Commands that arrive together are committed together, and each is answered for itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from games import plugin
from games.kernel import simulate
from games.kernel.contract import Illegal
from games.models import LogEntry, Result, ResultLine, Table, Tally
from games.services import batches, known, ledger, play, writer
from games.services.batches import Asked
from games.services.play import Actor, Request

pytestmark = pytest.mark.django_db(transaction=True)
MakeTable = Callable[..., Table]


class Answers:
    """What each asker was told, in order."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def asked(self, table: Table, request: Request, seat: int = 0) -> Asked:
        player = table.seats.get(index=seat).player_id
        return Asked(table.pk, Actor(player), request, self.told.append)


def next_request(table: Table, rng: random.Random) -> tuple[int, Request]:
    """Return a random legal command at a table, and its seat."""
    table.refresh_from_db()
    rules, state = plugin.game(table.game_id).rules, ledger.state_of(table)
    count = table.seats.count()
    command = simulate.pick(simulate.open_choices(rules, state, count), rng)
    request = Request(command.name, command.args, f"c{table.seq}", command.basis)
    return command.seat or 0, request


def take(asked: list[Asked]) -> None:
    """Let the writer take some commands as one batch."""
    writer._take(asked)


def log_of(table: Table) -> list[tuple[Any, ...]]:
    rows = LogEntry.objects.filter(table=table).exclude(seq=1).order_by("seq")
    return list(rows.values_list("seq", "command", "seat", "events", "dice"))


def results_of(table: Table) -> list[tuple[Any, ...]]:
    fields = ("result__number", "result__seq", "result__reason", "seat", "points", "rank", "stats")
    lines = ResultLine.objects.filter(result__table=table).order_by("result__number", "seat")
    return list(lines.values_list(*fields))


def same_dice(table: Table, other: Table) -> None:
    """Let a table's dice fall as another's, from its first entry on."""
    fields = ("dice_seed", "dice_salt", "dice_drawn", "state", "seq", "state_seq")
    Table.objects.filter(pk=table.pk).update(**{f: getattr(other, f) for f in fields})
    first = LogEntry.objects.get(table=other, seq=1)
    LogEntry.objects.filter(table=table, seq=1).update(events=first.events, dice=first.dice)
    ledger.forget_all()
    table.refresh_from_db()


@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [("chicago", "bavarian", 3), ("chicago", "classic", 3), ("chouette", "money", 2)],
)
def test_a_batch_writes_what_one_by_one_would(
    start_table: MakeTable, game: str, preset: str, seats: int
) -> None:
    alone, together = (start_table(game, preset, seats=seats) for _ in range(2))
    other = start_table("dummygame", seats=2)
    same_dice(together, alone)
    rng, answers = random.Random(1), Answers()
    for _ in range(250):
        alone.refresh_from_db()
        if alone.status != Table.Status.PLAYING:
            break
        seat, request = next_request(alone, rng)
        play.submit(alone.pk, Actor(alone.seats.get(index=seat).player_id), request)
        neighbour = answers.asked(other, Request("nonsense", {}, "n", 1))
        take([answers.asked(together, request, seat), neighbour])
        assert {type(told) for told in answers.told[-2:]} == {ledger.Receipt, Illegal}
    assert log_of(together) == log_of(alone)
    assert results_of(together) == results_of(alone)
    assert preset == "classic" or results_of(alone)
    sums = {t.player_id: (t.played, t.won, t.points, t.stats) for t in Tally.objects.all()}
    one, two = (table.seats.order_by("index") for table in (alone, together))
    for a, b in zip(one, two, strict=True):
        assert a.player_id == b.player_id or sums.get(a.player_id) == sums.get(b.player_id)
    call_command("check_logs", other.public_id, alone.public_id, stdout=StringIO())


def test_many_tables_share_one_commit(start_table: MakeTable) -> None:
    tables = [start_table() for _ in range(5)]
    for table in tables:
        ledger.known_of(table)
    answers, rng = Answers(), random.Random(2)
    batch = []
    for table in tables:
        seat, request = next_request(table, rng)
        batch.append(answers.asked(table, request, seat))
    with CaptureQueriesContext(
        connection,
    ) as seen:
        take(batch)
    assert [receipt.seq for receipt in answers.told] == [2] * 5
    assert [q["sql"] for q in seen if q["sql"].startswith("BEGIN")] == ["BEGIN IMMEDIATE"] or (
        connection.vendor != "sqlite"
    )
    call_command("check_logs", stdout=StringIO())


def test_a_refusal_is_told_to_the_one_who_asked_and_to_nobody_else(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad, broken = start_table(), start_table(), start_table()
    for table in (good, bad, broken):
        ledger.known_of(table)
    answers, rng = Answers(), random.Random(3)
    seat, request = next_request(good, rng)
    batch = [
        answers.asked(bad, Request(request.name, {"no": "such"}, "x", request.basis)),
        answers.asked(good, request, seat),
    ]
    take(batch)
    codes = {type(told).__name__ for told in answers.told}
    assert codes == {"Illegal", "Receipt"}
    rules = plugin.game("dummygame").rules
    monkeypatch.setattr(rules, "decide", _raise)
    seat, request = next_request(good, rng)
    take([answers.asked(good, request, seat)])
    assert isinstance(answers.told[-1], ZeroDivisionError)


def _raise(*args: object) -> None:
    raise ZeroDivisionError


def test_a_repeated_id_gets_the_first_answer_also_within_a_batch(start_table: MakeTable) -> None:
    table = start_table()
    ledger.known_of(table)
    answers = Answers()
    seat, request = next_request(table, random.Random(4))
    take([answers.asked(table, request, seat), answers.asked(table, request, seat)])
    take([answers.asked(table, request, seat)])
    first, second, third = answers.told
    assert not first.repeated and second.repeated and third.repeated
    assert (first.seq, first.events) == (second.seq, second.events) == (third.seq, third.events)
    assert LogEntry.objects.filter(table=table).count() == 2


def test_refusals_hold_nobody_up_and_cost_no_statements_of_their_own(
    start_table: MakeTable,
) -> None:
    tables = [start_table() for _ in range(5)]
    for table in tables:
        ledger.known_of(table)
    rng = random.Random(6)

    def batch(copies: int) -> tuple[Answers, list[Asked]]:
        answers, asked = Answers(), []
        for table in tables:
            seat, request = next_request(table, rng)
            wrong = [
                Request(request.name, {"no": "such"}, f"{table.seq}-{n}", request.basis)
                for n in range(copies)
            ]
            asked += [answers.asked(table, each, seat) for each in wrong]
            asked.append(answers.asked(table, request, seat))
        return answers, asked

    statements = []
    for copies in (1, 10):
        answers, asked = batch(copies)
        with CaptureQueriesContext(connection) as queries:
            take(asked)
        statements.append(len(queries))
        kinds = [type(told) for told in answers.told]
        assert kinds.count(Illegal) == 5 * copies
        assert kinds.count(ledger.Receipt) == 5
    assert statements[0] == statements[1]
    call_command("check_logs", stdout=StringIO())


def test_commands_of_one_table_in_one_batch_are_taken_in_order(start_table: MakeTable) -> None:
    table = start_table("chicago", "classic", seats=2)
    ledger.known_of(table)
    answers, rng = Answers(), random.Random(5)
    seat, request = next_request(table, rng)
    stale = Request(request.name, request.args, "later", request.basis)
    take([answers.asked(table, request, seat), answers.asked(table, stale, seat)])
    assert answers.told[0].seq == 2
    assert isinstance(answers.told[1], Illegal) or answers.told[1].seq == 3
    call_command("check_logs", stdout=StringIO())


def test_a_batch_that_the_database_refuses_leaves_nothing_and_says_so(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = start_table()
    ledger.known_of(table)
    answers = Answers()
    seat, request = next_request(table, random.Random(6))
    with monkeypatch.context() as patched:
        patched.setattr(batches.rows, "move_on", _full)
        take([answers.asked(table, request, seat)])
    assert isinstance(answers.told[-1], OperationalError)
    table.refresh_from_db()
    assert table.seq == 1 and LogEntry.objects.filter(table=table).count() == 1
    take([answers.asked(table, request, seat)])
    assert answers.told[-1].seq == 2


def _full(*args: object) -> None:
    raise OperationalError("database or disk is full")


def test_another_processs_entry_is_seen_before_a_batch_decides(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = start_table()
    behind = ledger.known_of(table)
    answers, rng = Answers(), random.Random(7)
    for _ in range(3):
        seat, request = next_request(table, rng)
        play.submit(table.pk, Actor(table.seats.get(index=seat).player_id), request)
    known.forget_all()
    known.keep(behind)
    seat, request = next_request(table, rng)
    known.forget_all()
    known.keep(behind)
    monkeypatch.setattr(play, "submit", _raise)  # the batch itself reads on in the log
    take([answers.asked(table, request, seat)])
    assert answers.told[-1].seq == 5
    call_command("check_logs", stdout=StringIO())


def test_the_stored_state_is_a_few_entries_old_at_most_and_the_log_tells_the_rest(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "STATE_EVERY", 4)
    table = start_table("chicago", "classic", seats=3)
    answers, rng = Answers(), random.Random(8)
    lags = set()
    for step in range(30):
        seat, request = next_request(table, rng)
        take([answers.asked(table, request, seat)])
        table.refresh_from_db()
        lags.add(table.seq - table.state_seq)
        if step % 7 == 0:
            ledger.forget_all()
    assert max(lags) == 3
    call_command("check_logs", stdout=StringIO())


def test_who_is_no_longer_in_at_the_night_plays_no_more(start_table: MakeTable) -> None:
    table = start_table()
    ledger.known_of(table)
    answers = Answers()
    seat, request = next_request(table, random.Random(9))
    asked = answers.asked(table, request, seat)
    table.night.memberships.filter(player_id=asked.actor.player_id).update(status="kicked")
    take([asked])
    assert isinstance(answers.told[-1], Illegal)
    assert answers.told[-1].code == "removed"


def test_a_thread_that_waits_gets_its_receipt_or_what_was_raised(start_table: MakeTable) -> None:
    table = start_table()
    seat, request = next_request(table, random.Random(10))
    actor = Actor(table.seats.get(index=seat).player_id)
    assert writer.submit(table.pk, actor, request).seq == 2
    assert writer.submit(table.pk, actor, request).repeated
    with pytest.raises(Illegal, match="bad_command_id"):
        writer.submit(table.pk, actor, Request("x", {}, ""))
    assert Result.objects.count() == 0


def test_a_fault_of_the_house_does_not_end_the_writer(
    start_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = start_table()
    seat, request = next_request(table, random.Random(11))
    actor = Actor(table.seats.get(index=seat).player_id)
    with monkeypatch.context() as patched:
        patched.setattr(writer, "_take", _raise)
        with pytest.raises(ZeroDivisionError):
            writer.submit(table.pk, actor, request)
    assert writer.submit(table.pk, actor, request).seq == 2
