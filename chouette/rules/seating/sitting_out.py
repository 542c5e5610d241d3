"""Sitting out the next game, at the same place in the line (docs/rules-chouette.md §7)."""

from __future__ import annotations

from chouette.rules.events.session import SatOut
from chouette.rules.seating import passing_on
from chouette.rules.session import pause
from chouette.rules.state import NO_GAME, Draft, State, is_two, lineup
from games.kernel.contract import JsonObject, Seat

FEWEST = 2


def ways(state: State, seat: Seat) -> tuple[JsonObject, ...]:
    """Return the arguments to sit out the next game, or to come back; enough players have to remain."""
    if state.phase not in NO_GAME or is_two(state) or seat not in state.line:
        return ()
    if state.players[seat].sits_out:
        return ({"on": False},)
    return ({"on": True},) if len(lineup(state)) > FEWEST else ()


def sit_out(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Sit out the next game, keeping the place in the line, or come back to it."""
    box = lineup(draft.state)[0]
    draft.add(SatOut(seat=seat, on=args["on"]))
    if seat == box:
        passing_on.settle(draft)
    pause.go_on(draft)


def call_back(draft: Draft) -> None:
    """Bring sitting-out seats back while too few others are left."""
    while len(lineup(draft.state)) < FEWEST:
        sitters = [seat for seat in draft.state.line if draft.state.players[seat].sits_out]
        if not sitters:
            return
        draft.add(SatOut(seat=sitters[0], on=False))
