"""Game clocks that are put in later: both players agree, or the host puts them in (docs/rules-chouette.md §12).

They are put in before the next game, with the reserves that follow from the score then.
"""

from __future__ import annotations

from chouette.rules.events.time import MATCH, POINT, ClockAgreed, ClockWished
from chouette.rules.options.time import EFFECTS
from chouette.rules.session import game_clock, match
from chouette.rules.state import NO_GAME, Draft, State, is_over, is_two
from games.kernel.contract import JsonObject, Seat

Options = tuple[JsonObject, ...]


def is_possible(state: State) -> bool:
    """Tell whether a table of two may get game clocks: it has none, and no time for decisions."""
    has_time = bool(state.options["turn_seconds"])
    return is_two(state) and not has_time and game_clock.kind_of(state) is None and not is_over(state)


def of_host(state: State) -> Options:
    """Return the house rules of a clock among which the host chooses, at any time: they hold from the next game on."""
    if not is_possible(state):
        return ()
    effects = [effect for effect in EFFECTS if match.is_match(state) or effect != POINT]
    return tuple({"clock": kind, "clock_expiry": effect} for kind in game_clock.KINDS for effect in effects)


def wishes(state: State, seat: Seat) -> Options:
    """Return what a seat may say between two games: the kinds of clocks, or none any more."""
    if state.phase not in NO_GAME or not is_possible(state):
        return ()
    own = dict(state.clock_wishes).get(seat)
    kinds = [kind for kind in game_clock.KINDS if kind != own]
    return tuple({"clock": kind} for kind in (*kinds, *([None] if own else [])))


def say(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Let the host (None) put clocks in; let a seat wish for them, which puts them in when the other wishes the same.

    Whose reserve is used up then loses the match.
    """
    kind = args["clock"]
    if seat is None:
        draft.add(ClockAgreed(clock=kind, clock_expiry=args["clock_expiry"]))
        return
    draft.add(ClockWished(seat=seat, clock=kind))
    wished = dict(draft.state.clock_wishes)
    if kind is not None and list(wished.values()) == [kind] * len(draft.state.players):
        draft.add(ClockAgreed(clock=kind, clock_expiry=MATCH))
