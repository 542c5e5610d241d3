"""One question to a tournament: what should happen now? It collects proposals and waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.kernel.draws.lots import Lot
from games.kernel.tournaments.chance import BY_STATE
from games.kernel.tournaments.entries import VERSION
from games.kernel.tournaments.pairing import earlier_matching, matching
from games.kernel.tournaments.state import TournamentState

Json = dict[str, Any]
SECONDS = 20
"""A proposal that carries itself out does so after so many seconds."""


class Asking:
    """The proposals for one minute by a version of the pairing; tables, ids and people are given once."""

    def __init__(self, tournament: TournamentState, now: int, lot: Lot, version: int = VERSION) -> None:
        self.tournament = tournament
        self.now = now
        self.lot = lot
        self.version = version
        self.proposals: list[Json] = []
        self.waits: dict[str, int | None] = {}
        self.taken: set[str] = set()
        self._number = _last_number(tournament)
        self._used = tournament.tables_in_use() | tournament.tables_out
        self.break_end = max((end for start, end in tournament.breaks if start <= now < end), default=None)

    def by_lot(self, names: Iterable[str]) -> list[str]:
        """Return people in an order by lot; since version 3 whatever order they come in."""
        return self.lot.shuffled(names if self.version < BY_STATE else sorted(names))

    def best_pairs(self, costs: matching.Costs) -> list[tuple[int, int]]:
        """Return the cheapest pairs of numbers; before version 3, pairs of little cost."""
        if self.version < BY_STATE:
            return earlier_matching.best_pairs(costs)
        return matching.best_pairs(costs, self.lot)

    def free(self, names: Iterable[str]) -> list[str]:
        """Return the free ones of these players that are in no proposal yet."""
        players = self.tournament.players
        return [name for name in names if players[name].status == "free" and name not in self.taken]

    def since(self, name: str) -> int:
        """Return the minute from which a player's present status holds."""
        return self.tournament.players[name].since

    def wait(self, why: str, until: int | None = None) -> None:
        """Say why people wait; of several minutes the first one counts."""
        known = self.waits.get(why)
        self.waits[why] = until if known is None else min(known, known if until is None else until)

    def match(
        self, players: Sequence[str], round_: int | None = None, *, forced: bool = False, length: int | None = None
    ) -> Json | None:
        """Return the entry of a new match, of the format's length without another one.

        None in a break or without a table, which is noted.
        """
        if self.break_end is not None:
            self.wait("break", self.break_end)
            return None
        table = None
        if (tables := self.tournament.phase.format.tables) is not None:
            table = next((each for each in range(1, tables + 1) if each not in self._used), None)
            if table is None:
                self.wait("no_table")
                return None
            self._used.add(table)
        self._number += 1
        self.taken.update(players)
        phase = self.tournament.phase
        entry: Json = {"type": "match", "id": f"m{self._number}", "players": list(players)}
        entry |= {"length": length or phase.format.length, "phase": phase.number}
        entry |= {"round": round_} if round_ is not None else {}
        entry |= {"table": table} if table is not None else {}
        return entry | ({"forced": True} if forced else {}) | {"version": self.version}

    def propose(self, entries: Sequence[Json | None], why: str, *, is_asked: bool = False) -> None:
        """Propose entries, as far as there are any; the director is asked, or they carry themselves out."""
        if found := [entry for entry in entries if entry is not None]:
            mode = "ask" if is_asked else "auto"
            self.proposals.append({"entries": found, "why": why, "mode": mode, "in": None if is_asked else SECONDS})

    def answer(self) -> list[Json]:
        """Return proposals, then waits."""
        return self.proposals + [{"wait": {"until": until}, "why": why} for why, until in self.waits.items()]


def _last_number(tournament: TournamentState) -> int:
    """Return the largest number of an id "m…"; without any, the number of matches."""
    ends = [id_[1:] for id_ in tournament.matches if id_.startswith("m") and len(id_) < 12]
    return max((int(end) for end in ends if end.isascii() and end.isdigit()), default=len(tournament.matches))
