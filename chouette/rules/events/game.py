"""The effect of a game's events: the opening roll, turns, dice, plays, Captains, talk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from chouette.rules.cube.cubes import roller_of
from chouette.rules.state import (
    AUTOMATIC,
    BOX,
    KEPT,
    MOVE,
    NO_RING,
    OFFER,
    OPENING,
    ROLL,
    WINDOW,
    Closed,
    Cube,
    Game,
    Line,
    Played,
    State,
    stage_of,
    with_game,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.records import changed


def _opening_die_rolled(state: State, data: JsonObject, seq: int) -> State:
    """Add an opening die; the other opener's decision keeps its basis."""
    return with_game(state, opening=(*_of(state).opening, (data["seat"], data["die"])))


def _opening_tied(state: State, data: JsonObject, seq: int) -> State:
    return _game(state, seq, opening=(), ties=data["ties"], stage=stage_of(state, OPENING))


def _automatic_asked(state: State, data: JsonObject, seq: int) -> State:
    return _game(state, seq, stage=AUTOMATIC)


def _automatic_answered(state: State, data: JsonObject, seq: int) -> State:
    return _game(state, seq, stage=stage_of(state, OPENING))


def _cubes_doubled(state: State, data: JsonObject, seq: int) -> State:
    """Set the value of all cubes; an automatic double is no turned cube (§4.2)."""
    cubes: list[Cube] = [replace(cube, value=data["value"]) for cube in _of(state).cubes]
    return with_game(state, cubes=tuple(cubes))


def _double_carried(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, carry=True)


def _turn_began(state: State, data: JsonObject, seq: int) -> State:
    return _game(
        state,
        seq,
        turn=data["side"],
        stage=data["stage"],
        dice=tuple(data["dice"]),
        words=(),
        sealed=(),
        **NO_RING,
    )


def _dice_awaited(state: State, data: JsonObject, seq: int) -> State:
    """Wait for real dice: doubling is over, and the dice have to be typed."""
    return _game(state, seq, stage=ROLL)


def _dice_rolled(state: State, data: JsonObject, seq: int) -> State:
    """Roll: earlier proposals end, and the last play can't be taken back any more.

    Proposals and requests that lapse by the roll have events before it.
    """
    dice = tuple(data["dice"])
    return _game(state, seq, stage=MOVE, dice=dice, proposals=(), last=None, refused=())


def _play_made(state: State, data: JsonObject, seq: int) -> State:
    game = _of(state)
    drawn = tuple(line for line in game.talk if line.play)
    last = Played(data["seat"], game.turn, game.dice, data["play"], game.position, advisers=game.asked, drawn=drawn)
    talk = tuple(line for line in game.talk if not line.play)
    return _game(
        state,
        seq,
        position=tuple(data["position"]),
        dice=(),
        last=last,
        talk=talk,
        asked=(),
        refused=(),
        proposals=(),
        closed=(),
    )


def _play_asked_back(state: State, data: JsonObject, seq: int) -> State:
    return _with_last(state, asked=seq, agreed=())


def _play_back_agreed(state: State, data: JsonObject, seq: int) -> State:
    last = _of(state).last
    return _with_last(state, agreed=(*last.agreed, data["seat"])) if last else state


def _play_back_refused(state: State, data: JsonObject, seq: int) -> State:
    return with_game(_closed(state, "refused", data["seat"]), last=None)


def _play_back_lapsed(state: State, data: JsonObject, seq: int) -> State:
    return _closed(state, "lapsed")


def _closed(state: State, became: str, by: Seat | None = None) -> State:
    """Return the state with the outcome of the request to take the last play back."""
    game = _of(state)
    if game.last is None:
        return state
    asker = roller_of(game, game.last.side)
    return with_game(state, closed=(*game.closed, Closed(asker, "take_back", became, by=by)))


def _play_taken_back(state: State, data: JsonObject, seq: int) -> State:
    """Give the roll back to be played again, with the advice that had been asked for and given."""
    last = _of(state).last
    if last is None:
        return state
    state = _closed(state, "accepted")
    return _game(
        state,
        seq,
        asked=last.advisers,
        talk=(*_of(state).talk, *last.drawn)[-KEPT:],
        turn=last.side,
        stage=MOVE,
        dice=last.dice,
        position=last.before,
        words=(),
        sealed=(),
        **NO_RING,
        last=None,
    )


def _captain_changed(state: State, data: JsonObject, seq: int) -> State:
    """Pass the Team's die of the opening on to the new Captain, as no roll has been asked for yet."""
    game, seat, before = _of(state), data["seat"], data["before"]
    opening = tuple((seat if roller == before else roller, die) for roller, die in game.opening)
    return with_game(state, captain=seat, captains=(*game.captains, seat), opening=opening, **NO_RING)


def _deputy_named(state: State, data: JsonObject, seq: int) -> State:
    """Let a deputy roll and move for a side; an open decision of the side gets a new basis."""
    game = _of(state)
    state = with_game(state, deputies=(*game.deputies, (data["side"], data["deputy"])))
    return _with_new_basis(state, data["side"], seq)


def _deputy_ended(state: State, data: JsonObject, seq: int) -> State:
    """Give the dice back to the Captain or Box; a ring that the deputy opened ends."""
    game = _of(state)
    ring = NO_RING if game.stage == WINDOW else {}
    state = with_game(state, deputies=tuple(row for row in game.deputies if row[0] != data["side"]), **ring)
    return _with_new_basis(state, data["side"], seq)


def _with_new_basis(state: State, side: str, seq: int) -> State:
    game = _of(state)
    is_open = game.turn == side and game.stage in (OFFER, ROLL, MOVE)
    return _game(state, seq) if is_open else state


def _cube_handed(state: State, data: JsonObject, seq: int) -> State:
    """Hand a leaver's cube to another seat, with the questions about it (§7)."""
    member, seat = data["member"], data["seat"]
    proxies = tuple(pair for pair in _of(state).proxies if pair[0] != member)
    return with_game(with_questions_passed(state, data["before"], seat, member), proxies=(*proxies, (member, seat)))


def with_questions_passed(state: State, before: Seat, seat: Seat, member: Seat | None) -> State:
    """Return the state with questions to one seat passed to another: about a member's cube, or about any (None).

    Questions of extras stay, and so do replies already given.
    """
    game = _of(state)

    def addressee(cube: int, kind: str, current: Seat) -> Seat:
        is_about = member is None or game.cubes[cube].member == member
        return seat if current == before and is_about and kind != "extra" else current

    asks = tuple(replace(ask, seat=addressee(ask.cube, ask.kind, ask.seat)) for ask in game.asks)
    said = tuple((cube, kind, addressee(cube, kind, current), reply) for cube, kind, current, reply in game.said)
    return with_game(state, asks=asks, said=said)


def _box_changed(state: State, data: JsonObject, seq: int) -> State:
    """Let the partner play on for a Box that has left, and take over its whole result (§4.10)."""
    game, seat, before = _of(state), data["seat"], data["before"]

    def successor(old: Seat) -> Seat:
        return seat if old == before else old

    offered = game.resignation
    return with_game(
        state,
        line=(seat, *(old for old in game.line[1:] if old != seat)),
        partner=None,
        deputies=tuple(row for row in game.deputies if row[0] != BOX),
        cubes=tuple(replace(cube, against=successor(cube.against)) for cube in game.cubes),
        opening=tuple((successor(old), die) for old, die in game.opening),
        asks=tuple(replace(ask, seat=successor(ask.seat)) for ask in game.asks),
        said=tuple((cube, kind, successor(old), reply) for cube, kind, old, reply in game.said),
        refused=tuple((successor(old), level) for old, level in game.refused),
        declined=tuple((cube, successor(old), level) for cube, old, level in game.declined),
        proposals=tuple(replace(each, by=successor(each.by)) for each in game.proposals),
        resignation=offered and replace(offered, by=successor(offered.by)),
    )


def _timed_out(state: State, data: JsonObject, seq: int) -> State:
    """Reopen a seat's decision with `again`: it has the same time once more."""
    if not data["again"]:
        return state
    return with_game(state, reopened=(*_of(state).reopened, (data["seat"], seq)))


def _of(state: State) -> Game:
    """Return the game, running or just ended; raises LookupError before the first game."""
    if state.game is None:
        raise LookupError("a game's event before any game")
    return state.game


def _game(state: State, seq: int, **changes: Any) -> State:
    """Return the state with the game changed and a new decision opened."""
    return with_game(state, opened=seq, reopened=(), **changes)


def _with_last(state: State, **changes: Any) -> State:
    last = _of(state).last
    return with_game(state, last=replace(last, **changes)) if last else state


GAME_EVENTS = {
    "opening_die_rolled": _opening_die_rolled,
    "opening_tied": _opening_tied,
    "automatic_asked": _automatic_asked,
    "automatic_answered": _automatic_answered,
    "cubes_doubled": _cubes_doubled,
    "double_carried": _double_carried,
    "turn_began": _turn_began,
    "dice_awaited": _dice_awaited,
    "dice_rolled": _dice_rolled,
    "play_made": _play_made,
    "play_asked_back": _play_asked_back,
    "play_back_agreed": _play_back_agreed,
    "play_back_refused": _play_back_refused,
    "play_back_lapsed": _play_back_lapsed,
    "play_taken_back": _play_taken_back,
    "captain_changed": _captain_changed,
    "deputy_named": _deputy_named,
    "deputy_ended": _deputy_ended,
    "cube_handed": _cube_handed,
    "box_changed": _box_changed,
    "timed_out": _timed_out,
}


Audience = tuple[Seat, ...]


def _talked(state: State, data: JsonObject, audience: Audience, seq: int) -> State:
    return _keep(state, Line(data["seat"], data["text"], "", tuple(audience), seq))


def _play_suggested(state: State, data: JsonObject, audience: Audience, seq: int) -> State:
    """Add a member's suggestion, which replaces an earlier one."""
    if state.game is None:
        return state
    others = tuple(ln for ln in state.game.talk if not (ln.play and ln.seat == data["seat"]))
    line = Line(data["seat"], "", data["play"], tuple(audience), seq)
    return _keep(with_game(state, talk=others), line)


def _talk_opened(state: State, data: JsonObject, audience: Audience, seq: int) -> State:
    if state.game is None:
        return state
    return with_game(state, asked=(*state.game.asked, data["seat"]))


def _keep(state: State, line: Line) -> State:
    if state.game is None:
        return state
    return with_game(state, talk=(*state.game.talk, line)[-KEPT:])


TALK_EVENTS: dict[str, Callable[[State, JsonObject, Audience, int], State]] = {
    "talked": _talked,
    "play_suggested": _play_suggested,
    "talk_opened": _talk_opened,
}
