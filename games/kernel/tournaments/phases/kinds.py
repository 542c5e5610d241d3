"""The kinds of phases by name."""

from __future__ import annotations

from games.kernel.tournaments.phases.knockouts import Double, Knockout
from games.kernel.tournaments.phases.lives import Lives
from games.kernel.tournaments.phases.open_end import OpenEnd
from games.kernel.tournaments.phases.pairs import RoundRobin, Schedule
from games.kernel.tournaments.phases.phase import Phase
from games.kernel.tournaments.phases.rounds import Neighbours, Swiss
from games.kernel.tournaments.state import TournamentState

CLASSES: dict[str, type[Phase]] = {
    "open_end": OpenEnd,
    "lives": Lives,
    "knockout": Knockout,
    "double": Double,
    "round_robin": RoundRobin,
    "schedule": Schedule,
    "swiss": Swiss,
    "neighbours": Neighbours,
}


def next_phase(tournament: TournamentState, number: int | None = None) -> Phase:
    """Return the phase that follows, or that of a number, not yet begun."""
    number = len(tournament.phases) if number is None else number
    format_ = tournament.plan.phases[number]
    return CLASSES[format_.kind](tournament, number, format_)
