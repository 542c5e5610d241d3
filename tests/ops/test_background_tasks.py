"""Background tasks: each at its time, by one process, with what came of it for the staff to see."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import close_old_connections, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import AuditEntry, BackgroundTask
from games.server import background, health
from games.services import tasks
from games.services.tasks import Task, TaskEnded, TaskFailed

pytestmark = pytest.mark.django_db
HOUR = time(4, 0)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Register one task that notes its runs here; an exception that is put in is raised by the next run."""
    found: list[Any] = []

    def run() -> str:
        if found and isinstance(found[-1], Exception):
            raise found.pop()
        found.append("run")
        return f"runs={len(found)}"

    monkeypatch.setattr(tasks, "_tasks", {"chore": Task("chore", "Chore", "Does it.", run, HOUR)})
    # In the thread of the test: threads have connections of their own.
    monkeypatch.setattr(tasks, "_run_and_close", lambda task: None)
    yield found
    tasks.stop()


def due_and_run(now: datetime) -> list[str]:
    """Do what is due at a time of the computer's clock."""
    names = tasks.start_due(now)
    tasks.stop()
    for name in names:
        tasks.run(tasks.every()[name], now)
    return names


def row() -> BackgroundTask:
    return tasks.row("chore")


def test_a_new_house_does_a_task_at_its_next_hour_and_not_at_once(done: list[Any]) -> None:
    now = timezone.now()
    assert due_and_run(now) == []
    due = row().due_at
    assert due is not None and now < due <= now + timedelta(days=1)
    assert timezone.localtime(due).time() == HOUR
    assert due_and_run(due) == ["chore"]
    assert row().result == "runs=1"


def test_a_task_is_done_once_a_night_and_caught_up_after_a_week_off(done: list[Any]) -> None:
    now = timezone.now()
    due_and_run(now)
    for days in (1, 2, 9):
        assert due_and_run(now + timedelta(days=days)) == ["chore"]
        assert due_and_run(now + timedelta(days=days, minutes=1)) == []
    assert len(done) == 3


def test_a_task_that_fails_is_tried_again_after_an_hour_and_its_sentence_is_kept(done: list[Any]) -> None:
    now = timezone.now()
    due_and_run(now)
    day = now + timedelta(days=1)
    done.append(TaskFailed("The disk is full: make room."))
    assert due_and_run(day) == ["chore"]
    assert row().has_failed and row().result == "The disk is full: make room."
    assert due_and_run(day + timedelta(minutes=59)) == []
    assert due_and_run(day + timedelta(minutes=61)) == ["chore"]
    assert not row().has_failed and done == ["run"]


def test_a_fault_of_ours_is_logged_and_shown_by_its_kind_alone(done: list[Any], caplog: Any) -> None:
    done.append(ValueError("somebody's name"))
    assert not tasks.run(tasks.every()["chore"])
    assert row().result == "ValueError"
    assert "component=chore event=failed" in caplog.text


def test_a_task_whose_process_ends_is_due_at_the_next_start(done: list[Any]) -> None:
    now = timezone.now()
    due_and_run(now)
    done.append(TaskEnded())
    due_and_run(now + timedelta(days=1))
    assert not row().is_running and not row().has_failed
    assert due_and_run(now + timedelta(days=1, minutes=5)) == ["chore"]


def test_a_task_whose_process_was_killed_is_done_by_another_an_hour_later(done: list[Any]) -> None:
    now = timezone.now()
    due_and_run(now)
    day = now + timedelta(days=1)
    assert tasks.start_due(day) == ["chore"]  # and the process is gone
    tasks.stop()
    assert row().is_running
    assert due_and_run(day + timedelta(minutes=30)) == []
    assert due_and_run(day + timedelta(minutes=61)) == ["chore"]


def test_what_runs_for_hours_is_not_begun_by_another_process(done: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    now = timezone.now()
    due_and_run(now)
    monkeypatch.setattr(tasks, "_run_and_close", lambda task: gate.wait(20))
    day = now + timedelta(days=1)
    assert tasks.start_due(day) == ["chore"]
    assert tasks.start_due(day + timedelta(minutes=50)) == []  # its process is alive, and says so
    threads = dict(tasks._threads)
    tasks._threads.clear()  # another process
    assert tasks.start_due(day + timedelta(minutes=70)) == []
    gate.set()
    for thread in threads.values():
        thread.join()


def test_a_clock_that_was_set_back_by_years_does_not_end_a_task(done: list[Any]) -> None:
    due_and_run(timezone.now() + timedelta(days=4000))
    assert due_and_run(timezone.now()) == ["chore"]


def test_a_run_after_a_failure_shortly_before_the_hour_is_not_taken_for_a_clock_set_back(done: list[Any]) -> None:
    due_and_run(timezone.now())
    before = row().due_at - timedelta(minutes=10)  # type: ignore[operator]
    BackgroundTask.objects.update(due_at=before)
    assert tasks.start_due(before) == ["chore"]
    tasks.stop()
    assert tasks.start_due(before + timedelta(seconds=10)) == []


def test_the_hour_is_kept_over_the_change_to_summer_time(done: list[Any]) -> None:
    zone = timezone.get_default_timezone()
    for day in (28, 29, 30):
        due = tasks.every()["chore"].next_at(datetime(2026, 3, day, 1, 0, tzinfo=zone))
        assert due is not None and timezone.localtime(due, zone).time() == HOUR


@pytest.mark.django_db(transaction=True)
def test_of_processes_that_look_at_once_one_does_the_task(done: list[Any]) -> None:
    due_and_run(timezone.now())
    BackgroundTask.objects.update(due_at=timezone.now())
    found: list[bool] = []
    barrier = threading.Barrier(4)

    def claim() -> None:
        barrier.wait()
        found.append(tasks._claim(tasks.every()["chore"], timezone.now()))
        connection.close()

    threads = [threading.Thread(target=claim) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    close_old_connections()
    assert sorted(found) == [False, False, False, True]


# The list of the staff


@pytest.fixture
def chief(db: Any) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


PAGE = "admin:background"


def test_the_list_shows_every_task_with_its_last_run_next_run_and_result(chief: Client) -> None:
    tasks.note("backup", "There is no folder /mnt/stick.", is_good=False)
    tasks.note("grading", "12 choices, 0 of them not graded")
    BackgroundTask.objects.filter(pk="backup").update(due_at=timezone.now() + timedelta(hours=1))
    page = chief.get(reverse(PAGE)).content.decode()
    assert all(str(task.label) in page for task in background.TASKS)
    assert "no folder /mnt/stick" in page and "12 choices" in page
    front = chief.get(reverse("admin:index")).content.decode()
    section = front.split('id="backup"')[1].split("</section>")[0]
    assert "no folder /mnt/stick" in section
    assert "Make a backup now" in section


def test_looking_at_the_list_runs_nothing(chief: Client, done: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    own = tasks.every()["chore"]
    monkeypatch.setattr(tasks, "_tasks", {"backup": Task("backup", "Backup", "", own.run, HOUR)})
    for page in (PAGE, "admin:index"):
        assert 'value="backup"' in chief.get(reverse(page)).content.decode()
    assert done == []


def test_run_now_lets_a_task_run_within_seconds_and_stands_in_the_audit(chief: Client) -> None:
    answer = chief.post(reverse(PAGE), {"task": "housekeeping"}, follow=True)
    assert "begins within seconds" in answer.content.decode()
    assert tasks.row("housekeeping").due_at <= timezone.now()  # type: ignore[operator]
    assert AuditEntry.objects.get().subject == "housekeeping"


@pytest.mark.parametrize(
    ("task", "code"), [("nothing", "no_such_task"), ("grading", "no_such_task"), ("backup", "task_is_off")]
)
def test_what_cannot_run_now_is_refused(chief: Client, settings: Any, task: str, code: str) -> None:
    settings.BACKUP_FOLDER = None
    with pytest.raises(Illegal, match=code):
        tasks.request(task, User.objects.get())
    assert chief.post(reverse(PAGE), {"task": task}).status_code == 302
    assert not BackgroundTask.objects.exists()


def test_a_task_that_runs_is_not_begun_again_by_hand(chief: Client) -> None:
    tasks._begin(background.TASKS[0], timezone.now())
    with pytest.raises(Illegal, match="task_is_running"):
        tasks.request("backup", User.objects.get())
    assert "runs now" in chief.get(reverse(PAGE)).content.decode()


def test_only_superusers_see_the_list(db: Any) -> None:
    client = Client()
    client.force_login(User.objects.create_user("clerk", is_staff=True))
    assert client.get(reverse(PAGE)).status_code == 403
    assert client.post(reverse(PAGE), {"task": "backup"}).status_code == 403
    assert "Make a backup now" not in client.get(reverse("admin:index")).content.decode()


def test_metrics_tell_how_each_task_ended_and_the_age_of_its_success() -> None:
    from prometheus_client import REGISTRY

    tasks.note("backup", "house.backup", now=timezone.now() - timedelta(hours=5))
    health._note_state()
    assert REGISTRY.get_sample_value("stammtisch_task_ok", {"task": "backup"}) == 1
    age = REGISTRY.get_sample_value("stammtisch_task_age_seconds", {"task": "backup"})
    assert age is not None and 5 * 3600 <= age < 5 * 3600 + 60
    tasks.note("backup", "full", is_good=False)
    health._note_state()
    assert REGISTRY.get_sample_value("stammtisch_task_ok", {"task": "backup"}) == 0


def test_work_of_every_minute_is_due_a_minute_later_and_five_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [TaskFailed("gone"), None]

    def run() -> str:
        if (fault := faults.pop(0)) is not None:
            raise fault
        return "done"

    often = Task("often", "Often", "Does it.", run, every=timedelta(minutes=1))
    monkeypatch.setattr(tasks, "_tasks", {"often": often})
    monkeypatch.setattr(tasks, "_run_and_close", lambda task: None)
    now = timezone.now()
    assert due_and_run(now) == []
    for minutes, names in ((1, ["often"]), (2, []), (6, ["often"]), (6.5, []), (7, ["often"])):
        faults.append(None)
        assert due_and_run(now + timedelta(minutes=minutes)) == names, minutes
