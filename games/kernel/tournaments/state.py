"""The state of a tournament: its players, matches and phases, as the replay of its log builds them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from games.kernel.tournaments.entries import VERSION
from games.kernel.tournaments.formats import PhasePlan

if TYPE_CHECKING:
    from games.kernel.tournaments.phases.phase import Phase


@dataclass(slots=True)
class Entered:
    """A player that entered; `since` is the minute from which the status holds."""

    name: str
    since: int
    seed: int | None = None
    status: str = "free"
    is_withdrawn: bool = False
    is_pausing: bool = False
    leaves: str = ""
    """Withdrawal at the end of the running match: "after", "one", or ""."""
    left: tuple[int, int] | None = None
    """For who has gone while free: the draws that were confirmed by then, and the minute from which they were free."""
    mark: int = 0
    """For a pause: the matches that had ended, or the rounds that had begun, when it began."""
    byes: int = 0


@dataclass(slots=True)
class TournamentMatch:
    """A match; `number` is its place among the matches of the log."""

    id: str
    number: int
    players: tuple[str, str]
    phase: int
    round: int | None
    length: int
    table: int | None
    started: int
    is_by_hand: bool
    status: str = "running"
    winner: str | None = None
    score: list[int] | None = None
    ended: int | None = None
    end_number: int = 0
    """The place of its end among the ends of the log, from 1."""
    ends_before: int = 0
    """The matches that had ended when it began."""
    is_corrected: bool = False
    stands: bool = False

    @property
    def loser(self) -> str | None:
        """Return the loser; None before the result."""
        if self.winner is None:
            return None
        return self.players[self.winner == self.players[0]]

    @property
    def counts(self) -> bool:
        """Tell whether it is decided and not void."""
        return self.status == "done"


@dataclass(slots=True)
class TournamentState:
    """Everything that the log has led to."""

    plan: PhasePlan
    version: int = VERSION
    """The version of the pairing by whose rules it is played."""
    status: str = "entry"
    at: int = 0
    """The minute of the last entry."""
    now: int = 0
    """The minute for which it is asked."""
    started: int = 0
    players: dict[str, Entered] = field(default_factory=dict)
    matches: dict[str, TournamentMatch] = field(default_factory=dict)
    phases: list[Phase] = field(default_factory=list)
    busy: dict[str, TournamentMatch] = field(default_factory=dict)
    """Player → their running match."""
    ends: int = 0
    """The matches that have ended."""
    breaks: list[tuple[int, int]] = field(default_factory=list)
    tables_out: set[int] = field(default_factory=set)
    draws: int = 0
    """The draws that were confirmed, void matches included: what was proposed and not made by hand."""

    @property
    def phase(self) -> Phase:
        """Return the phase that is played."""
        return self.phases[-1]

    def running(self) -> list[TournamentMatch]:
        """Return the running matches in the order of the log."""
        return sorted({match.number: match for match in self.busy.values()}.values(), key=lambda each: each.number)

    def is_here(self, name: str) -> bool:
        """Tell whether a player is neither withdrawn nor pausing."""
        player = self.players[name]
        return not (player.is_withdrawn or player.is_pausing)

    def byes(self, name: str) -> int:
        """Return a player's byes, and the rounds passed without an opponent."""
        return self.players[name].byes + sum(phase.passed(name) for phase in self.phases)

    def tables_in_use(self) -> set[int]:
        """Return the tables of the running matches."""
        return {match.table for match in self.busy.values() if match.table is not None}

    def refresh(self, names: list[str], at: int) -> None:
        """Give players their status; where it changes, it holds from this minute on."""
        for name in names:
            player = self.players[name]
            status = self._status(player)
            if status != player.status:
                player.status, player.since = status, at

    def _status(self, player: Entered) -> str:
        if player.is_withdrawn:
            return "withdrawn"
        if player.name in self.busy:
            return "playing"
        if self.phases and self.status != "entry" and self.phase.is_out(player.name):
            return "out"
        return "pausing" if player.is_pausing else "free"
