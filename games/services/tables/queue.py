"""The queue: one thread of this process commits all waiting commands together.

While one transaction waits for the disk the next commands arrive, so the more tables play
the more commands share a commit (commit.py).
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from django.db import DatabaseError, close_old_connections, connection

from games.kernel.contract import Illegal
from games.ops import metrics, move_priority
from games.services import commands, processes, rate_limit
from games.services.tables import commit
from games.services.tables.decisions import Answer, Done, Submission
from games.services.tables.log import Receipt

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 128

_queue: deque[Submission] = deque()
_wake = threading.Event()
_lock = threading.Lock()
_thread: threading.Thread | None = None
_is_stopping = False


def submit_later(table_id: int, actor: commands.Actor, request: commands.Request, done: Done) -> None:
    """Carry out a command soon; `done` is called in the writer's thread, after the commit.

    It gets the receipt, or the exception that `commit.submit` raises.
    """
    _queue.append(Submission(table_id, actor, request, done))
    _wake.set()
    if _thread is None:
        _start()


def submit(table_id: int, actor: commands.Actor, request: commands.Request) -> Receipt:
    """Carry out a command together with others and wait for its receipt.

    Raises as `commit.submit`, and Illegal `too_many`. Inside a transaction of the caller it becomes part of it.
    """
    rate_limit.spend_command(request.name, actor.player_id)
    if connection.in_atomic_block or threading.current_thread() is _thread:
        return commit.submit(table_id, actor, request)
    answer: Future[Receipt] = Future()
    submit_later(table_id, actor, request, _into(answer))
    return answer.result()


def _into(future: Future[Receipt]) -> Callable[[Answer], None]:
    def done(answer: Answer) -> None:
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)

    return done


def _start() -> None:
    global _thread  # noqa: PLW0603
    with _lock:
        if _thread is None and not _is_stopping:
            _thread = threading.Thread(target=_run, name="writer", daemon=True)
            _thread.start()


def stop() -> None:
    """Carry out the waiting commands, end the thread and close its connection (tests, shutdown)."""
    global _thread, _is_stopping  # noqa: PLW0603
    with _lock:
        if _thread is None:
            return
        _is_stopping = True
        _wake.set()
        _thread.join()
        _thread, _is_stopping = None, False


def _run() -> None:
    """Carry out commands as they arrive, until `stop`."""
    _join_time()
    try:
        while _queue or not _is_stopping:
            _wake.wait()
            _wake.clear()
            while _queue:
                with move_priority.moves_first():
                    _take([_queue.popleft() for _ in range(min(len(_queue), MOST_AT_ONCE))])
    finally:
        connection.close()


def _join_time() -> None:
    """Set this process to the house's time, so that its first deadlines are right."""
    try:
        processes.join_time()
    except DatabaseError as error:
        logger.warning("the house's time is not known yet: %r", error)


def _take(submissions: list[Submission]) -> None:
    """Carry out commands and answer each; a fault must not end the thread that serves all tables."""
    began = time.perf_counter()
    try:
        close_old_connections()
        answers = commit.commit(submissions)
    except Exception as error:
        logger.exception("the queue met a fault")
        answers = [error] * len(submissions)
    metrics.committed(len(submissions), time.perf_counter() - began)
    for each, answer in zip(submissions, answers, strict=True):
        _count(answer)
        _deliver(each, answer)


def _count(answer: Answer) -> None:
    """Count the answer in the metrics."""
    if isinstance(answer, Illegal):
        metrics.refused(answer.code)
    elif isinstance(answer, Exception):
        metrics.failed()
    else:
        metrics.accepted()


def _deliver(submission: Submission, answer: Answer) -> None:
    """Deliver the answer; its receiver may no longer exist."""
    try:
        if submission.done is not None:
            submission.done(answer)
    except Exception:
        logger.exception("an answer was not taken")
