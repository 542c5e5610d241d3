"""Brackets: spots in which two people meet, fed by places and by other spots."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import NamedTuple

from games.kernel.tournaments.asking import Asking
from games.kernel.tournaments.formats import check_entry
from games.kernel.tournaments.state import TournamentMatch, TournamentState
from games.kernel.tournaments.uncertain import Uncertain, later
from games.kernel.tournaments.uncertain import match as match_of


class Source(NamedTuple):
    """The source of a side of a spot: a place of the bracket, or the winner or loser of another spot."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Spot:
    """Two people who meet; `stage` is larger the further on. A second final is played only if the first is lost."""

    sides: tuple[Source, Source]
    stage: int
    is_second_final: bool = False


class _Pending(Enum):
    """A player that an earlier match will give."""

    PENDING = "pending"


PENDING = _Pending.PENDING
Person = str | None | _Pending
"""A player, an empty place, or a player that an earlier match will give."""


@dataclass(slots=True)
class SpotOutcome:
    """The present state of a spot: its two sides, winner, loser and match."""

    sides: tuple[Person, Person]
    winner: Person = PENDING
    loser: Person = PENDING
    match: TournamentMatch | None = None

    @property
    def is_ready(self) -> bool:
        """Tell whether two people wait for their match here."""
        return self.match is None and self.winner is PENDING and all(isinstance(one, str) for one in self.sides)


def seed_order(size: int) -> list[int]:
    """Return which seed has each place, so that the first two can meet in the last round only."""
    order = [0]
    while len(order) < size:
        order = [each for seed in order for each in (seed, 2 * len(order) - 1 - seed)]
    return order


def places_for(players: Sequence[str]) -> list[str | None]:
    """Return the places of a bracket for people in seeded order; the first ones have the byes."""
    size = 1 << max(1, (len(players) - 1).bit_length())
    return [players[seed] if seed < len(players) else None for seed in seed_order(size)]


def knockout_of(places: int) -> list[Spot]:
    """Return the spots of a knock-out, round by round."""
    sources = [Source("place", at) for at in range(places)]
    spots: list[Spot] = []
    stage = 1
    while len(sources) > 1:
        first = len(spots)
        spots += [Spot((sources[at], sources[at + 1]), stage) for at in range(0, len(sources), 2)]
        sources = [Source("winner", at) for at in range(first, len(spots))]
        stage += 1
    return spots


def double_of(places: int) -> list[Spot]:
    """Return the spots of a double elimination: upper bracket, lower bracket, final and second final."""
    spots = knockout_of(places)
    rounds = places.bit_length() - 1
    by_round = [[at for at, spot in enumerate(spots) if spot.stage == number] for number in range(1, rounds + 1)]
    lower = [Source("loser", at) for at in by_round[0]]
    stage = 2
    for number in range(1, rounds):
        lower = _added(spots, [(lower[at], lower[at + 1]) for at in range(0, len(lower), 2)], stage)
        # Losers come in from the far end, so that they do not meet again at once.
        coming = [Source("loser", at) for at in by_round[number]]
        coming = coming[::-1] if number % 2 else coming
        lower = _added(spots, list(zip(lower, coming, strict=True)), stage + 1)
        stage += 2
    last = by_round[-1][0]
    _added(spots, [(Source("winner", last), lower[0])], stage)
    final = len(spots) - 1
    spots.append(Spot((Source("winner", final), Source("loser", final)), stage + 1, is_second_final=True))
    return spots


def before_final(spots: Sequence[Spot]) -> list[int]:
    """Return for each spot how many rounds its winner is away from the final; a second final counts as the final."""
    found = [0] * len(spots)
    for at in range(len(spots) - 1, -1, -1):
        for side in spots[at].sides:
            if side.kind == "winner" and not spots[at].is_second_final:
                found[side.number] = found[at] + 1
    return found


def _added(spots: list[Spot], pairs: list[tuple[Source, Source]], stage: int) -> list[Source]:
    """Add the spots of a round; return their winners."""
    first = len(spots)
    spots += [Spot(pair, stage) for pair in pairs]
    return [Source("winner", at) for at in range(first, len(spots))]


class Boards:
    """The boards of a forecast: when each is free again; without a number there are enough."""

    def __init__(self, count: int | None, start: Uncertain, in_use: Iterable[Uncertain]) -> None:
        used = list(in_use)
        self._free = None if count is None else [*used, *[start] * (count - len(used))]
        heapq.heapify(self._free or [])

    def play(self, ready: Uncertain, lasting: Uncertain) -> Uncertain:
        """Return when a match ends whose two people are ready then, at the first board that is free."""
        if self._free is None:
            return ready.plus(lasting)
        end = later(ready, self._free[0]).plus(lasting)
        heapq.heapreplace(self._free, end)
        return end


class Bracket:
    """A bracket with its people and the matches that were played in its spots.

    A match that was played stands in its spot, whoever the spots before lead there: after a correction the two may
    differ, and the match is warned of.
    """

    def __init__(self, places: list[str | None], spots: list[Spot], tournament: TournamentState) -> None:
        self.places = places
        self.spots = spots
        self.tournament = tournament
        self.bound: dict[str, int] = {}
        """Match → its spot."""
        self.played: dict[int, TournamentMatch] = {}
        """Spot → the match that was begun there last."""
        self.forfeits: set[tuple[int, str]] = set()
        """Spot → the player that has withdrawn from it; a return does not open it again."""
        self._before_final = before_final(spots)
        self._outcomes: list[SpotOutcome] | None = None
        self._alive: frozenset[str] | None = None
        self._targets = {side: at for at, spot in enumerate(spots) for side in spot.sides}

    def changed(self, match: TournamentMatch | None = None) -> None:
        """Forget what was computed from matches and withdrawals; given a match, only what follows from it."""
        self._alive = None
        if match is None or self._outcomes is None:
            self._outcomes = None
        elif match.id in self.bound:
            self._follow(self.bound[match.id], self._outcomes)

    def _follow(self, start: int, known: list[SpotOutcome]) -> None:
        """Compute a spot anew, and those that it leads to."""
        waiting = [start]
        while waiting:
            at = waiting.pop()
            before, known[at] = known[at], self._outcome(at, known)
            if before != known[at] or at == start:
                sides = (Source("winner", at), Source("loser", at))
                waiting += sorted({self._targets[side] for side in sides if side in self._targets}, reverse=True)

    def outcomes(self) -> list[SpotOutcome]:
        """Return every spot as it stands."""
        if self._outcomes is None:
            known: list[SpotOutcome] = []
            for at in range(len(self.spots)):
                known.append(self._outcome(at, known))
            self._outcomes = known
        return self._outcomes

    def _outcome(self, at: int, known: list[SpotOutcome]) -> SpotOutcome:
        spot, match = self.spots[at], self.played.get(at)
        if match is not None and match.status == "void":
            match = None
        first, second = (self._person(side, known) for side in spot.sides)
        found = SpotOutcome((first, second), match=match)
        if match is not None:
            if match.counts:
                found.winner, found.loser = match.winner, match.loser
            return found
        if spot.is_second_final and not self._needs_second(spot, known):
            # The final has decided.
            found.winner, found.loser = first, None
        elif first == second and isinstance(first, str):
            # After a correction that nobody has repaired, somebody may have come by two ways.
            found.winner, found.loser = first, None
        elif first is None or second is None:
            found.winner, found.loser = (second if first is None else first), None
        elif isinstance(first, str) and isinstance(second, str):
            self._walk_over(at, found, first, second)
        return found

    @staticmethod
    def _needs_second(spot: Spot, known: list[SpotOutcome]) -> bool:
        """Tell whether the winner of the lower bracket won the final, or may yet."""
        final = known[spot.sides[0].number]
        return final.winner is PENDING or (final.winner == final.sides[1] and None not in final.sides)

    def _person(self, side: Source, known: list[SpotOutcome]) -> Person:
        if side.kind == "place":
            return self.places[side.number]
        before = known[side.number]
        return before.winner if side.kind == "winner" else before.loser

    def _walk_over(self, at: int, found: SpotOutcome, first: str, second: str) -> None:
        """Decide a spot from which a player has withdrawn."""
        gone = [self._has_left(at, first), self._has_left(at, second)]
        if all(gone):
            found.winner = found.loser = None
        elif any(gone):
            found.winner, found.loser = (second, first) if gone[0] else (first, second)

    def _has_left(self, at: int, name: str) -> bool:
        return self.tournament.players[name].is_withdrawn or (at, name) in self.forfeits

    def comes_back(self, name: str) -> None:
        """Keep the decisions of a player's absence on which later matches depend."""
        for at, found in enumerate(self.outcomes()):
            if name == found.loser and found.match is None and isinstance(found.winner, str):
                target = self._targets.get(Source("winner", at))
                if target is not None and self.outcomes()[target].match is not None:
                    self.forfeits.add((at, name))
        self.changed()

    def bind(self, match: TournamentMatch) -> None:
        """Give a match its spot; raises EntriesRefused when these two are not to meet."""
        for at, found in enumerate(self.outcomes()):
            if found.is_ready and set(found.sides) == set(match.players):
                self.bound[match.id] = at
                self.played[at] = match
                self.changed(match)
                return
        check_entry(is_good=False, code="bad_entry")

    def take_bye(self, name: str) -> bool:
        """Give a latecomer an empty place whose neighbour has not begun; the last seeded bye first."""
        for at in reversed(range(len(self.places))):
            neighbour = self.places[at ^ 1]
            if self.places[at] is not None or neighbour is None or self.tournament.players[neighbour].is_withdrawn:
                continue
            known = len(self.warnings())
            self.places[at] = name
            self.changed()
            if self.outcomes()[at // 2].is_ready and len(self.warnings()) == known:
                return True
            self.places[at] = None
            self.changed()
        return False

    # What follows

    def has(self, name: str) -> bool:
        """Tell whether a player has a place in this bracket."""
        return name in self.places

    def is_alive(self, name: str) -> bool:
        """Tell whether a player is not out of this bracket; its winner counts as in it."""
        if self._alive is None:
            self._alive = frozenset(self._still())
        return name in self._alive

    def _still(self) -> list[str]:
        """Return the players that are not out, the winner included."""
        found = self.outcomes()
        sides = [each.match.players if each.match else each.sides for each in found if _is_open(each)]
        return [name for pair in [*sides, (found[-1].winner,)] for name in pair if isinstance(name, str)]

    def is_undecided(self) -> bool:
        """Tell whether there is more to play."""
        return any(_is_open(found) for found in self.outcomes())

    def round(self) -> int | None:
        """Return the first stage with an undecided spot."""
        stages = [spot.stage for spot, each in zip(self.spots, self.outcomes(), strict=True) if _is_open(each)]
        return min(stages, default=None)

    def ends(
        self, start: Uncertain, running: Mapping[str, Uncertain], minutes: Callable[[int], float], boards: Boards
    ) -> list[Uncertain]:
        """Return for each spot when its match will end: `start`, or before it, where it is decided.

        `running` are the ends of running matches by their ids, `minutes` those of a match by the number of rounds from
        it to the final. Matches take the boards in the order of their stages.
        """
        found = self.outcomes()
        ends = [start] * len(self.spots)
        for at in sorted(range(len(self.spots)), key=lambda each: self.spots[each].stage):
            spot, outcome = self.spots[at], found[at]
            if not _is_open(outcome):
                continue
            sources = [ends[side.number] for side in spot.sides if side.kind != "place"]
            ready = reduce(later, sources, start)
            if outcome.match is not None:
                ends[at] = running[outcome.match.id]
            elif None in outcome.sides:
                ends[at] = ready
            elif spot.is_second_final and not outcome.is_ready:
                # It is played in every other case.
                whole = match_of(minutes(0))
                half = Uncertain(whole.mean / 2, whole.variance / 2 + whole.mean**2 / 4)
                ends[at] = ready.plus(half)
            else:
                ends[at] = boards.play(ready, match_of(minutes(self._before_final[at])))
        return ends

    def firsts(self) -> dict[int, float]:
        """Return the expected losers of a first match by open spot: {index of the spot: number of people}.

        Whoever has a bye has it in the second round, against somebody who may have won the first.
        """
        found: dict[int, float] = {}
        for at, (spot, outcome) in enumerate(zip(self.spots, self.outcomes(), strict=True)):
            if spot.stage > 2 or not _is_open(outcome) or None in outcome.sides:
                continue
            fresh = sum(self._is_fresh(side) for side in spot.sides)
            if fresh:
                found[at] = fresh / 2
        return found

    def _is_fresh(self, side: Source) -> bool:
        """Tell whether whoever comes from a side has not played before."""
        if side.kind == "place":
            return True
        before = self.outcomes()[side.number]
        return side.kind == "winner" and before.match is None and None in before.sides

    def propose(self, asking: Asking, length: Callable[[int], int] | None = None) -> None:
        """Propose the matches of all spots where both people are free.

        `length` is that of a match by the number of rounds from it to the final; without it, that of the format.
        """
        for at, (spot, found) in enumerate(zip(self.spots, self.outcomes(), strict=True)):
            pair = [one for one in found.sides if isinstance(one, str)]
            if found.is_ready and len(asking.free(pair)) == 2:
                points = None if length is None else length(self._before_final[at])
                asking.propose([asking.match(pair, spot.stage, length=points)], "pair")
        if not asking.waits and [name for name in asking.free(self.places_taken()) if self.is_alive(name)]:
            asking.wait("nobody_free")

    def places_taken(self) -> list[str]:
        """Return the people of the bracket, each once."""
        return list(dict.fromkeys(name for name in self.places if name is not None))

    def stage(self, name: str) -> tuple[int, int]:
        """Return a player's sort key: the winner, then players not out, then by the stage of the last defeat."""
        found = self.outcomes()
        if found[-1].winner == name:
            return (2, 0)
        if self.is_alive(name):
            return (1, 0)
        stages = [
            spot.stage
            for spot, each in zip(self.spots, found, strict=True)
            if name in each.sides or (each.match and name in each.match.players)
        ]
        if found[-1].winner is not PENDING and self.spots[-1].is_second_final and found[-1].match is None:
            # Nobody has played the second final.
            stages = [stage for stage in stages if stage != self.spots[-1].stage]
        return (0, max(stages, default=0))

    def byes(self, name: str) -> int:
        """Return the number of spots that a player passed without an opponent."""
        return sum(
            found.winner == name and found.match is None and None in found.sides and not spot.is_second_final
            for spot, found in zip(self.spots, self.outcomes(), strict=True)
        )

    def warnings(self) -> list[tuple[TournamentMatch, TournamentMatch]]:
        """Return matches whose players are not those of the earlier spots, each with the corrected match behind it."""
        warned = []
        for spot, found in zip(self.spots, self.outcomes(), strict=True):
            match = found.match
            if match is None or match.stands or set(found.sides) == set(match.players):
                continue
            wrong = [s for s, p in zip(spot.sides, found.sides, strict=True) if p is PENDING or p not in match.players]
            warned.append((match, self._cause(wrong) or match))
        return warned

    def _cause(self, sides: Sequence[Source]) -> TournamentMatch | None:
        """Return the match behind some sides that was corrected or made void, the nearest first; else any."""
        candidates: list[TournamentMatch] = []
        waiting = list(sides)
        while waiting:
            side = waiting.pop(0)
            if side.kind == "place":
                continue
            matches = [self.tournament.matches[id_] for id_, at in self.bound.items() if at == side.number]
            candidates += matches[-1:]
            waiting += self.spots[side.number].sides
        changed = [match for match in candidates if match.is_corrected or match.status == "void"]
        return next(iter(changed or candidates), None)


def _is_open(found: SpotOutcome) -> bool:
    return found.winner is PENDING
