"""What must hold after every fault: the journals of the players against the log that is stored."""

from __future__ import annotations

import re
import time
from collections import Counter
from typing import Any

from games.kernel.contract import Event
from tests.faults.houses.clients import Frame, Player
from tests.faults.houses.houses import House

Logs = dict[str, dict[str, Any]]
NAMES = {"name", "before", "by"}
LONGEST_SILENCE = 45.0
"""Seconds after which the clock has ended any throw that waits for devices."""


def prove(house: House, players: list[Player], *, allowed_errors: str = r"$.") -> Logs:
    """Assert the promises on a quiet house and return its logs.

    `allowed_errors` matches the lines that this fault may have logged as errors.
    """
    told = house.world("check")
    assert "no fault" in told, told
    logs = _logs_at_rest(house, players)
    heard: dict[int, set[str]] = {}
    for player in players:
        heard.setdefault(player.who, set()).update(player.journal.acknowledged)
    found = [x for p in players for x in faults(p, logs[p.table], heard[p.who])]
    assert found == [], found[:20]
    assert_quiet(house, allowed_errors)
    return logs


def _logs_at_rest(house: House, players: list[Player]) -> Logs:
    """Return the logs once no throw waits for a device any more: its silence is an entry that nobody sends."""
    until = time.monotonic() + LONGEST_SILENCE
    while True:
        logs: Logs = house.world("logs")
        is_at_rest = all(player.seq == logs[player.table]["seq"] for player in players)
        if time.monotonic() > until or (is_at_rest and not any(_is_throwing(log) for log in logs.values())):
            return logs
        time.sleep(0.5)


def _is_throwing(log: dict[str, Any]) -> bool:
    """Tell whether a throw was begun that has no dice yet."""
    for entry in reversed(log["entries"]):
        kinds = {event["type"] for event in entry["events"]}
        if entry["throw"] or "table.throw_dropped" in kinds:
            return False
        if "table.throw_begun" in kinds:
            return True
    return False


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
        if entry is None or entry["command_id"] not in own_ids(player, command_id):
            found.append(f"{command_id} was acknowledged as entry {seq}, which is another one")
    for command_id in journal.refused.keys() - heard:
        if f"{player.who}:{command_id}" in ids:
            found.append(f"{command_id} was refused and is in the log")
    for seq, events in journal.told.items():
        if seq not in entries or not _is_as_stored(events, entries[seq], player):
            found.append(f"entry {seq} was told and is another one in the log: {events} {entries.get(seq)}")
    found += _of_pad(player, log["entries"])
    return [f"{player.table} seat {player.seat}: {fault}" for fault in found]


def _is_as_stored(events: list[Frame], entry: dict[str, Any], player: Player) -> bool:
    """Tell whether a player was told an entry as it is stored.

    A joined player is another one on the same seat: until the next welcome the page gets the spectators' view.
    """
    seats = [player.seat, None] if player.earlier else [player.seat]
    return any(nameless(events) == nameless(seen_by(seat, entry)) for seat in seats)


def own_ids(player: Player, command_id: str) -> set[str]:
    """Return the ids under which the log may have a command: of the player, and of those merged into it."""
    return {f"{who}:{command_id}" for who in (player.who, *player.earlier)}


def _of_pad(player: Player, entries: list[dict[str, Any]]) -> list[str]:
    """Return where a throw has another link of a player's device than the one that it gave, in words."""
    pad = player.pad
    if pad is None:
        return []
    thrown = [entry["throw"] for entry in entries if entry["throw"]]
    used = {throw["k"]: throw["links"].get(str(player.seat)) for throw in thrown}
    wrong = [k for k, link in used.items() if link is not None and link != pad.given.get(k)]
    twice = ["a throw's number is in the log twice"] if len(used) < len(thrown) else []
    return [*twice, *(f"throw {k} has a link that was never given for it" for k in wrong)]


def levels(logs: Logs) -> dict[str, int]:
    """Return how many throws of some logs had which level."""
    return dict(Counter(entry["throw"]["level"] for log in logs.values() for entry in log["entries"] if entry["throw"]))


def failures(player: Player) -> list[str]:
    """Return the answers that say that the server made a mistake."""
    codes = [*player.journal.refused.values(), *player.journal.errors]
    return [code for code in codes if code == "failed"]


def seen_by(seat: int | None, entry: dict[str, Any]) -> list[Frame]:
    """Return the events of a stored entry as a seat is told them (docs/protocol.md §2)."""
    return [_told(event, seat) for event in map(Event.from_json, entry["events"])]


def nameless(events: list[Frame]) -> list[Frame]:
    """Return events without the names that the house's own have: a deletion removes a name from the log."""
    return [
        {**event, "data": _without_names(event["data"])} if event["type"].startswith("table.") else event
        for event in events
    ]


def _without_names(data: Any) -> Any:
    if isinstance(data, list):
        return [_without_names(each) for each in data]
    if isinstance(data, dict):
        return {key: _without_names(each) for key, each in data.items() if key not in NAMES}
    return data


def _told(event: Event, seat: int | None) -> Frame:
    if not event.is_for(seat):
        return {"type": "hidden"}
    told = {"type": event.type, "data": event.data, "v": event.v}
    return told if event.audience is None else {**told, "private": True}
