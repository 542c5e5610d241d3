"""The thread of the clock in the server process: bots, time-outs, tables without their host.

It starts with the server or with the first request, so that management commands and tests that only import the
application run no clock. Where several processes run one, each acts at the tables that it has claimed
(services/clock/clock.py).
"""

from __future__ import annotations

import logging
import threading
import time

from django.conf import settings
from django.db import DatabaseError, close_old_connections

from games.services import processes, publication, server_time, tasks
from games.services.clock import clock, outages
from games.services.draws import drawn_rounds, regrouping
from games.services.logs import data_folders
from games.services.tables import sql
from games.services.tables.relay import TableNews
from games.services.tournaments import automatic

logger = logging.getLogger(__name__)

ROUND_SECONDS = 0.2
# In a full house entries never stop: the clock looks once for many of them.
BREATH_SECONDS = 0.02
HOSTS_SECONDS = 10.0
TOURNAMENTS_SECONDS = 1.0
AFTER_FAILURE_SECONDS = 1.0

_lock = threading.Lock()
_thread: threading.Thread | None = None
_stop = threading.Event()
_news = threading.Event()


def start() -> None:
    """Start the thread if settings.CLOCK is "thread"; further calls change nothing."""
    global _thread  # noqa: PLW0603
    if _thread is not None or settings.CLOCK != "thread":
        return
    with _lock:
        if _thread is None:
            publication.subscribe(_nudge)
            _thread = threading.Thread(target=_run, name="clock", daemon=True)
            _thread.start()


def stop() -> None:
    """End the thread and wait for it."""
    global _thread  # noqa: PLW0603
    with _lock:
        if _thread is not None:
            _stop.set()
            _news.set()
            _thread.join()
            _stop.clear()
            _news.clear()
            _thread = None


def _nudge(news: publication.News) -> None:
    """Wake the thread after an entry that gives the clock work before the next round."""
    if not isinstance(news, TableNews) or (due_at := news.snapshot.due_at) is None:
        return
    if (due_at - server_time.now()).total_seconds() < ROUND_SECONDS:
        _news.set()


def _run() -> None:
    """Run the clock until `stop`; after a failed round it tries the next."""
    hosts_at = tournaments_at = 0.0
    while not _stop.is_set():
        if _news.wait(ROUND_SECONDS):
            _stop.wait(BREATH_SECONDS)
        _news.clear()
        is_hosts_turn = time.monotonic() >= hosts_at + HOSTS_SECONDS
        if is_hosts_turn:
            hosts_at = time.monotonic()
        is_tournaments_turn = time.monotonic() >= tournaments_at + TOURNAMENTS_SECONDS
        if is_tournaments_turn:
            tournaments_at = time.monotonic()
        if not run_round(with_hosts=is_hosts_turn, with_tournaments=is_tournaments_turn):
            _stop.wait(AFTER_FAILURE_SECONDS)
    _let_go()


def _let_go() -> None:
    """Release the tables that this process has claimed, so that other processes take them at once."""
    tasks.stop()
    try:
        processes.stop()
        clock.release()
    except DatabaseError:
        logger.warning("the clock's tables could not be given back: their claims run out", exc_info=True)
    finally:
        close_old_connections()


def run_round(*, with_hosts: bool, with_tournaments: bool = False) -> bool:
    """Do all work that is due now; return False if the round failed."""
    close_old_connections()
    try:
        outages.make_up()
        processes.note_running()
        clock.run_due()
        if with_tournaments:
            automatic.run_due()
            drawn_rounds.run_due()
            regrouping.run_due()
        if with_hosts:
            sql.keep_few_pages()
            clock.pause_hostless()
            tasks.start_due()
            data_folders.note_running()
    except Exception:
        logger.exception("the clock stumbled")
        return False
    finally:
        close_old_connections()
    return True
