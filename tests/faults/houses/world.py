"""The world of a fault run: nights with tables at play, made and read back by the services.

It runs beside the servers, in a process of its own that `House.world` (houses.py) starts and
asks: a line of JSON in, a line of JSON out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import uuid4

Spec = dict[str, Any]
"""{"game", "preset", "changes", "seats", "devices", "watchers", "is_sealed"}; devices: sessions a player."""


def make(specs: list[Spec]) -> list[dict[str, Any]]:
    """Open and start a table for each spec, each at a night of its own."""
    return [_table(number, spec) for number, spec in enumerate(specs)]


def _table(number: int, spec: Spec) -> dict[str, Any]:
    from games.services.nights import membership
    from games.services.people import players as people_players
    from games.services.tables import setup
    from tests import sealed_tables

    seats, watchers = spec["seats"], spec.get("watchers", 0)
    players = [people_players.new_guest(f"Guest {uuid4().hex[:10]}") for _ in range(seats + watchers)]
    night = membership.host_night(players[0], f"Night {number}")
    membership.set_admission(night, players[0], False, 500)
    changes = spec.get("changes", {})
    table = setup.open_table(night, players[0], spec["game"], spec["preset"], changes)
    for index, player in enumerate(players):
        membership.join(night, player)
        if index < seats:
            setup.sit(table, player, accept=True, nonce=f"nonce {index}")
    if spec.get("is_sealed"):
        # Dice of a sealed number a table like this one can throw again.
        sealed_tables.seal_all()
    setup.start(table, players[0], "start")
    people_told = [{"id": p.pk, "cookies": [_session(p) for _ in range(spec.get("devices", 1))]} for p in players]
    told = {"players": people_told[:seats], "watchers": people_told[seats:]}
    return {"table": table.public_id, "game": spec["game"], **told}


def _session(player: Any) -> str:
    """Return the cookie of a new session of a player."""
    from games.ops.session_keys import SessionStore

    store = SessionStore()
    store["player_id"] = player.pk
    store.create()
    return f"sessionid={store.session_key}"


def tournament(count: int) -> dict[str, Any]:
    """Begin a tournament (tournaments.py)."""
    from tests.faults.houses import tournaments

    return tournaments.make(count, _session)


def tournament_told(public_id: str) -> dict[str, Any]:
    """Return what is kept of a tournament (tournaments.py)."""
    from tests.faults.houses import tournaments

    return tournaments.told(public_id)


def club(readers: int) -> str:
    """Make a series whose people get mails (senders.py)."""
    from tests.faults.houses import senders

    return senders.make(readers)


def send(kind: str, at: str, port: int, end: str, number: int) -> bool:
    """Send what is due (senders.py)."""
    from tests.faults.houses import senders

    return senders.send(kind, at, port, end, number)


def deliveries() -> dict[str, Any]:
    """Return how mails and messages ended (senders.py)."""
    from tests.faults.houses import senders

    return senders.rows()


def logs() -> dict[str, dict[str, Any]]:
    """Return every table's log as it is stored."""
    from games.models import Table

    def entry(row: Any) -> dict[str, Any]:
        fields = ("seq", "command_id", "command", "actor_id", "seat", "events", "throw")
        return {field: getattr(row, field) for field in fields} | {"at": row.created_at.timestamp()}

    return {
        table.public_id: {
            "seq": table.seq,
            "status": table.status,
            "entries": [entry(row) for row in table.entries.order_by("seq")],
        }
        for table in Table.objects.all()
    }


def merge(player: int) -> int:
    """Let the staff merge a guest into another one that was nowhere yet; return the other one.

    Into an account would end the lines of the guest's phone: it would have to log in.
    """
    from django.contrib.auth.models import User

    from games.models import Player
    from games.services.people import merging, players

    staff, _made = User.objects.get_or_create(username="staff", is_staff=True)
    other = players.new_guest(f"Guest {uuid4().hex[:10]}")
    return merging.merge(Player.objects.get(pk=player), other, staff).pk


def delete(player: int) -> list[str]:
    """Delete a person's data, as the person does; return the names that the person had."""
    from games.models import Player
    from games.services.people import deletion, players

    ids = {player, *players.joined_to(player)}
    names = list(Player.objects.filter(pk__in=ids).values_list("nickname", flat=True))
    deletion.delete(Player.objects.get(pk=player))
    return names


def broken(names: list[str]) -> list[str]:
    """Return the laws of the rows that do not hold (tests/collisions/laws.py), in words."""
    from tests.collisions import laws

    return laws.broken(set(names))


def clock() -> int:
    """Return the process whose clock acted last at some table."""
    from games.models import Table

    acted = Table.objects.filter(claimed_until__isnull=False).order_by("-claimed_until")
    return int(acted.values_list("claimed_by", flat=True)[0].split("-")[0])


def check() -> str:
    """Return what `manage.py check_logs` prints, and raise what it raises."""
    from django.core.management import call_command

    from games.services.tables import log

    log.forget_all()
    out = StringIO()
    try:
        call_command("check_logs", stdout=out)
    except Exception as error:
        raise AssertionError(f"{error}\n{out.getvalue()}") from error
    return out.getvalue()


def again(table: str) -> list[str]:
    """Play a table again (again.py)."""
    from tests.faults.houses.again import differences

    return differences(table)


DO: dict[str, Callable[..., Any]] = {
    "make": make,
    "tournament": tournament,
    "tournament_told": tournament_told,
    "club": club,
    "send": send,
    "deliveries": deliveries,
    "logs": logs,
    "merge": merge,
    "delete": delete,
    "broken": broken,
    "clock": clock,
    "check": check,
    "again": again,
}


def main() -> None:
    """Do what each line of the standard input asks: ["make", specs], ["logs"], …."""
    import django
    from django.db import connection

    django.setup()
    for line in sys.stdin:
        name, *args = json.loads(line)
        print(json.dumps(DO[name](*args)), flush=True)
        # A database that was away meanwhile needs a new one.
        connection.close()


if __name__ == "__main__":
    main()
