"""The end of a round, a phase or the game in lines, and the headlines of the evening.

An end is told in lines of which the first is its title: the losses and gains, the most important first; why the round
ended; and what else it brought.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from chicago.rules.events.forfeits import ForfeitTaken
from chicago.rules.events.mats import (
    MatDiscarded,
    MatGiven,
    MatsRemoved,
    MatTaken,
    PlayerSafe,
    SideForfeitOwed,
    StockCut,
)
from chicago.rules.events.rounds import GameEnded, PhaseStarted, RolledOff, RoundEnded, RoundLost, StarterDrawn
from chicago.rules.events.turns import ChickThrown
from chicago.rules.fold import EVENTS
from chicago.rules.state import PLAYING_OFF, State
from chicago.rules.view_shape import EndingView, OutcomeView, View
from games.kernel.contract import Event, JsonObject
from games.kernel.words import Headline, Line

COSTS = tuple(kind.name for kind in (RoundLost, MatTaken, MatGiven, MatDiscarded, ForfeitTaken))
"""Events that change the mats, forfeits or points of a seat, the most important first."""
ASIDE = frozenset(kind.name for kind in (RolledOff, MatsRemoved, StockCut, PlayerSafe, SideForfeitOwed, PhaseStarted))
"""Events that are told after the reason of an end."""
_REASONS = ("full", "one_left", "named", "breach", "abandoned")
_BULKY = ("rolls", "stats", "results")
"""Fields that no line needs."""


def ending_json(state: State) -> EndingView | None:
    """Return the ends that the turn before this one caused, in lines; without lines if no round ended by them.

    `next` says who starts the next round, and why; null when the game is over.
    """
    if state.ending is None:
        return None
    events: list[JsonObject] = state.ending["events"]
    ended = next((one["data"] for one in events if one["type"] == RoundEnded.name), None)
    has_chick = any(one["type"] == ChickThrown.name for one in events)
    lines = list(_lines(state, events, ended)) if ended or has_chick else []
    following = _following(state, events, ended) if ended and state.outcome is None else None
    return {
        "seq": state.ending["seq"],
        "lines": [line.to_json() for line in lines],
        "is_chick": has_chick,
        "next": following.to_json() if following else None,
    }


def _lines(state: State, events: Sequence[JsonObject], ended: JsonObject | None) -> Iterator[Line]:
    yield from _costs(events)
    yield from (_line(one) for one in events if one["type"] == ChickThrown.name)
    if ended and ended["reason"] in _REASONS:
        yield Line("round_reason", _round_of(state, ended))
    is_low = _is_low(state)
    for one in (one for one in events if one["type"] in ASIDE):
        if one["type"] == RolledOff.name and is_low:
            yield Line("worst_by_die", {"seat": one["data"]["seat"]})
        elif one["type"] != PhaseStarted.name or one["data"]["phase"] == PLAYING_OFF:
            yield _line(one)


def _costs(events: Sequence[JsonObject]) -> Iterator[Line]:
    """Yield all losses and gains, each once: a Chick that costs all others the same is one sentence."""
    found = [one for kind in COSTS for one in events if one["type"] == kind]
    by_chick = [one for one in found if one["data"].get("reason") == "chick"]
    if len(by_chick) > 1:
        yield Line("all_others_take", {"count": by_chick[0]["data"]["count"]})
    else:
        yield from map(_line, by_chick)
    yield from (_line(one) for one in found if one["data"].get("reason") != "chick")


def _line(event: JsonObject) -> Line:
    return Line(event["type"], {name: value for name, value in event["data"].items() if name not in _BULKY})


def _is_low(state: State) -> bool:
    return bool(state.last_round and state.last_round["low_counts"])


def _round_of(state: State, ended: JsonObject) -> JsonObject:
    """Return the end of a round with the results of its high and low."""
    results = state.last_round["results"] if state.last_round else []
    by_seat = {result["seat"]: result for result in results}
    found = {"reason": ended["reason"], "high": ended["high"], "low": ended["low"], "low_counts": _is_low(state)}
    if ended["reason"] == "full":
        found |= {"best": by_seat.get(ended["high"]), "worst": by_seat.get(ended["low"])}
    return found


def _following(state: State, events: Sequence[JsonObject], ended: JsonObject) -> Line:
    """Return the seat that starts the next round, and the reason."""
    starter, kinds = state.round.starter, {one["type"] for one in events}
    if StarterDrawn.name in kinds:
        why = "lot"
    elif ended["low"] == starter:
        why = "worst" if _is_low(state) else "low"
    elif ended["reason"] == "chick":
        why = "chick"
    else:
        why = "mats" if PhaseStarted.name in kinds else ""
    return Line("next_round", {"seat": starter, "why": why})


def outcome_json(state: State) -> OutcomeView | None:
    """Return the result of the game, with the losers in a line under `title`."""
    if state.outcome is None:
        return None
    return cast("OutcomeView", {**state.outcome, "title": _title(state, state.outcome).to_json()})


def _title(state: State, outcome: JsonObject) -> Line:
    losers, points = outcome["losers"], outcome["points"]
    ranked = [seat for group in outcome["ranking"] for seat in group]
    # A leaver is below players of the same points, and has paid no more than they have.
    most = max((points[seat] for seat in ranked), default=0)
    last = losers or [seat for seat in ranked if points[seat] == most]
    is_equal = len(outcome["ranking"]) < 2 or len(last) == len(ranked)
    has_mats = state.stock is not None
    is_without = (outcome["reason"] == "abandoned" or has_mats) and not losers
    if is_equal or is_without:
        return Line("game_lost", {"by": ""})
    by = "forfeits" if state.options["forfeits"] else "mats" if has_mats else "rounds"
    return Line("game_lost", {"by": by, "seats": last, "count": points[last[0]]})


def headlines(events: Sequence[Event], view: View) -> list[Headline]:
    """Return the headlines of an entry: the game's end, else a round's end, else the lines that are headlines."""
    kinds = {event.type for event in events}
    outcome, ending = view["outcome"], view["ending"]
    if GameEnded.name in kinds and outcome is not None:
        why = Line("why_ended", {"reason": outcome["reason"]})
        title = Line.from_json(outcome["title"])
        return [Headline(title, "result", why, calls=[title])]
    lines = [Line.from_json(one) for one in ending["lines"]] if ending else []
    if ending and lines and kinds & {RoundEnded.name, ChickThrown.name}:
        title, *others = lines
        detail = others[0] if others else Line.from_json(ending["next"]) if ending["next"] else None
        chick = [_line(event.to_json()) for event in events if event.type == ChickThrown.name]
        calls = [*chick, *([title] if title.name in (*COSTS, "all_others_take") else [])]
        return [Headline(title, "turn", detail, is_great=bool(chick), calls=calls)]
    shown = (event for event in events if event.type in EVENTS.kinds and EVENTS.kinds[event.type].is_headline)
    return [Headline(Line(event.type, event.data), "line") for event in shown]
