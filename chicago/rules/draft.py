"""Writing the events of one command, while seeing the state that they lead to."""

from __future__ import annotations

from typing import Any

from chicago.rules.fold import fold
from chicago.rules.state import State
from games.kernel.contract import Event
from games.kernel.dice import Dice


class Draft:
    """The events of one command so far, and `state` as they leave it.

    The seq of the entry is the log's business: `decide` doesn't know it, so decisions
    opened in a draft carry seq 0. The log's own fold sets them right.
    """

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    def add(self, event_type: str, **data: Any) -> None:
        """Write one event and move the state on."""
        event = Event(event_type, data)
        self.events.append(event)
        self.state = fold(self.state, event, 0)
