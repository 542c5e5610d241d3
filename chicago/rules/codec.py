"""The state as JSON and back: a cache of the log, keyed by the rules' version."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chicago.rules.scoring import Valuation
from chicago.rules.state import (
    Breach,
    Offer,
    Player,
    Result,
    Round,
    State,
    initial,
    valuation_json,
    valuation_of,
)
from chicago.rules.turn import Turn
from games.kernel.contract import JsonObject

_PLAIN = (
    "phase",
    "stock",
    "mats_out",
    "on_turn",
    "opened",
    "naming",
    "refill",
    "refill_opened",
    "calls_opened",
    "announcement",
    "last_round",
    "outcome",
)


def dump(state: State) -> JsonObject:
    """Return the state as JSON."""
    return {
        "options": state.options,
        **{name: getattr(state, name) for name in _PLAIN},
        "players": [_row(player) for player in state.players],
        "round": _dump_round(state.round),
        "turn": _row(state.turn),
        "breach": state.breach and _row(state.breach),
        "silenced": list(state.silenced),
        "ring": list(state.ring),
        "coming": list(state.coming),
        "offers": [_row(offer) for offer in state.offers],
        "history": [_row(result) for result in state.history],
    }


def load(raw: JsonObject) -> State:
    """Return the state that `dump` wrote."""
    return replace(
        initial(raw["options"], len(raw["players"])),
        **{name: raw[name] for name in _PLAIN},
        players=tuple(Player(*row) for row in raw["players"]),
        round=_load_round(raw["round"]),
        turn=Turn(*_tuples(raw["turn"])),
        breach=raw["breach"] and Breach(*_tuples(raw["breach"])),
        silenced=tuple(raw["silenced"]),
        ring=tuple(raw["ring"]),
        coming=tuple(raw["coming"]),
        offers=tuple(Offer(*row) for row in raw["offers"]),
        history=_load_results(raw["history"]),
    )


def _dump_round(now: Round) -> JsonObject:
    return {
        "number": now.number,
        "starter": now.starter,
        "waiting": list(now.waiting),
        "throws_allowed": now.throws_allowed,
        "valuation": valuation_json(now.valuation),
        "results": [_row(result) for result in now.results],
        "out": list(now.out),
        "reward_used": now.reward_used,
    }


def _load_round(raw: JsonObject) -> Round:
    valuation: Valuation | None = valuation_of(raw["valuation"])
    return Round(
        number=raw["number"],
        starter=raw["starter"],
        waiting=tuple(raw["waiting"]),
        throws_allowed=raw["throws_allowed"],
        valuation=valuation,
        results=_load_results(raw["results"]),
        out=tuple(raw["out"]),
        reward_used=raw["reward_used"],
    )


def _load_results(rows: list[list[Any]]) -> tuple[Result, ...]:
    return tuple(Result(*_tuples(row)) for row in rows)


def _row(item: Player | Result | Turn | Breach | Offer) -> list[Any]:
    """Return the fields of a flat record in their order."""
    return [_lists(getattr(item, name)) for name in item.__match_args__]


def _lists(value: Any) -> Any:
    return [_lists(v) for v in value] if isinstance(value, tuple) else value


def _tuples(row: list[Any]) -> list[Any]:
    return [_deep_tuple(v) for v in row]


def _deep_tuple(value: Any) -> Any:
    return tuple(_deep_tuple(v) for v in value) if isinstance(value, list) else value
