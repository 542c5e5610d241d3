"""Random legal evenings of every registered game: what the contract tests look at."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.kernel import simulate
from games.kernel.contract import CLOSE, Command, Illegal
from games.kernel.dice import Dice
from games.kernel.options import BoolOption, ChoiceOption, IntOption, OptionErrors, Preset, Values
from games.kernel.replay import Entry
from games.kernel.simulate import RandomDice, SimulatedStep
from games.plugin import GameConfig, all_games, game
from tests.seeds import day

# An open-ended table plays this many commands before its host closes it.
LONG_ENOUGH = 150
# Nothing that ends by itself may take longer: random players are bad, not immortal.
TOO_LONG = 20_000


@dataclass(frozen=True)
class Case:
    """One table: a game, a preset (or "random" with changed options), its seats, a seed."""

    game_id: str
    preset: str
    seats: int
    seed: int = 0
    changes: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        changed = "-changed" if self.changes else ""
        if ("dice", "typed") in self.changes:
            changed = "-".join(["", *(str(value) for _, value in self.changes)])
        return f"{self.game_id}-{self.preset}{changed}-{self.seats}-{self.seed}"

    @property
    def config(self) -> GameConfig:
        """The game's metadata."""
        return game(self.game_id)

    @property
    def rules(self) -> Any:
        """The game's rules."""
        return self.config.rules

    @property
    def values(self) -> Values:
        """The complete house rules of the table."""
        return self.config.options.values(self.preset, dict(self.changes))


class CountingDice:
    """Dice that remember what fell."""

    def __init__(self, dice: Dice) -> None:
        self.dice, self.fell = dice, []

    def roll(self, count: int) -> tuple[int, ...]:
        """Return `count` dice of the source."""
        out = self.dice.roll(count)
        self.fell.extend(out)
        return out


def seeded(seed: object) -> CountingDice:
    """Return repeatable dice."""
    return CountingDice(RandomDice(random.Random(str(seed))))


def preset_cases() -> list[Case]:
    """Return every preset of every registered game with its fewest and most seats, and a number between."""
    return [
        Case(config.game_id, preset.id, seats)
        for config in all_games().values()
        for preset in config.options.presets
        for seats in _seat_counts(preset)
    ]


def _seat_counts(preset: Preset) -> list[int]:
    """Return the seats to play a preset with: the number between is another one each day."""
    fewest, most = preset.seats
    between = range(fewest + 1, most)
    of_the_day = random.Random(f"{day()} {preset.id}").choice(between) if between else fewest
    return sorted({fewest, of_the_day, most})


def few_cases() -> list[Case]:
    """Return each preset with its fewest, and with a middling number of seats; and typed dice."""
    return typed_cases() + [
        Case(config.game_id, preset.id, seats, seed=7)
        for config in all_games().values()
        for preset in config.options.presets
        for seats in sorted({preset.seats[0], min(preset.seats[1], preset.seats[0] + 2)})
    ]


REAL = {"chicago": "bavarian", "chouette": "money", "dummygame": "dicey"}
"""The variants of games that are played with real dice here: those in which dice matter."""


def typed_cases() -> list[Case]:
    """Return a small table with typed dice of every game that has them, under each way of typing that it knows."""
    found = []
    for config in all_games().values():
        declared = {option.id: option for option in config.options.options}
        if "dice" not in declared:
            continue
        depends = [o for o in declared.values() if isinstance(o, ChoiceOption) and o.needs and o.needs.id == "dice"]
        ways = [option for option in depends if option.needs and "typed" in option.needs.values]
        changes = [((option.id, pick.id),) for option in ways for pick in option.picks] or [()]
        preset = REAL.get(config.game_id, config.options.presets[0].id)
        fewest = config.options.preset(preset).seats[0]
        found += [Case(config.game_id, preset, fewest, 7, (("dice", "typed"), *more)) for more in changes]
    return found


def changed_cases(count: int = 12) -> list[Case]:
    """Return tables under random house rules that the declaration allows."""
    return [_changed(config, number) for config in all_games().values() for number in range(count)]


def _changed(config: GameConfig, number: int) -> Case:
    """Return one table under random house rules."""
    rng = random.Random(f"{config.game_id} {number}")
    declared = config.options
    while True:
        preset = rng.choice(declared.presets)
        wanted = rng.sample(declared.options, min(6, len(declared.options)))
        changes = {option.id: _any_value(option, rng) for option in wanted}
        try:
            values = declared.values(preset.id, changes)
        except OptionErrors:
            continue
        seats = rng.randint(*declared.seats(preset.id, values))
        return Case(config.game_id, preset.id, seats, number, tuple(changes.items()))


def _any_value(option: Any, rng: random.Random) -> Any:
    """Return a value of an option; numbers mostly near the low end, where games are short."""
    if isinstance(option, BoolOption):
        return rng.random() < 0.5
    if isinstance(option, IntOption):
        return rng.choice([option.default, rng.randint(option.low, min(option.high, option.low + 9))])
    if isinstance(option, ChoiceOption):
        return rng.choice(option.picks).id
    return "something"


@cache
def evening(case: Case) -> tuple[SimulatedStep[Any], ...]:
    """Play a table at random from the opening to its end."""
    return tuple(steps(case, random.Random(str(case))))


def steps(case: Case, rng: random.Random) -> Iterator[SimulatedStep[Any]]:
    """Play on and on; from LONG_ENOUGH entries on the host tries to close the table."""
    rules, dice = case.rules, RandomDice(rng)
    seq, command, decision = 1, None, rules.open(case.values, case.seats, dice)
    yield SimulatedStep(None, Entry(seq, decision.events), decision.state)
    while not rules.is_over(decision.state) and seq < TOO_LONG:
        seq += 1
        command, decision = _next(case, decision.state, seq, rng, dice)
        yield SimulatedStep(command, Entry(seq, decision.events), decision.state)


def _next(case: Case, state: Any, seq: int, rng: random.Random, dice: Dice) -> tuple[Command, Any]:
    """Return the command of entry `seq` and its decision."""
    if seq > LONG_ENOUGH:
        command = Command(CLOSE, None)
        try:
            return command, case.rules.decide(state, command, dice, seq)
        except Illegal:
            pass
    command = simulate.pick(simulate.open_choices(case.rules, state, case.seats), rng)
    return command, case.rules.decide(state, command, dice, seq)


def sampled(case: Case, count: int = 15) -> list[SimulatedStep[Any]]:
    """Return some steps of an evening, the first and the last among them, others each day."""
    played = evening(case)
    if len(played) <= count:
        return list(played)
    inner = random.Random(f"{day()} {case}").sample(range(1, len(played) - 1), count - 2)
    return [played[i] for i in sorted({0, *inner, len(played) - 1})]


def viewers(case: Case) -> list[int | None]:
    """Return all who may look: each seat and a spectator."""
    return [*range(case.seats), None]


def over_the_wire(value: Any) -> Any:
    """Return what is left of a value after a trip through JSON; raises when it cannot go."""
    return json.loads(json.dumps(value, allow_nan=False))
