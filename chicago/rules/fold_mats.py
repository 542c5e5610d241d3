"""What the events about beer mats do to the state (docs/rules-chicago.md §§4.2–4.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chicago.rules.folding import tally, with_player, without
from chicago.rules.state import SAFE, State
from games.kernel.contract import JsonObject
from games.kernel.records import changed


def _mat_taken(state: State, data: JsonObject, seq: int) -> State:
    state = tally(state, data["seat"], mats=1, mats_taken=1)
    return changed(state, stock=data["stock"])


def _mat_discarded(state: State, data: JsonObject, seq: int) -> State:
    return changed(tally(state, data["seat"], mats=-1), mats_out=state.mats_out + 1)


def _mat_given(state: State, data: JsonObject, seq: int) -> State:
    return tally(tally(state, data["seat"], mats=-1), data["to"], mats=1, mats_taken=1)


def _mats_removed(state: State, data: JsonObject, seq: int) -> State:
    """`to_stock`: the mats go back to the stock; otherwise they leave play."""
    state = with_player(state, data["seat"], mats=0)
    if data["to_stock"]:
        return changed(state, stock=(state.stock or 0) + data["count"])
    return changed(state, mats_out=state.mats_out + data["count"])


def _stock_cut(state: State, data: JsonObject, seq: int) -> State:
    return changed(state, stock=data["stock"], mats_out=state.mats_out + data["removed"])


def _player_safe(state: State, data: JsonObject, seq: int) -> State:
    coming = without(state.coming, data["seat"])
    return changed(with_player(state, data["seat"], status=SAFE), coming=coming)


def _side_forfeit_owed(state: State, data: JsonObject, seq: int) -> State:
    return tally(state, data["seat"], side_forfeits=1)


MAT_EVENTS: dict[str, Callable[[State, Any, int], State]] = {
    "mat_taken": _mat_taken,
    "mat_discarded": _mat_discarded,
    "mat_given": _mat_given,
    "mats_removed": _mats_removed,
    "stock_cut": _stock_cut,
    "player_safe": _player_safe,
    "side_forfeit_owed": _side_forfeit_owed,
}
