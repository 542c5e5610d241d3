"""All events of Chicago, by their stored names, and what they do to the state."""

from __future__ import annotations

from chicago.rules.events import coming, forfeits, mats, rounds, turns
from chicago.rules.events.fact import EVENTS

DECLARED = (coming, forfeits, mats, rounds, turns)
"""The modules that declare events."""

fold = EVENTS.fold

__all__ = ["EVENTS", "fold"]
