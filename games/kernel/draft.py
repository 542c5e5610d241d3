"""The events of one command, written one by one while the state moves on with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeAlias, TypeVar

from games.kernel.contract import Decision, Event, Seat
from games.kernel.dice import Dice

S = TypeVar("S")

Fold: TypeAlias = Callable[[S, Event, int], S]
"""A game's `fold`: the state after an event of log entry `seq`."""


class Draft(Generic[S]):
    """A decision in the making: the events so far, and `state` as they leave it.

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
        """Write an event and move the state on."""
        self.events.append(event)
        self.state = self._fold(self.state, event, self.seq)

    def decision(self) -> Decision[S]:
        """Return what was written, and the state after it."""
        return Decision(tuple(self.events), self.state)
