"""From a legal command to its events; illegal commands are refused before a die is thrown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from chicago.rules.choices import choices
from chicago.rules.fold import EVENTS
from chicago.rules.game import breaches, coming_and_going, forfeits, played_rounds
from chicago.rules.game.ending import end_if_total
from chicago.rules.state import Draft, State, is_over
from chicago.rules.throwing import entering, taking_back, throws
from games.kernel.contract import (
    BEFORE_HOUSE_DICE,
    CLOSE,
    JOIN,
    LEAVE,
    OCCUPY,
    PLAYED,
    TAKE_BACK,
    TAKE_BACK_GAME,
    TIMEOUT,
    VACATE,
    Command,
    Decision,
    Illegal,
    match,
)
from games.kernel.dice import Dice, typed

COMMANDS: dict[str, Callable[[Draft, Any, dict[str, Any]], None]] = {
    "throw": throws.throw,
    "type_dice": throws.type_dice,
    "declare": entering.declare,
    "enter_result": entering.enter,
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
    TAKE_BACK: taking_back.take_back,
    PLAYED: played_rounds.hand_over,
    TAKE_BACK_GAME: played_rounds.take_back,
    CLOSE: coming_and_going.close,
}


_OF_A_TURN = ("throw", "stand", "type_dice", "enter_result", "declare")


def decide(state: State, command: Command, dice: Dice, seq: int) -> Decision[State]:
    """Return the decision on a command: its events, of log entry `seq`, and the new state.

    Raises Illegal with the kernel's codes, or `game_over`, `vote_first`, `not_your_turn`,
    `throw_on` (no standing yet), `no_throw_left`, `type_first`, `not_between_rounds`, `nothing_to_take_back`,
    BEFORE_HOUSE_DICE, and the codes of `typed.explain`, `entering.explain` and `played_rounds.hand_over`.
    """
    _explain(state, command)
    _check(state, command)
    draft = Draft(EVENTS, state, dice, seq, by_bot=command.by_bot)
    COMMANDS[command.name](draft, command.seat, command.args)
    end_if_total(draft)
    return draft.decision()


def _check(state: State, command: Command) -> None:
    """Check a command against the open choices; rounds as told are checked by their form."""
    found = choices(state, command.seat)
    listed = next((one for one in found if one.name == command.name), None)
    if command.name == PLAYED and listed is not None and played_rounds.is_told(state, command.args):
        command = replace(command, args=listed.options[0])
    match(found, command)


def _explain(state: State, command: Command) -> None:
    """Refuse common mistakes with codes of their own."""
    name = command.name
    if is_over(state):
        raise Illegal("game_over")
    if name == CLOSE and command.seat is None and not coming_and_going.can_close(state):
        raise Illegal("not_between_rounds")
    if name == TAKE_BACK:
        _explain_taking_back(state, command)
    if name not in _OF_A_TURN:
        return
    if command.seat is None or command.seat != state.on_turn:
        raise Illegal("not_your_turn")
    if state.breach is not None:
        raise Illegal("vote_first")
    if count := throws.dice_to_type(state):
        if name != "type_dice":
            raise Illegal("type_first")
        typed.explain(command.args, count)
    elif state.naming is None:
        _explain_turn(state, name, command.args)


def _explain_taking_back(state: State, command: Command) -> None:
    args: Any = command.args
    seat = command.seat
    if seat is None:
        is_found = isinstance(args, dict) and args.get("seat") in list(taking_back.takeable(state))
    else:
        is_found = taking_back.is_own(state, seat)
    if not is_found:
        raise Illegal(BEFORE_HOUSE_DICE if taking_back.ends_at_house_dice(state) else "nothing_to_take_back")


def _explain_turn(state: State, name: str, args: Any) -> None:
    if name == "enter_result" and entering.is_by_result(state):
        entering.explain(state, args)
    if name == "stand" and not throws.can_stand(state):
        raise Illegal("throw_on")
    if name == "throw" and not throws.ways_on(state):
        raise Illegal("no_throw_left")
