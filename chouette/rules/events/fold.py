"""All events of the chouette, by their stored names, and what they do to the state."""

from __future__ import annotations

from chouette.rules.events import cubes, game, session, time, wood
from chouette.rules.events.fact import EVENTS

DECLARED = (cubes, game, session, time, wood)
"""The modules that declare events."""

fold = EVENTS.fold

__all__ = ["EVENTS", "fold"]
