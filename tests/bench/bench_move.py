"""What the rules cost a move, in ms: each of the steps that the house asks of them.

`python -m tests.bench.bench_move [game…]`. The moves are those of the live benchmark. Once a
move: `decide`, `fold` and `dump`; once a seat: `choices` and `view`.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import django

from games.kernel import replay
from games.kernel.contract import Command
from games.kernel.dice import SystemDice

MOVES, SEATS = 1500, 4
LEAST_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Moment:
    """One move: the state before it, the command, its entry, the state after it."""

    before: Any
    command: Command
    entry: replay.Entry
    after: Any


def played(game_id: str) -> list[Moment]:
    """Return the moves of one game, by players who like the live benchmark's do not double."""
    from games.plugin import game
    from tests.bench.live.load import pick
    from tests.bench.live.product import GAMES

    rules, dice = game(game_id).rules, SystemDice()
    options = game(game_id).options.values(*GAMES[game_id])
    random.seed(7)
    state = rules.open(options, SEATS, dice).state
    found: list[Moment] = []
    while len(found) < MOVES:
        everybody = [c for seat in range(SEATS) for c in rules.choices(state, seat)]
        first = next(c.seat for c in everybody if c.required)
        asked = [c.to_json() for c in everybody if c.seat == first]
        choice, args = pick(asked)
        command = Command(choice["name"], first, args, choice["basis"])
        seq = len(found) + 2
        decision = rules.decide(state, command, dice, seq)
        found.append(Moment(state, command, replay.Entry(seq, decision.events), decision.state))
        state = decision.state
    return found


def cost(moments: list[Moment], work: Callable[[Moment], Any]) -> float:
    """Return the processor time of `work` a move, in ms."""
    for moment in moments[:50]:
        work(moment)
    rounds, start = 0, process_time()
    while (spent := process_time() - start) < LEAST_SECONDS or not rounds:
        for moment in moments:
            work(moment)
        rounds += 1
    return spent / rounds / len(moments) * 1000


def line(game_id: str) -> str:
    """Return the figures of one game."""
    from games.plugin import game

    rules, moments, seats = game(game_id).rules, played(game_id), range(SEATS)
    figures = [
        cost(moments, lambda m: rules.decide(m.before, m.command, SystemDice(), m.entry.seq)),
        cost(moments, lambda m: replay.fold_entry(rules, m.before, m.entry)),
        cost(moments, lambda m: rules.dump(m.after)),
        cost(moments, lambda m: [rules.choices(m.after, seat) for seat in seats]),
        cost(moments, lambda m: [rules.view(m.after, seat) for seat in seats]),
    ]
    return " ".join([f"{game_id:>10}", *(f"{ms:>9.3f}" for ms in [*figures, sum(figures)])])


def main(games: list[str]) -> None:
    """Print a line for each game."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    print("What the rules cost, ms of processor time a move at a table of four:")
    heads = ("decide", "fold", "dump", "4 choices", "4 views", "all")
    print(" ".join([f"{'game':>10}", *(f"{head:>9}" for head in heads)]))
    for game_id in games or ["chicago", "chouette"]:
        print(line(game_id))


if __name__ == "__main__":
    main(sys.argv[1:])
