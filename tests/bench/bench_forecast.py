"""How far the forecast of the end lies from the end, at half-time: `python -m tests.bench.bench_forecast [people]`.

200 nights of each format are played with matches that last 8 minutes a point in the mean, gamma-distributed with a
spread of 35 %, every proposal confirmed at once. The error is the forecast at half-time less the real end, in minutes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from games.kernel.draws.lots import Lot
from games.kernel.tournaments import formats, log
from games.kernel.tournaments.forecast import forecast
from games.kernel.tournaments.proposals import proposals
from games.kernel.tournaments.state import TournamentState

Json = dict[str, Any]
NIGHTS, PEOPLE, SPREAD, MINUTES_A_POINT = 200, 24, 0.35, 8
MOST_MEAN, MOST_MEDIAN, MOST_MEDIAN_OPEN_END = 15.0, 15.0, 10.0
CUP = {"kind": "knockout", "seeding": "given"}
FORMATS: dict[str, Json] = {
    "open end": {"kind": "open_end", "last_start": 180},
    "open end with a cup of 2": {"kind": "open_end", "last_start": 168, "cup": 2},
    "open end with a cup of 4": {"kind": "open_end", "last_start": 139, "cup": 4},
    "two lives": {"kind": "lives"},
    "two lives in batches": {"kind": "lives", "batch": 10},
    "knock-out": {"kind": "knockout"},
    "knock-out with consolation": {"kind": "knockout", "consolation": True},
    "knock-outs of eight": {"kind": "knockout", "rolling": 8},
    "double elimination": {"kind": "double"},
    "round robin, two groups": {"kind": "round_robin", "groups": 2},
    "four groups with knock-out": {"phases": [{"kind": "round_robin", "groups": 4}, CUP], "advance": [4]},
    "two groups with knock-out": {"phases": [{"kind": "round_robin", "groups": 2}, CUP], "advance": [4]},
    "six matches each": {"kind": "schedule", "matches": 6},
    "Swiss with play-off": {"kind": "swiss", "rounds": 5},
    "Swiss, ties shared": {"kind": "swiss", "rounds": 5, "tie": "wins"},
    "neighbours": {"kind": "neighbours", "rounds": 4},
    "six matches on eight boards": {"kind": "schedule", "matches": 6, "tables": 8},
}
"""Name → format, whose errors are held to the bounds."""
FURTHER: dict[str, Json] = {
    "double, longer finals": {"kind": "double", "last_lengths": [5, 5]},
    "round robin": {"kind": "round_robin"},
    "six matches with knock-out": {"phases": [{"kind": "schedule", "matches": 6}, CUP], "advance": [4]},
    "Swiss with knock-out": {"phases": [{"kind": "swiss", "rounds": 4}, CUP], "advance": [4]},
    "Swiss on eight boards": {"kind": "swiss", "rounds": 5, "tables": 8},
    "double on five boards": {"kind": "double", "tables": 5},
}
"""Those whose ends nobody knows so well: eleven hours, a second final, or any number of play-offs for a place."""


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of a format's forecasts: their mean, the median of their sizes, and the minutes of a night."""

    mean: float
    median: float
    lasting: float

    def fits(self, format_: Json) -> bool:
        """Tell whether they lie within the bounds."""
        most = MOST_MEDIAN_OPEN_END if format_ == FORMATS["open end"] else MOST_MEDIAN
        return abs(self.mean) <= MOST_MEAN and self.median <= most


def night(format_: Json, people: int, seed: int) -> list[Json]:
    """Return the log of a night that is played to its end."""
    chance, tournament = random.Random(seed), TournamentState(formats.read(format_))
    entries: list[Json] = []
    ends: dict[str, int] = {}

    def add(now: int, entry: Json) -> None:
        entries.append({"at": now, **entry})
        log.apply(tournament, entries[-1])

    for at in range(people):
        add(0, {"type": "enter", "player": f"p{at}", "seed": at + 1})
    now = 0
    while tournament.status != "finished":
        proposed = proposals(tournament, now, Lot(seed, len(entries)))
        found = [entry for each in proposed for entry in each.get("entries", ())]
        for entry in found:
            add(now, entry)
            if entry["type"] == "match":
                shape = 1 / SPREAD**2
                minutes = chance.gammavariate(shape, entry["length"] * MINUTES_A_POINT / shape)
                ends[entry["id"]] = now + max(1, round(minutes))
        if found:
            continue
        waits = [each["wait"]["until"] for each in proposed if "wait" in each and each["wait"]["until"] is not None]
        match = min(tournament.running(), key=lambda each: ends[each.id], default=None)
        if match is None or (waits and min(waits) < ends[match.id]):
            now = min(waits)
            continue
        now = ends[match.id]
        winner, length = chance.choice(match.players), match.length
        score = [length if name == winner else chance.randrange(length) for name in match.players]
        add(now, {"type": "result", "match": match.id, "winner": winner, "score": score})
    return entries


def error(format_: Json, entries: Sequence[Json], share: float = 0.5) -> float:
    """Return the forecast at a share of a night, by its log, less the minute of its end."""
    end = entries[-1]["at"]
    half = round(end * share)
    tournament = log.replay(formats.read(format_), [entry for entry in entries if entry["at"] <= half])
    return (forecast(tournament, half) or 0) - end


def errors(format_: Json, people: int = PEOPLE, nights: int = NIGHTS, share: float = 0.5) -> Errors:
    """Return the errors over some nights of a format."""
    logs = [night(format_, people, seed) for seed in range(nights)]
    found = [error(format_, entries, share) for entries in logs]
    return Errors(fmean(found), median(map(abs, found)), fmean(entries[-1]["at"] for entries in logs))


def main() -> None:
    """Print the errors of each format, with those that lie outside the bounds marked."""
    people = int(sys.argv[1]) if len(sys.argv) > 1 else PEOPLE
    nights = int(sys.argv[2]) if len(sys.argv) > 2 else NIGHTS
    share = float(sys.argv[3]) if len(sys.argv) > 3 else 0.5
    print(f"{people} people, {nights} nights of each, at {share:.0%} of the night")
    print(f"{'minutes':32}{'mean':>8}{'median of its size':>20}")
    for name, format_ in {**FORMATS, **FURTHER}.items():
        found = errors(format_, people, nights, share)
        mark = "" if found.fits(format_) else "  outside the bounds"
        print(f"{name:32}{found.mean:+8.1f}{found.median:8.1f}   of {found.lasting:.0f}{mark}", flush=True)


if __name__ == "__main__":
    main()
