"""An evening with grades for the browser tests: bots play in the names of people, an engine with opinions grades."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.server import Server

SEATS = 3


def play(night: str) -> str:
    """Let the host and two more play a game of a chouette at a night, and close the table; return its public id."""
    from games import plugin
    from games.models import Night, Result, Table
    from games.services.commands import Actor, Request, new_command_id
    from games.services.tables import log, queue
    from games.services.tables.commit import submit
    from tests.conftest import choices_at, opening, starting

    evening = Night.objects.get(public_id=night)
    game = plugin.game("chouette")
    assert game.bots is not None and evening.host is not None
    options = {"skill_shown": "all", "pause_between": 0}
    table = starting(opening(evening, evening.host), evening.host)("chouette", "german", seats=SEATS, **options)
    turn = 0
    while not Result.objects.filter(table=table).exists():
        seat = next(choice.seat for choice in choices_at(table) if choice.required)
        assert seat is not None
        state = log.state_of(table)
        wanted = [choice for choice in game.rules.choices(state, seat) if choice.required]
        name, args = game.bots.choose(game.rules.view(state, seat), wanted, "noisy", turn)
        basis = next(choice.opened_at for choice in wanted if choice.name == name)
        by = Actor(table.seats.get(index=seat).player_id)
        submit(table.pk, by, Request(name, args, new_command_id(), basis))
        turn += 1
    submit(table.pk, Actor(evening.host.pk), Request("table.close", {}, new_command_id()))
    queue.stop()
    # A screen shows a result for some minutes before it goes on.
    Table.objects.filter(pk=table.pk).update(finished_at=datetime.now(UTC) - timedelta(minutes=10))
    return str(table.public_id)


def grade() -> None:
    """Grade what waits with an engine that has an opinion on everything, and no program behind it."""
    from django.core.management import call_command

    from chouette.analysis import house
    from games.ops.system import calls
    from games.services.grades import jobs
    from tests.chouette.analysis.test_sessions import Planted

    class Engine(Planted):
        def at(self, depth: object) -> Engine:
            return self

    made: Any = house
    made.engine, made.has_engine = Engine, lambda: True
    own: Any = calls
    own.give_way = lambda niceness: None
    call_command("analyser", "--once", stdout=io.StringIO(), stderr=io.StringIO())
    assert jobs.claim() is jobs.claim_deep() is None


def make(night: str) -> None:
    """Play a game at a night and grade it; print the table's public id."""
    print(play(night))
    grade()


def at(server: Server, night: str) -> str:
    """Play and grade a game at a night of a server; return the table's public id."""
    said = server.manage("shell", "-c", f"from tests.browser.history import graded_evening as it; it.make({night!r})")
    return said.split()[-1]


def graded_files(server: Server) -> None:
    """Grade the match files that wait at a server."""
    server.manage("shell", "-c", "from tests.browser.history import graded_evening as it; it.grade()")
