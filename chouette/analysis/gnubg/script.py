"""Script that GNU Backgammon runs in its own Python: it answers questions, one JSON text a line.

It knows nothing of this project. Questions come on standard input; answers go out with a mark in front, since the
program prints lines of its own. Every call of the program waits ten milliseconds at least, so that few
calls are made. The settings are those of the program's own analyses.
"""

import json
import sys
from typing import Any

import gnubg

MARK = "@answer "
SETTINGS = (
    "set threads 1",
    # Of its own size it takes 30 MB, which a small computer lacks.
    "set cache 65536",
    "set evaluation chequerplay evaluation cubeful on",
    "set evaluation chequerplay evaluation prune on",
    "set evaluation chequerplay evaluation noise 0",
    # Of the plays without looking ahead, at most 16 within this equity go deep.
    "set evaluation movefilter 1 0 0 16 0.32",
    "set evaluation movefilter 2 0 0 16 0.32",
    "set evaluation movefilter 3 0 0 16 0.32",
    "set evaluation movefilter 3 2 0 4 0.08",
)


depth: list[int] = []


def set_depth(plies: int) -> None:
    """Set how deep the program's list of plays looks."""
    if depth != [plies]:
        gnubg.command(f"set evaluation chequerplay evaluation plies {plies}")
        depth[:] = [plies]


def context(plies: int, prune: int = 1) -> dict[str, Any]:
    """Return how deep to look."""
    found: dict[str, Any] = gnubg.evalcontext()
    found.update(cubeful=1, plies=plies, deterministic=1, prune=prune, noise=0.0)
    return found


def info(cube: list[int]) -> dict[str, Any]:
    """Return the program's description of the cube; the player on roll has number 0."""
    value, owner, length, own, other, crawford, jacoby, beavers = cube
    found: dict[str, Any] = gnubg.cubeinfo(value, owner, 0, length, (own, other), crawford)
    if not length:
        price = 0.0 if jacoby and owner < 0 else 1.0
        found.update(jacoby=jacoby, beavers=beavers, gammonprice=((price, price), (price, price)))
    return found


def after_play(board: Any, cube: dict[str, Any], plies: int) -> float:
    """Return the equity for the mover when the opponent is on roll; the mover's checkers come first."""
    return -float(gnubg.cfevaluate(board, dict(cube, move=1), context(plies))[0])


def listed(question: dict[str, Any]) -> list[Any]:
    """Return every play as the program writes it, with equity and plies looked ahead, the best first."""
    set_depth(question["plies"])
    gnubg.command("set xgid " + question["xgid"])
    return [[hint["move"], hint["equity"], hint["context"]["plies"]] for hint in gnubg.hint(question["most"])["hint"]]


def evaluated(question: dict[str, Any]) -> list[float]:
    """Return the equities of positions after plays."""
    cube = info(question["cube"])
    return [after_play(board, cube, question["plies"]) for board in question["boards"]]


def cube(question: dict[str, Any]) -> list[float]:
    """Return the equities of no double and of a double taken."""
    found = gnubg.cfevaluate(question["board"], info(question["cube"]), context(question["plies"]))
    return [found[1], found[2]]


def chances(question: dict[str, Any]) -> list[list[float]]:
    """Return the chances and the equity of the opponent on roll in positions after plays."""
    about, deep = dict(info(question["cube"]), move=1), context(question["plies"])
    return [
        [*gnubg.evaluate(board, about, deep)[:5], gnubg.cfevaluate(board, about, deep)[0]]
        for board in question["boards"]
    ]


def cube_chances(question: dict[str, Any]) -> list[float]:
    """Return the chances before a double, the equity without a cube, and what both courses are worth.

    In a match these are chances to win it.
    """
    about, deep = info(question["cube"]), context(question["plies"])
    found = list(gnubg.evaluate(question["board"], about, deep))[:5]
    win, gammon, backgammon, lost_gammon, lost_backgammon = found
    without = 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon
    worth = gnubg.cfevaluate(question["board"], about, deep)[1:3]
    length = question["cube"][2]
    return [*found, without, *(gnubg.eq2mwc(each, about) if length else each for each in worth)]


def mean(question: dict[str, Any]) -> list[float]:
    """Return the mean of the equities after all rolls, each with its best play."""
    # Looking one roll ahead without a smaller net that sorts plays out beforehand is this mean.
    return [gnubg.cfevaluate(question["board"], info(question["cube"]), context(question["plies"] + 1, 0))[1]]


def after_rolls(question: dict[str, Any]) -> list[float]:
    """Return the equity after each of the rolls, with its best play."""
    board, cube_info, plies = question["board"], info(question["cube"]), question["plies"]
    found = []
    for dice in question["rolls"]:
        move = gnubg.findbestmove(board, cube_info, context(plies, 0), tuple(dice))
        found.append(after_play(moved(board, move), cube_info, plies))
    return found


def moved(board: Any, move: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return the board after a play, with the mover's checkers first."""
    theirs, own = list(board[0]), list(board[1])
    for source, target in zip(move[::2], move[1::2], strict=True):
        if source:
            own[source - 1] -= 1
            if target > 0:
                own[target - 1] += 1
                theirs[24] += theirs[24 - target]
                theirs[24 - target] = 0
    return own, theirs


ANSWERS = {
    **{"listed": listed, "evaluated": evaluated, "cube": cube, "mean": mean, "after_rolls": after_rolls},
    **{"chances": chances, "cube_chances": cube_chances},
}


def tell(answer: dict[str, Any]) -> None:
    """Write an answer, on a line of its own."""
    sys.stdout.write("\n" + MARK + json.dumps(answer) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Set the program up at the first line, and answer until the input ends."""
    sys.stdin.readline()
    for setting in SETTINGS:
        gnubg.command(setting)
    tell({"id": 0, "values": []})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            tell({"id": question["id"], "values": ANSWERS[question["op"]](question)})
        except Exception as why:
            tell({"id": question["id"], "error": str(why)[:200]})


main()
