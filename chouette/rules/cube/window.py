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

from collections.abc import Mapping
from dataclasses import field

from chouette.rules import throw
from chouette.rules.cube import answers
from chouette.rules.cube.cubes import covered_cubes, decision_cubes, held_by, holders, roller, turnable
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
from games.kernel.data.records import kept, record


def is_sealed(state: State) -> bool:
    """Tell whether the members double in secret."""
    return bool(rule_of(state, "cube_order") == "sealed")


@record(frozen=True, slots=True)
class Speech:
    """The words that are open in a cube window: asked for by each seat, so they are found once for a state.

    `cubes` may be doubled, in the order of speaking; `speaking` are those about which a seat may speak now, by seat: in
    an open order only the first. `silent` are the cubes without a word by their members or by auto no double, `unsaid`
    those for which the ring still waits, and `awaited` the seats that it waits for: in a sealed window, whether they
    have spoken or not.
    """

    cubes: tuple[int, ...] = ()
    speaking: Mapping[Seat, tuple[int, ...]] = field(default_factory=dict)
    silent: tuple[int, ...] = ()
    unsaid: tuple[int, ...] = ()
    awaited: tuple[Seat, ...] = ()


@kept
def speech(state: State) -> Speech:
    """Return what may be said now; nothing without an open window."""
    game = playing(state)
    if game.stage != WINDOW:
        return Speech()
    captain, said = roller(game), dict(game.words)
    by = holders(game, decision_cubes(game, turnable(state, game, TEAM)))
    is_last = rule_of(state, "cube_order") == "captain_last"
    cubes = tuple(sorted(by, key=lambda i: is_last and by[i] == captain))
    silent = tuple(i for i in cubes if i not in said and not state.players[by[i]].auto)
    if not is_sealed(state):
        # After asking to roll, the Captain speaks last only if there is a double to join.
        is_silent = is_last and True not in said.values()
        left = [i for i in cubes if i not in said]
        unsaid = tuple(i for i in left if not (is_silent and by[i] == captain))
        awaited = tuple(by[i] for i in unsaid[:1])
        return Speech(cubes, {by[i]: (i,) for i in left[:1]}, silent, unsaid, awaited if game.ring is not None else ())
    thinking = {wait.seat for wait in game.waits if not wait.is_over}
    seats = [seat for seat in dict.fromkeys(by[i] for i in cubes) if not game.ring_over or seat in thinking]
    speaking = {seat: tuple(i for i in cubes if by[i] == seat) for seat in seats}
    others = tuple(seat for seat in seats if seat != captain)
    unsaid = tuple(i for i in silent if by[i] in others)
    return Speech(cubes, speaking, silent, unsaid, others if game.ring is not None else ())


def words(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the arguments with which a seat may speak now; after a word on a cube, only its opposite.

    Instead of no double the Captain asks to roll.
    """
    game, cubes = playing(state), speech(state).speaking.get(seat)
    if cubes is None:
        return ()
    said, is_asking = dict(game.words), game.ring is None and seat == roller(game)
    return tuple(
        {"cube": i, "double": double}
        for i in cubes
        for double in ((not said[i],) if i in said else (True,) if is_asking else (True, False))
    )


def has_word_left(state: State, seat: Seat) -> bool:
    """Tell whether a seat may speak about a cube without a word, by itself or by auto no double."""
    now = speech(state)
    return any(i in now.silent for i in now.speaking.get(seat, ()))


def wait_of(game: Game, seat: Seat) -> Wait | None:
    """Return the running wait of a seat, None if it has asked for none."""
    return next((wait for wait in game.waits if wait.seat == seat and not wait.is_over), None)


def may_wait(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the arguments with which a seat may ask for time: once a turn in full, and once for coming late."""
    game = playing(state)
    if game.ring_over or seat not in speech(state).awaited or not has_word_left(state, seat):
        return ()
    past = {wait.is_late for wait in game.waits if wait.seat == seat}
    return tuple({"late": is_late} for is_late in (False, True) if is_late not in past and False not in past)


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
    now, said = speech(state), dict(game.words)
    mine = held_by(game, now.cubes, TEAM, seat)
    is_ringing = bool(grace and set(now.silent) - set(mine))
    for cube in mine if is_ringing and sealed else (doubled,):
        if cube is not None:
            say(draft, seat, cube, cube == doubled or said.get(cube, False))
    if not is_ringing:
        close(draft)
        return
    if not sealed:
        _say_no(draft, seat)
    draft.add(RingOpened(seat=seat, seconds=grace))
    go_on(draft)


def _say_no(draft: Draft, seat: Seat) -> None:
    """Say no double for the cubes of a seat that come next in an open order."""
    while cubes := speech(draft.state).speaking.get(seat):
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
    game = playing(draft.state)
    if game.stage != WINDOW or game.ring is None:
        return
    while not is_sealed(draft.state) and (row := _next_auto(draft.state)) is not None:
        say(draft, *row, False)
    if not speech(draft.state).unsaid:
        close(draft)


def _next_auto(state: State) -> tuple[Seat, int] | None:
    """Return the seat that speaks next and its cube if it is on auto no double, else None."""
    found = speech(state).speaking.items()
    return next(((seat, cubes[0]) for seat, cubes in found if state.players[seat].auto), None)


def close(draft: Draft) -> None:
    """Close the window, silence being no double; show the doubles, or throw the dice without one."""
    game = playing(draft.state)
    doubles = covered_cubes(game, sorted(cube for cube, double in game.words if double))
    draft.add(WindowClosed(seat=None, doubles=doubles))
    if doubles:
        answers.double(draft, doubles, TEAM)
    else:
        throw.dice(draft, roller(playing(draft.state)))


def is_time_of_ring(state: State, seat: Seat) -> bool:
    """Tell whether a time-out of a seat ends the ring or a time asked for in it; it is no sign of absence."""
    return seat in speech(state).awaited


def end_time(draft: Draft, seat: Seat) -> None:
    """End the time of a seat that waits, else the ring's for all; in an open order the seat says no double."""
    state, game = draft.state, playing(draft.state)
    if not is_sealed(state):
        for cube in speech(state).speaking.get(seat, ()):
            say(draft, seat, cube, False)
    elif wait_of(game, seat) is not None:
        draft.add(WaitEnded(seat=seat))
    else:
        draft.add(RingEnded())
    go_on(draft)
