"""Tables played by bots, for tests."""

import random
from dataclasses import dataclass

from chicago import bots
from chicago.rules import rules
from games.kernel.contract import Command, match
from games.kernel.replay import Entry, fold_entry
from games.kernel.simulate import RandomDice


@dataclass
class Table:
    """A table in play: its state and its log, and dice from a seed."""

    options: dict
    seats: int
    seed: int

    def __post_init__(self):
        self.dice = RandomDice(random.Random(self.seed))
        self.state = rules.initial(self.options, self.seats)
        self.seq = 0
        self.write(rules.open(self.options, self.seats, self.dice).events)

    def write(self, events):
        self.seq += 1
        self.state = fold_entry(rules, self.state, Entry(self.seq, tuple(events)))

    def submit(self, name, seat, args):
        command = Command(name, seat, args)
        match(rules.choices(self.state, seat), command)
        self.write(rules.decide(self.state, command, self.dice, self.seq + 1).events)

    def awaited(self):
        """Return the seats with a required choice, with all their choices."""
        seats = range(self.seats)
        open_ = {seat: rules.choices(self.state, seat) for seat in seats}
        return {s: list(c) for s, c in open_.items() if any(x.required for x in c)}

    def step(self, levels):
        """Let a bot of its seat's level answer one required choice."""
        seat, choices = next(iter(self.awaited().items()))
        seen = rules.view(self.state, seat)
        name, args = bots.choose(seen, choices, levels[seat], self.seed * 1000 + seat)
        self.submit(name, seat, args)


def play(options, levels, seed, limit=20_000):
    """Return a table played by bots until it is over, or until `limit` entries."""
    table = Table(options, len(levels), seed)
    while not rules.is_over(table.state) and table.seq < limit:
        table.step(levels)
    return table
