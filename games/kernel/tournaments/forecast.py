"""The forecast of the end, from the durations of this night's own matches."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from games.kernel.tournaments import log
from games.kernel.tournaments.formats import PhasePlan
from games.kernel.tournaments.phases.kinds import next_phase
from games.kernel.tournaments.phases.phase import EndOutlook, Phase
from games.kernel.tournaments.standing import places
from games.kernel.tournaments.state import TournamentState
from games.kernel.tournaments.uncertain import Uncertain, rest_of_match

MINUTES_A_POINT = 8
"""The minutes of a match for each point of its length, before there are matches to go by."""
WEIGHT, WEIGHT_FOR_END = 4, 8
"""The guess counts as so many matches; it holds longer for the end of the evening."""
AT_A_BREAK = 0.56
"""The part of a match that is still played in the mean when a break begins."""
MOST_PROPOSED = 64
"""More people are taken for so many, where only a plan is forecast."""


def length_of_minutes(minutes: int) -> int:
    """Return the length of a match that lasts about so many minutes, as that of a money session."""
    return max(1, round(minutes / MINUTES_A_POINT))


def minutes_a_point(tournament: TournamentState) -> float:
    """Return how long a match takes for each point of its length."""
    done = [m for m in tournament.matches.values() if m.counts and m.ended is not None]
    played = [(float((match.ended or 0) - match.started), match.length) for match in done]
    # Without the running ones too few long matches would count.
    guess, now = pace(played, WEIGHT_FOR_END), tournament.now
    for match in tournament.running():
        elapsed = now - match.started
        played.append((elapsed + rest_of_match(guess * match.length, elapsed).mean, match.length))
    return pace(played, WEIGHT_FOR_END)


def pace(played: Iterable[tuple[float, int]], weight: int = WEIGHT) -> float:
    """Return the minutes for each point of a match, from (minutes, length) of those that were played; a guess first."""
    minutes, points = float(weight * 3 * MINUTES_A_POINT), weight * 3
    for lasting, length in played:
        minutes, points = minutes + lasting, points + length
    return minutes / points


def forecast(tournament: TournamentState, now: int) -> int | None:
    """Return the minute at which the tournament will end; None before the start."""
    if tournament.status == "entry":
        return None
    if tournament.status == "finished":
        return tournament.at
    tournament.now = now
    seen = EndOutlook(Uncertain(now), now, minutes_a_point(tournament))
    end = _end_of(tournament.phase, seen)
    order = [n for group in places(tournament) for n in group if not tournament.players[n].is_withdrawn]
    for number in range(len(tournament.phases), len(tournament.plan.phases)):
        order = order[: tournament.plan.advance[number - 1]]
        if len(order) > 1:
            phase = next_phase(tournament, number)
            phase.begin(order, round(end.mean))
            end = _end_of(phase, EndOutlook(end, now, seen.pace))
    return max(now, round(end.mean))


def _end_of(phase: Phase, seen: EndOutlook) -> Uncertain:
    """Return when a phase will end, with the breaks that are planned or on."""
    end = phase.ends(seen)
    if phase.format.kind == "open_end":
        # Its last start is a time of day.
        return end
    mean, point = end.mean, seen.pace * phase.format.length
    for begins, ends in sorted(phase.tournament.breaks):
        if not seen.start.mean < ends or begins >= mean:
            continue
        rests = [max(0.0, phase.end_of(match, seen).mean - seen.now) for match in phase.running()]
        played = AT_A_BREAK * point if begins > seen.start.mean else sum(rests) / len(rests) if rests else 0.0
        mean += max(0.0, ends - max(begins, seen.start.mean) - played)
    return Uncertain(mean, end.variance)


@lru_cache(maxsize=256)
def of_plan(plan: PhasePlan, people: int) -> int:
    """Return the minutes that a tournament of two people or more takes, from its start to its end."""
    tournament = TournamentState(plan)
    for at in range(min(people, MOST_PROPOSED)):
        log.apply(tournament, {"at": 0, "type": "enter", "player": f"p{at}", "seed": at + 1})
    log.apply(tournament, {"at": 0, "type": "start"})
    return forecast(tournament, 0) or 0
