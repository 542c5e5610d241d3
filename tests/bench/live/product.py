"""The product's tables for the live benchmark: people, nights, seats and sessions, all at once.

`python -m tests.bench.live.product chicago=500 chouette=500` writes them to the database of
the environment and prints, as JSON, where each table is and which cookies its seats have.
"""

from __future__ import annotations

import copy
import json
import os
import secrets
import sys
from datetime import timedelta
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "games.settings")

import django

SEATS = 4
# A full night by its cap: one night for so many tables of four.
TABLES_A_NIGHT = 20
# Games that never end by themselves, without clocks: what is measured is moves.
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "chicago": ("classic", {"rounds": 0, "turn_seconds": 0}),
    "chouette": ("german", {"turn_seconds": 0, "grace_seconds": 0}),
}


def first_night(game_id: str, count: int) -> Any:
    """Return a night with `count` started tables of four, by way of the services.

    The host sits at the first of them: without a line of the host's every table is paused after five minutes.
    """
    from games.services.nights import membership
    from games.services.people import players
    from games.services.tables import setup

    preset, changes = GAMES[game_id]
    host = players.new_guest("Hanna")
    night = membership.host_night(host, f"Bench {game_id}")
    membership.set_admission(night, host, False, 500)
    for number in range(count):
        table = setup.open_table(night, host, game_id, preset, changes)
        for seat in range(SEATS):
            guest = host if number == seat == 0 else players.new_guest(f"Guest {number}.{seat}")
            if guest != host:
                membership.join(night, guest)
            setup.sit(table, guest, accept=True, nonce=f"n{seat}")
        setup.start(table, host, f"start {number}")
    return night


def renewed(row: Any, **fields: Any) -> Any:
    """Return an unsaved copy of a row, with other fields."""
    new = copy.copy(row)
    for name, value in {"pk": None, **fields}.items():
        setattr(new, name, value)
    return new


def people_again(night: Any) -> dict[int, Any]:
    """Copy everybody at a night; return old player id → new player."""
    from games.models import Player

    old = [member.player for member in night.memberships.select_related("player")]
    new = Player.objects.bulk_create([renewed(player) for player in old])
    return {before.pk: after for before, after in zip(old, new, strict=True)}


def night_again(night: Any) -> Any:
    """Copy a night with its people, tables, seats and logs: quicker than playing it again."""
    from games.models import LogEntry, Membership, Seat, Table
    from games.models.night import new_code, new_public_id

    who = people_again(night)
    fresh = {"public_id": new_public_id(), "code": new_code(), "host": who[night.host_id]}
    again = renewed(night, **fresh)
    again.save(force_insert=True)
    Membership.objects.bulk_create([Membership(night=again, player=p) for p in who.values()])
    old = list(night.tables.order_by("number"))
    new = Table.objects.bulk_create([renewed(table, public_id=new_public_id(), night=again) for table in old])
    tables = {before.pk: after for before, after in zip(old, new, strict=True)}
    for model in (Seat, LogEntry):
        rows = model.objects.filter(table__in=old).order_by("pk")
        of = {"player": "player_id"} if model is Seat else {"actor": "actor_id"}
        ((field, key),) = of.items()
        model.objects.bulk_create(
            [renewed(row, table=tables[row.table_id], **{field: who.get(getattr(row, key))}) for row in rows]
        )
    return again


def described(night: Any) -> list[dict[str, Any]]:
    """Return the path of each table of a night and the cookies of its seats, made now."""
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    from games.models import Seat
    from games.ops.session_keys import stored

    found: dict[int, dict[str, Any]] = {}
    sessions = []
    until = timezone.now() + timedelta(days=1)
    seats = Seat.objects.filter(table__night=night).select_related("table")
    for seat in seats.order_by("table__number", "index"):
        key, data = session_of(seat.player_id)
        sessions.append(Session(session_key=str.__str__(stored(key)), session_data=data, expire_date=until))
        path = f"/ws/table/{seat.table.public_id}/"
        table = found.setdefault(seat.table_id, {"path": path, "cookies": []})
        table["cookies"].append(f"sessionid={key}")
    Session.objects.bulk_create(sessions)
    return list(found.values())


def session_of(player_id: int) -> tuple[str, str]:
    """Return the key and the encoded data of a session that belongs to a player."""
    from games.ops.session_keys import SessionStore
    from games.services.people import players

    store = SessionStore()
    return secrets.token_hex(16), store.encode({players.SESSION_KEY: player_id})


def new_tables(game_id: str, count: int) -> list[dict[str, Any]]:
    """Return `count` started tables of a game, a night to every twenty of them."""
    from django.db import transaction

    with transaction.atomic():
        first = first_night(game_id, min(count, TABLES_A_NIGHT))
        found = described(first)
        while len(found) < count:
            found += described(night_again(first))
    return found[:count]


def main() -> None:
    """Migrate, make what the arguments ask for, print it."""
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous=OFF")  # of this process alone
    wanted = [argument.split("=") for argument in sys.argv[1:]]
    made = {game_id: new_tables(game_id, int(count)) for game_id, count in wanted}
    sys.stdout.write(json.dumps(made))


if __name__ == "__main__":
    main()
