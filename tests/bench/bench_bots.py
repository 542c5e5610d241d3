"""How strong bots are, and how long they think.

`python -m tests.bench.bench_bots [games] [games between levels] [games of the level expert]`;
nothing of it is asserted. Without the third number no engine is asked; where it alone is above 0 nothing else is done.
"""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from time import perf_counter, process_time
from typing import Any

from chouette.analysis import engines
from chouette.analysis.report import report
from chouette.board import plays
from chouette.board.position import Position
from chouette.bot import bots, cube_decisions, playing
from chouette.bot.evaluator import PipCount, Random, embedded
from chouette.bot.playing import EXPERT, LOOKAHEAD
from chouette.match_files.reading import read
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import Choice, JsonObject
from tests.chouette.analysis.balancing import balance
from tests.chouette.analysis.files import as_mat
from tests.chouette.botplay import BotTable, Player, adjusted_rows, match_up, session

Asked = tuple[JsonObject, list[Choice], str]
PAIRS = (("net", "noisy"), ("lookahead", "net"))


def line(name: str, points: Sequence[float]) -> None:
    """Print what one side has won a game, with the standard error."""
    mean = statistics.fmean(points)
    error = statistics.stdev(points) / len(points) ** 0.5
    print(f"{name:36} {len(points):6} games {mean:+8.3f} ± {error:.3f} points a game")


def strength(games: int, close: int) -> None:
    """Print points a game without cubes: against what is there to compare with, and by level.

    Levels that are close to each other are told without the luck of the dice.
    """
    net = embedded()
    for name, other in (("random", Random(1)), ("pip count", PipCount())):
        points = match_up(net, other, games)
        line(f"net against {name}, {sum(p > 0 for p in points)} won", points)
    for better, worse in PAIRS:
        found = match_up(Player(net, better), Player(net, worse), close, adjusted=True)
        line(f"{better} against {worse}", found)


def strength_with_cubes(games: int) -> None:
    """Print points a game at a money table, beavers and Jacoby as the preset has them."""
    for better, worse in PAIRS:
        points: list[float] = []
        for seed, seats in enumerate(((better, worse), (worse, better))):
            options = OPTIONS.values("money")
            table = session(options, seats, seed, games // 2, 10**6, asides=False)
            points += adjusted_rows(table, seats.index(better))
        line(f"{better} against {worse}, with cubes", points)


def expert(games: int) -> None:
    """Print what the level expert wins of lookahead at money tables, and how both play, as bgsage grades them.

    The luck is that of the equities with the cube: `adjusted_rows` would leave what a roll is worth by doubling.
    """
    points: list[float] = []
    without_luck: list[float] = []
    saved: list[float] = []
    errors, counted = {EXPERT: 0.0, LOOKAHEAD: 0.0}, {EXPERT: 0, LOOKAHEAD: 0}
    referee = engines.engine("bgsage")
    for number in range(games):
        seats = [EXPERT, LOOKAHEAD][:: 1 if number % 2 else -1]
        table = session(OPTIONS.values("money"), seats, 500 + number, 1, 10**6, asides=False)
        found = report(read(as_mat(table).encode()), referee)
        game, sign = balance(found), 1 if seats[0] == EXPERT else -1
        points.append(sign * game.result)
        without_luck.append(sign * (game.result - game.luck))
        saved.append(-sign * game.errors)
        for level, player in zip(seats, found["players"], strict=True):
            errors[level] += player["error"]
            counted[level] += player["decisions"]
    line("expert against lookahead", points)
    line("  without luck", without_luck)
    line("  what lookahead's errors cost more", saved)
    for level, error in errors.items():
        print(f"{level:36} {counted[level]:6} choices  PR {500 * error / max(counted[level], 1):.1f} by {referee.name}")


def decisions() -> list[Asked]:
    """Return what bots are asked at tables of two to ten, nine cubes in the air among it."""
    found: list[Asked] = []

    def choose(view: JsonObject, choices: list[Choice], level: str, seed: int) -> Any:
        found.append((view, choices, ""))
        return bots.choose(view, choices, "net", seed)

    for preset, seats, games in (("club", 10, 3), ("german", 6, 3), ("money", 2, 3)):
        options = OPTIONS.values(preset, {"max_players": 10})
        table = BotTable(options, ["net"] * seats, 1, choose=choose, asides=False)
        while table.games < games:
            table.step()
    return [(view, choices, _kind(view, choices)) for view, choices, _ in found]


def _kind(view: JsonObject, choices: list[Choice]) -> str:
    name = choices[0].name
    if name == "answer_batch" and len(view["game"]["batch"]) == 9:
        return "answer_batch, 9 cubes"
    if name == "offer" and max(len(args["cubes"]) for args in choices[0].options) == 9:
        return "offer, 9 cubes"
    return name if name in ("move", "cube", "answer_batch", "answer", "offer") else ""


def thought(asked: Iterable[Asked], level: str) -> dict[str, list[tuple[float, float]]]:
    """Return the milliseconds of each decision by its kind, of the processor and by the clock.

    Nothing is known from before, but the plays of the roll in notation: the choices hold them.
    """
    times = defaultdict(list)
    for view, choices, kind in asked:
        playing._ranked.cache_clear()
        cube_decisions._chances.cache_clear()
        spent, start = process_time(), perf_counter()
        bots.choose(view, choices, level, 1)
        times[kind].append(((process_time() - spent) * 1e3, (perf_counter() - start) * 1e3))
    return times


def thinking() -> None:
    """Print how long decisions take at each level.

    Beside it, as the ratio of the medians, the plain list of the distinct results of a roll.
    """
    asked = decisions()
    games = [view["game"] for view, _, kind in asked if kind == "move"]
    listed = statistics.median(_listing(cube_decisions.on_turn(g), g["dice"]) for g in games)
    heads = ("asked", "median ms", "p95 ms", "most ms", "p95 by clock", "of a list")
    print(f"{'time of the processor':36}" + "".join(f"{head:>13}" for head in heads))
    for level in bots.LEVELS:
        for kind, times in sorted(thought(asked, level).items()):
            if kind and (level == "net" or kind == "move"):
                print(_row(f"{level}: {kind}", times, listed))


def _row(name: str, times: list[tuple[float, float]], listed: float) -> str:
    spent, passed = (sorted(column) for column in zip(*times, strict=True))
    median, late, most = (spent[int(len(spent) * x)] for x in (0.5, 0.95, 0.9999))
    numbers = (median, late, most, passed[int(len(passed) * 0.95)])
    shown = "".join(f"{number:13.2f}" for number in numbers)
    return f"{name:36}{len(times):13}{shown}{median / listed:12.1f}×"


def _listing(position: Position, dice: list[int]) -> float:
    """Return the milliseconds that the distinct results of a roll take."""
    start = process_time()
    plays.results(position, dice)
    return (process_time() - start) * 1e3


def short() -> None:
    """Print both in a few seconds."""
    strength(20, 20)
    print()
    thinking()


def main() -> None:
    """Print strength and time."""
    games, close, experts = [int(text) for text in sys.argv[1:]] + [1000, 1000, 0][len(sys.argv) - 1 :]
    if experts:
        expert(experts)
    if experts and not games:
        return
    strength(games, close)
    strength_with_cubes(close)
    print()
    thinking()


if __name__ == "__main__":
    main()
