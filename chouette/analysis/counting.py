"""Counting: what a choice costs, and whether it counts, as players know it from XG.

All equities are normalised to the cube before the double; a dropped double is 1. The constants are those of the
page of the formula.

The formula in sentences, for the page of one's own play: what counts, and how luck is taken.

The parts of a player's choices: by kind, by role in a chouette, and by the stage of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chouette.analysis.engine import Candidate, CubeEquities
from chouette.board.position import HOME, Position
from chouette.board.xgid import parse_xgid
from chouette.export.record import BEAVER, DOUBLE, DROP, NO_DOUBLE, PLAY, TAKE
from games.kernel.contract import JsonObject
from games.kernel.figures.skill import Sentence
from games.kernel.text import gettext_noop as _

FORMULA = 1
"""The version of the formula; it rises when a figure would become another one."""

PER_DECISION = 500
"""A PR is so many times the mean error of what counts."""

SAME = 0.001
"""Two equities of cube actions that are no further apart are the same."""
SAME_PLAY = 0.0001
"""Plays whose equities spread by less are no choice."""
FAR = 0.200
"""The bound of a close decision: not to double counts only if doubling would lose at most this much, or give away at
most this much of a game that is too good to double.
"""
LOST = -0.900
"""Below, with and without a double, a game is lost."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The price of a choice, and whether it counts; `best` names the better one.

    `is_forced` says that obligations left no better one.
    """

    error: float
    counts: bool
    best: str = ""
    is_forced: bool = False


def of_play(candidates: Sequence[Candidate], played: Candidate) -> Cost:
    """Return the cost of a play against the first of the list; the spread is that of the deepest level."""
    best = candidates[0]
    deepest = [each.equity for each in candidates if each.level == best.level]
    spread = max(deepest) - min(deepest)
    return Cost(max(best.equity - played.equity, 0.0), len(candidates) > 1 and spread >= SAME_PLAY)


def of_double(equities: CubeEquities, has_doubled: bool) -> Cost:
    """Return the cost of a double, or of none; one that was made always counts."""
    gain = equities.best_double - equities.no_double
    error = max(-gain if has_doubled else gain, 0.0)
    is_right = gain > 0.0 or (gain == 0.0 and has_doubled)
    best = DOUBLE if is_right else NO_DOUBLE
    return Cost(error, has_doubled or error >= SAME or is_close(equities), best)


def is_close(equities: CubeEquities) -> bool:
    """Tell whether a double had to be thought about."""
    rolled, taken, dropped = equities.no_double, equities.take, equities.drop
    if abs(rolled - equities.best_double) < SAME:
        return False
    if rolled - taken > FAR or rolled - dropped > FAR:
        return False
    return not (rolled < LOST and taken < LOST)


def of_answer(equities: CubeEquities, kind: str, raised: float | None = None, *, must_raise: bool = False) -> Cost:
    """Return the cost of an answer to a double, to the answering player; `raised` is a beaver's or raccoon's equity.

    Equities are the doubler's, so that the answerer wants them small. A raise counts as the take that it
    contains, against its own equity. Who `must_raise` may beaver or drop, and no more.
    """
    by_kind = {TAKE: equities.take, DROP: equities.drop}
    if raised is not None:
        by_kind[BEAVER if must_raise else kind] = raised
    if must_raise:
        del by_kind[TAKE]
    best = min(by_kind, key=lambda each: (by_kind[each], each != kind))
    counts = abs(by_kind[BEAVER if must_raise else TAKE] - equities.drop) >= SAME
    return Cost(by_kind[kind] - by_kind[best], counts, best)


def of_extra(equities: CubeEquities, *, is_given: bool, is_beavered: bool) -> tuple[Cost, float]:
    """Return the cost of giving an extra, or none, and what one is worth to its giver; it counts in no PR.

    Who has dropped pays the cube's value before the double, and has the doubler's side of another one that was taken:
    at twice its value where the taker beavers, which is dropped for two cubes where that costs less.
    """
    worth = (max(2 * equities.take, -2.0) if is_beavered else equities.take) - equities.drop
    return Cost(max(-worth if is_given else worth, 0.0), counts=False), worth


def pr(error: float, decisions: int) -> float | None:
    """Return the PR of a sum of errors over so many decisions; None without any."""
    return PER_DECISION * error / decisions if decisions else None


WHAT_COUNTS = (
    Sentence(
        _(
            "The PR is %(scale)s times the sum of the errors, divided by the number of choices that count, as XG "
            "counts. An error is in units of the cube before the choice."
        ),
        {"scale": PER_DECISION},
    ),
    Sentence(
        _("A play counts where there are two or more, and those looked at most deeply are %(spread)s or more apart."),
        {"spread": SAME_PLAY},
    ),
    Sentence(
        _(
            "Not to double counts where it costs %(same)s or more. Else it does not count where both ways are less "
            "than %(same)s apart, where not to double is better than a double taken or one dropped by more than "
            "%(far)s, or where it and a double taken are both below %(lost)s."
        ),
        {"same": SAME, "far": FAR, "lost": LOST},
    ),
    Sentence(
        _(
            "A double always counts. To take or to drop counts unless both are less than %(same)s apart; a beaver or "
            "raccoon counts as the take in it, against its own equity."
        ),
        {"same": SAME},
    ),
    Sentence(_("Nothing counts with a dead cube or before the first play, or where the clock or the rules chose.")),
    Sentence(
        _(
            "A settlement is graded for both sides, by what its cube was worth, and so is an extra given, or not "
            "given, to the only taker; they stand among the mistakes and count in no PR. Where an extra ends with its "
            "taker's own cube, its other side has chosen nothing."
        )
    ),
    Sentence(
        _(
            "Not graded are resignations and their answers, settlements that were refused or had no answer, whether "
            "an automatic double was agreed to, and the choice of a partner."
        )
    ),
    Sentence(
        _(
            "The luck of a roll is the equity after it, best played, less the mean over the 21 rolls, doubles once "
            "and others twice; of the first roll, over the 15 without doubles for both sides."
        )
    ),
    Sentence(_("That being Box falls to whoever wins is in no figure.")),
)


BY_KIND = _("By kind")
PARTS: Mapping[str, Mapping[str, str]] = {
    BY_KIND: {"plays": _("Plays"), "doubles": _("Doubles, and none"), "answers": _("Takes and drops")},
    _("By role in a chouette"): {"box": _("Box"), "captain": _("Captain"), "member": _("Member")},
    _("By stage of the game"): {
        "opening": _("Opening: the first three turns of each side"),
        "contact": _("Contact"),
        "race": _("Race"),
        "bear_off": _("Bear-off: all checkers home"),
    },
}
AREAS: Mapping[str, str] = {"opening": _("Opening"), "contact": _("Contact"), "race": _("Race"), "cube": _("Cube")}

_OPENING_TURNS = 6
_DUEL = 2


def parts(rows: Sequence[JsonObject]) -> list[tuple[str, ...]]:
    """Return the parts of each row of a game; a game of two has no roles."""
    is_duel = len({row["seat"] for row in rows} - {None}) <= _DUEL
    stages = _stages(rows)
    return [
        (_kind(row), stage) if is_duel else (_kind(row), row["role"], stage)
        for row, stage in zip(rows, stages, strict=True)
    ]


def area(parts: Collection[str]) -> str:
    """Return what a player learns by a choice: the cube, else the stage of the game; the bear-off is of the race."""
    if "plays" not in parts:
        return "cube"
    return next((each for each in AREAS if each in parts), "race")


def _kind(row: JsonObject) -> str:
    if row["kind"] == PLAY:
        return "plays"
    return "doubles" if row["kind"] in (DOUBLE, NO_DOUBLE) else "answers"


def _stages(rows: Sequence[JsonObject]) -> Iterator[str]:
    turns = 0
    for row in rows:
        yield "opening" if turns < _OPENING_TURNS else _stage(parse_xgid(row["xgid"]).position)
        turns += row["kind"] == PLAY


def _stage(position: Position) -> str:
    """Return the stage of a position after the opening; it is the same for both sides."""
    own = max((point for point, count in enumerate(position) if count > 0), default=0)
    theirs = min((point for point, count in enumerate(position) if count < 0), default=len(position))
    if own > theirs:
        return "contact"
    # A side is home when its rearmost checker is; the other side counts its points from the other end.
    return "bear_off" if own <= HOME and len(position) - 1 - theirs <= HOME else "race"
