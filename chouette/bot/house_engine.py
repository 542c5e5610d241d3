"""The engine that the bots of level `expert` ask: one process with low precedence for all tables of a server process.

An answer takes a tenth of a second to a second. The process is started at the first question, killed where it is
silent, and ends with the server. Who gets no answer within the time of a decision plays by the net.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, cast

from chouette.analysis import engines
from chouette.analysis.engine import Candidate, CubeEquities, EngineFailed, Stakes
from chouette.analysis.gnubg import program
from chouette.analysis.gnubg.program import GnubgProgram
from chouette.board.plays import Dice
from chouette.board.position import Position
from chouette.bot.playing import EXPERT
from games.kernel.text import gettext_noop as _

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")

SETTING, OFF = "CHOUETTE_EXPERT", "off"
"""Environment variable that switches the level off."""
SWITCHED_OFF = _("it is switched off here (CHOUETTE_EXPERT=off)")

SECONDS = 4.0
"""The time of a decision, waiting for others' questions included; the house gives a bot five seconds."""
LEAST_SECONDS = 0.5
"""With less left nothing is asked: a process that is in good order would be taken for a silent one."""
REST_SECONDS = 30.0
"""The time for which an engine that failed is not asked; the log has one line in that time at most."""
MOST_WAITING = 8
"""Questions that wait at once, of all tables; further ones are not asked."""
NICENESS = 10
_KEPT = 512
_ROOT = Path(__file__).parents[2]
_SAGE = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from chouette.bot import sage_answers; sage_answers.main()"


class EngineBusy(EngineFailed):
    """The engine is in good order, but has no time for this question."""


class HouseEngine:
    """An engine that many threads ask; `start` makes the process's adapter, None where no engine is installed."""

    def __init__(self, start: Callable[[], GnubgProgram | None], now: Callable[[], float] = time.monotonic) -> None:
        self._start, self._now = start, now
        self._engine: GnubgProgram | None = None
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_WAITING)
        self._answers: OrderedDict[object, object] = OrderedDict()
        self._rests_until = self._silent_until = 0.0

    def until(self) -> float:
        """Return the end of the time of a decision that begins now."""
        return self._now() + SECONDS

    def has_time(self, until: float) -> bool:
        """Tell whether more than half of a decision's time is left."""
        return until - self._now() > SECONDS / 2

    def plays(
        self, position: Position, dice: Dice, stakes: Stakes, played: Position, until: float
    ) -> Sequence[Candidate]:
        """Return every legal play as `Engine.plays`; raises EngineFailed."""
        key = (position, tuple(dice), stakes, played)
        return self._asked(key, lambda engine: engine.plays(position, dice, stakes, played), until)

    def cube(self, position: Position, stakes: Stakes, until: float) -> CubeEquities:
        """Return the cube's equities as `Engine.cube`; raises EngineFailed."""
        return self._asked((position, stakes), lambda engine: engine.cube(position, stakes), until)

    def say_that_the_net_plays(self, why: Exception) -> None:
        """Log that the net plays in place of the engine, once in REST_SECONDS."""
        now = self._now()
        if now >= self._silent_until:
            self._silent_until = now + REST_SECONDS
            logger.warning("component=bot event=engine_failed: level expert plays by the net: %s", why)

    def close(self) -> None:
        """End the process; another question starts one again."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def _asked(self, key: object, question: Callable[[GnubgProgram], Answer], until: float) -> Answer:
        """Return an answer; the bots of a table ask the same, so answers are kept."""
        if (kept := self._answers.get(key)) is not None:
            return cast(Answer, kept)
        if self._now() < self._rests_until:
            raise EngineFailed("it failed a moment ago, and is not asked now")
        if not self._places.acquire(blocking=False):
            raise EngineBusy("too many bots ask it")
        try:
            if not self._turn.acquire(timeout=max(until - LEAST_SECONDS - self._now(), 0.0)):
                raise EngineBusy("it answers others")
            try:
                return self._next(key, question, until)
            finally:
                self._turn.release()
        finally:
            self._places.release()

    def _next(self, key: object, question: Callable[[GnubgProgram], Answer], until: float) -> Answer:
        """Return the kept answer to a question, or the engine's; the caller holds `_turn`."""
        if (kept := self._answers.get(key)) is not None:
            return cast(Answer, kept)
        seconds = until - self._now()
        if seconds < LEAST_SECONDS:
            raise EngineBusy("no time is left")
        try:
            engine = self._running()
            engine.answer_within(seconds)
            found = question(engine)
        except EngineFailed:
            self._rests_until = self._now() + REST_SECONDS
            self.close()
            raise
        self._answers[key] = found
        while len(self._answers) > _KEPT:
            self._answers.popitem(last=False)
        return found

    def _running(self) -> GnubgProgram:
        if self._engine is None:
            self._engine = self._start()
        if self._engine is None:
            raise EngineFailed(missing().get(EXPERT, "no engine is installed"))
        return self._engine


def missing() -> Mapping[str, str]:
    """Return the levels that this machine has no engine for, each with how to get one."""
    if _is_off():
        return {EXPERT: SWITCHED_OFF}
    return {} if engines.installed() else {EXPERT: engines.HOW_TO_GET_ONE}


def _is_off() -> bool:
    return os.environ.get(SETTING) == OFF


def start() -> GnubgProgram | None:
    """Return the preferred engine of this machine at two plies, to be started at its first question."""
    found = [] if _is_off() else engines.installed()
    if not found:
        return None
    own = [str(program.find())] if found[0] == "gnubg" else [sys.executable, "-c", _SAGE]
    nice = shutil.which("nice")
    return program.program([*([nice, "-n", str(NICENESS)] if nice else []), *own], "2-ply")


shared = HouseEngine(start)
"""The engine of this process."""


@atexit.register
def _close() -> None:
    shared.close()
