"""Grade the finished games, one by one, beside the house."""

from __future__ import annotations

import logging
import os
import signal
import time
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand

from games import plugin
from games.management import ends
from games.models import GameGrades
from games.ops.diagnosis import log_level
from games.ops.logs import log_event
from games.services.clock import tasks
from games.services.grades import jobs

logger = logging.getLogger(__name__)

REST_SECONDS = 2.0
NICENESS = 15


class Command(BaseCommand):
    """`manage.py analyser`."""

    requires_migrations_checks = True
    help = "Grade finished games with an engine, the newest first, until Ctrl-C; never beside what is being played."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add how long to work and what to do again."""
        parser.add_argument("--once", action="store_true", help="end when every game has its grades")
        parser.add_argument("--again", action="store_true", help="grade every game once more, with the engine of today")

    def handle(self, *args: Any, once: bool, again: bool, **options: Any) -> None:
        """Work until a signal comes, with the lowest precedence that others leave."""
        with suppress(OSError):
            os.nice(NICENESS)
        log_level.start_following()
        engines = self._engines()
        if not engines:
            return
        if again:
            self.stdout.write(f"{jobs.again()} games are graded again.")
        # A plain list: a signal handler that takes a lock can wait for itself.
        signals: list[int] = []
        for number in ends.stop_signals() if not once else ():
            signal.signal(number, lambda each, _: signals.append(each))
        try:
            self._work(engines, signals, once=once)
        finally:
            for engine in engines.values():
                engine.close()

    def _engines(self) -> dict[str, plugin.Engine]:
        """Return the engine of each game that is graded, and say of others how to get one."""
        found = {}
        for game_id, grading in jobs.graded_games().items():
            if (engine := grading.engine()) is None:
                self.stderr.write(f"{game_id}: no engine is installed: {grading.HOW_TO_GET_ONE}.")
            else:
                found[game_id] = engine
        return found

    def _work(self, engines: dict[str, plugin.Engine], signals: list[int], *, once: bool) -> None:
        """Grade game by game; without one to grade, look again after a while."""
        while not signals:
            job = jobs.claim()
            if job is not None:
                self._grade(job, engines)
            elif once:
                return
            else:
                time.sleep(REST_SECONDS)

    def _grade(self, job: GameGrades, engines: dict[str, plugin.Engine]) -> None:
        """Grade a game; one that can't be is logged, and tried again when its claim is old."""
        game_id = job.result.game_id
        try:
            if game_id in engines:
                jobs.grade(job, jobs.graded_games()[game_id], engines[game_id])
        except Exception as error:
            log_event(logger, logging.ERROR, jobs.TASK, "failed", error=error, table=job.result.table.public_id)
            tasks.note(jobs.TASK, type(error).__name__, is_good=False)
