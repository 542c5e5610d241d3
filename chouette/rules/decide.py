"""From a legal command to its events; illegal commands are refused before a die is thrown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from chouette.rules import play, takeback, throw
from chouette.rules.choices import choices_named
from chouette.rules.cube import answers, automatics, beavers, resignation, settlement, window
from chouette.rules.cube.cubes import roller, settled_by
from chouette.rules.events.fold import EVENTS
from chouette.rules.seating import captaincy, coming_and_going, line, ordering, passing_on, sitting_out
from chouette.rules.session import (
    clock_agreement,
    consultation,
    flags,
    game_clock,
    house_commands,
    opening,
    pause,
    score_sheet,
)
from chouette.rules.state import ANSWERS, BETWEEN, MOVE, PLAYING, REPLIES, WINDOW, Draft, State, is_over, is_wood
from chouette.rules.wood import acts, beginning, corrections, doubles, played, results
from games.kernel.contract import (
    CLOCK,
    CLOSE,
    CLOSE_AFTER,
    CORRECT,
    CORRECT_RESULT,
    FLAG,
    JOIN,
    LEAVE,
    LEAVE_AFTER,
    PLACE,
    PLAYED,
    STATE_RESULT,
    TAKE_BACK,
    TAKE_BACK_GAME,
    TIME_LIMIT,
    TIMEOUT,
    Command,
    Decision,
    Illegal,
    JsonObject,
    match,
)
from games.kernel.dice import Dice, typed


def decide(state: State, command: Command, dice: Dice, seq: int) -> Decision[State]:
    """Return the decision on a command: its events, of log entry `seq`, and the new state.

    Raises Illegal with the kernel's codes, or `game_over`, `not_your_turn`, `window_open`,
    `answers_first`, `may_not_talk`, `not_between_games`, `no_change`, `crawford_doubled`, `flag_fell`, for whole games
    those of `played.hand_over`, and for plays the board's: `bad_play`, `illegal_play`, `no_hit`, `ambiguous_play`.
    """
    _explain(state, command)
    if command.name == "move" and state.game is not None and state.phase == PLAYING:
        args = play.canonical(state.game, command.args)
        if args != command.args:
            command = replace(command, args=args)
    _check(state, command)
    draft = Draft(EVENTS, state, dice, seq)
    acts.note(draft, command.seat, command.name)
    if command.name == game_clock.PRESS and command.seat is not None:
        game_clock.pressed(draft, command.seat, command)
    else:
        COMMANDS[command.name](draft, command.seat, command.args)
    game_clock.press(draft, command)
    return draft.decision()


def _check(state: State, command: Command) -> None:
    """Check a command against the open choices; free texts and numbers are checked separately."""
    found = choices_named(state, command.seat, command.name)
    listed = next((c for c in found if c.name == command.name), None)
    if listed is not None and _is_free(state, command, command.args):
        command = replace(command, args=listed.options[0])
    match(found, command)


def _is_free(state: State, command: Command, args: Any) -> bool:
    """Tell whether arguments are legal for a choice that accepts more than it lists."""
    if not isinstance(args, dict):
        return False
    if command.name == "say":
        return consultation.is_text(args)
    if command.name == CORRECT:
        seat = command.seat
        return score_sheet.is_agreed(state, args) if seat is None else score_sheet.is_correction(state, seat, args)
    if command.name == CORRECT_RESULT:
        return corrections.is_correction(state, args)
    if command.name == PLAYED:
        return played.is_told(state, args)
    if command.name == "propose" and state.game is not None and command.seat is not None:
        is_open = settlement.is_open(state, state.game)
        return is_open and settlement.is_amount(args, settled_by(state, state.game, command.seat))
    return False


def _explain(state: State, command: Command) -> None:
    """Refuse common mistakes with codes of their own."""
    name, seat = command.name, command.seat
    if is_over(state) and name != CORRECT_RESULT:
        raise Illegal("game_over")
    if name == CLOSE and seat is None and not house_commands.can_close(state):
        raise Illegal("not_between_games")
    if name == "order_die" or (name in FACES and typed.is_on(state.options)):
        typed.explain(command.args, FACES[name])
    if name in ("say", "suggest") and seat is not None:
        _explain_talk(state, seat)
    if name in ("result", "tie", STATE_RESULT) and _is_doubled(state):
        raise Illegal("answers_first")
    if name in ("roll", "move") and state.phase == PLAYING and state.game is not None:
        _explain_turn(state, command)


FACES = {"order_die": 1, "opening_roll": 1, "type_dice": 2}
"""The number of dice that are typed with a command."""


def _is_doubled(state: State) -> bool:
    """Tell whether a double waits for an answer."""
    return state.phase == PLAYING and state.game is not None and state.game.stage in (ANSWERS, REPLIES)


def _explain_talk(state: State, seat: int) -> None:
    if state.phase != PLAYING or state.game is None:
        return
    if not consultation.audience(state, state.game, seat):
        raise Illegal("may_not_talk")


def _explain_turn(state: State, command: Command) -> None:
    game = state.game
    if game is None or not game.turn:
        return
    if command.seat != roller(game):
        raise Illegal("not_your_turn")
    if command.name == "roll" and game.stage == WINDOW and game.ring is not None:
        raise Illegal("window_open")
    if command.name == "roll" and game.stage not in (MOVE, WINDOW, "offer", "roll"):
        raise Illegal("answers_first")


def _answer_automatic(draft: Draft, seat: int, args: JsonObject) -> None:
    """Answer about an automatic double: of this game, or carried over from the last one."""
    answer = opening.answer_carry if draft.state.phase == BETWEEN else automatics.answer
    answer(draft, seat, args)


def _take_back(draft: Draft, seat: int | None, args: JsonObject) -> None:
    """Ask to take the last play back; at a real board take the last act back."""
    if is_wood(draft.state):
        acts.take_back(draft, seat, args)
    elif seat is not None:
        takeback.ask(draft, seat, args)


COMMANDS: dict[str, Callable[[Draft, Any, JsonObject], None]] = {
    "order_die": ordering.throw,
    "opening_roll": opening.opening_roll,
    "start_study": opening.start_study,
    "automatic": _answer_automatic,
    "partner": captaincy.answer,
    "cube": window.speak,
    "wait": window.wait,
    "begin_game": beginning.begin,
    "tie": beginning.tie,
    "double": doubles.double,
    "withdraw_double": doubles.withdraw,
    "result": results.tell,
    "answer_result": results.answer,
    "offer": answers.offer,
    "answer_batch": answers.answer_batch,
    "answer": answers.answer,
    "reply": beavers.reply,
    "roll": play.roll,
    "type_dice": throw.fall,
    "move": play.move,
    "resign": resignation.offer,
    "answer_resignation": resignation.answer,
    "propose": settlement.propose,
    "answer_proposal": settlement.answer,
    TAKE_BACK: _take_back,
    "answer_take_back": takeback.answer,
    "say": consultation.talk,
    "suggest": consultation.suggest,
    "ask_advice": consultation.ask_advice,
    "next": pause.next_game,
    "sit_out": sitting_out.sit_out,
    "pass_box": passing_on.pass_on,
    CLOCK: clock_agreement.say,
    LEAVE_AFTER: coming_and_going.announce_leaving,
    "auto": window.set_auto,
    "name_proxy": coming_and_going.name_proxy,
    "name_deputy": captaincy.name_deputy,
    CORRECT: score_sheet.correct,
    CORRECT_RESULT: corrections.correct,
    TIMEOUT: house_commands.timeout,
    FLAG: flags.flag,
    TIME_LIMIT: flags.end_time,
    LEAVE: coming_and_going.leave,
    CLOSE: house_commands.close,
    CLOSE_AFTER: house_commands.announce_closing,
    JOIN: coming_and_going.join,
    PLACE: line.place,
    STATE_RESULT: results.state_it,
    PLAYED: played.hand_over,
    TAKE_BACK_GAME: played.take_back,
}
