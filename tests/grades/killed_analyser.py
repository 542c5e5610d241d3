"""An analyser that is killed by the system (signal 9) at so many points of its work, each time on a copy of a house.

`main` runs in a process of its own, on a server's new database; an engine with opinions stands for a program.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from django.core.management import call_command
from django.db import connection

from chouette.analysis import house
from games.models import BroughtMatch, GameGrades, Result
from games.ops.system import calls
from games.services.grades import brought, jobs
from games.services.nights import membership
from games.services.people import players
from games.services.tables import queue
from tests.chouette.analysis.files import SHORT
from tests.chouette.analysis.test_sessions import Planted
from tests.conftest import opening, starting
from tests.grades.judging import play_out

Found = list[Any]
Step = Callable[[str], object]

WRITE, QUESTION = "write", "question"
_WRITES = re.compile(r"(?:INSERT|UPDATE|DELETE)[^(]*(?:gamegrades|broughtmatch)", re.IGNORECASE)


class Engine(Planted):
    """An engine with opinions, which says at which depth it is asked, and takes a step at each question."""

    step: ClassVar[Step]

    def __init__(self, level: str = "first") -> None:
        super().__init__()
        self.level = level

    def at(self, depth: Any) -> Engine:
        """Return the same opinions at another depth."""
        return Engine(str(depth))

    def plays(self, *args: Any) -> Any:
        """Return every play."""
        Engine.step(QUESTION)
        return super().plays(*args)

    def cube(self, *args: Any) -> Any:
        """Return the cube's equities."""
        Engine.step(QUESTION)
        return super().cube(*args)


def wait() -> None:
    """Put two games and a match file into the queue."""
    host = players.new_guest("Hanna")
    table = starting(opening(membership.host_night(host, "Queue"), host), host)
    play_out(table("chouette", "match", match_length=1))
    play_out(table("chouette", "match", match_length=1))
    brought.bring(host, "chouette", "final.mat", SHORT.encode())
    queue.stop()


def work(step: Step = lambda kind: None) -> None:
    """Grade what waits, taking a step ahead of everything that is written of it and of every question to the engine."""
    Engine.step = step

    def counted(execute: Any, sql: str, *args: Any) -> Any:
        if _WRITES.match(sql):
            step(WRITE)
        return execute(sql, *args)

    with connection.execute_wrapper(counted):
        call_command("analyser", "--once", stdout=io.StringIO(), stderr=io.StringIO())


def kept() -> Found:
    """Return everything that is graded."""
    fields = ("result_id", "rows", "engine", "level", "depth", "formula", "tries")
    return [
        [*GameGrades.objects.exclude(graded_at=None).order_by("result").values_list(*fields)],
        [*BroughtMatch.objects.exclude(graded_at=None).order_by("pk").values_list("name", "report", "fault")],
    ]


def is_whole(wanted: Found) -> bool:
    """Tell whether each game has a whole pass or nothing, and each file its report or nothing."""
    games = {row[0]: len(row[1]) for row in wanted[0]}
    rows = list(GameGrades.objects.values_list("result_id", "rows", "graded_at"))
    return len({row[0] for row in rows}) == len(rows) and all(
        len(found) == (games[result] if graded_at else 0) for result, found, graded_at in rows
    )


def in_a_process(act: Callable[[], object]) -> int:
    """Do something in a process of its own; return how it ended (a signal is negative)."""
    connection.close()
    if (child := os.fork()) == 0:
        try:
            act()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_at(point: int) -> None:
    """Grade what waits, and kill this process ahead of a step."""
    done = count()
    work(lambda kind: os.kill(os.getpid(), signal.SIGKILL) if next(done) == point else None)


def points_of(steps: Sequence[str], most: int) -> list[int]:
    """Return so many points of the work: all at which something is written, and others evenly between them."""
    writes = [point for point, kind in enumerate(steps) if kind == WRITE]
    others = [point for point, kind in enumerate(steps) if kind != WRITE]
    left = most - len(writes)
    assert left > 0, writes
    return sorted([*writes, *(others[len(others) * number // left] for number in range(left))])


def use(place: Path) -> None:
    """Let this process work on another file from now on."""
    connection.close()
    connection.settings_dict["NAME"] = str(place)


def killed_at(point: int, waiting: Path, wanted: Found) -> list[object]:
    """Kill an analyser ahead of a step, let another one go on; return what happened."""
    place = waiting.with_name(f"killed-{point}.sqlite3")
    shutil.copy(waiting, place)
    use(place)
    end = in_a_process(lambda: kill_at(point))
    whole = is_whole(wanted)
    again = in_a_process(work)
    is_same = kept() == wanted and GameGrades.objects.count() == Result.objects.count()
    connection.close()
    place.unlink()
    return [point, end, whole, again, is_same]


def main(numbers: Sequence[int], of: int) -> None:
    """Kill at some of so many points over the whole work; print what happened at each as JSON."""
    made: Any = house
    made.engine, made.has_engine = Engine, lambda: True
    # The tests' own processes keep their precedence.
    precedence: Any = calls
    precedence.give_way = lambda niceness: None
    made_jobs: Any = jobs
    games = {"chouette": jobs.graded_games()["chouette"]}
    made_jobs.graded_games = lambda: games
    wait()
    connection.close()
    first = Path(str(connection.settings_dict["NAME"]))
    waiting = first.with_name("waiting.sqlite3")
    shutil.copy(first, waiting)
    steps: list[str] = []
    work(steps.append)
    wanted, points = kept(), points_of(steps, of)
    told = [killed_at(points[number], waiting, wanted) for number in numbers]
    print(json.dumps({"games": len(wanted[0]), "files": len(wanted[1]), "killed": told}))
