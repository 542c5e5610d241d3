"""Nights of the tests: a log that grows by confirmed proposals and results, and what must hold after every entry."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.kernel.tournaments import formats
from games.kernel.tournaments.answers import answer
from games.kernel.tournaments.entries import VERSION
from games.kernel.tournaments.phases.phase import PLAYOFF

Json = dict[str, Any]

FORMATS: dict[str, Json] = {
    "open_end": {"kind": "open_end", "last_start": 90},
    "cup": {"kind": "open_end", "last_start": 60, "cup": 4},
    "lives": {"kind": "lives"},
    "batches": {"kind": "lives", "batch": 10},
    "knockout": {"kind": "knockout", "consolation": True},
    "seeded": {"kind": "knockout", "seeding": "given"},
    "rolling": {"kind": "knockout", "rolling": 8, "reentry_until": 1},
    "double": {"kind": "double", "last_lengths": [5]},
    "round_robin": {"kind": "round_robin"},
    "lots": {"kind": "round_robin", "groups": 2, "tie": "lot"},
    "groups": {"phases": [{"kind": "round_robin", "groups": 2}, {"kind": "knockout"}], "advance": [4]},
    "schedule": {
        "phases": [{"kind": "schedule", "matches": 6}, {"kind": "knockout", "seeding": "given"}],
        "advance": [4],
    },
    "swiss": {"kind": "swiss", "rounds": 5},
    "buchholz": {"kind": "swiss", "tie": "buchholz"},
    "neighbours": {"kind": "neighbours", "rounds": 4, "order": ["p3", "p1"]},
    "two_tables": {"kind": "swiss", "rounds": 3, "tables": 2, "tie": "head_to_head"},
}


class Night:
    """A tournament under way; times are those of a false clock."""

    def __init__(self, format_: Json, people: int, seed: int = 0, version: int = VERSION) -> None:
        self.format = format_
        self.version = version
        self.log: list[Json] = []
        self.now = 0
        self.seed = seed
        self.chance = random.Random(seed)
        self.ends: dict[str, int] = {}
        for at in range(people):
            self.add("enter", player=f"p{at}", seed=at + 1)

    def ask(self) -> Json:
        """Return the answer, which must be none of a refusal."""
        asked = {"format": self.format, "log": self.log, "now": self.now, "seed": self.seed}
        found = answer(asked, self.version)
        assert "error" not in found, (found, self.log[-3:])
        return found

    def add(self, type_: str, **fields: Any) -> None:
        """Add an entry."""
        self.log.append({"at": self.now, "type": type_} | fields)

    def try_(self, type_: str, **fields: Any) -> str | None:
        """Add an entry if it is not refused, else return the code."""
        self.add(type_, **fields)
        found = answer({"format": self.format, "log": self.log, "now": self.now, "seed": self.seed})
        if "error" not in found:
            return None
        self.log.pop()
        return str(found["error"]["code"])

    def confirm(self, proposals: list[Json]) -> int:
        """Confirm proposals; return the number of entries."""
        entries = [entry for proposal in proposals for entry in proposal.get("entries", [])]
        for entry in entries:
            self.log.append({"at": self.now} | entry)
            if entry["type"] == "match":
                self.ends[entry["id"]] = self.now + self.minutes(entry["length"])
        return len(entries)

    def minutes(self, length: int) -> int:
        """Return the duration of a match: 8 minutes a point, spread 35 %."""
        shape = 1 / 0.35**2
        return max(1, round(self.chance.gammavariate(shape, length * 8 / shape)))

    def running(self, state: Json) -> list[Json]:
        return [match for match in state["matches"] if match["status"] == "running"]

    def end_next(self, state: Json) -> None:
        """Go on to the end of the running match that ends first."""
        match = min(self.running(state), key=lambda each: (self.ends.get(each["id"], 0), each["id"]))
        self.now = max(self.now, self.ends.get(match["id"], 0))
        winner = self.chance.choice(match["players"])
        mine = [
            match["length"] if name == winner else self.chance.randrange(match["length"]) for name in match["players"]
        ]
        self.add("result", match=match["id"], winner=winner, score=mine)

    def wait_until(self, proposals: list[Json], state: Json) -> bool:
        """Go on to the next result, or to the minute that a wait names; return whether there was either."""
        minutes = [each["wait"]["until"] for each in proposals if "wait" in each and each["wait"]["until"] is not None]
        ends = [self.ends.get(each["id"], 0) for each in self.running(state)]
        if minutes and (not ends or min(minutes) < min(ends)):
            assert min(minutes) > self.now, proposals
            self.now = min(minutes)
            return True
        if ends:
            self.end_next(state)
        return bool(ends)

    def steps(self) -> Iterator[Json]:
        """Play on until the end; yield every answer."""
        for _ in range(20_000):
            found = self.ask()
            yield found
            if found["state"]["status"] == "finished":
                return
            if not self.confirm(found["proposals"]):
                assert self.wait_until(found["proposals"], found["state"]), ("nothing to do", found)
        raise AssertionError("no end")

    def play(self) -> Json:
        """Play to the end; return the last answer."""
        for found in self.steps():
            check(found, self.format)
        return found


def check(found: Json, format_: Json) -> None:
    """Check what holds in every answer to a tournament of a format."""
    json.dumps(found)
    state, proposals = found["state"], found["proposals"]
    status = {each["player"]: each["status"] for each in state["players"]}
    running = [match for match in state["matches"] if match["status"] == "running"]
    playing = Counter(name for match in running for name in match["players"])
    assert all(times == 1 for times in playing.values())
    assert {name for name, value in status.items() if value == "playing"} == set(playing)
    entries = [entry for proposal in proposals for entry in proposal.get("entries", [])]
    named = [
        name
        for entry in entries
        if entry["type"] in ("match", "bye")
        for name in entry.get("players", [entry.get("player")])
    ]
    assert len(set(named)) == len(named)
    draws = any(entry["type"] == "phase" for entry in entries)
    assert draws or all(status[name] in ("free", "out") for name in named)
    ids = [entry["id"] for entry in entries if entry["type"] == "match"]
    assert len(set(ids)) == len(ids) and not set(ids) & {match["id"] for match in state["matches"]}
    tables = [entry.get("table") for entry in entries + running if entry.get("table") is not None]
    assert len(set(tables)) == len(tables)
    if state["status"] == "running" and not running:
        assert entries or any("wait" in each and each["wait"]["until"] is not None for each in proposals), found
    assert sorted(row["player"] for row in found["standing"]) == sorted(status)
    places = [row["place"] for row in found["standing"]]
    assert places == sorted(places) and all(place == 1 + sum(p < place for p in places) for place in places)
    check_rematches(found, format_)
    check_byes(found)


def check_rematches(found: Json, format_: Json) -> None:
    """Check that no pair is proposed again where the format forbids it; a play-off and a bracket may pair it again.

    A match that is void was not played. Of an open end a rematch is one after twice the patience, with its name; of
    lives and Swiss one to which there is no other way, and then a director is asked; of neighbours none is the third
    in a row while three people or more are there.
    """
    state = found["state"]
    phase = formats.read(format_).phases[state["phase"]]
    played = [m for m in state["matches"] if m["phase"] == state["phase"] and m["status"] != "void"]
    met = Counter(frozenset(m["players"]) for m in played)
    rounds = {(frozenset(m["players"]), m["round"]) for m in played}
    for proposal in found["proposals"]:
        for entry in proposal.get("entries", []):
            is_round = entry["type"] == "match" and entry.get("round") != PLAYOFF
            pair = frozenset(entry["players"]) if is_round else frozenset()
            is_bracket = phase.kind == "lives" and "round" in entry
            if not met[pair] or phase.kind in ("knockout", "double") or is_bracket:
                continue
            if phase.kind == "neighbours":
                before = [(pair, entry["round"] - back) in rounds for back in (1, 2)]
                assert not all(before) or sum(p["status"] == "free" for p in state["players"]) < 3, (entry, found)
            elif phase.kind == "open_end":
                assert proposal["why"] == "rematch", (entry, found)
            else:
                is_named = entry.get("forced") is True and proposal["mode"] == "ask"
                assert phase.kind in ("lives", "swiss") and is_named, (entry, found)


def check_byes(found: Json) -> None:
    """Check that nobody is proposed a second bye while somebody of the round has had none."""
    byes = {each["player"]: each["byes"] for each in found["state"]["players"]}
    entries = [entry for proposal in found["proposals"] for entry in proposal.get("entries", [])]
    rest = [entry["player"] for entry in entries if entry["type"] == "bye"]
    paired = [name for entry in entries if entry["type"] == "match" for name in entry["players"]]
    assert len(rest) <= 1
    for name in rest:
        assert not byes[name] or all(byes[other] for other in paired), (name, found)
