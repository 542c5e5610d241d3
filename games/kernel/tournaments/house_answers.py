"""The answer to a tournament of the house: of all kinds of the command, and of the World-Cup Chouette."""

from __future__ import annotations

from typing import Any

from games.kernel.tournaments import answers, chance, formats, log
from games.kernel.tournaments.entries import VERSION, version_of
from games.kernel.tournaments.formats import EntriesRefused
from games.kernel.tournaments.phases import world_cup
from games.kernel.tournaments.phases.world_cup import WorldCup
from games.kernel.tournaments.proposals import proposals
from games.kernel.tournaments.state import TournamentState

Json = dict[str, Any]


def answer(given: Json, version: int = VERSION) -> Json:
    """Return state, proposals and standing of a stored tournament, or a refusal, as `answers.answer` does."""
    if world_cup.is_played(given["format"]):
        return world_cup.answer(given, version)
    return answers.answer(given, version)


class GrowingLog:
    """A stored tournament from the beginning on, entry by entry, with what was proposed after each of them."""

    def __init__(self, given: Json) -> None:
        self._seed: str = given["seed"]
        self._length = 0
        self._state: TournamentState | WorldCup | None = None
        """None after what is refused: nothing is proposed any more."""
        try:
            if world_cup.is_played(given["format"]):
                self._state = WorldCup(*world_cup.read_format(given["format"]))
            else:
                self._state = TournamentState(formats.read(given["format"]), version_of(given["log"]))
        except EntriesRefused:
            pass

    def add(self, entry: Json) -> None:
        """Go on by an entry."""
        self._length += 1
        try:
            if isinstance(self._state, WorldCup):
                world_cup.apply(self._state, entry)
            elif self._state is not None:
                log.apply(self._state, entry)
        except EntriesRefused:
            self._state = None

    def proposed_earlier(self, minute: int, version: int) -> list[Json]:
        """Return the entries that a version proposed for a minute if later phases had not been added yet."""
        state = self._state
        if not isinstance(state, TournamentState):
            return []
        plan, found = state.plan, []
        for count in range(max(1, len(state.phases)), len(plan.phases)):
            state.plan = formats.PhasePlan(plan.phases[:count], plan.advance[: count - 1])
            found += self.proposed(minute, version)[0]
        state.plan = plan
        return found

    def proposed(self, minute: int, version: int) -> tuple[list[Json], bool]:
        """Return the entries that a version proposed for a minute, and whether a lot was drawn for them."""
        state = self._state
        if state is None or minute < state.at:
            return [], False
        if isinstance(state, WorldCup):
            lot = world_cup.lot_of(state, self._seed, self._length, version)
            found = world_cup.proposals(state, minute, lot, version)
        else:
            lot = chance.lot_of(state, self._seed, self._length, version)
            found = proposals(state, minute, lot, version)
        return [entry for each in found for entry in each.get("entries", [])], lot.is_drawn
