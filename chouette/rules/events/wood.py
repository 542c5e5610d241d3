"""The effects of the events of a game on a real board: told results, and acts taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chouette.rules.state import (
    BETWEEN,
    ENDED,
    KEPT_ACTS,
    PLAYING,
    RESULT,
    WOOD,
    Act,
    Game,
    Row,
    State,
    ToldResult,
    Transfer,
    with_game,
)
from games.kernel.contract import Event, JsonObject
from games.kernel.records import changed

_PAST = ("game_ended", "seat_left", "deputy_named", "timed_out", "result_corrected")
"""Types of events after which earlier acts can't be taken back."""


def is_final(event: Event) -> bool:
    """Tell whether an event makes earlier acts final."""
    return event.type in _PAST or (event.type == "cube_settled" and event.data["how"] == "settled")


def _act_noted(state: State, data: JsonObject, seq: int) -> State:
    """Keep the table as it is before an act; the act's own events follow.

    While anything is sealed nothing is kept, because the decisions opened again would reveal it: then this
    act is taken back together with the act before it, and only by the host.
    """
    if state.game is not None and _is_sealed(state.game):
        *rest, last = state.acts or (None,)
        return changed(state, acts=(*rest, replace(last, is_last=False)) if last else ())
    game = state.game and changed(state.game, proposals=(), closed=(), talk=())
    before = (state.phase, game, state.carry, state.agreed, state.partner, state.crawford)
    act = Act(data["seat"], data["act"], *before)
    return changed(state, acts=(*state.acts, act)[-KEPT_ACTS:])


def _is_sealed(game: Game) -> bool:
    offered = game.resignation
    return bool(game.answers or game.said or (offered is not None and (offered.accepted or offered.refused)))


def _act_taken_back(state: State, data: JsonObject, seq: int) -> State:
    """Restore the state before the act: open decisions get a new basis, later offers are dropped, talk is kept."""
    *rest, act = state.acts
    game = state.game if act.game is None or state.game is None else _as_before(act.game, state.game, seq)
    parts: dict[str, Any] = {name: getattr(act, name) for name in ("phase", "carry", "agreed", "partner", "crawford")}
    return changed(state, acts=tuple(rest), game=act.game and game, opened=seq, **parts)


def _as_before(before: Game, now: Game, seq: int) -> Game:
    """Return a game as it was before an act; a game that ended before the running one is unchanged."""
    if before.number != now.number:
        return before
    offered = before.resignation
    return changed(
        before,
        opened=seq,
        reopened=(),
        talk=now.talk,
        asked=now.asked,
        asks=tuple(replace(ask, opened=seq) for ask in before.asks),
        resignation=offered and replace(offered, opened=seq),
    )


def _result_told(state: State, data: JsonObject, seq: int) -> State:
    result = ToldResult(data["seat"], data["winner"], data["level"])
    return with_game(state, stage=RESULT, told=result, opened=seq, reopened=(), proposals=())


def _result_refused(state: State, data: JsonObject, seq: int) -> State:
    return with_game(state, stage=WOOD, told=None, opened=seq, reopened=())


def _result_agreed(state: State, data: JsonObject, seq: int) -> State:
    """Return to the board: the other side has agreed, or (`seat` is null) the host has stated the result."""
    return with_game(state, stage=WOOD, told=None)


def _result_corrected(state: State, data: JsonObject, seq: int) -> State:
    """Replace the rows that a correction has changed; a running game becomes the Crawford game, or is none any more."""
    by_number = {row["game"]: row for row in data["rows"]}
    sheet = tuple(_as_corrected(row, by_number[row.number]) if row.number in by_number else row for row in state.sheet)
    parts: dict[str, Any] = {"sheet": sheet, "crawford": data["crawford"]}
    if data["dropped"]:
        state = with_game(state, stage=ENDED, opened=seq, talk=(), proposals=(), resignation=None, told=None)
    elif state.phase == PLAYING:
        state = with_game(state, is_crawford=data["crawford"] == "now")
    last = state.last_game
    if last is not None and (row := by_number.get(last["number"])) is not None and not row["struck"]:
        parts["last_game"] = {**last, **row["ended"]}
        parts["why"] = row["ended"]["why"] if state.why == last["why"] else state.why
    return changed(state, **parts)


def _as_corrected(row: Row, data: JsonObject) -> Row:
    transfers = tuple(Transfer(*each) for each in data["transfers"])
    more = {"is_crawford": data["crawford"], "is_struck": data["struck"]}
    return replace(row, winner=data["winner"], transfers=transfers, **more)


def _match_reopened(state: State, data: JsonObject, seq: int) -> State:
    """Go on with a match that was over, with its next game."""
    return changed(state, phase=BETWEEN, ended=None, opened=seq)


WOOD_EVENTS = {
    "act_noted": _act_noted,
    "act_taken_back": _act_taken_back,
    "result_told": _result_told,
    "result_refused": _result_refused,
    "result_agreed": _result_agreed,
    "result_corrected": _result_corrected,
    "match_reopened": _match_reopened,
}
