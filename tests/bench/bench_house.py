"""How fast the house is, as ratios within one run."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from django.core.management import call_command

from games.kernel import replay, simulate
from games.models import LogEntry, Table
from games.plugin import all_games, game
from games.services.commands import Actor, Request
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log as table_log
from games.services.tables import setup
from games.services.tables.commit import submit

COMMANDS = 300
ENTRIES = 2000


def rate(count: int, work: Callable[[], Any]) -> float:
    """Return how many of `count` things a second `work` does."""
    start = perf_counter()
    work()
    return count / (perf_counter() - start)


def inserts(table: Table) -> float:
    """Return bare ORM inserts of log entries a second, each in a transaction of its own."""

    def work() -> None:
        for number in range(COMMANDS):
            LogEntry.objects.create(
                table=table,
                seq=100_000 + number,
                command_id=f"bench {number}",
                command={},
                events=[{"type": "x", "data": {}, "v": 1}],
                created_at=datetime.now(UTC),
            )

    return rate(COMMANDS, work)


def new_table(game_id: str, preset: str) -> Table:
    """Return a started table with as many people as the preset wants at least, or three."""
    host = players.new_guest("Hanna")
    night = membership.host_night(host, "Bench")
    table = setup.open_table(night, host, game_id, preset, {})
    few, many = setup.seat_bounds(table)
    for index in range(max(few, min(3, many))):
        player = host if index == 0 else players.new_guest(f"Guest {index}")
        membership.join(night, player)
        setup.sit(table, player, accept=True, nonce=str(index))
    setup.start(table, host, "start")
    table.refresh_from_db()
    return table


def submits(game_id: str, preset: str) -> float:
    """Return commands of random play through `submit` a second."""
    rng, rules = random.Random(1), game(game_id).rules
    done, spent = 0, 0.0
    while done < COMMANDS:
        table = new_table(game_id, preset)
        actors = {seat.index: Actor(seat.player_id) for seat in table.seats.all()}
        while table.status == Table.Status.PLAYING and done < COMMANDS:
            state = table_log.state_of(table)
            command = simulate.pick(simulate.open_choices(rules, state, len(actors)), rng)
            request = Request(command.name, command.args, f"c{done}", command.basis)
            start = perf_counter()
            submit(table.pk, actors[command.seat or 0], request)
            spent += perf_counter() - start
            done += 1
            table.refresh_from_db()
    return done / spent


def played(game_id: str, preset: str, seats: int) -> tuple[float, list[simulate.SimulatedStep[Any]]]:
    """Return entries of random play a second, and the steps."""
    rules, values = game(game_id).rules, game(game_id).options.values(preset)
    steps: list[simulate.SimulatedStep[Any]] = []

    def work() -> None:
        for seed in range(10**6):
            for step in simulate.play(rules, values, seats, random.Random(seed), limit=ENTRIES):
                steps.append(step)
            if len(steps) >= ENTRIES:
                return

    start = perf_counter()
    work()
    return len(steps) / (perf_counter() - start), steps


def kernel_line(game_id: str, preset: str) -> str:
    """Return the figures of one preset: playing, folding, dumping and viewing a second."""
    rules, values = game(game_id).rules, game(game_id).options.values(preset)
    seats = max(3, game(game_id).options.preset(preset).seats[0])
    play_rate, steps = played(game_id, preset, seats)
    ends = [i for i, step in enumerate(steps) if step.command is None]
    log = [step.entry for step in steps[: ends[1] if len(ends) > 1 else None]]

    def fold_them() -> None:
        for _ in range(ENTRIES // len(log) + 1):
            replay.fold_all(rules, values, seats, log)

    fold_rate = rate((ENTRIES // len(log) + 1) * len(log), fold_them)
    dump_rate = rate(len(steps), lambda: [rules.load(rules.dump(s.state)) for s in steps])
    view_rate = rate(len(steps), lambda: [rules.view(s.state, 0) for s in steps])
    return (
        f"{game_id:>10} {preset:<10} {play_rate:>9.0f} {fold_rate:>9.0f} "
        f"{fold_rate / play_rate:>6.1f} {dump_rate:>9.0f} {view_rate:>9.0f}"
    )


def main() -> None:
    """Print the figures."""
    call_command("migrate", verbosity=0)
    presets = [(g, p.id) for g, config in all_games().items() for p in config.options.presets]
    print("Pure rules, three seats, a second:")
    heads = f"{'played':>9} {'folded':>9} {'ratio':>6} {'dumped':>9} {'viewed':>9}"
    print(f"{'game':>10} {'preset':<10} {heads}")
    for game_id, preset in presets:
        print(kernel_line(game_id, preset))
    print("\nA second, each pair measured at one go: bare inserts of a log entry, and submit")
    for game_id, preset in presets:
        bare, through = inserts(new_table(game_id, preset)), submits(game_id, preset)
        print(f"{game_id:>10} {preset:<10} {bare:>9.0f} {through:>9.0f}   {bare / through:.1f} : 1")
