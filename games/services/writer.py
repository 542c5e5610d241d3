"""The writer: one thread of this process that commits what has arrived, all at one go.

While one transaction waits for the disk the next commands gather, so the more tables play
the more of them share a commit. What a batch leaves is carried out after it, by itself and
in its table's order; a failure of one is told to the one who asked and to nobody else.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

from django.db import DatabaseError, OperationalError, close_old_connections, connection

from games import turns
from games.kernel.contract import Illegal
from games.services import batches, clock_lease, metrics, play
from games.services.batches import Answer, Asked, Done
from games.services.ledger import Receipt

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 128

_queue: deque[Asked] = deque()
_wake = threading.Event()
_lock = threading.Lock()
_thread: threading.Thread | None = None
_is_stopping = False


def submit_later(table_id: int, actor: play.Actor, request: play.Request, done: Done) -> None:
    """Carry out a command soon; `done` is called in the writer's thread, after the commit.

    It gets the receipt, or the exception that `play.submit` raises.
    """
    _queue.append(Asked(table_id, actor, request, done))
    _wake.set()
    if _thread is None:
        _start()


def submit(table_id: int, actor: play.Actor, request: play.Request) -> Receipt:
    """Carry out a command together with others' and wait for its receipt.

    Raises as `play.submit`. Inside a transaction of the caller's own it belongs to that.
    """
    if connection.in_atomic_block or threading.current_thread() is _thread:
        return play.submit(table_id, actor, request)
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
    """Carry out what is waiting, end the thread and close its connection (tests, shutdown)."""
    global _thread, _is_stopping  # noqa: PLW0603
    with _lock:
        if _thread is None:
            return
        _is_stopping = True
        _wake.set()
        _thread.join()
        _thread, _is_stopping = None, False


def _run() -> None:
    """Take what has come and carry it out, until `stop`."""
    _join_time()
    try:
        while _queue or not _is_stopping:
            _wake.wait()
            _wake.clear()
            while _queue:
                asked = [_queue.popleft() for _ in range(min(len(_queue), MOST_AT_ONCE))]
                with turns.moves_first():
                    while asked:
                        asked = _take_safely(asked)
    finally:
        connection.close()


def _join_time() -> None:
    """See to it that the first deadlines of this process are written by the house's time."""
    try:
        clock_lease.join_time()
    except DatabaseError as error:
        logger.warning("the house's time is not known yet: %r", error)


def _take_safely(asked: list[Asked]) -> list[Asked]:
    """Carry out some commands; a fault of ours must not end the thread that all wait for.

    Whoever has been answered already has: a second answer is not heard.
    """
    try:
        return _take(asked)
    except Exception as error:
        logger.exception("the writer stumbled")
        for each in asked:
            _tell(each, error)
        return []


def _take(asked: list[Asked]) -> list[Asked]:
    """Carry out some commands and answer each; nothing that one raises reaches another.

    Of what a batch leaves, each table's first command is carried out by itself; the others
    are returned, for the next batch.
    """
    began = time.perf_counter()
    alone: list[Asked] = []
    again: list[Asked] = []
    close_old_connections()
    try:
        answers, rest = batches.carry_out(asked)
    except OperationalError as error:
        # The disk, a lock, a server gone: one by one each would wait for the same.
        if not _is_deadlock(error):
            logger.warning("the database did not take %s commands: %r", len(asked), error)
            answers = []
            for each in asked:
                _tell(each, error)
        else:
            answers, alone = [], asked
    except Exception as error:
        level = logging.DEBUG if isinstance(error, DatabaseError) else logging.ERROR
        logger.log(level, "a batch is done one by one: %r", error)
        answers, alone = [], asked
    else:
        alone, again = _first_of_each(rest)
    metrics.committed(len(asked), time.perf_counter() - began)
    for each, answer in answers:
        _count(answer)
        _tell(each, answer)
    for each in alone:
        _alone(each)
    return again


def _first_of_each(rest: list[Asked]) -> tuple[list[Asked], list[Asked]]:
    """Return each table's first command, and all that come after it."""
    first: dict[int, Asked] = {}
    again = []
    for each in rest:
        if first.setdefault(each.table_id, each) is not each:
            again.append(each)
    return list(first.values()), again


def _is_deadlock(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", None) == "40P01"


def _alone(asked: Asked) -> None:
    try:
        answer: Answer = play.submit(asked.table_id, asked.actor, asked.request)
    except Exception as error:
        answer = error
    _count(answer)
    _tell(asked, answer)


def _count(answer: Answer) -> None:
    """Count what became of a command."""
    if isinstance(answer, Illegal):
        metrics.refused(answer.code)
    elif isinstance(answer, Exception):
        metrics.failed()
    else:
        metrics.accepted()


def _tell(asked: Asked, answer: Answer) -> None:
    """Answer; whoever asked may be gone by now."""
    try:
        asked.done(answer)
    except Exception:
        logger.exception("an answer was not taken")
