"""Roll files: they tell every roll, no more than everybody may know, and can be thrown again."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from games import plugin
from games.kernel import replay
from games.kernel.contract import Event
from games.kernel.dice import dice_check
from games.kernel.figures import rolls
from games.kernel.figures.rolls import Roll
from games.models import LogEntry, Night, Player, Table
from games.services.commands import new_command_id
from games.services.history import exports
from games.services.rolls import roll_files
from games.services.tables import log, setup
from tests.history.test_exports import rows_of
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(sealed_dice: None, start_table: Callable[..., Table]) -> Table:
    """A finished table of Chicago."""
    return play_out(start_table("chicago", "bavarian", seats=3))


def roll_file(table: Table) -> str:
    return "".join(map(str, exports.table_file(table, exports.ROLLS).parts))


def verdicts(text: str) -> dict[str, dice_check.CheckedTable]:
    return dice_check.check(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_the_roll_file_of_a_finished_table_holds_every_die_and_is_thrown_again(table: Table) -> None:
    text = roll_file(table)
    drawn = [die for row in log.rows(table.pk) for die in row.dice]
    told = [int(face) for row in rows_of(text)[1:] for face in row["faces"].split()]
    assert told == drawn
    (found,) = verdicts(text).values()
    assert found.faults == []
    assert (found.missing, len(found.dice)) == (0, table.dice_drawn)
    assert {row["kind"] for row in rows_of(text)} <= {"seal", "throw", "place"}


def test_a_changed_die_a_changed_seed_and_a_changed_number_are_found(table: Table) -> None:
    text = roll_file(table)
    entry = LogEntry.objects.filter(table=table).exclude(dice=[]).order_by("seq")[0]
    entry.dice = [entry.dice[0] % 6 + 1, *entry.dice[1:]]
    entry.save()
    assert "WRONG" in verdicts(roll_file(table))[table.public_id].verdict()
    (seal, *_) = rows_of(text)
    for part in ("seed=", "numbers="):
        value = dice_check.proof_of(seal["proof"])[part[:-1]]
        other = ("0" if value[:1] != "0" else "1") + "0" + value[2:]
        changed = text.replace(f"{part}{value}", f"{part}{other}")
        assert verdicts(changed)[table.public_id].faults


def test_the_checker_runs_alone_and_says_what_it_found(table: Table, tmp_path: Path) -> None:
    (tmp_path / "rolls.csv").write_text(roll_file(table), encoding="utf-8")
    program = tmp_path / "dice_check.py"
    program.write_text(Path(dice_check.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "-I", program, tmp_path / "rolls.csv"], capture_output=True, text=True, check=False
    )
    assert (told.returncode, told.stdout.splitlines()[-1]) == (0, "1 tables, 0 wrong")
    other = re.sub(r",(\d)([ \d]*,first=0)\b", lambda hit: f",{int(hit[1]) % 6 + 1}{hit[2]}", roll_file(table))
    (tmp_path / "rolls.csv").write_text(other, encoding="utf-8")
    assert dice_check.main(str(tmp_path / "rolls.csv")) == 1


def test_a_table_in_play_tells_its_rolls_and_nothing_that_opens_the_seed(
    sealed_dice: None, start_table: Callable[..., Table], host: Player
) -> None:
    table = start_table("chouette", "german", seats=3)
    answer = browser_of(host).get(f"/table/{table.public_id}/files/rolls.csv")
    text = answer.getvalue().decode()
    assert table.dice_seed not in text
    rows = rows_of(text)
    assert [row["kind"] for row in rows[:2]] == ["seal", "line"]
    assert {row["proof"] for row in rows[1:]} == {""}
    assert "sealed until" in verdicts(text)[table.public_id].verdict()
    assert browser_of(host).get(f"/table/{table.public_id}/files/log.json").status_code == 400


def test_hidden_dice_are_told_when_the_table_has_ended(start_table: Callable[..., Table]) -> None:
    table = start_table("dummygame", "hidden", seats=3)
    assert table.dice_drawn == 3
    assert [each.roll.faces for each in roll_files.of_table(table)] == []
    assert {row["kind"] for row in rows_of(roll_file(table))} == {"seal"}
    play_out(table)
    table.refresh_from_db()
    assert sum(len(each.roll.faces) for each in roll_files.of_table(table)) == table.dice_drawn


LOGS = sorted(Path("tests").glob("ch*/logs/*.json"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_game_tells_of_every_die_that_it_draws(path: Path) -> None:
    config = plugin.game(path.parts[1])
    assert config.thrown is not None
    for kept in json.loads(path.read_text(encoding="utf-8")):
        drawn: list[int] = []
        for seq, raw in enumerate(kept["entries"], 1):
            entry = replay.newest(config.rules, replay.Entry(seq, tuple(map(Event.from_json, raw["events"]))))
            told = [roll for event in entry.events for roll in config.thrown.rolls(event)]
            found = rolls.matched(entry.events, told, tuple(raw["dice"]), len(drawn), None)
            marked = any(event.data.get("typed") for event in entry.events)
            assert all(roll.kind != rolls.OTHER for roll in found)
            assert any(roll.level == rolls.TYPED for roll in found) == marked
            sealed = [roll for roll in found if roll.level == rolls.SEALED]
            assert [face for roll in sealed for face in roll.faces] == raw["dice"]
            drawn += raw["dice"]
        assert drawn


def test_dice_that_were_not_drawn_were_typed() -> None:
    (found,) = rolls.matched((), [Roll(0, "roll", (6, 1))], (), 0, 0)
    assert (found.level, found.first, found.faces) == (rolls.TYPED, None, (6, 1))


def test_typed_and_sealed_dice_of_one_entry_are_told_apart() -> None:
    typed, sealed = Roll(0, "throw", (6, 1), level=rolls.TYPED), Roll(1, "place", (4,))
    assert rolls.matched((), [typed, sealed], (4,), 7, 0) == [typed, Roll(1, "place", (4,), first=7)]


def test_where_log_and_dice_differ_what_was_drawn_is_told_as_one_roll() -> None:
    (found,) = rolls.matched((), [Roll(0, "roll", (6, 1))], (6, 2), 4, 3)
    assert (found.kind, found.seat, found.faces, found.first) == (rolls.OTHER, 3, (6, 2), 4)


def test_a_players_file_holds_their_own_rolls_of_finished_tables(
    table: Table, start_table: Callable[..., Table]
) -> None:
    start_table("chouette", "german", seats=3)
    seat = table.seats.get(index=1)
    assert seat.player is not None
    text = "".join(map(str, exports.player_rolls(seat.player).parts))
    rows = rows_of(text)
    assert {row["table"] for row in rows} == {table.public_id}
    assert {row["roller"] for row in rows} == {roll_files.HOUSE, seat.name}
    assert verdicts(text)[table.public_id].faults == []


def test_the_zip_of_a_night_holds_rolls_checker_and_readme(table: Table, night: Night) -> None:
    parts = exports.night_file(night, exports.EVERYTHING).parts
    archive = zipfile.ZipFile(io.BytesIO(b"".join(part for part in parts if isinstance(part, bytes))))
    named = {name.rsplit("-", 1)[-1]: name for name in archive.namelist()}
    text = archive.read(named["rolls.csv"]).decode()
    assert verdicts(text)[table.public_id].faults == []
    assert archive.read(named["dice_check.py"]).decode() == Path(dice_check.__file__).read_text(encoding="utf-8")
    assert "dice_check.py" in archive.read(named["README.txt"]).decode()


def test_names_and_numbers_that_begin_a_formula_begin_none_in_a_roll_file(
    open_table: Callable[..., Table], host: Player
) -> None:
    table = open_table("chicago", "bavarian", seats=3)
    table.seats.filter(index=0).update(name="=1+1", nonce="=cmd|' /C calc'!A0")
    setup.start(table, host, new_command_id())
    table.refresh_from_db()
    text = roll_file(table)
    assert all(not cell.startswith("=") and "=cmd" not in cell for row in rows_of(text) for cell in row.values())
    assert verdicts(text)[table.public_id].faults == []
