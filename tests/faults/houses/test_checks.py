"""The proofs themselves: whatever a server could lose, double or make up is found."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.faults.houses.checks import faults
from tests.faults.houses.clients import Player

BID = {"type": "bid_sealed", "data": {"number": 3}, "v": 1, "audience": [1]}


def stored() -> dict[str, Any]:
    """Return a log of two entries, the second by player 7."""
    first = {"seq": 1, "command_id": "5:start", "events": [{"type": "hands_dealt", "data": {}}]}
    return {"seq": 2, "entries": [first, {"seq": 2, "command_id": "7:c-1", "events": [BID]}]}


def listener() -> Player:
    """Return player 7 at seat 0, who has heard all of it."""
    player = Player([], "t", "", who=7, rng=random.Random(0))
    player.seq, player.seat = 2, 0
    player.journal.acknowledged["c-1"] = 2
    player.journal.told[2] = [{"type": "hidden"}]
    return player


def found(player: Player, log: dict[str, Any]) -> list[str]:
    return faults(player, log, set(player.journal.acknowledged))


def test_a_log_that_is_what_was_told_has_no_fault():
    assert found(listener(), stored()) == []


PLANTED: dict[str, tuple[Callable[[Player, dict[str, Any]], Any], str]] = {
    "a lost move": (lambda p, log: log["entries"].pop(), "was acknowledged as entry 2"),
    "another move in its place": (
        lambda p, log: log["entries"][1].update(command_id="8:c-1"),
        "was acknowledged as entry 2",
    ),
    "a doubled move": (
        lambda p, log: log["entries"].append({**log["entries"][1], "seq": 3}),
        "twice",
    ),
    "other events": (
        lambda p, log: log["entries"][1].update(events=[{"type": "bid_returned", "data": {}}]),
        "entry 2 was told and is another one",
    ),
    "a secret told": (
        lambda p, log: p.journal.told.update({2: [{k: BID[k] for k in ("type", "data", "v")}]}),
        "entry 2 was told and is another one",
    ),
    "a refused move that was made": (
        lambda p, log: (p.journal.acknowledged.clear(), p.journal.refused.update({"c-1": "x"})),
        "was refused and is in the log",
    ),
    "a move without an answer": (lambda p, log: p.pending.update({"c-2": {}}), "never answered"),
    "a player left behind": (lambda p, log: setattr(p, "seq", 1), "the player is at 1"),
    "a failure of the server": (
        lambda p, log: p.journal.errors.append("failed"),
        "a failure of the server",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_the_proof_finds(name):
    player, log = listener(), stored()
    plant, words = PLANTED[name]
    plant(player, log)
    assert [fault for fault in found(player, log) if words in fault]


async def test_a_journal_notes_what_was_told_in_two_ways():
    player = listener()
    entry = {"type": "entry", "seq": 2, "events": [], "id": "c-1"}
    await player._entry(entry)
    await player._entry({**entry, "seq": 3})
    player._state({"seq": 1, "choices": [], "clocks": {}})
    assert len(player.journal.wrong) == 3
