"""The pause after a game: its result stands before the next one begins (docs/rules-chouette.md §§4.11, 7).

In it, and until the opening roll, leaving, coming in and sitting out the next game cost nothing.
"""

from __future__ import annotations

from chouette.rules.events.session import PauseBegan, PauseEnded, WentOn
from chouette.rules.state import PAUSE, Draft, State, lineup, rule_of
from games.kernel.contract import JsonObject, Seat


def seconds(state: State) -> int:
    """Return the seconds for which the result of a game stands; 0 for no pause."""
    return int(rule_of(state, "pause_between"))


def begin(draft: Draft) -> None:
    """Begin the pause, if the house rules have one."""
    if seconds(draft.state):
        draft.add(PauseBegan(seconds=seconds(draft.state)))


def to_go_on(state: State) -> tuple[Seat, ...]:
    """Return the seats of the next Box and Captain that have not gone on yet."""
    return tuple(seat for seat in lineup(state)[:2] if seat not in state.ready) if state.phase == PAUSE else ()


def next_game(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Go on as the next Box or Captain; when both have gone on, the pause ends."""
    draft.add(WentOn(seat=seat))
    go_on(draft)


def go_on(draft: Draft) -> None:
    """End a pause in which no seat still has to go on."""
    if draft.state.phase == PAUSE and not to_go_on(draft.state):
        end(draft)


def end(draft: Draft) -> None:
    """End the pause."""
    draft.add(PauseEnded())
