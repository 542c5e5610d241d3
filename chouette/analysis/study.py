"""The engine's word on a position of one's own: all plays of its roll, or the actions of the cube."""

from __future__ import annotations

from chouette.analysis.engine import Candidate, CubeEquities, Engine, Stakes
from chouette.analysis.grading import named
from chouette.board.plays import results
from chouette.board.position import Position, swap
from chouette.board.xgid import Setup
from chouette.rules.session import start
from games.kernel.contract import JsonObject
from games.kernel.text import gettext_noop as _

MOST_PLAYS = 10

_OWNERS = {"centre": 0, "member": 1, "against": -1}


def answer(position: str, engine: Engine) -> JsonObject:
    """Return the best plays of a position with a roll, else what doubling, taking and dropping are worth.

    It is played for points, as the study is. Raises EngineFailed and BoardError.
    """
    begun, mine, stakes = _read(position)
    if not begun.dice:
        return _cube(engine.cube(mine, stakes), stakes)
    dice = (begun.dice[0], begun.dice[1])
    legal = results(mine, dice)
    found = list(engine.plays(mine, dice, stakes, legal[0]))
    lines = [_line(each, found[0], named(mine, dice, each.result)) for each in found[:MOST_PLAYS]]
    return {"kind": "plays", "best": "", "lines": lines}


def setup_of(position: str) -> Setup:
    """Return a position of the study as an XGID has it, in the view of the player on roll; raises BoardError."""
    begun, mine, stakes = _read(position)
    dice = (begun.dice[0], begun.dice[1]) if begun.dice else (0, 0)
    return Setup(mine, stakes.state(dice))


def _read(position: str) -> tuple[start.GameStart, Position, Stakes]:
    """Return a start with its position and stakes in the view of the player on roll; raises BoardError."""
    begun = start.parse(position)
    return begun, swap(begun.position), Stakes(cube=begun.value, owner=_OWNERS[begun.owner])


def _line(each: Candidate, best: Candidate, text: str) -> JsonObject:
    return {"text": text, "equity": each.equity, "error": max(best.equity - each.equity, 0.0)}


def _cube(found: CubeEquities, stakes: Stakes) -> JsonObject:
    """Return what the cube's actions are worth to the player on roll."""
    texts = [(_("No double"), found.no_double)]
    if stakes.may_double:
        texts += [(_("Double, take"), found.take), (_("Double, drop"), found.drop)]
    best = max(found.no_double, found.best_double) if stakes.may_double else found.no_double
    lines = [{"text": text, "equity": equity, "error": max(best - equity, 0.0)} for text, equity in texts]
    return {"kind": "cube", "best": _advice(found, stakes), "lines": lines}


def _advice(found: CubeEquities, stakes: Stakes) -> str:
    """Return the best choice of both sides in a sentence."""
    if not stakes.may_double:
        return _("The other side owns the cube.")
    if found.no_double > found.best_double:
        is_too_good = found.no_double > found.drop
        return _("Too good to double: play on.") if is_too_good else _("Do not double; a double is taken.")
    return _("Double; it is taken.") if found.take <= found.drop else _("Double; it is dropped.")
