"""Every fault that is planted in a finished table's log is found: the table is played once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoDbBlocker

from games.models import LogEntry, ResultLine, Table
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log, setup
from tests import database, sealed_tables
from tests.conftest import opening, starting
from tests.tables.test_log import play_out

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _played(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    """A table of three whose dice come from a sealed seed alone, or from chains; each test's changes are undone."""
    with django_db_blocker.unblock(), database.undone(), pytest.MonkeyPatch.context() as monkeypatch:
        if request.param == "sealed":
            monkeypatch.setattr(setup, "_begin", sealed_tables.begun)
        host = players.new_guest("Hanna")
        start_table = starting(opening(membership.host_night(host, "Thursday"), host), host)
        yield play_out(start_table("chicago", "bavarian", seats=3)).pk


@pytest.fixture
def played(_played: int, db: None) -> Table:
    return Table.objects.get(pk=_played)


def edit_entry(table: Table, seq: int, change: Callable[[LogEntry], None]) -> None:
    entry = table.entries.get(seq=seq)
    change(entry)
    entry.save()


def first_with_dice(table: Table) -> LogEntry:
    return next(entry for entry in table.entries.order_by("seq") if entry.dice)


def other_face(table: Table) -> None:
    entry = first_with_dice(table)
    entry.dice[0] = entry.dice[0] % 6 + 1
    entry.save()


def lost_dice(table: Table) -> None:
    entry = first_with_dice(table)
    entry.dice = entry.dice[1:]
    entry.save()


def edit_event(table: Table) -> None:
    """Let one event say something else than what was played."""

    def change(entry: LogEntry) -> None:
        entry.events = entry.events[:1] if len(entry.events) > 1 else []

    edit_entry(table, 5, change)


def unreadable(table: Table) -> None:
    def change(entry: LogEntry) -> None:
        entry.events = [{"data": {}}]

    edit_entry(table, 4, change)


def other_options(table: Table) -> None:
    options = {**table.options, "turn_seconds": 599}
    Table.objects.filter(pk=table.pk).update(options=options)


def other_state(table: Table) -> None:
    state = dict(table.state)
    state["mats_out"] = 99
    Table.objects.filter(pk=table.pk).update(state=state)


FAULTS: dict[str, tuple[Callable[[Table], Any], str]] = {
    "a missing entry": (lambda t: t.entries.get(seq=3).delete(), "entry 3 is missing"),
    "a missing end": (lambda t: t.entries.get(seq=t.seq).delete(), "the log ends at"),
    "a missing start": (lambda t: t.entries.get(seq=1).delete(), "entry 1 is missing"),
    "no log at all": (lambda t: t.entries.all().delete(), "ends at 0"),
    "another face": (other_face, "is not what seed and salt say"),
    "a die too few": (lost_dice, "dice in the log"),
    "another seed": (
        lambda t: Table.objects.filter(pk=t.pk).update(dice_seed="0" * 64),
        "commitment is not what was told",
    ),
    "another event": (edit_event, ""),
    "an unreadable event": (unreadable, "can't be read"),
    "other house rules": (other_options, "options is not what was told"),
    "another state": (other_state, "not what the log leads to"),
    "other points": (lambda t: ResultLine.objects.filter(seat=0).update(points=77), "other lines"),
    "another rank": (lambda t: ResultLine.objects.filter(seat=0).update(rank=9), "other lines"),
    "other figures": (lambda t: ResultLine.objects.filter(seat=1).update(stats={}), "other lines"),
    "a missing line": (lambda t: ResultLine.objects.filter(seat=1).delete(), "other lines"),
    "a missing seat": (lambda t: t.seats.get(index=2).delete(), "the log has the seats"),
    "a missing result": (lambda t: t.results.all().delete(), "outcomes at"),
    "a wrong status": (
        lambda t: Table.objects.filter(pk=t.pk).update(status="playing"),
        "the game is over",
    ),
    "a game that is gone": (
        lambda t: Table.objects.filter(pk=t.pk).update(game_id="poker"),
        "not installed",
    ),
}


def other_throw(table: Table) -> None:
    def change(entry: LogEntry) -> None:
        entry.throw = {**entry.throw, "server": "0" * 64}

    edit_entry(table, table.entries.exclude(throw=None).values_list("seq", flat=True)[1], change)


CHAIN_FAULTS: dict[str, tuple[Callable[[Table], Any], str]] = {
    "another face": (other_face, "are not what the chains say"),
    "another link": (other_throw, "are not what the chains say"),
    "another seed": (lambda t: Table.objects.filter(pk=t.pk).update(dice_seed="0" * 64), "not what was told"),
    "a throw too many": (
        lambda t: Table.objects.filter(pk=t.pk).update(chains={**t.chains, "k": t.chains["k"] + 1}),
        "not where the log left them",
    ),
}


def found_by_check_logs(table: Table, plant: Callable[[Table], Any]) -> str:
    """Return what the check of logs says of a table in which something is planted now."""
    plant(table)
    log.forget_all()
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 1 tables have faults"):
        call_command("check_logs", stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("_played", ["sealed"], indirect=True)
@pytest.mark.parametrize("name", FAULTS)
def test_check_logs_finds(played: Table, name: str) -> None:
    plant, words = FAULTS[name]
    out = found_by_check_logs(played, plant)
    assert words in out
    assert played.public_id in out


@pytest.mark.parametrize("_played", ["chains"], indirect=True)
@pytest.mark.parametrize("name", CHAIN_FAULTS)
def test_check_logs_finds_of_chains(played: Table, name: str) -> None:
    plant, words = CHAIN_FAULTS[name]
    assert words in found_by_check_logs(played, plant)
