"""Logs of tables that ended long ago become files, and are read, proved, exported and deleted as before."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from games.kernel.contract import Illegal
from games.management import log_check
from games.models import LogEntry, LogFile, Night, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.history import exports
from games.services.logs import replays
from games.services.nights import membership
from games.services.people import deletion, merging
from games.services.seats import sittings
from games.services.storage import log_files
from games.services.tables import log
from games.services.tables.commit import submit
from games.web.tables import dice_check
from tests.tables.host.host_commands import named
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _data(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def table(start_table):
    """A finished table of a game with sealed bids."""
    return play_out(start_table("dummygame", seats=3))


def told(table: Table) -> list[object]:
    """Return what everything that reads a log says of a table."""
    log.forget_all()
    return [
        log.rows(table.pk) and [[str(getattr(row, name)) for name in log_files.COLUMNS] for row in log.rows(table.pk)],
        log.entries(table.pk),
        log.entries(table.pk, after=2, upto=5),
        log.entries(table.pk, after=1, limit=2),
        log.seat_count(table),
        sittings.read(table.pk, table.seq),
        replays.frames(table, 2, 3),
        exports.log_json(table),
        exports.game_files(table),
        dice_check.check_chains(table),
        log_check.faults(table),
        log.state_of(table),
    ]


def test_everything_reads_the_same_from_a_file_as_from_rows(table):
    before = told(table)
    log_files.compress(table.pk)
    assert not LogEntry.objects.filter(table=table).exists()
    assert told(table) == before
    log_files.bring_back(table.pk)
    assert told(table) == before
    assert not LogFile.objects.exists()


def test_the_page_of_a_replay_reads_a_file(table, host):
    log_files.compress(table.pk)
    page = browser_of(host).get(f"/table/{table.public_id}/replay/frames/?first=1")
    assert page.json()["frames"]


def test_only_tables_that_ended_long_ago_are_compressed(table, start_table, settings):
    running = start_table("dummygame", seats=2)
    assert log_files.compress_old(timezone.now()) == 0
    later = timezone.now() + timedelta(days=settings.COMPRESS_LOGS_DAYS + 1)
    assert log_files.compress_old(later) == 1
    assert log_files.compress_old(later) == 0
    assert LogEntry.objects.filter(table=running).exists()
    with pytest.raises(Illegal, match="not_finished"):
        log_files.compress(running.pk)


@pytest.mark.parametrize(
    "damage",
    [Path.unlink, lambda file: file.write_bytes(b""), lambda file: file.write_bytes(file.read_bytes()[:-20])],
    ids=["missing", "empty", "cut"],
)
def test_a_damaged_file_is_told_and_never_read_as_a_shorter_log(table, host, damage):
    log_files.compress(table.pk)
    (file,) = log_files.folder().iterdir()
    damage(file)
    with pytest.raises(Illegal, match="no_log_file"):
        log.rows(table.pk)
    assert log_check.faults(table) == ["the file of its log is missing or damaged"]
    page = browser_of(host).get(f"/table/{table.public_id}/replay/frames/?first=1")
    assert page.status_code == 503


def test_a_deleted_name_goes_out_of_a_file_and_the_file_goes(table, django_capture_on_commit_callbacks):
    player = table.seats.exclude(player=table.night.host).select_related("player").first().player
    name = player.nickname
    log_files.compress(table.pk)
    assert deletion.own_data(player)["commands"]
    with django_capture_on_commit_callbacks(execute=True):
        deletion.delete(player)
    assert name not in str(list(LogEntry.objects.filter(table=table).values_list("events", flat=True)))
    assert list(log_files.folder().iterdir()) == []


def test_two_players_who_both_acted_in_a_file_can_be_joined(start_table, night, host, make_player):
    """Both acted at one table with a log file: its host, and a guest on the host's other phone."""
    table, second = start_table("dummygame", seats=2), make_player("Hanna too")
    membership.join(night, second)
    membership.give_host(night, host, second.pk)
    submit(
        table.pk,
        Actor(second.pk),
        Request("table.nudge", named(table, "table.nudge", {"seat": 0}), new_command_id()),
    )
    membership.give_host(Night.objects.get(pk=night.pk), second, host.pk)
    log_files.compress(play_out(table).pk)
    merging.merge(second, host)
    assert list(LogFile.objects.get().actors.filter(pk__in=[second.pk, host.pk])) == [host]


def test_a_name_that_is_deleted_while_its_file_is_written_is_in_no_file(table, monkeypatch):
    player = table.seats.exclude(player=table.night.host).select_related("player").first().player
    write = log_files._write

    def slowly(*args):
        name = write(*args)
        deletion.delete(player)
        return name

    monkeypatch.setattr(log_files, "_write", slowly)
    log_files.compress(table.pk)
    assert not LogFile.objects.exists()
    assert list(log_files.folder().iterdir()) == []


def test_what_is_taken_along_after_joining_holds_the_commands_in_files(table, make_player):
    guest, account = table.seats.get(index=1).player, make_player("Kari")
    log_files.compress(table.pk)
    before = [(row["table"], row["seq"]) for row in deletion.own_data(guest)["commands"]]
    merging.merge(guest, account)
    assert [(row["table"], row["seq"]) for row in deletion.own_data(account)["commands"]] == before != []


def test_a_disk_that_is_full_keeps_the_rows(table, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(log_files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        log_files.compress(table.pk)
    assert LogEntry.objects.filter(table=table).count() == table.seq
    assert list(log_files.folder().iterdir()) == []


def test_files_that_no_table_names_go_after_a_month(table, monkeypatch):
    log_files.compress(table.pk)
    stray = log_files.folder() / f"stray-0{log_files.ENDING}"
    stray.write_bytes(b"")
    assert log_files.delete_unused(timezone.now()) == 0
    monkeypatch.setattr(log_files, "KEEP_UNUSED", timedelta(seconds=-5))
    assert log_files.delete_unused(timezone.now()) == 1
    assert told(table)
