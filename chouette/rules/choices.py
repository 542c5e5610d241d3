"""The open decisions of a table, with every legal set of arguments.

Three of them take more than they can list: `say` any text of 1 to 200 characters that can
be shown, `propose` any whole points, `correct` any payee, points and reason (the house's any
points that add up to 0). What is listed there are examples, each of them legal.
"""

from __future__ import annotations

from chouette.rules import coming, house, opening, sheet
from chouette.rules.choices_game import of_game
from chouette.rules.choices_side import aside, may_be_corrected
from chouette.rules.opening import question, still_to_roll
from chouette.rules.state import LEFT, PLAYING, State, is_over
from games.kernel.contract import CORRECT, JOIN, LEAVE, TIMEOUT, Choice, JsonObject, Seat
from games.kernel.house_choices import house_choices

Options = tuple[JsonObject, ...]


def choices(state: State, seat: Seat | None) -> tuple[Choice, ...]:
    """Return the open choices of a seat, or of the house for None."""
    if is_over(state):
        return ()
    if seat is None:
        return _of_house(state)
    if not 0 <= seat < len(state.players) or state.players[seat].status == LEFT:
        return ()
    return (*_of_course(state, seat), *aside(state, seat))


def choices_named(state: State, seat: Seat | None, name: str) -> tuple[Choice, ...]:
    """Return the open choices of a seat among which one called `name` is, if it is open at all.

    What lies aside is not looked at when the course of play asks for `name`.
    """
    if seat is not None and not is_over(state) and 0 <= seat < len(state.players):
        found = _of_course(state, seat) if state.players[seat].status != LEFT else ()
        if any(choice.name == name for choice in found):
            return found
    return choices(state, seat)


def awaited(state: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for; what is aside is never waited for."""
    if is_over(state):
        return ()
    seats = range(len(state.players))
    return tuple(s for s in seats if any(c.required for c in _of_course(state, s)))


def _of_course(state: State, seat: Seat) -> tuple[Choice, ...]:
    return of_game(state, seat) if state.phase == PLAYING else _between(state, seat)


def _between(state: State, seat: Seat) -> tuple[Choice, ...]:
    """Return what begins the next game: the Box's questions, then the opening roll."""
    seconds = state.options["turn_seconds"] or None
    asked = question(state)
    if asked and seat == state.line[0]:
        key = "agree" if asked == "carry" else "take"
        both: Options = ({key: True}, {key: False})
        name = "automatic" if asked == "carry" else "partner"
        return (Choice(name, seat, state.opened, both, seconds=seconds),)
    if seat in still_to_roll(state):
        name = "start_study" if opening.is_study(state) else "opening_roll"
        return (Choice(name, seat, state.opened, seconds=seconds),)
    return ()


def _of_house(state: State) -> tuple[Choice, ...]:
    opened = state.game.opened if state.game and state.phase == PLAYING else state.opened
    left = coming.gone(state)
    here = [seat for seat in range(len(state.players)) if seat not in left]
    seats = {TIMEOUT: awaited(state), LEAVE: here, JOIN: coming.joinable(state)}
    found = house_choices(opened, seats, can_close=house.can_close(state))
    if not may_be_corrected(state):
        return found
    example = {"seat": None, "points": {"0": -1, "1": 1}, "reason": sheet.EXAMPLE_REASON}
    return (*found, Choice(CORRECT, None, opened, (example,), required=False))
