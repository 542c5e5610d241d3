"""Random legal play of any game: for bots that fail, contract tests and benchmarks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from games.kernel.contract import JOIN, Choice, Command
from games.kernel.dice import Dice
from games.kernel.replay import Entry
from games.kernel.rules import Rules

S = TypeVar("S")


class RandomDice:
    """Repeatable dice from a seeded generator."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def roll(self, count: int) -> tuple[int, ...]:
        """Return `count` values of 1..6."""
        return tuple(self._rng.randint(1, 6) for _ in range(count))


@dataclass(frozen=True, slots=True)
class SimulatedStep(Generic[S]):
    """One accepted command of a simulated table, with the state after it."""

    command: Command | None
    entry: Entry
    state: S


def open_choices(rules: Rules[S], state: S, seats: int, house: bool = False) -> list[Choice]:
    """Return all open choices of the seats, and with `house` also of the house."""
    everyone: list[int | None] = list(range(seats))
    if house:
        everyone.append(None)
    return [c for seat in everyone for c in rules.choices(state, seat)]


def pick(choices: Sequence[Choice], rng: random.Random) -> Command:
    """Return a random legal command; required choices are preferred three to one."""
    required = [c for c in choices if c.required]
    pool = required if required and rng.random() < 0.75 else choices
    choice = rng.choice(list(pool))
    return Command(choice.name, choice.seat, rng.choice(choice.options), choice.opened_at)


def play(
    rules: Rules[S],
    options: dict[str, Any],
    seats: int,
    rng: random.Random,
    *,
    dice: Dice | None = None,
    house: bool = False,
    limit: int = 20_000,
) -> Iterator[SimulatedStep[S]]:
    """Play a table at random until it is over or has `limit` entries; yield each step."""
    dice = dice or RandomDice(rng)
    seq, command, decision = 1, None, rules.open(options, seats, dice)
    while True:
        state = decision.state
        yield SimulatedStep(command, Entry(seq, decision.events), state)
        if rules.is_over(state) or seq >= limit:
            return
        command = pick(open_choices(rules, state, seats, house), rng)
        if command.name == JOIN:
            seats = max(seats, command.args["seat"] + 1)
        seq += 1
        decision = rules.decide(state, command, dice, seq)
