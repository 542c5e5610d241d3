"""Exercises: a mistake of a graded game as a choice to be made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chouette.analysis import study, telling
from chouette.board.match_id import MatchState
from chouette.board.xgid import Setup, parse_xgid, xgid
from chouette.export.record import BEAVER, DOUBLE, DROP, NO_DOUBLE, PLAY, RACCOON, TAKE
from games.kernel.contract import JsonObject
from games.kernel.figures.skill import Exercise, ExerciseWay, Sentence
from games.kernel.text import gettext_noop as _

_LABELS: Mapping[str, str] = {
    DOUBLE: _("Double"),
    NO_DOUBLE: _("No double"),
    TAKE: _("Take"),
    DROP: _("Drop"),
    BEAVER: _("Beaver"),
    RACCOON: _("Raccoon"),
}
_DOUBLED = _("You are doubled, from %(cube)s to %(double)s. What do you answer?")
_BEAVERED = _("Your double to %(double)s is beavered. What do you answer?")
_RACCOONED = _("Your beaver is raccooned. What do you answer?")
_CHOICE = 2
"""So many ways are the fewest between which there is a choice."""


def exercise(row: JsonObject) -> Exercise | None:
    """Return the exercise of a row that was a mistake; None for other rows."""
    if not row["counts"] or row["error"] is None or row["error"] < telling.LEAST_ERROR or not row["equities"]:
        return None
    setup = parse_xgid(row["xgid"])
    is_play = row["kind"] == PLAY
    candidates = _plays(row) if is_play else _actions(row)
    return Exercise(
        kind=row["kind"],
        position=row["xgid"],
        about=tuple(_about(setup, is_answer=row["kind"] not in (PLAY, DOUBLE, NO_DOUBLE))),
        question=_question(row, setup),
        candidates=sorted(candidates, key=lambda each: (each.error, -each.equity)),
        played=row["played"] if is_play else _LABELS[row["kind"]],
        tolerance=telling.LEAST_ERROR,
        is_studied=not setup.offer,
    )


def kept_exercise(position: str, answer: JsonObject) -> Exercise | None:
    """Return a position of one's own as a choice, by an engine's answer to it (`study.answer`).

    None where the engine had no answer, or where there is nothing to choose: one play, or the other side's cube.
    """
    lines = [ExerciseWay(line["text"], line["equity"], line["error"]) for line in answer["lines"]]
    ways = _doubles(lines) if answer["kind"] == "cube" else lines
    if len(ways) < _CHOICE:
        return None
    setup = study.setup_of(position)
    kind = PLAY if answer["kind"] == "plays" else DOUBLE
    return Exercise(
        kind=kind,
        position=xgid(setup),
        about=tuple(_about(setup, is_answer=False)),
        question=_question({"kind": kind, "dice": setup.state.dice}, setup),
        candidates=sorted(ways, key=lambda each: (each.error, -each.equity)),
        played="",
        tolerance=telling.LEAST_ERROR,
    )


def _doubles(lines: Sequence[ExerciseWay]) -> list[ExerciseWay]:
    """Return doubling and not doubling, from the three equities of a cube; nothing where there is no cube to turn."""
    if len(lines) < len((NO_DOUBLE, TAKE, DROP)):
        return []
    no_double, take, drop = (line.equity for line in lines)
    return _valued({DOUBLE: min(take, drop), NO_DOUBLE: no_double})


def _plays(row: JsonObject) -> list[ExerciseWay]:
    """Return the plays that the row lists; grades of an earlier version have the best one and the one made."""
    equities = row["equities"]
    listed = row.get("listed") or [[row["best"], equities["best"]], [row["played"], equities["played"]]]
    return [ExerciseWay(text, equity, max(equities["best"] - equity, 0.0)) for text, equity in listed]


def _actions(row: JsonObject) -> list[ExerciseWay]:
    """Return cube actions with their equities, from the view of the player to decide.

    The row has the equities of an answer (take, drop) from the doubler's view.
    """
    told = row["equities"]
    if row["kind"] in (DOUBLE, NO_DOUBLE):
        equities = {DOUBLE: min(told["take"], told["drop"]), NO_DOUBLE: told["no_double"]}
    else:
        equities = {kind: -told[kind] for kind in (TAKE, DROP, BEAVER, RACCOON) if kind in told}
    return _valued(equities)


def _valued(equities: Mapping[str, float]) -> list[ExerciseWay]:
    """Return cube actions with what each costs."""
    best = max(equities.values())
    return [ExerciseWay(_LABELS[kind], equity, best - equity, is_marked=True) for kind, equity in equities.items()]


def _question(row: JsonObject, setup: Setup) -> Sentence:
    if row["kind"] == PLAY:
        return Sentence(_("What do you play with %(dice)s?"), {"dice": "-".join(map(str, row["dice"]))})
    if row["kind"] in (DOUBLE, NO_DOUBLE):
        return Sentence(_("Do you double?"))
    cube = setup.state.cube
    return Sentence({"D": _DOUBLED, "B": _BEAVERED, "R": _RACCOONED}[setup.offer], {"cube": cube, "double": 2 * cube})


def _about(setup: Setup, *, is_answer: bool) -> Iterator[Sentence]:
    """Yield sentences on cube and score, from the view of the player to decide.

    Player 1 of the state is on roll.
    """
    state, me = setup.state, 0 if is_answer and setup.offer != "B" else 1
    texts = {None: _("The cube is in the middle, at %(cube)s."), me: _("You own the cube, at %(cube)s.")}
    text = texts.get(state.cube_owner, _("The other side owns the cube, at %(cube)s."))
    yield Sentence(text, {"cube": state.cube})
    yield _score(state, me)


def _score(state: MatchState, me: int) -> Sentence:
    if not state.match_length:
        return Sentence(_("For points, with Jacoby.") if state.jacoby else _("For points."))
    about = {"length": state.match_length, "own": state.score[me], "other": state.score[1 - me]}
    if state.crawford:
        return Sentence(_("Match to %(length)s, %(own)s to %(other)s for you, Crawford game."), about)
    return Sentence(_("Match to %(length)s, %(own)s to %(other)s for you."), about)
