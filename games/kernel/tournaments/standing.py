"""The standing: later phases before earlier ones, each by its own order."""

from __future__ import annotations

from typing import Any

from games.kernel.tournaments.phases.phase import Groups
from games.kernel.tournaments.state import TournamentState

Json = dict[str, Any]


def wins_and_losses(tournament: TournamentState) -> dict[str, tuple[int, int]]:
    """Return everybody's wins and losses over all phases, those without a match included."""
    wins = dict.fromkeys(tournament.players, 0)
    losses = dict.fromkeys(tournament.players, 0)
    for match in tournament.matches.values():
        if match.counts and match.winner and match.loser:
            wins[match.winner] += 1
            losses[match.loser] += 1
    for phase in tournament.phases:
        for name in phase.players:
            more_wins, more_losses = phase.unplayed(name)
            wins[name] += more_wins
            losses[name] += more_losses
    return {name: (wins[name], losses[name]) for name in wins}


def counted(tournament: TournamentState) -> dict[str, tuple[int, int]]:
    """Return everybody's wins and losses as they count in the standing: without those of who went home too early."""
    counts = wins_and_losses(tournament)
    for phase in tournament.phases:
        if (kept := phase.counted_wins_and_losses()) is None:
            continue
        played = phase.as_played()
        for name in phase.players:
            wins, losses = counts[name]
            counts[name] = (
                wins - played.wins[name] + kept.wins[name],
                losses - played.losses[name] + kept.losses[name],
            )
    return counts


def places(tournament: TournamentState) -> Groups:
    """Return all players that entered, in groups of equal place."""
    seen: set[str] = set()
    found: Groups = []
    for phase in reversed(tournament.phases):
        for group in phase.groups():
            new = [name for name in group if name not in seen]
            seen.update(new)
            found += [new] if new else []
    rest = [name for name in tournament.players if name not in seen]
    return [*found, rest] if rest else found


def standing(tournament: TournamentState) -> list[Json]:
    """Return the rows by place; equal people share it."""
    rows: list[Json] = []
    counts = counted(tournament)
    for group in places(tournament):
        place = len(rows) + 1
        for name in group:
            wins, losses = counts[name]
            rows.append({"player": name, "place": place, "wins": wins, "losses": losses})
    return rows
