"""The recount of draws: `python -m games.kernel.tournaments.recount < draws.json`.

The file is that of a tournament's page: {"format", "hash", "seed", "opened_at", "log", "drawn"}. `drawn` has for each
entry of the log null, or [length, minute]: the entry was proposed after so many entries, for that minute. Each such
entry is proposed again, with the seed whose SHA-256 is `hash`; it must be among the proposals of that time.

Out comes {"checked", "late", "unknown", "faults"}: the number of recounted entries; of these, those that were drawn
when the seed was public (after entry `opened_at`); those of a version of the pairing that is not known here, which are
not recounted; the numbers of the entries that are not what was drawn. `"faults": [-1]` means that the seed is not that
of the hash.
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

from games.kernel import json_commands
from games.kernel.tournaments import house_answers
from games.kernel.tournaments.entries import VERSION, VERSIONS

Json = dict[str, Any]
NOT_DRAWN = ("at", "hand")
WRONG_SEED = -1
NO_FILE: Json = {"error": {"code": "bad_format", "entry": None}}


def recount(given: Json) -> Json:
    """Return what a recount finds in a file of draws; {"error": …} for what is no such file."""
    try:
        return _recounted(given)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return NO_FILE


def _recounted(given: Json) -> Json:
    found: Json = {"checked": 0, "late": 0, "unknown": 0, "faults": []}
    if hashlib.sha256(given["seed"].encode()).hexdigest() != given["hash"]:
        return found | {"faults": [WRONG_SEED]}
    asked: dict[tuple[int, int, int], list[Json]] = {}
    for number, (entry, drawn) in enumerate(zip(given["log"], given["drawn"], strict=True)):
        # Nothing is drawn by an end, and a phase may be added after it.
        if drawn is None or entry["type"] == "finish":
            continue
        version = entry.get("version", VERSION)
        if version not in VERSIONS:
            found["unknown"] += 1
            continue
        key = (drawn[0], drawn[1], version)
        if key not in asked:
            asked[key] = _proposed(given, *key)
        found["checked"] += 1
        found["late"] += given["opened_at"] is not None and drawn[0] >= given["opened_at"]
        if {name: value for name, value in entry.items() if name not in NOT_DRAWN} not in asked[key]:
            found["faults"].append(number)
    return found


def _proposed(given: Json, length: int, minute: int, version: int) -> list[Json]:
    """Return the entries that a version proposed after so many entries of the log, for a minute."""
    asked = {"format": given["format"], "log": given["log"][:length], "now": minute, "seed": given["seed"]}
    answer = house_answers.answer(asked, version)
    proposals = answer.get("proposals", [])
    return [entry for proposal in proposals for entry in proposal.get("entries", [])]


if __name__ == "__main__":
    sys.exit(json_commands.run(json_commands.decoded(recount, NO_FILE), sys.argv[1:]))
