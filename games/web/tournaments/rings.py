"""Rings that show how long it is until the house confirms a proposal by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.services import server_time
from games.services.tournaments.overview import ProposalShown


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring: the part of it that has gone already, 0 to 1 in hundredths as text, and the seconds that are left."""

    gone: str
    left: str


def ring_of(proposal: ProposalShown, now: datetime | None = None) -> Ring | None:
    """Return the ring of a proposal; None for one that a director is asked for, or whose time has run out."""
    if proposal.at is None or not proposal.seconds:
        return None
    left = (proposal.at - (now or server_time.now())).total_seconds()
    if left <= 0:
        return None
    return Ring(f"{max(0.0, 1 - left / proposal.seconds):.2f}", f"{left:.1f}")
