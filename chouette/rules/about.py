"""The seats and the choice that a table waits for, and the data of the choices' words (chouette.rules.events.words)."""

from __future__ import annotations

from chouette.rules.choices import awaited
from chouette.rules.cube import beavers, window
from chouette.rules.cube.cubes import holder, roller, worth
from chouette.rules.seating import ordering
from chouette.rules.session.opening import is_study, question, still_to_roll
from chouette.rules.state import (
    ANSWERS,
    AUTOMATIC,
    MOVE,
    OFFER,
    OPENING,
    PAUSE,
    PLAYING,
    REPLIES,
    RESULT,
    ROLL,
    TEAM,
    WINDOW,
    WOOD,
    Game,
    State,
    is_over,
    is_wood,
    lineup,
    playing,
)
from chouette.rules.wood import results
from games.kernel.contract import Choice, JsonObject, Seat
from games.kernel.sets import Sets
from games.kernel.words import EACH, OVER_WORDS

_ASKED = {
    OPENING: "opening_roll",
    AUTOMATIC: "automatic",
    OFFER: "offer",
    ANSWERS: "answer",
    REPLIES: "reply",
    ROLL: "roll",
    MOVE: "move",
    WOOD: "result",
    RESULT: "answer_result",
}
"""The choice that each stage waits for."""


def asked(state: State) -> str:
    """Return the choice that the game waits for, by its name."""
    if is_over(state):
        return OVER_WORDS
    if state.phase == PAUSE:
        return "next"
    if state.phase != PLAYING:
        return _asked_between(state)
    game = playing(state)
    if game.resignation is not None:
        return "answer_resignation"
    if game.stage == WINDOW:
        return "offer" if game.ring is None else "cube"
    return _ASKED[game.stage]


def _asked_between(state: State) -> str:
    if ordering.to_throw(state):
        return "order_die"
    if topic := question(state):
        return "automatic" if topic == "carry" else "partner"
    if is_wood(state):
        return "begin_game"
    return "start_study" if is_study(state) else "opening_roll"


def waiting_for(state: State) -> tuple[Seat, ...]:
    """Return the seats that all know to be waited for: whoever has answered in secret is among them.

    A game on a real board without game clocks waits for nobody.
    """
    if is_over(state) or state.phase != PLAYING:
        return awaited(state)
    game = playing(state)
    return tuple(sorted({seat for seat in _in_game(state, game) if seat is not None}))


def _in_game(state: State, game: Game) -> tuple[Seat | None, ...]:
    if game.resignation is not None:
        cubes = [game.cubes[i] for i in game.resignation.waiting]
        is_by_box = game.resignation.by == game.box
        return tuple(holder(game, cube, TEAM) if is_by_box else cube.against for cube in cubes)
    if game.stage == WINDOW and game.ring is not None:
        return window.speech(state).awaited
    if game.stage == ANSWERS:
        given = {index for index, _ in game.answers}
        left = [game.cubes[i] for i in game.batch if i not in given]
        return tuple(cube.against if game.turn == TEAM else holder(game, cube, TEAM) for cube in left)
    if game.stage == REPLIES:
        return tuple(ask.seat for ask in beavers.waiting(game))
    if game.stage == OPENING:
        return still_to_roll(state)
    if game.stage in (AUTOMATIC, RESULT):
        return (game.box if game.stage == AUTOMATIC else results.to_agree(game),)
    return (_by_clock(state),) if game.stage == WOOD else (roller(game),)


def _by_clock(state: State) -> Seat | None:
    """Return the seat on turn on a real board, which only a game clock tells."""
    return state.clock.turn if state.clock is not None else None


def about(state: State, choice: Choice) -> JsonObject:
    """Return the data of a choice's words: its cubes, its question, the costs of its answers."""
    make = _ABOUT.get(choice.name)
    return make(state, choice) if make else {}


def _automatic(state: State, choice: Choice) -> JsonObject:
    return {"doubled": playing(state).cubes[0].value * 2 if state.phase == PLAYING else 2}


def _partner(state: State, choice: Choice) -> JsonObject:
    return {"partner": lineup(state)[-1]}


def _of_cubes(state: State, choice: Choice) -> JsonObject:
    """Return for each option its cube: its member, value and price; of an extra the other side, too."""
    options = [] if isinstance(choice.options, Sets) else choice.options
    game, is_many = playing(state), len({args["cube"] for args in options}) > 1
    return {EACH: [{**_cube(game, args["cube"]), "is_many": is_many} for args in options]}


def _cube(game: Game, index: int) -> JsonObject:
    cube = game.cubes[index]
    found = {"member": cube.member, "value": cube.value, "doubled": cube.value * 2, "cost": cube.value}
    return {**found, "against": cube.against, "extra": True} if cube.is_extra else found


def _words(state: State, choice: Choice) -> JsonObject:
    """Return the cubes about which a seat speaks: one that may only say no double now has said double."""
    found = _of_cubes(state, choice)
    both = {args["cube"] for args in choice.options if args["double"]}
    rows = [
        {**row, "has_doubled": True} if args["cube"] not in both else row
        for row, args in zip(found[EACH], choice.options, strict=True)
    ]
    return {EACH: rows}


def _reply(state: State, choice: Choice) -> JsonObject:
    game = playing(state)
    asks = {ask.cube: ask for ask in beavers.waiting(game) if ask.seat == choice.seat}
    rows = []
    for args in choice.options:
        ask = asks[args["cube"]]
        cost = ask.value if ask.kind == "extra" else ask.value // 2
        row = _cube(game, ask.cube)
        rows.append({**row, "is_many": len(asks) > 1, "value": ask.value, "cost": cost, "kind": ask.kind})
    one = next(iter(asks.values()))
    cube = game.cubes[one.cube]
    other = cube.against if holder(game, cube, TEAM) == choice.seat else cube.member
    return {"kind": one.kind, "value": one.value, "other": other, EACH: rows}


def _resignation(state: State, choice: Choice) -> JsonObject:
    game = playing(state)
    offered = game.resignation
    if offered is None:
        return {}
    cubes = [game.cubes[i] for i in offered.waiting]
    mine = [cube for cube in cubes if offered.by != game.box or holder(game, cube, TEAM) == choice.seat]
    return {"points": sum(worth(state, cube, offered.level) for cube in mine)}


def _proposals(state: State, choice: Choice) -> JsonObject:
    game = playing(state)
    found = {one.cube: one for one in game.proposals if one.by != choice.seat}
    rows = []
    for args in choice.options:
        one = found[args["cube"]]
        points = -one.points if game.cubes[one.cube].against == choice.seat else one.points
        row = _cube(game, one.cube)
        rows.append({**row, "is_many": len(found) > 1, "points": points, "is_costing": points < 0})
    return {"by": found[choice.options[0]["cube"]].by, "points": rows[0]["points"], EACH: rows}


_ABOUT = {
    "automatic": _automatic,
    "partner": _partner,
    "cube": _words,
    "double": _of_cubes,
    "answer": _of_cubes,
    "reply": _reply,
    "answer_resignation": _resignation,
    "answer_proposal": _proposals,
}
