"""What a bot's cubes lose by the judgement of GNU Backgammon at two plies, over the bot's own games for money.

`python -m tests.bench.bench_cubes [games] [level]`; nothing of it is asserted.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from chouette.bot import bots, cube_decisions
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import Choice, JsonObject
from tests.chouette.botplay import session
from tests.chouette.export.gnubg import PROGRAM

PLIES = 2
OWNERS = {"centre": -1, "mine": 1, "theirs": 0}
CLOSE = 0.16
"""A decision is close if the two ways differ by less, in points for each point of the cube."""

JUDGE = """
import gnubg, json
asked = json.load(open({asked!r}))
deep = dict(cubeful=1, plies={plies}, deterministic=1, noise=0.0)
found = [gnubg.cfevaluate((tuple(theirs), tuple(mine)), gnubg.cubeinfo(value, owner, 1, 0, (0, 0), 0), deep)[:4]
         for theirs, mine, value, owner in asked]
json.dump(found, open({answers!r}, "w"))
"""


def decisions(games: int, level: str) -> list[JsonObject]:
    """Return the cube decisions of two bots of a level: the position, the cube, and what was decided."""
    found: list[JsonObject] = []

    def choose(view: JsonObject, choices: list[Choice], level: str, seed: int) -> Any:
        name, args = bots.choose(view, choices, level, seed)
        if decided := _decided({choice.name for choice in choices}, name, args):
            found.append({"view": view, "decided": decided})
        return name, args

    options = OPTIONS.values("money", {"beavers": False, "raccoons": False})
    session(options, [level, level], 1, games, 10**6, choose=choose, asides=False)
    return found


def _decided(names: set[str], name: str, args: JsonObject) -> str:
    """Return what a bot decided about the one cube; empty if it was asked about none."""
    if name in ("answer", "answer_batch"):
        return "take" if args["take"] else "drop"
    if "cube" in names or "offer" in names:
        return "double" if name == "offer" or args.get("double") else "wait"
    return ""


def judged(found: list[JsonObject]) -> list[list[float]]:
    """Return GNU Backgammon's equities of each decision: the best, no double, double and take, double and drop."""
    asked = [_asked(each["view"]) for each in found]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = {"asked": str(folder / "asked.json"), "answers": str(folder / "answers.json")}
        (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
        (folder / "judge.py").write_text(JUDGE.format(plies=PLIES, **paths), encoding="utf-8")
        command = [str(PROGRAM), "-t", "-q", "-p", str(folder / "judge.py")]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=3600)
        answers: list[list[float]] = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return answers


def _asked(view: JsonObject) -> list[Any]:
    """Return a decision for GNU Backgammon: both sides' checkers from point 1 to the bar, the cube, its owner."""
    position, cube = cube_decisions.on_turn(view["game"]), view["game"]["cubes"][0]
    mine = [max(position[point], 0) for point in range(1, 26)]
    theirs = [max(-position[25 - point], 0) for point in range(1, 26)]
    return [theirs, mine, cube["value"], OWNERS[cube_decisions.owner_of(view["game"], cube)]]


def lost(decided: str, equities: list[float]) -> tuple[float, float]:
    """Return what a decision lost, and how far the two ways were apart."""
    _, waiting, taken, dropped = equities
    if decided in ("take", "drop"):
        gain = dropped - taken
        return max(gain if decided == "drop" else -gain, 0.0), abs(gain)
    gain = min(taken, dropped) - waiting
    return max(gain if decided == "wait" else -gain, 0.0), abs(gain)


def main(games: int = 20, level: str = bots.LOOKAHEAD) -> None:
    """Print the mean loss of each kind of decision in thousandths, of all and of the close ones."""
    found = decisions(games, level)
    losses = [(each["decided"], *lost(each["decided"], e)) for each, e in zip(found, judged(found), strict=True)]
    for kinds in (("double", "wait"), ("take", "drop"), ("double", "wait", "take", "drop")):
        for name, most in (("all", 10.0), ("close or wrong", CLOSE)):
            some = [loss for kind, loss, apart in losses if kind in kinds and (apart < most or loss > 0)]
            mean = 1000 * statistics.fmean(some) if some else 0.0
            print(f"{level}: {'/'.join(kinds):24} {name:15} {len(some):5} decisions {mean:7.1f} thousandths each")


if __name__ == "__main__":
    main(*[int(text) for text in sys.argv[1:2]], *sys.argv[2:3])
