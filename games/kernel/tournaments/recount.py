"""The recount of draws: `python -m games.kernel.tournaments.recount < draws.json`.

The file is that of a tournament's page: {"format", "hash", "seed", "opened_at", "log", "drawn", "by"}. `drawn` has for
each entry of the log null, or [length, minute]: the entry was proposed after so many entries, for that minute. Each
such entry is proposed again, with the seed whose SHA-256 is `hash`; it must be among the proposals of that time. `by`
has for each entry the key of the person who made it, null for the house.

Out comes {"checked", "late", "unknown", "faults", "thrown_away"}: the number of recounted entries; of these, those that
were drawn when the seed was public (after entry `opened_at`); those of a version of the pairing that is not known here,
which are not recounted; the numbers of the entries that are not what was drawn. `"faults": [-1]` means that the seed is
not that of the hash.

`thrown_away` has for each draw that was proposed, but not confirmed before another one, {"before", "because", "by"}:
the number of the entry after which it was proposed no more, the type of this entry, and who made it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.kernel.data import commands
from games.kernel.tournaments.entries import VERSION, VERSIONS
from games.kernel.tournaments.house_answers import GrowingLog

Json = dict[str, Any]
NOT_DRAWN = ("at", "hand")
WRONG_SEED = -1
NO_FILE: Json = {"error": {"code": "bad_format", "entry": None}}
DRAWS = ("match", "bye", "phase", "lot", "session")
"""The types of entries that a lot can decide."""


@dataclass(frozen=True, slots=True)
class DrawDecision:
    """One decision of a draw for some people: their opponents or their order, without ids, boards and minutes."""

    kind: str
    people: frozenset[str]
    what: Any


def recount(given: Json) -> Json:
    """Return what a recount finds in a file of draws; {"error": …} for what is no such file."""
    try:
        return _recounted(given)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return NO_FILE


def _recounted(given: Json) -> Json:
    found: Json = {"checked": 0, "late": 0, "unknown": 0, "faults": [], "thrown_away": []}
    if hashlib.sha256(given["seed"].encode()).hexdigest() != given["hash"]:
        return found | {"faults": [WRONG_SEED]}
    walk = _Walk(given)
    while walk.has_more():
        walk.step()
    found |= {"checked": len(walk.checked), "late": sum(walk.is_late(number) for number in walk.checked)}
    found |= {"unknown": len(walk.unknown), "faults": sorted(set(walk.checked) - walk.proven)}
    return found | {"thrown_away": list(walk.thrown_away())}


class _Walk:
    """The way through a file of draws, entry by entry, on which everything that was proposed is proposed again."""

    def __init__(self, given: Json) -> None:
        self.log: Sequence[Json] = given["log"]
        self.drawn: Sequence[Sequence[int] | None] = given["drawn"]
        self.by: Sequence[str | None] = given.get("by") or [None] * len(self.log)
        if not len(self.log) == len(self.drawn) == len(self.by):
            raise ValueError(given)
        self._opened_at: int | None = given["opened_at"]
        self._growing = GrowingLog(given)
        self._at = 0
        self._asked: dict[tuple[int, int], tuple[list[Json], bool]] = {}
        self.proven: set[int] = set()
        # Nothing is drawn by an end, and a phase may be added after it.
        origins = [n for n, each in enumerate(self.drawn) if each is not None and self.log[n]["type"] != "finish"]
        self.checked = [number for number in origins if self._version(number) in VERSIONS]
        self.unknown = [number for number in origins if self._version(number) not in VERSIONS]
        self._draws: list[tuple[int, DrawDecision]] = []
        """The decisions of the entries that are as they were drawn, by the entries' numbers."""
        self._lost: list[tuple[int, int, set[DrawDecision]]] = []
        """Draws that were not proposed any more: the entry that came instead, the next one, and what was decided."""

    def _version(self, number: int) -> Any:
        return self.log[number].get("version", VERSION)

    def is_late(self, number: int) -> bool:
        """Tell whether an entry was drawn when the seed was public."""
        origin = self.drawn[number]
        return self._opened_at is not None and origin is not None and origin[0] >= self._opened_at

    def has_more(self) -> bool:
        """Tell whether the end is not reached."""
        return self._at <= len(self.log)

    def step(self) -> None:
        """Ask what was proposed here, and go on by the entries that were confirmed together, or by the next one."""
        start, end, version = self._at, self._end_of_confirmed(), self._next_version()
        self._prove()
        minute = self.log[start]["at"] if version is not None else 0
        left = _by_lot(*self._ask(minute, version)) if version is not None else set()
        left -= _decisions([self.log[number] for number in range(start, end) if number in self.proven])
        self._go_on(end)
        if left and version is not None:
            left -= _decisions(self._ask(minute, version)[0])
            self._lost.append((start, end, left))

    def _next_version(self) -> int | None:
        """Return the version of the next draw that was confirmed; None without one, and where it is not known here."""
        later = (number for number in self.checked if number >= self._at and self.log[number]["type"] in DRAWS)
        return next((int(self._version(number)) for number in later), None)

    def _end_of_confirmed(self) -> int:
        """Return the number of the entry after those that were proposed here and confirmed."""
        end = self._at
        while end < len(self.log) and (origin := self.drawn[end]) is not None and origin[0] == self._at:
            end += 1
        return max(end, self._at + 1)

    def _go_on(self, end: int) -> None:
        for entry in self.log[self._at : end]:
            self._growing.add(entry)
        self._at, self._asked = end, {}

    def _prove(self) -> None:
        """Compare the entries that were drawn here with what is proposed again."""
        for number in self.checked:
            origin = self.drawn[number]
            if origin is not None and origin[0] == self._at:
                entry = {name: value for name, value in self.log[number].items() if name not in NOT_DRAWN}
                version = self._version(number)
                found = self._ask(origin[1], version)[0]
                if entry in found or entry in self._growing.proposed_earlier(origin[1], version):
                    self.proven.add(number)
                    self._draws += [(number, each) for each in _decisions([entry])]

    def _ask(self, minute: int, version: int) -> tuple[list[Json], bool]:
        """Return what a version proposes here for a minute, and whether a lot was drawn for it."""
        if (minute, version) not in self._asked:
            self._asked[minute, version] = self._growing.proposed(minute, version)
        return self._asked[minute, version]

    def thrown_away(self) -> Iterator[Json]:
        """Yield the draws in whose place another one was confirmed."""
        for before, following, lost in self._lost:
            if any(self._is_otherwise(each, following) for each in lost):
                yield {"before": before, "because": self.log[before]["type"], "by": self.by[before]}

    def _is_otherwise(self, decided: DrawDecision, following: int) -> bool:
        """Tell whether what the next draw decides for people is something else."""
        later = (each for number, each in self._draws if number >= following and each.kind == decided.kind)
        return next((each != decided for each in later if each.people & decided.people), False)


def _by_lot(entries: Sequence[Json], is_by_lot: bool) -> set[DrawDecision]:
    """Return what a lot has decided in proposed entries."""
    return _decisions(entries) if is_by_lot else set()


def _decisions(entries: Sequence[Json]) -> set[DrawDecision]:
    """Return what entries decide; of a bracket or a schedule its order, from which its matches follow."""
    found = {_decision(entry) for entry in entries if entry["type"] in DRAWS}
    orders = {each for each in found if each.kind == "phase"}
    return orders or found


def _decision(entry: Json) -> DrawDecision:
    if entry["type"] in ("match", "bye"):
        people = frozenset(entry["players"] if entry["type"] == "match" else [entry["player"]])
        return DrawDecision("pair", people, people)
    if entry["type"] == "session":
        tables = frozenset(frozenset(table) for table in entry["tables"])
        return DrawDecision("session", frozenset().union(*tables), tables)
    return DrawDecision(entry["type"], frozenset(entry["players"]), tuple(entry["players"]))


if __name__ == "__main__":
    sys.exit(commands.run(commands.decoded(recount, NO_FILE), sys.argv[1:]))
