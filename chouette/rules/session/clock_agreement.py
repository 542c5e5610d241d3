"""Game clocks that are put in later: both players agree, or the host puts them in (docs/rules-chouette.md §12).

They are put in before the next game, with the reserves that follow from the score then.
"""

from __future__ import annotations

from chouette.rules.events.time import MATCH, POINT, ClockAgreed, ClockWished
from chouette.rules.options.time import EFFECTS
from chouette.rules.session import game_clock, match
from chouette.rules.state import COMING, IN, NO_GAME, Draft, State, is_over, is_two
from games.kernel.contract import JsonObject, Seat

Options = tuple[JsonObject, ...]
DELAY = "delay"


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
    """Return what a seat may say between two games: the clock of two players (the host has that of pairs), or not."""
    if state.phase not in NO_GAME or not is_possible(state) or seat not in _playing(state):
        return ()
    return ({"clock": None if seat in dict(state.clock_wishes) else DELAY},)


def _playing(state: State) -> list[Seat]:
    """Return the seats that play; those that watch a match have no part in an agreement."""
    return [seat for seat, player in enumerate(state.players) if player.status in (IN, COMING)]


def say(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Let the host (None) put clocks in; let a seat wish for them, which puts them in when the other wishes so, too.

    Whose reserve is used up then loses the match.
    """
    kind = args["clock"]
    if seat is None:
        draft.add(ClockAgreed(clock=kind, clock_expiry=args["clock_expiry"]))
        return
    draft.add(ClockWished(seat=seat, clock=kind))
    if kind is not None and {each for each, _ in draft.state.clock_wishes}.issuperset(_playing(draft.state)):
        draft.add(ClockAgreed(clock=kind, clock_expiry=MATCH))
