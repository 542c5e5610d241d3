"""Play-offs that may follow: how many rounds of them, from the results so far and some ways how the others may end.

Chance has a fixed seed: the forecast follows from the input alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, pvariance
from typing import NamedTuple

from games.kernel.tournaments.uncertain import Uncertain

WAYS, FEWEST_WAYS = 20, 4
"""The ways that are tried with 24 people, and with very many."""
USUAL_PEOPLE = 24


class Decision(NamedTuple):
    """Who has won against whom, by numbers."""

    winner: int
    loser: int


@dataclass(frozen=True, slots=True)
class Race:
    """What is known of a phase whose end play-offs may decide: so many people go on, or have places of their own.

    `more` are wins without a match. What is left are `pairs`, then so many `rounds` by score. `uses_meetings`:
    equal ones are parted by their matches.
    """

    people: int
    cut: int
    decided: Sequence[Decision]
    more: Sequence[int]
    pairs: Sequence[tuple[int, int]] = ()
    rounds: int = 0
    uses_meetings: bool = True

    def play_offs(self) -> Uncertain:
        """Return the rounds of play-offs that will follow."""
        if not 0 < self.cut < self.people:
            return Uncertain(0.0)
        ways = max(FEWEST_WAYS, WAYS * USUAL_PEOPLE // max(USUAL_PEOPLE, self.people))
        chance = random.Random(0)
        if not self.pairs and not self.rounds:
            ways = 1
        found = [self._rounds_after([*self.decided, *self._rest(chance)]) for _ in range(ways)]
        return Uncertain(fmean(found), pvariance(found))

    def _rest(self, chance: random.Random) -> Iterator[Decision]:
        """Yield one way how the others may end."""
        score, met = self._nets(self.decided), {frozenset(each) for each in (*self.decided, *self.pairs)}
        for number in range(self.rounds + 1):
            order = sorted(range(self.people), key=lambda each: (-score[each], chance.random()))
            for one, other in _new_pairs(order, met) if number else self.pairs:
                found = Decision(one, other) if chance.random() < 0.5 else Decision(other, one)
                score[found.winner] += 1
                score[found.loser] -= 1
                yield found

    def _nets(self, decided: Sequence[Decision]) -> Counter[int]:
        nets = Counter(each.winner for each in decided)
        nets.subtract(each.loser for each in decided)
        nets.update(dict(enumerate(self.more)))
        return nets

    def _rounds_after(self, decided: Sequence[Decision]) -> int:
        nets = self._nets(decided)
        cut, group = _divided([nets[each] for each in range(self.people)], range(self.people), self.cut)
        if self.uses_meetings and group:
            inside = set(group)
            among = self._nets([each for each in decided if inside.issuperset(each)])
            cut, group = _divided([among[each] - self.more[each] for each in group], group, cut)
        return rounds_for([len(group)], cut)


def _new_pairs(order: list[int], met: set[frozenset[int]]) -> Iterator[tuple[int, int]]:
    """Yield neighbours that have not met, and let them have met; who finds nobody new meets the next one."""
    while len(order) > 1:
        one = order.pop(0)
        at = next((at for at, other in enumerate(order) if frozenset((one, other)) not in met), 0)
        other = order.pop(at)
        met.add(frozenset((one, other)))
        yield one, other


def _divided(values: Sequence[int], people: Sequence[int], cut: int) -> tuple[int, list[int]]:
    """Return the group of equal values that a cut divides, with its share of the places; an empty one without it."""
    value = sorted(values, reverse=True)[cut - 1]
    above = sum(each > value for each in values)
    group = [one for one, each in zip(people, values, strict=True) if each == value]
    return (cut - above, group) if cut - above < len(group) else (0, [])


def rounds_for(losses: Sequence[int], places: int) -> int:
    """Return the rounds of play-offs until so many of a group have places.

    `losses` are the people with no, one, two … losses in play-offs; those whom the cut divides play the next round.
    """
    counts, rounds = [*losses, 0], 0
    while (at := _divided_level(counts, places)) is not None:
        lost = counts[at] // 2
        counts[at] -= lost
        counts[at + 1] += lost
        counts += [0] if counts[-1] else []
        rounds += 1
    return rounds


def _divided_level(counts: Sequence[int], places: int) -> int | None:
    before = 0
    for at, count in enumerate(counts):
        if before < places < before + count:
            return at
        before += count
    return None
