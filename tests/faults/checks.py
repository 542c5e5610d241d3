"""What must hold after every fault: the journals of the players against the log that is stored."""

from __future__ import annotations

import re
from typing import Any

from games.kernel.contract import Event
from tests.faults.clients import Frame, Player
from tests.faults.houses import House

Logs = dict[str, dict[str, Any]]


def prove(house: House, players: list[Player], *, allowed_errors: str = r"$.") -> Logs:
    """Assert the promises on a quiet house and return its logs.

    `allowed_errors` matches the lines that this fault may have logged as errors.
    """
    told = house.world("check")
    assert "no fault" in told, told
    logs: Logs = house.world("logs")
    heard: dict[int, set[str]] = {}
    for player in players:
        heard.setdefault(player.who, set()).update(player.journal.acknowledged)
    found = [x for p in players for x in faults(p, logs[p.table], heard[p.who])]
    assert found == [], found[:20]
    assert_quiet(house, allowed_errors)
    return logs


def assert_quiet(house: House, allowed: str = r"$.") -> None:
    """Assert that no process has logged an error but those allowed."""
    lines = [x for x in house.output().splitlines() if re.search(r" (ERROR|CRITICAL) ", x)]
    bad = [line for line in lines if not re.search(allowed, line)]
    assert not bad, "\n".join(bad[:20])


def faults(player: Player, log: dict[str, Any], heard: set[str]) -> list[str]:
    """Return where a player was told something else than what is stored, in words.

    `heard` are the commands that any device of the player knows to be accepted: one of two
    copies may have come before the decision was open, and the other one after.
    """
    journal, entries = player.journal, {entry["seq"]: entry for entry in log["entries"]}
    ids = [entry["command_id"] for entry in log["entries"]]
    found = list(journal.wrong)
    if len(set(ids)) != len(ids):
        found.append("a command id is in the log twice")
    found += [f"{code}: a failure of the server" for code in failures(player)]
    found += [f"{command_id} was never answered" for command_id in player.pending]
    if player.seq != log["seq"]:
        found.append(f"the player is at {player.seq}, the log at {log['seq']}")
    for command_id, seq in journal.acknowledged.items():
        entry = entries.get(seq)
        if entry is None or entry["command_id"] != f"{player.who}:{command_id}":
            found.append(f"{command_id} was acknowledged as entry {seq}, which is another one")
    for command_id in journal.refused.keys() - heard:
        if f"{player.who}:{command_id}" in ids:
            found.append(f"{command_id} was refused and is in the log")
    for seq, events in journal.told.items():
        if seq not in entries or events != seen_by(player.seat, entries[seq]):
            found.append(f"entry {seq} was told and is another one in the log")
    return [f"{player.table} seat {player.seat}: {fault}" for fault in found]


def failures(player: Player) -> list[str]:
    """Return the answers that say that the server made a mistake."""
    codes = [*player.journal.refused.values(), *player.journal.errors]
    return [code for code in codes if code == "failed"]


def seen_by(seat: int | None, entry: dict[str, Any]) -> list[Frame]:
    """Return the events of a stored entry as a seat is told them (docs/protocol.md §2)."""
    events = map(Event.from_json, entry["events"])
    return [{"type": e.type, "data": e.data, "v": e.v} if e.is_for(seat) else {"type": "hidden"} for e in events]
