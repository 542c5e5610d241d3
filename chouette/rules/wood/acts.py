"""Taking acts back at a real board: the last one by its seat, or one after the other by the host (§4.13)."""

from __future__ import annotations

from chouette.rules import takeback
from chouette.rules.events.wood import ActNoted, ActTakenBack
from chouette.rules.seating import line
from chouette.rules.state import BETWEEN, PLAYING, Draft, State, is_wood
from games.kernel.contract import JsonObject, Seat

NOTED = frozenset({
    "begin_game", "tie", "automatic", "double", "offer", "withdraw_double", "answer", "answer_batch", "reply",
    "result", "answer_result", "resign", "answer_resignation",
})  # fmt: skip
"""The acts that may be taken back until the game has ended."""


def note(draft: Draft, seat: Seat | None, name: str) -> None:
    """Write that the table is kept as it is before an act at a real board."""
    if seat is not None and name in NOTED and is_wood(draft.state):
        draft.add(ActNoted(seat=seat, act=name))


def may_take_back(state: State, seat: Seat | None) -> bool:
    """Tell whether a seat may take the last act back: its own, until another seat acts; the host (None) any act."""
    if state.phase != PLAYING or not state.acts:
        return False
    last = state.acts[-1]
    return seat is None or (last.is_last and last.seat == seat)


def take_back(draft: Draft, seat: Seat | None, args: JsonObject) -> None:
    """Take the last act back: the game is as before it; open proposals and requests lapse.

    If the game has not begun then, it will begin with those who are there now, newcomers included.
    """
    takeback.lapse(draft)
    act = draft.state.acts[-1]
    draft.add(ActTakenBack(seat=act.seat, act=act.name, by_host=seat is None))
    if draft.state.phase == BETWEEN:
        line.join_waiting(draft)
