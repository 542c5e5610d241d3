"""Background tasks: work that the house does by itself, each declared once, with its time, and done by one process.

`games/server/background.py` registers them. Each has a row (`BackgroundTask`) with the time of its next run: of several
processes the one that moves that time on does the work, in a thread of its own, and a house that was off at the time
does it soon after its start. A run that fails, or whose process ends, is due again after a while. `daily` is a time of
day in the house's time zone, `every` the time between two runs. Work of a process of its own, such as the analyser's,
has no `run`: that process notes what came of it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import connections
from django.db.models import Q
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import BackgroundTask
from games.models.house import zone
from games.ops import logs, move_priority
from games.services import audit

logger = logging.getLogger(__name__)

AGAIN = timedelta(hours=1)
"""The time until a run that failed, or lost its process, is due again."""
AGAIN_OFTEN = timedelta(minutes=5)
"""The same for work that is done every minute."""
# By so much the clocks of two machines may differ.
_SLACK = timedelta(minutes=5)
_END_SECONDS = 5.0
_threads: dict[str, threading.Thread] = {}
_stop = threading.Event()
_tasks: dict[str, Task] = {}


class TaskFailed(Exception):
    """A task could not be done; the text says why and what mends it, and is shown to the staff."""


class TaskEnded(Exception):
    """A task was left because its process ends: it is due again at the next start."""


@dataclass(frozen=True, slots=True)
class Task:
    """A background task: `run` does it and returns figures of what was done; it raises TaskFailed, TaskEnded.

    `label` and `about` are its name and what it does, for the staff. `is_on` tells whether the house does it at all,
    `state` what a process of its own does now, "" for a task of the house's.
    """

    name: str
    label: Any
    about: Any
    run: Callable[[], str] | None = None
    daily: time | None = None
    is_on: Callable[[], bool] = lambda: True
    state: Callable[[], str] = str
    every: timedelta | None = None

    def next_at(self, now: datetime) -> datetime | None:
        """Return the first time of its run after `now`; None for work of a process of its own."""
        if self.every is not None:
            return now + self.every
        if self.daily is None:
            return None
        there = zone()
        today = datetime.combine(now.astimezone(there).date(), self.daily, there)
        tomorrow = datetime.combine(today.date() + timedelta(days=1), self.daily, there)
        return (today if today > now else tomorrow).astimezone(UTC)

    @property
    def again(self) -> timedelta:
        """The time until a run that failed, or lost its process, is due again."""
        return AGAIN if self.every is None else max(self.every, AGAIN_OFTEN)


def register(task: Task) -> None:
    """Add a task to the house's."""
    _tasks[task.name] = task


def every() -> Mapping[str, Task]:
    """Return all tasks by their names, in the order of their registration."""
    return _tasks


def rows() -> Iterator[tuple[Task, BackgroundTask]]:
    """Yield every task with its row; one that never was due has an empty row."""
    found = BackgroundTask.objects.in_bulk(list(_tasks))
    for name, task in _tasks.items():
        yield task, found.get(name) or BackgroundTask(name)


def row(name: str) -> BackgroundTask:
    """Return the row of a task, an empty one without a run."""
    return BackgroundTask.objects.filter(pk=name).first() or BackgroundTask(name)


# Running


def start_due(now: datetime | None = None) -> list[str]:
    """Start each due task in a thread of its own unless another process has begun it; return the names of the started.

    What runs here is kept from other processes meanwhile.
    """
    now = now or timezone.now()
    running = [name for name, thread in _threads.items() if thread.is_alive()]
    if running:
        for name in running:
            BackgroundTask.objects.filter(pk=name).update(due_at=now + _tasks[name].again)
    started = [
        task
        for task in _tasks.values()
        if task.run is not None and task.name not in running and task.is_on() and _claim(task, now)
    ]
    for task in started:
        _threads[task.name] = threading.Thread(target=_run_and_close, args=(task,), name=task.name, daemon=True)
        _threads[task.name].start()
    return [task.name for task in started]


def stop() -> None:
    """End the threads after their current step, and wait for them a while."""
    _stop.set()
    for thread in _threads.values():
        thread.join(_END_SECONDS)
    _threads.clear()
    _stop.clear()


def is_ending() -> bool:
    """Tell whether this process ends, so that a task leaves what it has not begun."""
    return _stop.is_set()


def check_going_on(*_progress: object) -> None:
    """Raise TaskEnded if this process ends."""
    if is_ending():
        raise TaskEnded


def _run_and_close(task: Task) -> None:
    try:
        with move_priority.short_turns():
            run(task)
    finally:
        connections.close_all()


def run(task: Task, now: datetime | None = None) -> bool:
    """Do a task now and note what came of it; tell whether it was done."""
    _begin(task, now or timezone.now())
    try:
        figures = task.run() if task.run is not None else ""
    except TaskEnded:
        BackgroundTask.objects.filter(pk=task.name).update(due_at=timezone.now(), started_at=None)
        return False
    except Exception as error:
        text = str(error) if isinstance(error, TaskFailed) else type(error).__name__
        unknown = None if isinstance(error, TaskFailed) else error
        logs.log_event(logger, logging.ERROR, task.name, "failed", text=text, error=unknown)
        note(task.name, text, is_good=False, now=now)
        return False
    logs.log_event(logger, logging.INFO, task.name, "done", text=figures)
    note(task.name, figures, now=now)
    ended_at = now or timezone.now()
    BackgroundTask.objects.filter(pk=task.name).update(due_at=task.next_at(ended_at))
    return True


def _begin(task: Task, now: datetime) -> None:
    """Note the begin of a run that no claim has noted."""
    begun = {"due_at": now + task.again, "started_at": now}
    BackgroundTask.objects.update_or_create(pk=task.name, defaults=begun)


def note(name: str, result: str, *, is_good: bool = True, now: datetime | None = None) -> None:
    """Note the end of a run and what came of it."""
    at = now or timezone.now()
    values = {"ended_at": at, "result": result, **({"succeeded_at": at} if is_good else {})}
    BackgroundTask.objects.update_or_create(pk=name, defaults=values)


def note_doer(name: str, doer: str) -> None:
    """Note the program that does a task in a process of its own."""
    BackgroundTask.objects.update_or_create(pk=name, defaults={"done_by": doer[:120]})


def note_given_up(name: str, why: str) -> bool:
    """Note that the process of its own that does a task is not started again, and why."""
    BackgroundTask.objects.update_or_create(pk=name, defaults={"given_up": why})
    return True


def note_trying(name: str) -> None:
    """Note that the process that does a task is started, whatever ended it before."""
    BackgroundTask.objects.filter(pk=name).update(given_up="")


def _claim(task: Task, now: datetime) -> bool:
    """Claim a due task for this process; tell whether. In a new house it is first due at its next time."""
    following = task.next_at(now)
    mine = BackgroundTask.objects.filter(pk=task.name)
    written_before_clock_was_set_back = Q(due_at__gt=max(following or now, now + task.again) + _SLACK)
    due = mine.filter(Q(due_at__lte=now) | written_before_clock_was_set_back)
    if due.update(due_at=now + task.again, started_at=now):
        return True
    if not mine.filter(due_at__isnull=False).exists():
        fresh = [BackgroundTask(name=task.name, due_at=following)]
        BackgroundTask.objects.bulk_create(fresh, ignore_conflicts=True)
        mine.filter(due_at=None).update(due_at=following)
    return False


def request(name: str, by: AbstractBaseUser) -> None:
    """Let a process do a task within seconds; raises Illegal `no_such_task`, `task_is_off`, `task_is_running`."""
    task = _tasks.get(name)
    if task is None or task.run is None:
        raise Illegal("no_such_task")
    if not task.is_on():
        raise Illegal("task_is_off")
    if is_under_way(row(name)):
        raise Illegal("task_is_running")
    BackgroundTask.objects.update_or_create(pk=name, defaults={"due_at": timezone.now()})
    audit.note("task_requested", by, name)


def hurry(name: str) -> None:
    """Let a process do a task within seconds, once its present run has ended: there is something to do."""
    BackgroundTask.objects.filter(pk=name, due_at__isnull=False).update(due_at=timezone.now())


def is_under_way(found: BackgroundTask) -> bool:
    """Tell whether a run goes on; one of a process that has ended counts as such until it is due again."""
    return found.is_running and found.due_at is not None and found.due_at > timezone.now()
