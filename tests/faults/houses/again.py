"""A table played again: what was accepted, one command after the other, at a table like it."""

from __future__ import annotations

from typing import Any


def differences(public_id: str) -> list[str]:
    """Play a table's accepted commands again in their order; return what comes out otherwise.

    The new table has the old one's house rules, seats and dice.
    """
    from games.models import Table

    old = Table.objects.get(public_id=public_id)
    new = _like(old)
    found = _play(old, new)
    new.refresh_from_db()
    pairs = {field: (getattr(old, field), getattr(new, field)) for field in _SAME}
    return found + [f"{field}: {a} and {b}" for field, (a, b) in pairs.items() if a != b]


_SAME = ("seq", "status", "dice_drawn")


def _like(old: Any) -> Any:
    """Open and start a table with the same people, house rules and dice."""
    from games.models import Player, Table
    from games.services.tables import setup
    from tests.sealed_tables import seal_all

    seal_all()
    host = old.night.host
    new = setup.open_table(old.night, host, old.game_id, old.preset, {})
    Table.objects.filter(pk=new.pk).update(options=old.options, dice_seed=old.dice_seed)
    told = old.entries.get(seq=1).events[0]["data"]["seats"]
    for seat in told:
        player = Player.objects.get(pk=seat["player"])
        setup.sit(new, player, accept=True, nonce=seat["nonce"])
    setup.start(new, host, "start")
    return new


def _play(old: Any, new: Any) -> list[str]:
    """Submit the old table's commands at the new one; return where the entries differ."""
    from games.kernel.contract import Illegal
    from games.services.commands import Actor, Request
    from games.services.tables.commit import submit

    found = []
    for entry in old.entries.filter(seq__gt=1).order_by("seq").iterator():
        command = entry.command
        actor = Actor(entry.actor_id, entry.seat if entry.actor_id is None else None)
        command_id = entry.command_id.split(":", 1)[1]
        basis = command.get("basis")
        try:
            request = Request(command["name"], command["args"], command_id, basis)
            receipt = submit(new.pk, actor, request)
        except Illegal as refusal:
            return [*found, f"entry {entry.seq}: refused when played again, {refusal.code}"]
        if [event.to_json() for event in receipt.events] != entry.events:
            found.append(f"entry {entry.seq} has other events when played again")
    return found
