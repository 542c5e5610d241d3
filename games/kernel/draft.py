"""A draft of the events of one command, each folded into the state as it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias, TypeVar

from games.kernel.contract import Decision, Event, Seat
from games.kernel.dice import Dice

S = TypeVar("S")

Fold: TypeAlias = Callable[[S, Event, int], S]
"""A game's `fold`: returns the state after an event of log entry `seq`."""


class Draft(Generic[S]):
    """An unfinished decision: the events so far, and `state` after them.

    Each event is folded once, with the seq of the entry that the decision will become.
    """

    __slots__ = ("_fold", "dice", "events", "seq", "state")

    def __init__(self, fold: Fold[S], state: S, dice: Dice, seq: int) -> None:
        self._fold = fold
        self.state = state
        self.dice = dice
        self.seq = seq
        self.events: list[Event] = []

    def add(self, event_type: str, /, **data: Any) -> None:
        """Write an event that everybody may read."""
        self.write(Event(event_type, data))

    def tell(self, audience: Iterable[Seat], event_type: str, /, **data: Any) -> None:
        """Write an event that only some seats may read."""
        self.write(Event(event_type, data, audience=tuple(sorted(set(audience)))))

    def write(self, event: Event) -> None:
        """Write an event and fold it into the state."""
        self.events.append(event)
        self.state = self._fold(self.state, event, self.seq)

    def decision(self) -> Decision[S]:
        """Return the events written so far, and the state after them."""
        return Decision(tuple(self.events), self.state)
