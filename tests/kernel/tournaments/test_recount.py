"""The recount of draws: each entry by the version of the pairing that it names."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from games.kernel.tournaments.answers import answer
from games.kernel.tournaments.entries import VERSIONS
from games.kernel.tournaments.recount import recount

Json = dict[str, Any]
FORMAT: Json = {"kind": "swiss", "rounds": 5, "tie": "wins"}


def drawn(version: int, seed: str) -> Json:
    """Return the file of a Swiss tournament of five people that a version of the pairing has drawn."""
    log: list[Json] = [{"at": 0, "type": "enter", "player": f"p{at}"} for at in range(5)] + [{"at": 0, "type": "start"}]
    origins: list[list[int] | None] = [None] * len(log)
    for minute in range(1, 6):
        asked = {"format": FORMAT, "log": log, "now": minute, "seed": seed}
        length = len(log)
        for proposal in answer(asked, version)["proposals"]:
            entries = [{"at": minute, **entry} for entry in proposal["entries"]]
            log, origins = [*log, *entries], [*origins, *[[length, minute]] * len(entries)]
        for match in [entry for entry in log[length:] if entry["type"] == "match"]:
            log.append({"at": minute, "type": "result", "match": match["id"], "winner": min(match["players"])})
            origins.append(None)
    digest = hashlib.sha256(seed.encode()).hexdigest()
    return {"format": FORMAT, "hash": digest, "seed": seed, "opened_at": None, "log": log, "drawn": origins}


def named(file: Json, version: int) -> Json:
    """Return a file whose drawn entries name another version."""
    return file | {"log": [entry | {"version": version} if "version" in entry else entry for entry in file["log"]]}


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_of_the_pairing_is_recounted_by_itself(version: int) -> None:
    other = next(each for each in VERSIONS if each != version)
    are_different = False
    for number in range(20):
        file = drawn(version, f"seed {number}")
        assert recount(file) == {"checked": 15, "late": 0, "unknown": 0, "faults": []}
        are_different = are_different or recount(named(file, other))["faults"] != []
    assert are_different, "the versions draw the same: nothing is proved"


def test_a_version_that_is_not_known_here_is_said_to_be_so() -> None:
    file = named(drawn(VERSIONS[-1], "seed"), max(VERSIONS) + 1)
    assert recount(file) == {"checked": 0, "late": 0, "unknown": 15, "faults": []}
