"""The pause after a game: its result stands before the next one begins (docs/rules-chouette.md §§4.11, 7).

In it, and until the opening roll, leaving, coming in and sitting out the next game cost nothing.
"""

from __future__ import annotations

from chouette.rules.state import NO_GAME, PAUSE, Draft, State, is_two, lineup, rule_of
from games.kernel.contract import JsonObject, Seat

FEWEST = 2


def seconds(state: State) -> int:
    """Return the seconds for which the result of a game stands; 0 for no pause."""
    return int(rule_of(state, "pause_between"))


def begin(draft: Draft) -> None:
    """Begin the pause, if the house rules have one."""
    if seconds(draft.state):
        draft.add("pause_began", seconds=seconds(draft.state))


def to_go_on(state: State) -> tuple[Seat, ...]:
    """Return the seats of the next Box and Captain that have not gone on yet."""
    return tuple(seat for seat in lineup(state)[:2] if seat not in state.ready) if state.phase == PAUSE else ()


def next_game(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Go on as the next Box or Captain; when both have gone on, the pause ends."""
    draft.add("went_on", seat=seat)
    go_on(draft)


def go_on(draft: Draft) -> None:
    """End a pause in which no seat still has to go on."""
    if draft.state.phase == PAUSE and not to_go_on(draft.state):
        end(draft)


def end(draft: Draft) -> None:
    """End the pause."""
    draft.add("pause_ended")


def sits_out(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the arguments to sit out the next game, or to come back; enough players have to remain."""
    if state.phase not in NO_GAME or is_two(state) or seat not in state.line:
        return ()
    if state.players[seat].sits_out:
        return ({"on": False},)
    return ({"on": True},) if len(lineup(state)) > FEWEST else ()


def sit_out(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Sit out the next game, keeping the place in the line, or come back to it."""
    draft.add("sat_out", seat=seat, on=args["on"])
    go_on(draft)


def call_back(draft: Draft) -> None:
    """Bring sitting-out seats back while too few others are left; then end the pause if no seat still has to go on."""
    while len(lineup(draft.state)) < FEWEST:
        sitters = [seat for seat in draft.state.line if draft.state.players[seat].sits_out]
        if not sitters:
            return
        draft.add("sat_out", seat=sitters[0], on=False)
    go_on(draft)
