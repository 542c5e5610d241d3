"""The cube window on the Team's turn (docs/rules-chouette.md §4.3).

Every member whose cube is centred or theirs says double or no double: in secret until the
window closes, or openly in an order. The Captain may close it once the grace time is over.
Without a grace time, whoever lets the time for a decision run out says no double.
"""

from __future__ import annotations

from chouette.rules.cube import answers
from chouette.rules.cube.cubes import held_by, holder, turnable
from chouette.rules.state import PLAYING, TEAM, WINDOW, Draft, Game, State, playing, rule_of
from games.kernel.contract import JsonObject, Seat
from games.kernel.records import kept


def silent(state: State, game: Game) -> tuple[int, ...]:
    """Return the cubes whose members have not spoken yet, in the order of the line."""
    return _silent(state) if game.stage == WINDOW else ()


@kept
def _silent(state: State) -> tuple[int, ...]:
    game = playing(state)
    spoken = {cube for cube, _ in game.words}
    cubes = [i for i in turnable(state, game, TEAM) if i not in spoken]
    if rule_of(state, "cube_order") == "captain_last":
        cubes.sort(key=lambda i: holder(game, game.cubes[i], TEAM) == game.captain)
    return tuple(cubes)


def is_sealed(state: State) -> bool:
    """Tell whether the members decide in secret."""
    return bool(rule_of(state, "cube_order") == "sealed")


def may_speak(state: State, game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes about which a seat may speak now: in an open order only the first."""
    waiting = silent(state, game)
    if not is_sealed(state):
        waiting = waiting[:1]
    return held_by(game, waiting, TEAM, seat)


def is_awaited(state: State, game: Game) -> bool:
    """Tell whether the members' words are waited for: until the grace time is over."""
    return game.grace is None


def may_close(state: State, game: Game) -> bool:
    """Tell whether the Captain may close the window now."""
    is_open = game.stage == WINDOW
    return is_open and (game.grace is not None or not state.options["grace_seconds"])


def open_for(draft: Draft) -> None:
    """Speak for those on auto no double; a window with nobody left to speak closes at once."""
    go_on(draft)


def speak(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """A member says double or no double."""
    say(draft, seat, args["cube"], args["double"])
    go_on(draft)


def set_auto(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Switch auto no double on or off: on, it answers an open window at once.

    Nobody else is told: a sealed word that is said by it looks like any other.
    """
    state, is_playing = draft.state, draft.state.phase == PLAYING
    silenced = may_speak(state, playing(draft.state), seat) if args["on"] and is_playing else ()
    if silenced and is_sealed(state):
        draft.tell((seat,), "cube_sealed", seat=seat, cube=silenced[0], double=False, auto=True)
        draft.add("cube_spoken", seat=seat, cube=silenced[0])
    else:
        draft.tell((seat,), "auto_set", seat=seat, on=args["on"])
    if is_playing:
        go_on(draft)


def say(draft: Draft, seat: Seat, cube: int, double: bool) -> None:
    """Write a member's word: sealed or open."""
    if is_sealed(draft.state):
        draft.tell((seat,), "cube_sealed", seat=seat, cube=cube, double=double)
        draft.add("cube_spoken", seat=seat, cube=cube)
    else:
        draft.add("cube_spoken", seat=seat, cube=cube, says=double)


def go_on(draft: Draft) -> None:
    """Let those on auto speak; close the window when all have spoken."""
    while playing(draft.state).stage == WINDOW and (cube := _next_auto(draft)) is not None:
        say(draft, holder(playing(draft.state), playing(draft.state).cubes[cube], TEAM), cube, False)
    if playing(draft.state).stage == WINDOW and not silent(draft.state, playing(draft.state)):
        close(draft, None, {})


def _next_auto(draft: Draft) -> int | None:
    state, game = draft.state, playing(draft.state)
    waiting = silent(state, game)
    if not is_sealed(state):
        waiting = waiting[:1]
    autos = (i for i in waiting if state.players[holder(game, game.cubes[i], TEAM)].auto)
    return next(autos, None)


def close(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Close the window: who has not spoken says no double; the doubles are shown."""
    doubles = [cube for cube, double in playing(draft.state).words if double]
    draft.add("window_closed", seat=seat, doubles=sorted(doubles))
    if doubles:
        answers.double(draft, sorted(doubles))


def ends_grace(state: State, game: Game, seat: Seat) -> bool:
    """Tell whether a time-out of a seat in the window is the end of the grace time for all."""
    is_captains = seat == game.captain and game.grace is not None
    return not is_captains and is_sealed(state) and bool(state.options["grace_seconds"])


def time_out(draft: Draft, seat: Seat) -> None:
    """An open speaker has slept, or the Captain, who may close the window."""
    state, game = draft.state, playing(draft.state)
    if seat == game.captain and game.grace is not None:
        close(draft, seat, {})
    else:
        for cube in may_speak(state, game, seat):
            say(draft, seat, cube, False)
        go_on(draft)
