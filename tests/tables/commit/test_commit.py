"""Commands that arrive together are committed together, and each is answered for itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.dice import chains
from games.models import LogEntry, ResultLine, Table, Tally
from games.services.commands import Actor, Request
from games.services.tables import commit, log
from games.services.tables.decisions import Submission
from tests.tables.commit.commits import Answers, fail, next_request, take
from tests.tables.host.host_commands import named

pytestmark = pytest.mark.django_db(transaction=True)
MakeTable = Callable[..., Table]


def log_of(table: Table) -> list[tuple[Any, ...]]:
    rows = LogEntry.objects.filter(table=table).exclude(seq=1).order_by("seq")
    return list(rows.values_list("seq", "command", "seat", "events", "dice"))


def results_of(table: Table) -> list[tuple[Any, ...]]:
    fields = ("result__number", "result__seq", "result__reason", "seat", "points", "rank", "stats")
    lines = ResultLine.objects.filter(result__table=table).order_by("result__number", "seat")
    return list(lines.values_list(*fields))


@pytest.fixture
def one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let dice follow from the links of a throw alone, as if all tables had one name and one log."""
    message = chains.message
    monkeypatch.setattr(chains, "message", lambda _, k, n, ctx, links: message("", k, n, b"", links))


def same_dice(table: Table, other: Table) -> None:
    """Let a table's dice fall as another's, from its first entry on."""
    fields = ("dice_seed", "dice_salt", "dice_drawn", "chains", "state", "seq", "state_seq")
    Table.objects.filter(pk=table.pk).update(**{f: getattr(other, f) for f in fields})
    first = LogEntry.objects.get(table=other, seq=1)
    LogEntry.objects.filter(table=table, seq=1).update(events=first.events, dice=first.dice)
    log.forget_all()
    table.refresh_from_db()


@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [("chicago", "bavarian", 3), ("chicago", "classic", 3), ("chouette", "money", 2)],
)
def test_a_batch_writes_what_one_by_one_would(
    start_table: MakeTable, one_name: None, game: str, preset: str, seats: int
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
        commit.submit(alone.pk, Actor(alone.seats.get(index=seat).player_id), request)
        neighbour = answers.asked(other, Request("nonsense", {}, "n", 1))
        take([answers.asked(together, request, seat), neighbour])
        assert {type(told) for told in answers.told[-2:]} == {log.Receipt, Illegal}
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
        log.snapshot_of(table)
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
        log.snapshot_of(table)
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
    monkeypatch.setattr(rules, "decide", fail)
    seat, request = next_request(good, rng)
    take([answers.asked(good, request, seat)])
    assert isinstance(answers.told[-1], ZeroDivisionError)


def test_a_repeated_id_gets_the_first_answer_also_within_a_batch(start_table: MakeTable) -> None:
    table = start_table()
    log.snapshot_of(table)
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
    rng = random.Random(6)

    def batch(copies: int) -> tuple[Answers, list[Submission]]:
        # Fresh ones each time: a later step may let kept words go, which is a transaction of its own.
        tables = [start_table() for _ in range(5)]
        for table in tables:
            log.snapshot_of(table)
        answers, asked = Answers(), []
        for table in tables:
            seat, request = next_request(table, rng)
            wrong = [Request(request.name, {"no": "such"}, f"{table.seq}-{n}", request.basis) for n in range(copies)]
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
        assert kinds.count(log.Receipt) == 5
    assert statements[0] == statements[1]
    call_command("check_logs", stdout=StringIO())


def test_commands_of_the_host_share_the_commit(start_table: MakeTable) -> None:
    table, other = start_table(), start_table()
    for each in (table, other):
        log.snapshot_of(each)
    answers, rng = Answers(), random.Random(8)
    seat, request = next_request(table, rng)
    other_seat, elsewhere = next_request(other, rng)
    refused = Request(request.name, {"no": "such"}, "x", request.basis)
    with CaptureQueriesContext(connection) as seen:
        take(
            [
                answers.asked(table, Request("table.nudge", named(table, "table.nudge", {"seat": 1}), "n")),
                answers.asked(table, refused, seat),
                answers.asked(other, elsewhere, other_seat),
                answers.asked(table, request, seat),
            ]
        )
    assert connection.vendor != "sqlite" or [q["sql"] for q in seen if q["sql"].startswith("BEGIN")] == [
        "BEGIN IMMEDIATE"
    ]
    assert [getattr(told, "seq", None) for told in answers.told] == [2, None, 2, 3]
    entries = LogEntry.objects.filter(table=table).exclude(seq=1).order_by("seq")
    assert [entry.command["name"] for entry in entries] == ["table.nudge", request.name]


def test_what_a_command_of_the_host_changes_holds_for_the_next_in_the_same_commit(start_table: MakeTable) -> None:
    table = start_table("dummygame", "endless", seats=3)
    answers = Answers()
    seat, request = next_request(table, random.Random(9))
    take(
        [
            answers.asked(table, Request("table.pause", {}, "p")),
            answers.asked(table, request, seat),
            answers.asked(table, Request("table.resume", {}, "r")),
            answers.asked(table, Request("table.kick", named(table, "table.kick", {"seat": 2}), "k")),
            Submission(
                table.pk,
                Actor(table.seats.get(index=2).player_id),
                Request("table.join", {}, "j"),
                done=answers.told.append,
            ),
            answers.asked(
                table,
                Request(
                    "table.substitute",
                    {"seat": 2, "sitter": None, "bot": next(iter(plugin.game("dummygame").bot_levels))},
                    "s",
                ),
            ),
            answers.asked(table, replace(request, id="again"), seat),
        ]
    )
    codes = [told.code if isinstance(told, Illegal) else told.seq for told in answers.told]
    assert codes == [2, "paused", 3, 4, "taken_off", 5, 6]
    assert table.seats.get(index=2).bot_level
    call_command("check_logs", stdout=StringIO())


def test_the_end_of_a_game_and_what_follows_share_a_commit(start_table: MakeTable) -> None:
    table, other = start_table("chicago", "bavarian", seats=3), start_table("dummygame", seats=2)
    rng = random.Random(12)
    while table.status == Table.Status.PLAYING:
        answers = Answers()
        seat, request = next_request(table, rng)
        asked = [
            answers.asked(table, request, seat),
            answers.asked(other, Request("table.nudge", named(other, "table.nudge", {"seat": 1}), f"n{table.seq}")),
        ]
        take(
            [
                *asked,
                answers.asked(table, Request("table.nudge", named(table, "table.nudge", {"seat": 1}), f"n{table.seq}")),
            ]
        )
        table.refresh_from_db()
    assert isinstance(answers.told[2], Illegal) and answers.told[2].code == "finished"
    assert table.results.count() and table.finished_at is not None
    assert table.entries.last().events[-1]["type"] == "table.dice_revealed"
    call_command("check_logs", stdout=StringIO())


def test_commands_of_one_table_in_one_batch_are_taken_in_order(start_table: MakeTable) -> None:
    table = start_table("chicago", "classic", seats=2)
    log.snapshot_of(table)
    answers, rng = Answers(), random.Random(5)
    seat, request = next_request(table, rng)
    stale = Request(request.name, request.args, "later", request.basis)
    take([answers.asked(table, request, seat), answers.asked(table, stale, seat)])
    assert answers.told[0].seq == 2
    assert isinstance(answers.told[1], Illegal) or answers.told[1].seq == 3
    call_command("check_logs", stdout=StringIO())
