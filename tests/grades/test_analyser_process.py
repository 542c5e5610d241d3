"""The analyser beside a server: started again when it is killed, ended with the server, never two on one database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.urls import reverse

from games.management import locks
from games.management.commands import analyser
from games.management.processes import analyser_process
from games.management.processes.analyser_process import AnalyserState, KeptProcess, ProcessEnd
from games.models import GameGrades
from games.ops.doctor import checks
from games.services import processes, tasks
from games.services.grades import jobs
from tests.grades.judging import Grading, work

pytestmark = pytest.mark.django_db
# Notes its process, and ends with the one that started it, as the analyser does.
PROGRAM = "import os, sys; open(sys.argv[1], 'a').write(f'{os.getpid()}\\n'); sys.stdin.read()"
PATIENCE = 30


def pids(path: Path, least: int) -> list[int]:
    """Return the processes noted in a file, once there are so many."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = [int(line) for line in path.read_text().split()] if path.exists() else []
        if len(found) >= least:
            return found
        time.sleep(0.02)
    raise AssertionError(f"fewer than {least} in {path}")


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_what_is_killed_is_started_again_and_ends_with_the_server(
    tmp_path: Path, grading: Grading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyser_process, "FIRST_PAUSE", 0.01)
    noted = tmp_path / "pids"
    with KeptProcess([sys.executable, "-c", PROGRAM, str(noted)]):
        (first,) = pids(noted, 1)
        os.kill(first, signal.SIGKILL)
        second = pids(noted, 2)[1]
        assert is_there(second)
    assert not is_there(first) and not is_there(second)
    assert len(pids(noted, 2)) == 2


def test_a_program_that_is_not_there_ends_no_server(grading: Grading) -> None:
    with KeptProcess(["/nowhere/python"]):
        pass


# Dies, and dies again


DIES = """
import os, sys
open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
print("a line of before", file=sys.stderr)
print(f"EngineGone: process {os.getpid()} has ended ({sys.argv[2]})", file=sys.stderr)
sys.exit(3)
"""


def until_given_up() -> str:
    """Wait until the analyser is given up; return why."""
    end = time.monotonic() + PATIENCE
    while not (why := tasks.row(jobs.TASK).given_up):
        assert time.monotonic() < end, "it is not given up"
        time.sleep(0.02)
    return why


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no pause last."""
    for name in ("FIRST_PAUSE", "LONGEST_PAUSE", "TRY_LOOK_SECONDS"):
        monkeypatch.setattr(analyser_process, name, 0.01)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("quick")
def test_what_dies_the_same_way_five_times_is_given_up_until_the_staff_tries_again_or_the_next_start(
    tmp_path: Path, grading: Grading, admin_client: Any, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ANALYSER, noted = "", tmp_path / "pids"
    monkeypatch.setattr(processes, "is_running", lambda: True)
    command = [sys.executable, "-c", DIES, str(noted), "0"]
    with KeptProcess(command):
        why = until_given_up()
        assert why.startswith("exit code 3: EngineGone: process ")
        assert len(pids(noted, 5)) == 5
        (finding,) = checks.analyser()
        assert finding.state == "wrong" and why in finding.text and finding.remedy
        assert analyser_process.state() is AnalyserState.GIVEN_UP
        page = admin_client.post(reverse("admin:doctor")).content.decode()
        assert 'value="analyser"' in page and "EngineGone" in page
        assert "EngineGone" in state_page(admin_client)
        admin_client.post(reverse("admin:doctor"), {"act": "analyser"})
        pids(noted, 6)
        until_given_up()
        assert len(pids(noted, 10)) == 10
    assert analyser_process.state() is AnalyserState.GIVEN_UP
    with KeptProcess(command):
        pids(noted, 11)
        until_given_up()
    assert len(pids(noted, 15)) == 15


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ends", [["1", "2", "1", "2", "1", "2"], ["1", "1", "1", "1", "2"]])
def test_what_dies_in_different_ways_is_started_again(ends: list[str]) -> None:
    kept = KeptProcess(["nothing"])
    assert [kept._is_given_up(ProcessEnd(f"exit code {each}", 0.0)) for each in ends] == [False] * len(ends)
    last = ProcessEnd(f"exit code {ends[-1]}", 0.0)
    assert [kept._is_given_up(last) for _time in range(4)] == [False] * 3 + [True]


@pytest.mark.django_db(transaction=True)
def test_what_has_worked_for_an_hour_before_is_started_again() -> None:
    kept = KeptProcess(["nothing"])
    for _day in range(9):
        assert not kept._is_given_up(ProcessEnd("exit code -9", 2 * analyser_process.GOOD_SECONDS))


@pytest.mark.django_db(transaction=True)
def test_what_dies_because_the_database_is_away_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_args: Any) -> None:
        raise DatabaseError("the server closed the connection")

    kept = KeptProcess(["nothing"])
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "row", away)
        for _time in range(9):
            assert not kept._is_given_up(ProcessEnd("exit code 1: OperationalError", 0.0))
    end = ProcessEnd("exit code 1: OperationalError", 0.0)
    assert [kept._is_given_up(end) for _time in range(5)] == [False] * 4 + [True]


def test_ends_that_differ_by_numbers_are_the_same() -> None:
    one, other = (ProcessEnd(f"exit code 1: table {n} of process {n * 7}", 0.0) for n in (12, 345))
    assert one.kind == other.kind
    assert ProcessEnd("exit code 1", 0.0).kind != ProcessEnd("exit code 2", 0.0).kind


def test_without_an_engine_nothing_is_started(tmp_path: Path, grading: Grading, monkeypatch: Any) -> None:
    monkeypatch.setattr(Grading, "engine", lambda self: None)
    noted = tmp_path / "pids"
    with KeptProcess([sys.executable, "-c", PROGRAM, str(noted)]):
        assert not noted.exists()
    assert not noted.exists()


def test_switched_off_nothing_is_kept_running(settings: Any) -> None:
    settings.ANALYSER = "off"
    assert not isinstance(analyser_process.beside(), KeptProcess)
    settings.ANALYSER = ""
    assert isinstance(analyser_process.beside(), KeptProcess)


def test_two_analysers_never_work_on_one_database(played: Any, grading: Grading) -> None:
    with locks.analysing() as is_only:
        assert is_only and locks.is_analysing()
        with pytest.raises(CommandError, match="works on this database already"):
            call_command("analyser", "--once", stdout=StringIO())
    assert not locks.is_analysing()
    assert not GameGrades.objects.exists()
    work()
    assert GameGrades.objects.filter(graded_at__isnull=False).exists()


def test_what_a_killed_analyser_had_claimed_is_graded_by_the_next_at_once(played: Any, grading: Grading) -> None:
    claimed = {jobs.claim().result_id for _ in range(played.results.count())}
    work()
    graded = GameGrades.objects.filter(graded_at__isnull=False)
    assert set(graded.values_list("result_id", flat=True)) == claimed


def test_told_to_end_it_leaves_after_the_present_choice_and_gives_its_game_back(
    played: Any, grading: Grading, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Grading.rows

    def interrupted(self: Grading, *args: Any) -> Any:
        for count, row in enumerate(rows(self, *args)):
            assert count < 2, "it goes on after it was told to end"
            if count == 1:
                command._signals.append(signal.SIGTERM)
            yield row

    command = analyser.Command(stdout=StringIO())
    monkeypatch.setattr(Grading, "rows", interrupted)
    call_command(command, "--once")
    (left,) = GameGrades.objects.all()
    assert (left.claimed_at, left.graded_at, left.tries, left.rows) == (None, None, 0, [])


def state_page(admin_client: Any) -> str:
    return admin_client.get(reverse("admin:background")).content.decode()


def test_doctor_and_background_tasks_say_whether_it_runs_and_with_which_engine(
    played: Any, grading: Grading, admin_client: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ANALYSER = ""

    def told() -> tuple[AnalyserState, str]:
        (finding,) = checks.analyser()
        return analyser_process.state(), finding.text

    assert told() == (AnalyserState.ENDED, "It runs while the house is open.")
    monkeypatch.setattr(processes, "is_running", lambda: True)
    assert told() == (AnalyserState.ENDED, "It does not run.")
    assert "It does not run." in state_page(admin_client)
    work()
    assert tasks.row(jobs.TASK).done_by == "judge 1 (quick)"
    with locks.analysing():
        assert told() == (AnalyserState.RUNS, "It runs, with judge 1 (quick).")
        assert "It runs, with judge 1 (quick)." in state_page(admin_client)
    settings.ANALYSER = "off"
    assert told() == (AnalyserState.OFF, "It is switched off: ANALYSER=off.")
    settings.ANALYSER = ""
    monkeypatch.setattr(Grading, "engine", lambda self: None)
    assert told() == (AnalyserState.NO_ENGINE, "No engine is installed: ask a judge.")
    assert "No engine is installed: ask a judge." in state_page(admin_client)


@pytest.mark.day(parts=5, turn=2)
def test_the_analyser_runs_only_where_nothing_else_wants_a_processor() -> None:
    program = "from games.ops.system import calls; calls.give_way(calls.LOWEST); import os; "
    # Ended at once: on a busy machine it would wait for a processor to tidy up.
    program += "print(os.nice(0), os.sched_getscheduler(0) == os.SCHED_IDLE, flush=True); os._exit(0)"
    code = f"import django; django.setup(); {program}"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["19", "True"]
