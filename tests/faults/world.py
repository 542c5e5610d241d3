"""The world of a fault run: nights with tables at play, made and read back by the services.

It runs beside the servers, in a process of its own: `House.world` (houses.py) calls it by
`python -m tests.faults.world`. What it is told and what it tells is JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

Spec = dict[str, Any]
"""{"game", "preset", "changes", "seats", "devices", "watchers"}; devices: sessions a player."""


def make(specs: list[Spec]) -> list[dict[str, Any]]:
    """Open and start a table for each spec, each at a night of its own."""
    return [_table(number, spec) for number, spec in enumerate(specs)]


def _table(number: int, spec: Spec) -> dict[str, Any]:
    from django.contrib.sessions.backends.db import SessionStore

    from games.services import lobby, people, tables

    def session(player: Any) -> str:
        store = SessionStore()
        store["player_id"] = player.pk
        store.create()
        return f"sessionid={store.session_key}"

    seats, watchers = spec["seats"], spec.get("watchers", 0)
    players = [people.new_guest(f"Guest {number} {index}") for index in range(seats + watchers)]
    night = lobby.host_night(players[0], f"Night {number}")
    lobby.set_admission(night, players[0], False, 500)
    changes = spec.get("changes", {})
    table = tables.open_table(night, players[0], spec["game"], spec["preset"], changes)
    for index, player in enumerate(players):
        lobby.join(night, player)
        if index < seats:
            tables.sit(table, player, accept=True, nonce=f"nonce {index}")
    tables.start(table, players[0], "start")
    people_told = [
        {"id": p.pk, "cookies": [session(p) for _ in range(spec.get("devices", 1))]}
        for p in players
    ]
    told = {"players": people_told[:seats], "watchers": people_told[seats:]}
    return {"table": table.public_id, "game": spec["game"], **told}


def logs() -> dict[str, dict[str, Any]]:
    """Return every table's log as it is stored."""
    from games.models import Table

    def entry(row: Any) -> dict[str, Any]:
        fields = ("seq", "command_id", "command", "actor_id", "seat", "events")
        return {field: getattr(row, field) for field in fields}

    return {
        table.public_id: {
            "seq": table.seq,
            "status": table.status,
            "entries": [entry(row) for row in table.entries.order_by("seq")],
        }
        for table in Table.objects.all()
    }


def clock() -> int:
    """Return the process that runs the clock, or ran it last."""
    from games.models import ClockLease

    return int(ClockLease.objects.get().holder.split(":")[1])


def main() -> None:
    """Do what the standard input asks: {"make": […]}, {"logs": true}, {"again": table}, …."""
    import django

    django.setup()
    asked = json.load(sys.stdin)
    told: Any
    if "make" in asked:
        told = make(asked["make"])
    elif "again" in asked:
        from tests.faults import again

        told = again.differences(asked["again"])
    elif "clock" in asked:
        told = clock()
    else:
        told = logs()
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
