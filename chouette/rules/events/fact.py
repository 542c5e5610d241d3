"""The base of the chouette's events.

An event contains everything that a rule had to find out, so a later fix of a rule never changes how an old log reads:
effects have no checks, no dice, no rules.
"""

from __future__ import annotations

from typing import ClassVar

from chouette.rules.events.phrases import PHRASES
from chouette.rules.events.words import WORDS
from chouette.rules.state import State, is_wood
from games.kernel import events
from games.kernel.data.records import changed
from games.kernel.events import Registry


def _after(state: State, fact: Fact, seq: int) -> State:
    if fact.fixes_games and is_wood(state):
        state = changed(state, before=(), fixed=seq)
    return changed(state, acts=()) if state.acts and fact.ends_acts() else state


EVENTS: Registry[State] = Registry(PHRASES, _after, words=WORDS, gone=("grace_ended",))


class Fact(events.Fact[State]):
    """An event of the chouette.

    `is_final`: earlier acts at a real board can't be taken back after it; `fixes_games`: nor can earlier games.
    """

    declared = EVENTS
    is_final: ClassVar[bool] = False
    fixes_games: ClassVar[bool] = False

    def ends_acts(self) -> bool:
        """Tell whether earlier acts can't be taken back any more."""
        return self.is_final
