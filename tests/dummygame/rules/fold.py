"""What the events of Sealed Bids do to the state, and the results that they state."""

from __future__ import annotations

from games.kernel.contract import Event, Outcome
from tests.dummygame.rules.events import EVENTS, SetEnded

fold = EVENTS.fold


def outcome(event: Event) -> Outcome | None:
    """Return the result that the end of a set states."""
    if event.type != SetEnded.name:
        return None
    ended = SetEnded.from_event(event)
    groups = [tuple(s for s in group if s in ended.seats) for group in ended.ranking]
    return Outcome(
        ended.reason,
        {seat: ended.points[seat] for seat in ended.seats},
        tuple(filter(None, groups)),
        {seat: ended.stats[seat] for seat in ended.seats},
    )
