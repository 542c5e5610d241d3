"""The engine bgsage in a process of its own, which answers as the script in GNU Backgammon does.

So it can be ended when it is silent, and takes no time from the server. `main` is run by `house_engine`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from chouette.analysis.engine import Stakes
from chouette.analysis.sage import Sage
from chouette.board.notation import format_play
from chouette.board.plays import legal_plays, results
from chouette.board.position import Position
from chouette.board.xgid import parse_xgid

MARK = "@answer "
_DEEP = 2

Question = Mapping[str, Any]


def listed(engine: Sage, question: Question) -> list[list[Any]]:
    """Return every play with its equity, the best first; all are said to be judged equally deep."""
    setup = parse_xgid(question["xgid"])
    position, dice = setup.position, setup.state.dice
    texts = {play.result: format_play(play) for play in legal_plays(position, dice)}
    found = engine.plays(position, dice, _stakes(question), results(position, dice)[0])
    return [[texts[each.result], each.equity, _DEEP] for each in found]


def evaluated(engine: Sage, question: Question) -> list[float]:
    """Return the equities of positions for the player not on roll, whose checkers come first."""
    stakes = _stakes(question).swapped()
    found = [engine.cube(_position(own, theirs), stakes) for theirs, own in question["boards"]]
    return [-max(each.no_double, each.best_double) if stakes.may_double else -each.no_double for each in found]


def cube(engine: Sage, question: Question) -> list[float]:
    """Return the equities of no double and of a double taken."""
    theirs, own = question["board"]
    found = engine.cube(_position(own, theirs), _stakes(question))
    return [found.no_double, found.take]


ANSWERS: Mapping[str, Callable[[Sage, Question], list[Any]]] = {"listed": listed, "evaluated": evaluated, "cube": cube}


def _stakes(question: Question) -> Stakes:
    """Return the stakes of a question: the owner is 0 on roll, 1 the other, -1 nobody."""
    value, owner, length, own, other, crawford, jacoby, beavers = question["cube"]
    words = {0: 1, 1: -1, -1: 0}
    return Stakes(value, words[owner], length, (own, other), bool(crawford), bool(jacoby), bool(beavers))


def _position(own: list[int], theirs: list[int]) -> Position:
    """Return the position of the player on roll; both sides count their points from 1 to 24 and the bar."""
    mine, others = [0, *own], [*reversed(theirs), 0]
    return tuple(here - there for here, there in zip(mine, others, strict=True))


def main() -> None:
    """Answer until the input ends."""
    engine = Sage()
    json.loads(sys.stdin.readline())
    _tell({"id": 0, "values": []})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            _tell({"id": question["id"], "values": ANSWERS[question["op"]](engine, question)})
        except Exception as why:
            _tell({"id": question["id"], "error": str(why)[:200]})


def _tell(answer: Mapping[str, Any]) -> None:
    sys.stdout.write(f"\n{MARK}{json.dumps(answer)}\n")
    sys.stdout.flush()
