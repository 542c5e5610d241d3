"""A draft of the events of one command, each applied to the state as it is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, Literal, TypeVar

from games.kernel.contract import Decision, Event, Seat
from games.kernel.dice import Dice
from games.kernel.events import Fact, Registry

S = TypeVar("S")


class Draft(Generic[S]):
    """An unfinished decision: the events so far, and `state` after them.

    Each fact is applied once, with the seq of the entry that the decision will become. `by_bot` is the command's.
    """

    __slots__ = ("_declared", "by_bot", "dice", "events", "seq", "state")

    def __init__(self, declared: Registry[Any], state: S, dice: Dice, seq: int, *, by_bot: bool = False) -> None:
        self._declared = declared
        self.state = state
        self.dice = dice
        self.seq = seq
        self.by_bot = by_bot
        self.events: list[Event] = []

    def add(self, fact: Fact[S]) -> None:
        """Write an event that everybody may read."""
        self._write(fact, fact.event())

    def tell(self, audience: Iterable[Seat], fact: Fact[S], until: Literal["over"] | None = None) -> None:
        """Write an event that only some seats may read; with `until="over"` everybody once the table has ended."""
        self._write(fact, fact.event(audience, until))

    def _write(self, fact: Fact[S], event: Event) -> None:
        self.events.append(event)
        self.state = self._declared.apply(self.state, fact, self.seq)

    def decision(self) -> Decision[S]:
        """Return the events written so far, and the state after them."""
        return Decision(tuple(self.events), self.state)
