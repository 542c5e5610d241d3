"""Writing the events of one command, while seeing the state that they lead to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chouette.rules.fold import fold
from chouette.rules.state import Game, State, playing
from games.kernel.contract import Event, Seat
from games.kernel.dice import Dice


class Draft:
    """The events of one command so far, and `state` as they leave it.

    The seq of the entry is the log's business: decisions opened in a draft carry seq 0, and
    the log's own fold sets them right.
    """

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []

    @property
    def game(self) -> Game:
        """The game that runs; raises LookupError when none does."""
        return playing(self.state)

    def add(self, event_type: str, **data: Any) -> None:
        """Write one event for everybody and move the state on."""
        self._add(Event(event_type, data))

    def tell(self, audience: Iterable[Seat], event_type: str, **data: Any) -> None:
        """Write one event that only some seats may read and move the state on."""
        self._add(Event(event_type, data, audience=tuple(sorted(set(audience)))))

    def _add(self, event: Event) -> None:
        self.events.append(event)
        self.state = fold(self.state, event, 0)
