"""Grade the finished games, one by one, beside the house."""

from __future__ import annotations

import logging
import signal
import time
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import plugin
from games.management import locks
from games.management.processes import ends
from games.models import GameGrades
from games.ops.diagnosis import log_level
from games.ops.logs import log_event
from games.ops.system import calls
from games.ops.system.core_share import core_share
from games.services import tasks
from games.services.grades import brought, deeper_grading, jobs, kept_positions, questions
from games.services.grades.early_grading import Ahead

logger = logging.getLogger(__name__)

REST_SECONDS = 2.0
LOOK_SECONDS = 0.2
WHOLE_CORE = 1.0
WAIT_SECONDS = 15.0
"""The time between two looks of an analyser that a server has started whether another one has ended."""


def _nothing() -> None:
    """Claim no game: people wait for the one in hand, too."""


class Command(BaseCommand):
    """`manage.py analyser`."""

    requires_system_checks = []
    requires_migrations_checks = True
    help = "Grade finished games with an engine, the newest first, until Ctrl-C; never beside what is being played."

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # A plain list: a signal handler that takes a lock can wait for itself.
        self._signals: list[int] = []
        self._next_look = 0.0

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add how long to work and what to do again."""
        parser.add_argument("--once", action="store_true", help="end when every game has its grades")
        parser.add_argument("--again", action="store_true", help="grade every game once more, with the engine of today")
        parser.add_argument("--end-with-parent", action="store_true", help=SUPPRESS)

    def handle(self, *args: Any, once: bool, again: bool, end_with_parent: bool, **options: Any) -> None:
        """Work until a signal comes, with the lowest precedence that others leave."""
        for number in ends.stop_signals() if not once else ():
            signal.signal(number, lambda each, _: self._signals.append(each))
        if end_with_parent:
            # Where others want every processor, to end tidily would take it minutes; the next one
            # frees what it had claimed. A server that ends by itself ends it before, with SIGTERM.
            ends.end_with_parent(number=calls.KILL)
        calls.give_way(calls.LOWEST)
        log_level.start_following()
        if again:
            brought.again()
            self.stdout.write(f"{jobs.again()} games are graded again.")
        while not self._signals:
            with locks.analysing() as is_only:
                if is_only:
                    self._open(once=once)
                    return
            if again:
                self.stdout.write("An analyser works already: it grades them.")
                return
            if not end_with_parent:
                raise CommandError("An analyser works on this database already: it grades what is left.")
            self._rest(WAIT_SECONDS)

    def _open(self, *, once: bool) -> None:
        """Work with the engines that are here."""
        engines = self._engines()
        try:
            if engines:
                found = ", ".join(f"{engine.name} ({engine.level})" for engine in engines.values())
                tasks.note_doer(jobs.TASK, found)
                jobs.free_claims()
                brought.free_claims()
                self._work(engines, once=once)
        except tasks.TaskEnded:
            return
        finally:
            for engine in engines.values():
                engine.close()

    def _engines(self) -> dict[str, plugin.GradingEngine]:
        """Return the engine of each game that is graded, and say of others how to get one."""
        found = {}
        for game_id, grading in jobs.graded_games().items():
            if (engine := grading.engine()) is None:
                self.stderr.write(f"{game_id}: no engine is installed: {grading.HOW_TO_GET_ONE}.")
            else:
                found[game_id] = engine
        return found

    def _work(self, engines: dict[str, plugin.GradingEngine], *, once: bool) -> None:
        """Grade game by game, then files that people bring in; without anything to grade, look again after a while.

        The first pass of a game that has just ended comes before all else, and nothing but a question interrupts it;
        then what is played is judged ahead, some choices at a time, by turns with the deep passes, older games and,
        after these, the choices that somebody asks about. Nothing is judged ahead where the house has less than a core.
        """
        ahead = Ahead(engines if core_share() >= WHOLE_CORE else {})
        while not self._signals:
            questions.answer_all(engines)
            if (job := jobs.claim_fresh()) is not None:
                self._grade(job, engines)
                continue
            meanwhile = partial(self._go_on, engines, jobs.claim_fresh)
            is_busy = self._try(partial(ahead.work, meanwhile)) if not once else False
            if (job := jobs.claim_next()) is not None:
                self._grade(job, engines)
            elif (
                deeper_grading.answer_one(engines)
                or kept_positions.answer_one(engines)
                or self._grade_file(engines)
                or is_busy
            ):
                continue
            else:
                if once:
                    return
                self._rest(REST_SECONDS)

    def _grade_file(self, engines: dict[str, plugin.GradingEngine]) -> bool:
        """Grade a match file that somebody has brought in; tell whether there was one."""
        try:
            return brought.grade_one(engines, partial(self._nights_first, engines))
        except tasks.TaskEnded:
            raise
        except Exception as error:
            log_event(logger, logging.ERROR, jobs.TASK, "file_failed", error=error)
            return True

    def _nights_first(self, engines: dict[str, plugin.GradingEngine]) -> None:
        """Do between two choices of a match file what the house's own games wait for, their deep passes too."""
        self._go_on(engines, jobs.claim)
        while (job := jobs.claim_deep()) is not None:
            self._grade(job, engines)

    def _try(self, work: Callable[[], bool]) -> bool:
        """Do some work; a failure of it is logged, and costs nothing else."""
        try:
            return work()
        except tasks.TaskEnded:
            raise
        except Exception as error:
            log_event(logger, logging.ERROR, jobs.TASK, "ahead_failed", error=error)
            return False

    def _rest(self, seconds: float) -> None:
        """Wait for so long, or until a signal comes."""
        until = time.monotonic() + seconds
        while not self._signals and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)

    def _go_on(self, engines: dict[str, plugin.GradingEngine], more_urgent: Callable[[], GameGrades | None]) -> None:
        """Do urgent work between two choices: people's questions, and games that `more_urgent` claims.

        Raises TaskEnded if a signal has come.
        """
        if self._signals:
            raise tasks.TaskEnded
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        questions.answer_all(engines)
        while (job := more_urgent()) is not None:
            self._grade(job, engines)

    def _grade(self, job: GameGrades, engines: dict[str, plugin.GradingEngine]) -> None:
        """Grade a game; one that can't be is logged, and tried again when its claim is old."""
        game_id = job.result.game_id
        try:
            if game_id in engines:
                more_urgent = _nothing if jobs.is_fresh(job) else jobs.claim_fresh
                go_on = partial(self._go_on, engines, more_urgent)
                jobs.grade(job, jobs.graded_games()[game_id], engines[game_id], go_on)
        except tasks.TaskEnded:
            raise
        except Exception as error:
            log_event(logger, logging.ERROR, jobs.TASK, "failed", error=error, table=job.result.table.public_id)
            tasks.note(jobs.TASK, type(error).__name__, is_good=False)
