"""The cube window on the Team's turn (docs/rules-chouette.md §4.3).

Doubling is opt-in. Every member whose cube is centred or theirs may double until the window closes:
in secret, or openly in an order. The Captain asks to roll (or doubles), and that opens the ring:
each member that may still double has the grace time for it, or the time for a decision after asking
to wait. Silence is no double. Then the window closes, and without a double the dice are thrown.
In a sealed window nothing shows which members have spoken: every member with a cube keeps a choice in
the ring, and may change a word already given.
Where the Captain has a deputy, the deputy asks to roll, and the Captain speaks like any other member.
"""

from __future__ import annotations

from chouette.rules import throw
from chouette.rules.cube import answers
from chouette.rules.cube.cubes import covered_cubes, decision_cubes, held_by, holder, roller, turnable
from chouette.rules.events.cubes import (
    CubeSealed,
    CubeSpoken,
    RingEnded,
    RingOpened,
    WaitAsked,
    WaitEnded,
    WindowClosed,
)
from chouette.rules.events.session import AutoSet
from chouette.rules.state import TEAM, WINDOW, Draft, Game, State, Wait, playing, rule_of
from games.kernel.contract import JsonObject, Seat
from games.kernel.records import kept


def is_sealed(state: State) -> bool:
    """Tell whether the members double in secret."""
    return bool(rule_of(state, "cube_order") == "sealed")


def may_double(state: State, game: Game) -> tuple[int, ...]:
    """Return the cubes that may be doubled in the open window, in the order of speaking."""
    return _may_double(state) if game.stage == WINDOW else ()


@kept
def _may_double(state: State) -> tuple[int, ...]:
    game = playing(state)
    cubes = list(decision_cubes(game, turnable(state, game, TEAM)))
    if rule_of(state, "cube_order") == "captain_last":
        cubes.sort(key=lambda i: _is_captains(game, i))
    return tuple(cubes)


def _is_captains(game: Game, cube: int) -> bool:
    return holder(game, game.cubes[cube], TEAM) == roller(game)


def word_on(state: State, game: Game, cube: int) -> bool | None:
    """Return whether a cube doubles by its member's word, None without a word.

    Auto no double counts as no.
    """
    word = dict(game.words).get(cube)
    is_auto = state.players[holder(game, game.cubes[cube], TEAM)].auto
    return False if word is None and is_auto else word


def may_speak(state: State, game: Game, seat: Seat) -> tuple[int, ...]:
    """Return the cubes about which a seat may speak now: in an open order only the first."""
    found = may_double(state, game)
    if not is_sealed(state):
        found = tuple(i for i in found if i not in dict(game.words))[:1]
    elif game.ring_over and not _is_waiting(game, seat):
        return ()
    return held_by(game, found, TEAM, seat)


def legal_words(game: Game, cube: int) -> tuple[bool, ...]:
    """Return the legal words on a cube, True for a double; after a word, only its opposite.

    Instead of no double the Captain asks to roll.
    """
    before = dict(game.words).get(cube)
    if before is not None:
        return (not before,)
    return (True,) if game.ring is None and _is_captains(game, cube) else (True, False)


def awaited(state: State, game: Game) -> tuple[Seat, ...]:
    """Return the seats that the ring waits for; in a sealed window, whether they have spoken or not."""
    if game.ring is None or game.stage != WINDOW:
        return ()
    if not is_sealed(state):
        return tuple(holder(game, game.cubes[i], TEAM) for i in _open_cubes(state, game)[:1])
    found = dict.fromkeys(holder(game, game.cubes[i], TEAM) for i in may_double(state, game))
    return tuple(seat for seat in found if seat != roller(game) and (not game.ring_over or _is_waiting(game, seat)))


def _is_waiting(game: Game, seat: Seat) -> bool:
    return wait_of(game, seat) is not None


def wait_of(game: Game, seat: Seat) -> Wait | None:
    """Return the running wait of a seat, None if it has asked for none."""
    return next((wait for wait in game.waits if wait.seat == seat and not wait.is_over), None)


def may_wait(state: State, game: Game, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the arguments with which a seat may ask for time: once a turn in full, and once for coming late."""
    if game.ring_over or seat not in awaited(state, game):
        return ()
    if all(word_on(state, game, i) is not None for i in may_speak(state, game, seat)):
        return ()
    past = {wait.is_late for wait in game.waits if wait.seat == seat}
    return tuple({"late": is_late} for is_late in (False, True) if is_late not in past and False not in past)


def _without_word(state: State, game: Game) -> list[int]:
    """Return the cubes without a word by their members or by auto no double."""
    return [i for i in may_double(state, game) if word_on(state, game, i) is None]


def _open_cubes(state: State, game: Game) -> tuple[int, ...]:
    """Return the cubes for which the ring still waits for a word."""
    if not is_sealed(state):
        # After asking to roll, the Captain speaks last only if there is a double to join.
        has_doubled = any(double for _, double in game.words)
        is_last = rule_of(state, "cube_order") == "captain_last" and not has_doubled
        open_now = [i for i in may_double(state, game) if i not in dict(game.words)]
        return tuple(i for i in open_now if not (is_last and _is_captains(game, i)))
    found = [i for i in _without_word(state, game) if not _is_captains(game, i)]
    if not game.ring_over:
        return tuple(found)
    return tuple(i for i in found if _is_waiting(game, holder(game, game.cubes[i], TEAM)))


def roll(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Ask to roll for the Captain: the dice are thrown at once if no other member may still double."""
    _open_ring(draft, seat)


def speak(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Say double or no double on a cube; the Captain's word opens the ring."""
    game = playing(draft.state)
    is_captains = seat == roller(game) and game.ring is None
    if is_captains and is_sealed(draft.state):
        _open_ring(draft, seat, args["cube"])
        return
    say(draft, seat, args["cube"], args["double"])
    if is_captains:
        _open_ring(draft, seat)
    else:
        go_on(draft)


def _open_ring(draft: Draft, seat: Seat, doubled: int | None = None) -> None:
    """Open the ring, with a word on each of the Captain's cubes, so that the events don't show the Captain's words."""
    state, game = draft.state, playing(draft.state)
    grace, sealed = state.options["grace_seconds"], is_sealed(state)
    mine = held_by(game, may_double(state, game), TEAM, seat)
    is_ringing = bool(grace and set(_without_word(state, game)) - set(mine))
    for cube in mine if is_ringing and sealed else (doubled,):
        if cube is not None:
            say(draft, seat, cube, cube == doubled or bool(word_on(state, game, cube)))
    if not is_ringing:
        close(draft)
        return
    if not sealed:
        _say_no(draft, seat)
    draft.add(RingOpened(seat=seat, seconds=grace))
    go_on(draft)


def _say_no(draft: Draft, seat: Seat) -> None:
    """Say no double for the cubes of a seat that come next in an open order."""
    while cubes := may_speak(draft.state, playing(draft.state), seat):
        if rule_of(draft.state, "cube_order") == "captain_last":
            return
        say(draft, seat, cubes[0], False)


def wait(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Ask for time: the time for a decision, or the grace time again after coming late."""
    draft.add(WaitAsked(seat=seat, late=args["late"]))


def set_auto(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Switch auto no double on or off, secretly; switched on, it answers an open window at once."""
    draft.tell((seat,), AutoSet(seat=seat, on=args["on"]))
    game = draft.state.game
    # While a resignation waits for answers, the window stays as it is.
    if game is not None and game.stage == WINDOW and game.resignation is None:
        go_on(draft)


def say(draft: Draft, seat: Seat, cube: int, double: bool) -> None:
    """Write a member's word: sealed or open."""
    if is_sealed(draft.state):
        draft.tell((seat,), CubeSealed(seat=seat, cube=cube, double=double))
    else:
        draft.add(CubeSpoken(seat=seat, cube=cube, says=double))


def go_on(draft: Draft) -> None:
    """Speak for seats on auto in an open order; close the window when the ring waits for no more words."""
    state, game = draft.state, playing(draft.state)
    if game.stage != WINDOW or game.ring is None:
        return
    while not is_sealed(draft.state) and (cube := _next_auto(draft)) is not None:
        say(draft, holder(playing(draft.state), playing(draft.state).cubes[cube], TEAM), cube, False)
    state, game = draft.state, playing(draft.state)
    if not _open_cubes(state, game):
        close(draft)


def _next_auto(draft: Draft) -> int | None:
    state, game = draft.state, playing(draft.state)
    waiting = [i for i in may_double(state, game) if i not in dict(game.words)][:1]
    return next((i for i in waiting if state.players[holder(game, game.cubes[i], TEAM)].auto), None)


def close(draft: Draft) -> None:
    """Close the window, silence being no double; show the doubles, or throw the dice without one."""
    game = playing(draft.state)
    doubles = covered_cubes(game, sorted(cube for cube, double in game.words if double))
    draft.add(WindowClosed(seat=None, doubles=doubles))
    if doubles:
        answers.double(draft, doubles, TEAM)
    else:
        throw.dice(draft, roller(playing(draft.state)))


def is_time_of_ring(state: State, game: Game, seat: Seat) -> bool:
    """Tell whether a time-out of a seat ends the ring or a time asked for in it; it is no sign of absence."""
    return game.stage == WINDOW and seat in awaited(state, game)


def end_time(draft: Draft, seat: Seat) -> None:
    """End the time of a seat that waits, else the ring's for all; in an open order the seat says no double."""
    state, game = draft.state, playing(draft.state)
    if not is_sealed(state):
        for cube in may_speak(state, game, seat):
            say(draft, seat, cube, False)
    elif _is_waiting(game, seat):
        draft.add(WaitEnded(seat=seat))
    else:
        draft.add(RingEnded())
    go_on(draft)
