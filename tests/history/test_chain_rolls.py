"""Roll files of tables whose dice come from chains: checkable while they are played, and every cheat is found."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse

from games.kernel.dice import dice_check
from games.models import LogEntry, Player, Table
from games.services.history import exports
from games.services.rolls import roll_files
from games.services.tables import log
from games.web.tables.dice_check import check_chains
from tests.devices import Device, is_under_way, throw, under_way
from tests.history.test_rolls import roll_file, verdicts
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(start_table: Callable[..., Table]) -> Table:
    """A table in play with throws of several levels."""
    table = start_table("chicago", "classic", seats=2)
    throw_on(table, {})
    devices = {seat: Device(table, seat) for seat in range(2)}
    for _ in range(3):
        throw_on(table, devices)
    table.refresh_from_db()
    return table


def throw_on(table: Table, devices: dict[int, Device]) -> None:
    """Throw once, and let the devices that are asked answer."""
    throw(table)
    while is_under_way(table):
        devices[under_way(table).waiting[0]].give()


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def found_in(rows: list[dict[str, str]]) -> dice_check.CheckedTable:
    (found,) = dice_check.check(rows).values()
    return found


def test_a_running_table_is_checked_roll_by_roll(table: Table) -> None:
    text = roll_file(table)
    assert table.dice_seed not in text
    found = verdicts(text)[table.public_id]
    assert found.faults == []
    assert found.levels["A"] == 3
    assert found.levels["C"] == found.rolls - 3
    assert "all the same" in found.verdict()
    told = [int(face) for row in rows_of(text) for face in row["faces"].split()]
    assert told == [die for row in log.rows(table.pk) for die in row.dice]
    assert check_chains(table).faults == []


def test_a_finished_table_is_checked_whole(start_table: Callable[..., Table]) -> None:
    table = play_out(start_table("chicago", "bavarian", seats=3))
    found = verdicts(roll_file(table))[table.public_id]
    assert found.faults == []
    assert len(found.throws) == max(found.throws)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ("faces", "in place of"),
        ("server", "the house's link"),
        ("links", "not the next one of its phone's chain"),
        ("ctx", "in place of"),
        ("level", "with the links of"),
    ],
)
def test_a_stored_roll_that_was_changed_is_found(table: Table, part: str, why: str) -> None:
    rows = rows_of(roll_file(table))
    row = next(row for row in rows if row["level"] == "A")
    proof = dice_check.proof_of(row["proof"])
    if part == "faces":
        first, *others = row["faces"].split()
        row["faces"] = " ".join([str(int(first) % 6 + 1), *others])
    elif part == "level":
        row["level"] = "B"
    else:
        value = proof[part]
        row["proof"] = row["proof"].replace(value, value[:-1] + ("0" if value[-1] != "0" else "1"))
    assert any(why in fault for fault in found_in(rows).faults)


def test_a_server_that_uses_a_throw_twice_is_found(table: Table) -> None:
    """A replayed k: the second row has other links, or other dice, under the number of the first."""
    rows = rows_of(roll_file(table))
    before, last = [row for row in rows if row["level"] == "A"][:2]
    last["proof"] = before["proof"]
    assert found_in(rows).faults


def test_a_dropped_link_of_a_device_is_found_in_its_own_chain(table: Table) -> None:
    """Rolls whose links were cut to one are not all thrown by the same dice; a single one may be, by chance."""
    rows = rows_of(roll_file(table))
    for row in rows:
        if row["level"] == "A":
            links = dice_check.proof_of(row["proof"])["links"]
            row["proof"], row["level"] = row["proof"].replace(links, links.split(".")[0]), "B"
    assert any("in place of" in fault for fault in found_in(rows).faults)


def test_throws_that_are_not_in_the_file_are_told_and_not_blamed(table: Table) -> None:
    rows = [row for row in rows_of(roll_file(table)) if "k=2 " not in row["proof"]]
    found = found_in(rows)
    assert found.faults == []
    assert "1 throws are not in this file" in found.verdict()


def test_the_page_of_a_running_table_checks_its_dice(table: Table, host: Player) -> None:
    address = reverse("dice_check", args=[table.public_id])
    assert "The dice are in order." in browser_of(host).get(address).content.decode()
    entry = LogEntry.objects.filter(table=table).exclude(dice=[]).order_by("seq")[1]
    entry.dice = [entry.dice[0] % 6 + 1, *entry.dice[1:]]
    entry.save()
    assert "The dice are not in order." in browser_of(host).get(address).content.decode()


def test_log_and_api_tell_where_dice_come_from(table: Table, host: Player) -> None:
    told = {row.seq: row.throw for row in log.rows(table.pk) if row.throw is not None}
    answer = browser_of(host).get(f"/api/tables/{table.public_id}/events/").json()
    assert {entry["seq"]: entry["throw"] for entry in answer["entries"] if "throw" in entry} == told
    entries = exports.log_json(table)["entries"]
    assert {entry["seq"]: entry["throw"] for entry in entries if "throw" in entry} == told


def test_the_checker_is_one_short_file_without_imports_of_the_house() -> None:
    text = Path(dice_check.__file__).read_text(encoding="utf-8")
    assert "from games" not in text and "import games" not in text
    assert roll_files.CHAINS in text
