"""The forecast of the end, from the durations of this night's own matches."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from games.kernel.tournaments.formats import mean_length
from games.kernel.tournaments.phases.phase import Phase
from games.kernel.tournaments.state import TournamentState

MINUTES_A_POINT = 8
"""The minutes of a match for each point of its length, before there are matches to go by."""
WEIGHT = 4
"""The guess counts as so many matches."""
LAST = 1.3
"""The last match of many that begin at once, or one after another, takes longer than one in the mean."""


def length_of_minutes(minutes: int) -> int:
    """Return the length of a match that lasts about so many minutes, as that of a money session."""
    return max(1, round(minutes / MINUTES_A_POINT))


def minutes_a_point(tournament: TournamentState) -> float:
    """Return how long a match takes for each point of its length."""
    done = [m for m in tournament.matches.values() if m.counts and m.ended is not None]
    return pace(((match.ended or 0) - match.started, match.length) for match in done)


def pace(played: Iterable[tuple[int, int]]) -> float:
    """Return the minutes for each point of a match, from (minutes, length) of those that were played; a guess first."""
    minutes, points = WEIGHT * 3 * MINUTES_A_POINT, WEIGHT * 3
    for lasting, length in played:
        minutes, points = minutes + lasting, points + length
    return minutes / points


def forecast(tournament: TournamentState, now: int) -> int | None:
    """Return the minute at which the tournament will end; None before the start."""
    if tournament.status == "entry":
        return None
    if tournament.status == "finished":
        return tournament.at
    pace = minutes_a_point(tournament)
    end = _end_of_phase(tournament.phase, now, pace)
    for number in range(len(tournament.phases), len(tournament.plan.phases)):
        advance = tournament.plan.advance[number - 1]
        rounds = max(1, (advance - 1).bit_length())
        end += 1.2 * rounds * pace * mean_length(tournament.plan.phases[number], rounds)
    return max(now, round(end))


def _end_of_phase(phase: Phase, now: int, pace: float) -> float:
    """Return the minute at which the phase that is played will end."""
    match = pace * mean_length(phase.format, max(1, ceil(phase.left())))
    if phase.format.kind == "open_end":
        last = phase.format.last_start
        if now < last:
            return last + LAST * match
        return max((m.started + LAST * match for m in phase.tournament.running()), default=now)
    elapsed = max((now - m.started for m in phase.tournament.running()), default=0)
    return now + phase.left() * match * phase.stretch - min(elapsed, match)
