"""The effects of a time that is up: a fallen flag, and a time limit (docs/rules-chouette.md §12)."""

from __future__ import annotations

from chouette.rules.events.session import SessionEnded
from chouette.rules.events.time import GAME, MATCH, MINUTE, POINT, FlagFell, PointsGiven, TimeLimitReached
from chouette.rules.seating import departure
from chouette.rules.session import game_clock, match
from chouette.rules.session.ending import LIMIT_REACHED, TIME_UP
from chouette.rules.state import BOX, NO_GAME, TEAM, Draft, playing
from games.kernel.contract import JsonObject, Seat


def flag(draft: Draft, house: None, args: JsonObject) -> None:
    """Let the flag of the running clock fall, with the effect that the house rules give it."""
    seat, state = args["seat"], draft.state
    clock, game = state.clock, playing(state)
    if clock is None:
        return
    effect = game_clock.effect_of(state)
    if effect == MINUTE and seat in clock.fallen:
        effect = MATCH
    if effect == MATCH and not match.is_match(state):
        effect = GAME
    left = list(clock.left)
    left[seat] = game_clock.MINUTE_MS if effect in (MINUTE, POINT, GAME) else 0
    draft.add(FlagFell(seat=seat, left=left, effect=effect))
    if effect in (MATCH, GAME):
        departure.pay(draft, BOX if seat == game.box else TEAM, TIME_UP)
    elif effect == POINT:
        _give_point(draft, game.captain if seat == game.box else game.box)


def _give_point(draft: Draft, seat: Seat) -> None:
    """Give the other side a point, which may win the match."""
    draft.add(PointsGiven(seat=seat, points=1, game=playing(draft.state).number))
    if match.winner(draft.state) == seat:
        draft.add(SessionEnded(reason=TIME_UP, winner=seat))


def end_time(draft: Draft, house: None, args: JsonObject) -> None:
    """Note the end of the time. Between two games of a money session the side with more points wins at once."""
    draft.add(TimeLimitReached())
    state = draft.state
    ahead = match.leader(state)
    if state.phase in NO_GAME and ahead is not None:
        draft.add(SessionEnded(reason=LIMIT_REACHED, winner=ahead))
