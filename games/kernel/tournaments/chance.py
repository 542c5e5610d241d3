"""The chance of a tournament's next draw: a lot that follows from the seed and what is known of the tournament."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from games.kernel.draws.lots import Lot
from games.kernel.tournaments.standing import wins_and_losses
from games.kernel.tournaments.state import TournamentState

BY_STATE = 3
"""The first version of the pairing whose lot follows from the state of the tournament, not from the log's length."""
Row = tuple[str, int, int, int | None, int]
"""A person's key, wins, losses, lives and byes."""
HERE = ("free", "playing")
"""The statuses of people who are here and not out."""


def lot_of(tournament: TournamentState, seed: int | str, length: int, version: int) -> Lot:
    """Return the chance of the next draw after a log of a length, by a version of the pairing."""
    if version < BY_STATE:
        return Lot(seed, length)
    counts = wins_and_losses(tournament)
    phase = tournament.phase if tournament.phases else None
    people = [
        (name, *counts[name], phase.lives(name) if phase else None, tournament.byes(name))
        for name, player in tournament.players.items()
        if player.status in HERE
    ]
    met = (match.players for match in tournament.matches.values() if match.status != "void")
    number, round_ = (phase.number, phase.round()) if phase else (0, None)
    return Lot(seed, digest(tournament.draws, number, round_, people, met))


def digest(draws: int, phase: int, round_: int | None, people: Iterable[Row], met: Iterable[Iterable[str]]) -> str:
    """Return what a lot follows from, the same for any order of people and of meetings.

    It is the SHA-256, in hexadecimal digits, of the JSON [draws, phase, round, [[key, wins, losses, lives, byes], …],
    [[key, key, times], …]] without blanks, in ASCII: the draws that were confirmed so far, the people who are here and
    not out, and all pairs that have met.
    """
    times = Counter(tuple(sorted(pair)) for pair in met)
    told = [draws, phase, round_, sorted(people), [[*pair, count] for pair, count in sorted(times.items())]]
    return hashlib.sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()
