"""What a viewer cannot rule out: worked out from the rules' decisions and events alone.

An information set holds every state that leads to the same view of the log: it starts with the
one state that all know, and each entry is played again in each of its states, with every other
answer of the same seat that writes events of the same types, and every other fall of hidden dice.
What the viewer would have read differently is ruled out. So it knows nothing of a game's `view` and
`resample`, which are held to it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from games.kernel import simulate
from games.kernel.contract import Command, Decision, Event, Illegal
from games.kernel.dice import ScriptedDice
from tests.contract.driver import Case, seeded, viewers

# Of more states than this, some are looked at.
MOST_STATES = 120
MOST_WAYS = 40
MOST_HIDDEN_DICE = 3
# Where states, ways and falls are more than this together, some ways and falls are played in each state.
MOST_PLAYED = 2000
# Optional choices with more options than this (talk) are not taken: they leave no set complete.
MOST_OPTIONS = 8


@dataclass(frozen=True)
class Information:
    """The states that `viewer` cannot rule out, by their dumped form; the real one among them.

    `near` are those that differ by other answers to the same choices alone. `is_complete`: none
    is missing.
    """

    viewer: int | None
    states: dict[str, Any]
    near: frozenset[str]
    is_complete: bool = True


@dataclass(frozen=True)
class Moment:
    """A table after an entry: its state, and what each viewer knows of it."""

    seq: int
    events: tuple[Event, ...]
    state: Any
    known: tuple[Information, ...]


def moments(case: Case, most: int) -> Iterator[Moment]:
    """Play a table at random for so many entries; yield it after each."""
    rng, rules, dice = random.Random(str(case)), case.rules, seeded(case)
    nobody = rules.initial(case.values, case.seats)
    start = key(case, nobody)
    known = [Information(viewer, {start: nobody}, frozenset({start})) for viewer in viewers(case)]
    seq, state, command = 1, nobody, None
    while True:
        before, drawn = state, len(dice.fell)
        if command is None:
            decision = rules.open(case.values, case.seats, dice)
        else:
            decision = rules.decide(before, command, dice, seq)
        told = _Told(case, command, seq, decision.events, tuple(dice.fell[drawn:]))
        state = decision.state
        known = [_after(each, told, before, state, rng) for each in known]
        yield Moment(seq, decision.events, state, tuple(known))
        if rules.is_over(state) or seq >= most:
            return
        seq, command = seq + 1, _pick(case, state, rng)


def _pick(case: Case, state: Any, rng: random.Random) -> Command:
    found = simulate.open_choices(case.rules, state, case.seats)
    return simulate.pick([c for c in found if c.required or len(c.options) <= MOST_OPTIONS], rng)


def key(case: Case, state: Any) -> str:
    """Return a state's dumped form."""
    return json.dumps(case.rules.dump(state), sort_keys=True)


@dataclass(frozen=True)
class _Told:
    """An entry as it was decided: the command, its events and the dice that fell."""

    case: Case
    command: Command | None
    seq: int
    events: tuple[Event, ...]
    fell: tuple[int, ...]

    def again(self, before: Any, way: Command | None, fell: tuple[int, ...]) -> Decision[Any] | None:
        """Return the decision with another answer and other dice, None where it is refused."""
        rules, dice = self.case.rules, ScriptedDice(fell)
        try:
            if way is None:
                found: Decision[Any] = rules.open(self.case.values, self.case.seats, dice)
            else:
                found = rules.decide(before, way, dice, self.seq)
        except (Illegal, IndexError):
            return None
        return found

    def ways(self, before: Any, viewer: int | None) -> list[Command | None]:
        """Return what the same seat could have done: the real command first, then other answers to it."""
        real = self.command
        if real is None or real.seat is None or real.seat == viewer:
            return [real]
        open_now = self.case.rules.choices(before, real.seat)
        found = [
            Command(choice.name, real.seat, args, choice.opened_at)
            for choice in sorted(open_now, key=lambda choice: choice.name != real.name)
            if choice.name == real.name or len(choice.options) <= MOST_OPTIONS
            for args in choice.options
        ]
        return [real, *(way for way in found if (way.name, way.args) != (real.name, real.args))]

    def falls(self, before: Any, wanted: list[Event | None], viewer: int | None) -> list[tuple[int, ...]]:
        """Return the falls of the first dice that lead from the real state to what the viewer read."""
        varied = min(len(self.fell), MOST_HIDDEN_DICE)
        found = []
        for first in product(range(1, 7), repeat=varied):
            other = self.again(before, self.command, (*first, *self.fell[varied:]))
            if other is not None and seen_by(other.events, viewer) == wanted:
                found.append((*first, *self.fell[varied:]))
        return found


def _after(known: Information, told: _Told, before_real: Any, state: Any, rng: random.Random) -> Information:
    viewer, case = known.viewer, told.case
    has_hidden = not all(event.is_for(viewer) for event in told.events)
    real = {key(case, state): state}
    if len(known.states) == 1 and not has_hidden:
        return replace(known, states=real, near=frozenset(real))
    wanted, found, is_complete = seen_by(told.events, viewer), dict(real), known.is_complete
    near = set(real)
    falls = [told.fell]
    if has_hidden and told.fell:
        is_complete &= len(told.fell) <= MOST_HIDDEN_DICE
        falls = told.falls(before_real, wanted, viewer)
    for name, before in known.states.items():
        ways = told.ways(before, viewer) if has_hidden else [told.command]
        is_complete &= len(ways) <= MOST_WAYS
        played, most = list(product(ways[:MOST_WAYS], falls)), max(1, MOST_PLAYED // len(known.states))
        if len(played) > most:
            is_complete, played = False, rng.sample(played, most)
        for way, fell in played:
            other = told.again(before, way, fell)
            if other is None or not is_alike(other.events, told.events, wanted, viewer):
                continue
            found[again := key(case, other.state)] = other.state
            if name in known.near and (way is None or told.command is None or way.name == told.command.name):
                near.add(again)
    if len(found) > MOST_STATES:
        is_complete = False
        found = real | dict(rng.sample(sorted(found.items(), key=lambda item: item[0]), MOST_STATES))
    return Information(viewer, found, frozenset(near & set(found)), is_complete)


def is_alike(
    events: tuple[Event, ...], real: tuple[Event, ...], wanted: list[Event | None], viewer: int | None
) -> bool:
    """Tell whether events are of the same types as the real ones, and read the same by a viewer."""
    same_types = [event.type for event in events] == [event.type for event in real]
    return same_types and seen_by(events, viewer) == wanted


def seen_by(events: tuple[Event, ...], viewer: int | None) -> list[Event | None]:
    """Return what a viewer gets of an entry: hidden events keep their place."""
    return [event if event.is_for(viewer) else None for event in events]
