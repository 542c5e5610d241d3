"""What each event does to the state, old versions of events included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from games.kernel.contract import Event, JsonObject, Outcome
from games.kernel.rules import Upcasts
from tests.dummygame.rules.state import Player, State


def _reveal_v2(data: JsonObject) -> JsonObject:
    """Version 2 says which dice broke a tie, and who won; before, the highest number that nobody shared."""
    numbers = [number for _, number in data["bids"]]
    unique = [(number, seat) for seat, number in data["bids"] if numbers.count(number) == 1]
    return {**data, "winner": max(unique)[1] if unique else None, "thrown": []}


def _ended_v2(data: JsonObject) -> JsonObject:
    """Version 2 says who had a part; before, nobody came later, and all had one."""
    return {**data, "seats": list(range(len(data["points"])))}


UPCASTS: Upcasts = {("bids_revealed", 1): _reveal_v2, ("set_ended", 1): _ended_v2}


def fold(state: State, event: Event, seq: int) -> State:
    """Return the state after an event of log entry `seq`."""
    step = _FOLDS.get(event.type)
    return step(state, event.data, seq) if step else state


def _put(state: State, seat: int, **changes: Any) -> State:
    """Return the state with one player changed."""
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def _dealt(state: State, data: JsonObject, seq: int) -> State:
    hand = tuple(range(1, state.options["numbers"] + 1))
    players = tuple(
        Player(hand, opened=seq, is_in=plays, has_part=plays)
        for plays in (p.is_in or p.is_coming for p in state.players)
    )
    return replace(state, players=players, set=state.set + 1, round=1, dice_shown=False)


def _die_dealt(state: State, data: JsonObject, seq: int) -> State:
    return _put(state, data["seat"], die=data["die"], die_seq=seq)


def _dice_shown(state: State, data: JsonObject, seq: int) -> State:
    return replace(state, dice_shown=True)


def _sealed(state: State, data: JsonObject, seq: int) -> State:
    return _put(state, data["seat"], bid=data["number"], opened=seq)


def _returned(state: State, data: JsonObject, seq: int) -> State:
    return _put(state, data["seat"], bid=None, opened=seq)


def _revealed(state: State, data: JsonObject, seq: int) -> State:
    for seat, number in data["bids"]:
        player = state.players[seat]
        hand = player.hand
        if not state.options["reuse"]:
            hand = tuple(n for n in hand if n != number)
        state = _put(
            state, seat, hand=hand, bid=None, opened=seq, bid_sum=player.bid_sum + number,
            points=player.points + (data["winner"] == seat),
            to_thank=_others(data, seat) if state.options.get("thanks") else (),
        )  # fmt: skip
    return replace(state, round=state.round + 1, last=data, tie=None)


def _tied(state: State, data: JsonObject, seq: int) -> State:
    return replace(state, tie={**data, "fell": [], "opened": seq})


def _die_typed(state: State, data: JsonObject, seq: int) -> State:
    tie = state.tie
    return replace(state, tie=tie and {**tie, "fell": [*tie["fell"], [data["seat"], data["die"]]]})


def _others(data: JsonObject, seat: int) -> tuple[int, ...]:
    """Return who bid in a round besides a seat."""
    return tuple(other for other, _ in data["bids"] if other != seat)


def _thanked(state: State, data: JsonObject, seq: int) -> State:
    left = tuple(seat for seat in state.players[data["seat"]].to_thank if seat not in data["to"])
    return _put(state, data["seat"], to_thank=left)


def _left(state: State, data: JsonObject, seq: int) -> State:
    """Nobody has to thank who has left."""
    for seat, player in enumerate(state.players):
        state = _put(state, seat, to_thank=tuple(s for s in player.to_thank if s != data["seat"]))
    if (tie := state.tie) is not None:
        seats = [seat for seat in tie["seats"] if seat != data["seat"]]
        fell = [one for one in tie["fell"] if one[0] != data["seat"]]
        state = replace(state, tie={**tie, "seats": seats, "fell": fell})
    return _put(state, data["seat"], is_in=False, is_coming=False, bid=None, to_thank=())


def _joined(state: State, data: JsonObject, seq: int) -> State:
    if data["seat"] == len(state.players):
        state = replace(state, players=(*state.players, Player(is_in=False, has_part=False)))
    return _put(state, data["seat"], is_coming=True)


def _over(state: State, data: JsonObject, seq: int) -> State:
    return replace(state, over=True)


_FOLDS: dict[str, Callable[[State, JsonObject, int], State]] = {
    "hands_dealt": _dealt,
    "die_dealt": _die_dealt,
    "dice_shown": _dice_shown,
    "bid_sealed": _sealed,
    "bid_returned": _returned,
    "bids_revealed": _revealed,
    "tied": _tied,
    "die_typed": _die_typed,
    "thanked": _thanked,
    "seat_left": _left,
    "seat_joined": _joined,
    "game_over": _over,
}


def outcome(event: Event) -> Outcome | None:
    """Return the result that `set_ended` states."""
    if event.type != "set_ended":
        return None
    data = event.data
    groups = [tuple(s for s in group if s in data["seats"]) for group in data["ranking"]]
    return Outcome(
        data["reason"],
        {seat: data["points"][seat] for seat in data["seats"]},
        tuple(filter(None, groups)),
        {seat: data["stats"][seat] for seat in data["seats"]},
    )
