"""From a legal command to its events; everything else is refused before a die is thrown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chicago.rules import breaches, coming_and_going, forfeits, throws
from chicago.rules.choices import choices
from chicago.rules.fold import fold
from chicago.rules.state import Draft, State, is_over
from games.kernel.contract import (
    CLOSE,
    JOIN,
    LEAVE,
    OCCUPY,
    TIMEOUT,
    VACATE,
    Command,
    Decision,
    Illegal,
    match,
)
from games.kernel.dice import Dice

COMMANDS: dict[str, Callable[[Draft, Any, dict[str, Any]], None]] = {
    "throw": throws.throw,
    "stand": throws.stand,
    "name_loser": throws.name_loser,
    "refill": forfeits.refill,
    "take_for": forfeits.take_for,
    "call_breach": breaches.call,
    "vote_breach": breaches.vote,
    TIMEOUT: coming_and_going.timeout,
    LEAVE: coming_and_going.leave,
    JOIN: coming_and_going.join,
    VACATE: coming_and_going.vacate,
    OCCUPY: coming_and_going.occupy,
    CLOSE: coming_and_going.close,
}


def decide(state: State, command: Command, dice: Dice, seq: int) -> Decision[State]:
    """Return what a command leads to in log entry `seq`.

    Raises Illegal with the kernel's codes, or `game_over`, `vote_first`, `not_your_turn`,
    `throw_on` (no standing yet), `no_throw_left`, `not_between_rounds`.
    """
    _explain(state, command)
    match(choices(state, command.seat), command)
    draft = Draft(fold, state, dice, seq)
    COMMANDS[command.name](draft, command.seat, command.args)
    return draft.decision()


def _explain(state: State, command: Command) -> None:
    """Refuse with a code of its own what players often try."""
    name = command.name
    if is_over(state):
        raise Illegal("game_over")
    if name == CLOSE and command.seat is None and not coming_and_going.can_close(state):
        raise Illegal("not_between_rounds")
    if name not in ("throw", "stand"):
        return
    if command.seat is None or command.seat != state.on_turn:
        raise Illegal("not_your_turn")
    if state.breach is not None:
        raise Illegal("vote_first")
    if state.naming is None:
        _explain_turn(state, name)


def _explain_turn(state: State, name: str) -> None:
    if name == "stand" and not throws.can_stand(state):
        raise Illegal("throw_on")
    if name == "throw" and not throws.ways_on(state):
        raise Illegal("no_throw_left")
