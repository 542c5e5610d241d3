"""The effects of cube events: doubles, answers, beavers, extras, settlements, resignations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chouette.rules.cube.cubes import holder
from chouette.rules.state import (
    ANSWERS,
    MEMBER,
    NO_RING,
    REPLIES,
    ROLL,
    TEAM,
    Ask,
    Closed,
    Cube,
    Game,
    Proposal,
    Resignation,
    Sealed,
    State,
    Transfer,
    Wait,
    is_wood,
    stage_of,
    with_game,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.records import changed
from games.kernel.rules import Upcasts


def _cube_sealed(state: State, data: JsonObject, seq: int) -> State:
    """Replace an earlier word. In old logs the event may also switch auto no double on."""
    if data.get("auto"):
        players = list(state.players)
        players[data["seat"]] = replace(players[data["seat"]], auto=True)
        state = changed(state, players=tuple(players))
    game, cube = _of(state), data["cube"]
    others = tuple(one for one in game.sealed if one.cube != cube)
    words = tuple(word for word in game.words if word[0] != cube)
    sealed = (*others, Sealed(cube, data["seat"], seq))
    return with_game(state, words=(*words, (cube, data["double"])), sealed=sealed)


def _cube_spoken(state: State, data: JsonObject, seq: int) -> State:
    """Add the word in an open order; in a sealed one the event only tells that a word was given."""
    if "says" not in data:
        return state
    words = (*_of(state).words, (data["cube"], data["says"]))
    return with_game(state, words=words, opened=seq, reopened=())


def _ring_opened(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, ring=seq)


def _ring_ended(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, ring_over=True)


def _wait_asked(state: State, data: JsonObject, seq: int) -> State:
    """Start a seat's own time, which replaces an earlier one."""
    waits = _without_waits(_of(state), data["seat"])
    return with_game(state, waits=(*waits, Wait(data["seat"], seq, data["late"])))


def _wait_ended(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, waits=_without_waits(_of(state), data["seat"]))


def _without_waits(game: Game, seat: Seat) -> tuple[Wait, ...]:
    return tuple(replace(wait, is_over=True) if wait.seat == seat else wait for wait in game.waits)


def _window_closed(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, **NO_RING, words=(), sealed=(), stage=ROLL, opened=seq, reopened=())


def _extra_offered(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, words=(*_of(state).words, (data["cube"], True)))


def _doubled(state: State, data: JsonObject, seq: int) -> State:
    """Double: earlier proposals end, and the last play can't be taken back any more.

    On a real board another double may join unanswered ones.
    """
    game = _of(state)
    before = game.batch if game.stage == ANSWERS else ()
    return with_game(
        state,
        stage=ANSWERS,
        turn=data.get("side", game.turn),
        batch=tuple(sorted({*before, *data["cubes"]})),
        answers=(),
        beavers=(),
        words=(),
        sealed=(),
        proposals=(),
        last=None,
        opened=seq,
        reopened=(),
    )


def _double_withdrawn(state: State, data: JsonObject, seq: int) -> State:
    """Withdraw a double; the rest of the batch is asked again, and without any the game continues."""
    batch = tuple(cube for cube in _of(state).batch if cube not in data["cubes"])
    stage = {} if batch else {"stage": stage_of(state, ROLL), "turn": ""}
    return with_game(state, batch=batch, opened=seq, reopened=(), **stage)


def _answer_sealed(state: State, data: JsonObject, seq: int) -> State:
    game = _of(state)
    answers = tuple((cube, cube in data["takes"]) for cube in data["cubes"])
    sealed = tuple(Sealed(cube, data["seat"], seq) for cube in data["cubes"])
    beavers = (*game.beavers, *data.get("beavers", ()))
    return with_game(state, answers=(*game.answers, *answers), beavers=beavers, sealed=(*game.sealed, *sealed))


def _answers_opened(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, answers=(), sealed=(), stage=REPLIES, opened=seq, reopened=())


def _double_taken(state: State, data: JsonObject, seq: int) -> State:
    """Take a double, with the extras of the member's cube."""
    for index, value in [[data["cube"], data["value"]], *data["extras"]]:
        state = _put(state, index, value=value, owner=data["owner"], turned=True)
    return state


def _asks_opened(state: State, data: JsonObject, seq: int) -> State:
    asks = tuple(replace(Ask(*row), opened=seq) for row in data["asks"])
    return with_game(state, asks=(*_of(state).asks, *asks))


def _reply_sealed(state: State, data: JsonObject, seq: int) -> State:
    reply = (data["cube"], data["kind"], data["seat"], data["reply"])
    return with_game(state, said=(*_of(state).said, reply))


def _reply_given(state: State, data: JsonObject, seq: int) -> State:
    reopened = tuple(row for row in _of(state).reopened if row[0] != data["seat"])
    return with_game(state, reopened=reopened)


def _replies_opened(state: State, data: JsonObject, seq: int) -> State:
    """Remove the questions of this round: all have been answered."""
    answered = {(cube, kind, seat) for cube, kind, seat, _ in data["replies"]}
    asks = tuple(ask for ask in _of(state).asks if (ask.cube, ask.kind, ask.seat) not in answered)
    return with_game(state, asks=asks, said=())


def _replied(state: State, data: JsonObject, seq: int) -> State:
    game, seat = _of(state), data["seat"]
    answered = (data["cube"], data["kind"], seat)
    asks = tuple(ask for ask in game.asks if (ask.cube, ask.kind, ask.seat) != answered)
    reopened = tuple(row for row in game.reopened if row[0] != seat)
    return with_game(state, asks=asks, reopened=reopened)


def _cube_raised(state: State, data: JsonObject, seq: int) -> State:
    """Beaver or raccoon a cube and its extras; the owner stays the same."""
    state = with_game(state, beavers=tuple(cube for cube in _of(state).beavers if cube != data["cube"]))
    for index, value in [[data["cube"], data["value"]], *data["extras"]]:
        state = _put(state, index, value=value)
    return state


def _extra_given(state: State, data: JsonObject, seq: int) -> State:
    game = _of(state)
    cube = Cube(data["member"], data["seat"], data["value"], MEMBER, turned=True, is_extra=True)
    paid = Transfer(data["seat"], data["member"], data["paid"], "extra")
    return with_game(state, cubes=(*game.cubes, cube), paid=(*game.paid, paid))


def _batch_closed(state: State, data: JsonObject, seq: int) -> State:
    closed = {"batch": (), "beavers": (), "asks": (), "said": ()}
    turn = "" if is_wood(state) else _of(state).turn
    return with_game(state, stage=stage_of(state, ROLL), turn=turn, opened=seq, reopened=(), **closed)


def _cube_settled(state: State, data: JsonObject, seq: int) -> State:
    index = data["cube"]
    if data["how"] == "settled":
        state = _closed(state, index, "accepted")
    state = _put(state, index, result=data["points"], how=data["how"])
    game = _of(state)
    offered = game.resignation
    if offered is not None:
        offered = replace(offered, waiting=tuple(cube for cube in offered.waiting if cube != index))
    return with_game(
        state,
        outs=(*game.outs, index),
        words=tuple(word for word in game.words if word[0] != index),
        answers=tuple(answer for answer in game.answers if answer[0] != index),
        sealed=tuple(each for each in game.sealed if each.cube != index),
        batch=tuple(cube for cube in game.batch if cube != index),
        beavers=tuple(cube for cube in game.beavers if cube != index),
        asks=tuple(ask for ask in game.asks if ask.cube != index),
        said=tuple(row for row in game.said if row[0] != index),
        resignation=offered,
        proposals=tuple(p for p in game.proposals if p.cube != index),
    )


def _resignation_offered(state: State, data: JsonObject, seq: int) -> State:
    waiting = tuple(data["cubes"])
    offered = Resignation(data["seat"], data["level"], waiting, seq)
    refused = (*_of(state).refused, (data["seat"], data["level"]))
    return with_game(state, resignation=offered, refused=refused)


def _resignation_answered(state: State, data: JsonObject, seq: int) -> State:
    offered, cubes = _of(state).resignation, tuple(data["cubes"])
    if offered is None:
        return state
    waiting = tuple(cube for cube in offered.waiting if cube not in cubes)
    # In the order of the cubes, so that the state doesn't show which answer came first.
    accepted = tuple(sorted(offered.accepted + (cubes if data["accept"] else ())))
    refused = tuple(sorted(offered.refused + (() if data["accept"] else cubes)))
    return with_game(state, resignation=replace(offered, waiting=waiting, accepted=accepted, refused=refused))


def _resignation_closed(state: State, data: JsonObject, seq: int) -> State:
    """Note the refused level: a leaver pays more than that (§7).

    Lower offers become legal again with the next play; a real board has no plays, so there at once.
    """
    game, offered = _of(state), _of(state).resignation
    refused = [(cube, offered.by, offered.level) for cube in sorted(offered.refused)] if offered else []
    may_offer = {"refused": ()} if is_wood(state) else {}
    return with_game(state, resignation=None, declined=(*game.declined, *refused), **may_offer)


def _settlement_proposed(state: State, data: JsonObject, seq: int) -> State:
    kept = tuple(p for p in _of(state).proposals if p.cube != data["cube"])
    proposal = Proposal(data["cube"], data["seat"], data["points"], seq)
    closed = tuple(c for c in _of(state).closed if c.cube != data["cube"])
    return with_game(state, proposals=(*kept, proposal), closed=closed)


def _settlement_lapsed(state: State, data: JsonObject, seq: int) -> State:
    return _closed(state, data["cube"], "lapsed")


def _closed(state: State, cube: int, became: str) -> State:
    """Return the state with the outcome of the proposal to settle a cube; unchanged if there is none."""
    game = _of(state)
    found = next((p for p in game.proposals if p.cube == cube), None)
    if found is None:
        return state
    member = holder(game, game.cubes[cube], TEAM)
    other = None if became == "lapsed" else member if found.by == game.box else game.box
    closed = Closed(found.by, "settlement", became, cube, other)
    return with_game(state, closed=(*(c for c in game.closed if c.cube != cube), closed))


def _settlement_refused(state: State, data: JsonObject, seq: int) -> State:
    state = _closed(state, data["cube"], "refused")
    kept = tuple(p for p in _of(state).proposals if p.cube != data["cube"])
    return with_game(state, proposals=kept)


def _of(state: State) -> Game:
    """Return the game; raises LookupError before the first game."""
    if state.game is None:
        raise LookupError("a cube's event before any game")
    return state.game


def _put(state: State, index: int, **changes: Any) -> State:
    """Return the state with one cube changed."""
    cubes = list(_of(state).cubes)
    cubes[index] = replace(cubes[index], **changes)
    return with_game(state, cubes=tuple(cubes))


CUBE_EVENTS = {
    "cube_sealed": _cube_sealed,
    "cube_spoken": _cube_spoken,
    "ring_opened": _ring_opened,
    "ring_ended": _ring_ended,
    "wait_asked": _wait_asked,
    "wait_ended": _wait_ended,
    "window_closed": _window_closed,
    "extra_offered": _extra_offered,
    "doubled": _doubled,
    "double_withdrawn": _double_withdrawn,
    "answer_sealed": _answer_sealed,
    "answers_opened": _answers_opened,
    "double_taken": _double_taken,
    "asks_opened": _asks_opened,
    "replied": _replied,
    "reply_sealed": _reply_sealed,
    "reply_given": _reply_given,
    "replies_opened": _replies_opened,
    "beavered": _cube_raised,
    "raccooned": _cube_raised,
    "extra_given": _extra_given,
    "batch_closed": _batch_closed,
    "cube_settled": _cube_settled,
    "resignation_offered": _resignation_offered,
    "resignation_answered": _resignation_answered,
    "resignation_answer_sealed": _resignation_answered,
    "resignation_closed": _resignation_closed,
    "settlement_proposed": _settlement_proposed,
    "settlement_refused": _settlement_refused,
    "settlement_lapsed": _settlement_lapsed,
}


def _with_extras(data: JsonObject) -> JsonObject:
    """Add the extras that version 2 names; in version 1 each extra was turned by an event of its own (§4.8)."""
    return {"extras": [], **data}


CUBE_UPCASTS: Upcasts = {(name, 1): _with_extras for name in ("double_taken", "beavered", "raccooned")}
