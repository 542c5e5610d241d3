"""Doubling, and the answers of a whole batch at once (docs/rules-chouette.md §§4.3, 4.5)."""

from __future__ import annotations

from chouette.rules import takeback
from chouette.rules.cube import beavers, obligations
from chouette.rules.cube.cubes import (
    covered_cubes,
    decision_cubes,
    held_by,
    holder,
    live,
    other,
    owner_word,
    with_extras,
)
from chouette.rules.events.cubes import AnswerGiven, AnswerSealed, AnswersOpened, Doubled, DoubleTaken
from chouette.rules.session import ending
from chouette.rules.state import ANSWERS, BOX, PLAYING, TEAM, Draft, Game, State, playing
from games.kernel.contract import JsonObject, Seat


def double(draft: Draft, cubes: list[int], side: str) -> None:
    """Double some cubes for a side, with the extras that belong to them."""
    takeback.lapse(draft)
    game = playing(draft.state)
    draft.add(
        Doubled(
            side=side,
            box=game.box,
            cubes=cubes,
            members=[game.cubes[i].member for i in cubes],
            values=[game.cubes[i].value for i in cubes],
            by=game.captain if game.is_single and side == TEAM else None,
        )
    )


def offer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Double some members for the Box."""
    double(draft, covered_cubes(playing(draft.state), sorted(args["cubes"])), BOX)


def to_answer(game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes of the batch that a seat has still to answer."""
    if game.stage != ANSWERS:
        return ()
    answered = {cube for cube, _ in game.answers}
    waiting = tuple(i for i in game.batch if i not in answered)
    return held_by(game, waiting, other(game.turn), seat)


def is_answered_by_box(game: Game, seat: Seat) -> bool:
    """Tell whether a seat answers the Team's doubles as the Box, with one set for all."""
    return game.turn == TEAM and seat == game.box


def listed(state: State, game: Game, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the answers of a seat to each cube that it answers singly: drop, take, beaver.

    A single cube is beavered by the Captain for all members that take (§4.12).
    """
    found: list[JsonObject] = []
    for cube in to_answer(game, seat):
        found += [{"cube": cube, "take": False}, {"cube": cube, "take": True}]
        if cube in decision_cubes(game, live(game)) and obligations.may_beaver(state.options, game.cubes[cube].value):
            found.append({"cube": cube, "take": True, "beaver": True})
    return tuple(found)


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Drop, take or beaver one cube: for a member, or for the other side of an extra."""
    cubes = [args["cube"]]
    give(draft, seat, cubes, cubes if args["take"] else [], cubes if args.get("beaver") else [])


def answer_batch(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Answer all doubles of the Team at once for the Box: the cubes to take, and to beaver among them."""
    game = playing(draft.state)
    cubes = list(to_answer(game, seat))
    give(draft, seat, cubes, covered_cubes(game, list(args["take"])), list(args.get("beaver", ())))


def give(draft: Draft, seat: Seat, cubes: list[int], takes: list[int], beavered: list[int]) -> None:
    """Write a sealed answer; open them all with the last one."""
    draft.tell((seat,), AnswerSealed(seat=seat, cubes=cubes, takes=takes, beavers=beavered))
    draft.add(AnswerGiven(seat=seat, cubes=cubes))
    open_if_complete(draft)


def open_if_complete(draft: Draft) -> None:
    """Open the answers when no cube of the batch waits for one."""
    game = playing(draft.state)
    if game.stage == ANSWERS and {cube for cube, _ in game.answers} >= set(game.batch):
        _open(draft)


def _open(draft: Draft) -> None:
    game = playing(draft.state)
    takes, drops = _show(draft)
    ending.go_out(draft, [(i, dropped(game, i), "dropped") for i in drops])
    if draft.state.phase == PLAYING:
        beavers.after_answers(draft, game, takes, drops)


def _show(draft: Draft) -> tuple[list[int], list[int]]:
    """Open the answers and turn the cubes that were taken; return takes and drops."""
    game = playing(draft.state)
    takes = sorted(cube for cube, took in game.answers if took)
    drops = sorted(cube for cube, took in game.answers if not took)
    draft.add(AnswersOpened(takes=takes, drops=drops, beavers=sorted(game.beavers)))
    for index in takes:
        _take(draft, index)
    return takes, drops


def _take(draft: Draft, index: int) -> None:
    """Turn a cube that was taken; its extras are taken with it (§4.8)."""
    game = playing(draft.state)
    cube, side = game.cubes[index], other(game.turn)
    taken = DoubleTaken(
        cube=index,
        value=cube.value * 2,
        owner=owner_word(side),
        member=cube.member,
        seat=holder(game, cube, side),
        extras=with_extras(game, index),
    )
    draft.add(taken)


def open_sealed(draft: Draft) -> dict[int, int]:
    """Open the answers given so far because a side leaves before all are given: takes and drops stand.

    Returns the points of dropped cubes, for their members, by cube.
    """
    game = playing(draft.state)
    return {i: dropped(game, i) for i in _show(draft)[1]} if game.answers else {}


def dropped(game: Game, index: int) -> int:
    """Return the points of a drop for the member: the value before the double (§4.3)."""
    value = game.cubes[index].value
    return value if game.turn == TEAM else -value
