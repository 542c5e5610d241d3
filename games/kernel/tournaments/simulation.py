"""An evening played in advance: how long people wait with so many boards, and when it ends.

The house's own pairing plays it with matches that last 8 minutes a point in the mean. Chance has a fixed seed: an
answer follows from the input alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from games.kernel.draws.lots import Lot
from games.kernel.tournaments import formats, log
from games.kernel.tournaments.forecast import MINUTES_A_POINT
from games.kernel.tournaments.proposals import proposals
from games.kernel.tournaments.state import TournamentMatch, TournamentState
from games.kernel.tournaments.uncertain import SPREAD

Json = dict[str, Any]
MOST_PEOPLE = 24
"""More people are played as so many, with boards in proportion: it takes a page too long else."""


@dataclass(frozen=True, slots=True)
class EveningForecast:
    """The course of an evening: the minutes that a person waits between matches in the mean, and when it ends."""

    waiting: float
    end: float


def course(format_: Json, people: int) -> EveningForecast:
    """Return the course of an evening of a format for two people or more; raises EntriesRefused for no format."""
    plan = formats.read(format_)
    if people > MOST_PEOPLE:
        plan = replace(plan, phases=tuple(_smaller(each, people) for each in plan.phases))
    return _evening(plan, min(people, MOST_PEOPLE))


def _smaller(phase: formats.Format, people: int) -> formats.Format:
    boards = phase.tables and max(1, round(phase.tables * MOST_PEOPLE / people))
    return replace(phase, tables=boards)


@lru_cache(maxsize=256)
def _evening(plan: formats.PhasePlan, people: int) -> EveningForecast:
    """Play an evening in which every proposal is confirmed at once."""
    tournament, chance = TournamentState(plan), random.Random(people)
    ends: dict[str, int] = {}
    for at in range(people):
        log.apply(tournament, {"at": 0, "type": "enter", "player": f"p{at}", "seed": at + 1})
    now = steps = 0
    while tournament.status != "finished":
        steps += 1
        proposed = proposals(tournament, now, Lot(people, steps))
        entries = [entry for each in proposed for entry in each.get("entries", ())]
        for entry in entries:
            log.apply(tournament, {"at": now, **entry})
            if entry["type"] == "match":
                ends[entry["id"]] = now + _minutes(entry["length"], chance)
        if not entries:
            now = _go_on(tournament, proposed, ends, chance)
    return EveningForecast(_waited(list(tournament.matches.values()), people), tournament.at)


def _minutes(length: int, chance: random.Random) -> int:
    shape = 1 / SPREAD**2
    return max(1, round(chance.gammavariate(shape, length * MINUTES_A_POINT / shape)))


def _go_on(tournament: TournamentState, proposed: Sequence[Json], ends: dict[str, int], chance: random.Random) -> int:
    """Enter the next result and return its minute; where a wait ends before it, return the minute of that end."""
    waits = (each["wait"]["until"] for each in proposed if "wait" in each)
    until: list[int] = [minute for minute in waits if minute is not None]
    match = min(tournament.running(), key=lambda each: ends[each.id], default=None)
    if match is None or (until and min(until) < ends[match.id]):
        return min(until)
    entry = {"type": "result", "match": match.id, "winner": chance.choice(match.players)}
    log.apply(tournament, {"at": ends[match.id], **entry})
    return ends.pop(match.id)


def _waited(matches: Sequence[TournamentMatch], people: int) -> float:
    """Return the minutes that a person has waited in the mean, from the start to their last match."""
    waited: Counter[str] = Counter()
    free: Counter[str] = Counter()
    for match in sorted(matches, key=lambda each: each.started):
        for name in match.players:
            waited[name] += match.started - free[name]
            free[name] = match.ended or match.started
    return waited.total() / people
