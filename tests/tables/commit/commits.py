"""Commands given to the writer as one batch, and what each asker was told."""

from __future__ import annotations

import random
from typing import Any

from games import plugin
from games.kernel import simulate
from games.models import Table
from games.services.commands import Actor, Request
from games.services.tables import log, queue
from games.services.tables.decisions import Submission


class Answers:
    """What each asker was told, in order."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def asked(self, table: Table, request: Request, seat: int = 0) -> Submission:
        player = table.seats.get(index=seat).player_id
        return Submission(table.pk, Actor(player), request, self.told.append)


def next_request(table: Table, rng: random.Random) -> tuple[int, Request]:
    """Return a random legal command at a table, and its seat."""
    table.refresh_from_db()
    rules, state = plugin.game(table.game_id).rules, log.state_of(table)
    count = table.seats.count()
    command = simulate.pick(simulate.open_choices(rules, state, count), rng)
    request = Request(command.name, command.args, f"c{table.seq}", command.basis)
    return command.seat or 0, request


def take(asked: list[Submission]) -> None:
    """Let the queue take some commands as one batch."""
    queue._take(asked)


def fail(*args: object) -> None:
    """Stand in for what must not be called, or must fail."""
    raise ZeroDivisionError
