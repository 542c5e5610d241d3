"""The base of Chicago's events, and what every event does beside its own effect.

An event contains everything that a rule had to find out, so a later fix of a rule never changes how an old log reads:
effects have no checks, no dice, no rules.

Changes that several events make to the state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from chicago.rules.events.earlier_turns import remembered
from chicago.rules.events.phrases import PHRASES
from chicago.rules.events.words import WORDS
from chicago.rules.state import HISTORY, IN, State, TurnResult
from games.kernel import events
from games.kernel.contract import Seat
from games.kernel.data.records import changed
from games.kernel.events import Registry


def _after(state: State, fact: Fact, seq: int) -> State:
    """Keep what an end brought, for pages opened after it, and the start of a turn that may be taken back."""
    if state.handed is not None and seq > state.handed_seq:
        state = changed(state, handed=None)
    if fact.is_end:
        state = _with_ending(state, fact, seq)
    return remembered(state, is_final=fact.is_final_here, is_of_turn=fact.is_of_turn)


def _with_ending(state: State, fact: Fact, seq: int) -> State:
    before = state.ending["events"] if state.ending and state.ending["seq"] == seq else []
    data = {name: value for name, value in fact.data().items() if name != "results"}
    return changed(state, ending={"seq": seq, "events": [*before, {"type": fact.name, "data": data}]})


EVENTS: Registry[State] = Registry(PHRASES, _after, words=WORDS)


class Fact(events.Fact[State]):
    """An event of Chicago.

    `is_end`: it tells of an end (of a throw-off, round, phase or game) or of its cost to a seat. `is_final`: earlier
    turns can't be taken back after it.
    """

    declared = EVENTS
    is_end: ClassVar[bool] = False
    is_final: ClassVar[bool] = False

    @property
    def is_final_here(self) -> bool:
        """Tell whether earlier turns can't be taken back after this very event."""
        return self.is_final

    @property
    def is_of_turn(self) -> bool:
        """Tell whether the event belongs to the turn that runs, though nothing has been thrown in it yet."""
        return False


def tally(state: State, seat: Seat, **amounts: int) -> State:
    """Return the state with `amounts` added to a player's figures."""
    player = state.players[seat]
    sums: dict[str, Any] = {name: getattr(player, name) + n for name, n in amounts.items()}
    return with_player(state, seat, **sums)


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with a player's fields replaced."""
    players = list(state.players)
    players[seat] = changed(players[seat], **changes)
    return changed(state, players=tuple(players))


def add_history(state: State, result: TurnResult) -> State:
    """Return the state with a finished turn kept for the screen."""
    return changed(state, history=(*state.history, result)[-HISTORY:])


def without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """Return `seats` without one of them."""
    return tuple(s for s in seats if s != seat)


def take_in(state: State, seats: Iterable[Seat]) -> State:
    """Return the state with newcomers in the game."""
    for seat in seats:
        state = with_player(state, seat, status=IN, played=True)
    return state


def refill_due(state: State, seat: Seat, seq: int) -> State:
    """Return the state with a seat that must refill first."""
    return changed(state, refill=seat, refill_opened=seq, opened=seq)
