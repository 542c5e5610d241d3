"""Bots at a table, and evaluators against each other, for tests and the benchmark."""

from __future__ import annotations

import random

import chouette.rules as rules
from chouette import bots
from chouette.choosing import money, ranked
from chouette.rules.plays import results
from chouette.rules.position import START, swap, winner_value
from games.kernel.contract import CLOSE, Command
from games.kernel.replay import Entry
from games.kernel.simulate import RandomDice


def session(options, levels, seed, games, most=20_000):
    """Play a session of bots alone to a number of games; return the state and the log."""
    dice = RandomDice(random.Random(seed))
    state, log = rules.initial(options, len(levels)), []

    def write(events):
        nonlocal state
        log.append(Entry(len(log) + 1, events))
        for event in events:
            state = rules.fold(state, event, len(log))

    write(rules.open(options, len(levels), dice))
    while not rules.is_over(state):
        assert len(log) < most, "the session stalls"
        if len([row for row in state.sheet if row.number]) >= games and any(
            c.name == CLOSE for c in rules.choices(state, None)
        ):
            write(rules.decide(state, Command(CLOSE, None, {}), dice))
            continue
        seat, open_now = next(
            (s, required)
            for s in range(len(levels))
            if (required := [c for c in rules.choices(state, s) if c.required])
        )
        view = rules.view(state, seat)
        name, args = bots.choose(view, open_now, levels[seat], seed * 100_003 + len(log))
        found = next(c for c in open_now if c.name == name)
        assert args in found.options
        write(rules.decide(state, Command(name, seat, args, found.opened_at), dice))
    return state, log


def game(first, second, rng, worth=None):
    """Play a cubeless game between two evaluators; return the first one's points."""
    worth = worth or money()
    position, mover = START, rng.randint(0, 1)
    while True:
        dice = rng.randint(1, 6), rng.randint(1, 6)
        plays = results(position, dice)
        best = ranked((first, second)[mover], plays, worth, looks_ahead=False)
        position = plays[best[0][0]]
        if value := winner_value(position):
            return -value if mover else value
        position, mover = swap(position), 1 - mover


def match_up(first, second, games, seed=1):
    """Return the first evaluator's wins and points a game."""
    rng = random.Random(seed)
    points = [game(first, second, rng) for _ in range(games)]
    return sum(p > 0 for p in points), sum(points) / games
