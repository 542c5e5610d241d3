"""Secrets of a seat, in its view or its choices: sealed decisions, talk, proposals."""

from __future__ import annotations

from chouette.rules.choices import choices as open_choices
from chouette.rules.cube import settlement, window
from chouette.rules.state import PLAYING, Game, State, is_wood
from chouette.rules.view import own_part, proposals
from games.kernel.contract import ALWAYS, CLOCK, Choice, Command, Seat
from games.kernel.dice import typed

SEALED = {"answer", "answer_batch", "answer_resignation", "reply"}
"""Choices whose answers are opened together."""
BETWEEN_FEW = {"say", "suggest", "ask_advice", "propose", "answer_proposal", "answer_take_back", "correct", CLOCK}
"""Choices that only their own seat may see and make, at a real board too: talk, and what two agree on."""


def has_secrets(state: State, seat: Seat) -> bool:
    """Tell whether a seat sees facts that others do not, or has a choice that it answers in secret."""
    if seat >= len(state.players):
        return False
    own = own_part(state, seat, ALWAYS)
    is_written = bool(own["talk"] or own["suggestions"])
    if is_wood(state):
        # Answers are said aloud there, and a scorekeeper enters them for many seats.
        return is_written
    said = own["words"] or own["given"] or own["replied"] or own["closed"]
    if is_written or said or own["auto"] or own["resigned_to"] is not None:
        return True
    if state.phase == PLAYING and state.game is not None and _has_proposals(state.game, seat):
        return True
    return _has_sealed_choice(state, seat)


def to_enter(state: State, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices of a seat that another player may enter, at a real board or with real dice.

    These are all but talk, agreements, and what is sealed.
    """
    if not (is_wood(state) or typed.is_on(state.options)):
        return ()
    closed = {"cube", "auto"} if window.is_sealed(state) else {"auto"}
    return tuple(choice for choice in choices if choice.name not in BETWEEN_FEW | SEALED | closed)


def payees(state: State, command: Command) -> tuple[Seat, ...]:
    """Return the seats that get points because a seat pays them, or settles a cube with them."""
    if command.name == "correct":
        return (command.args["payee"],)
    if state.game is None:
        return ()
    if command.name == "propose":
        return settlement.payees(state.game, command.args["cube"], command.args["points"])
    if command.name == "answer_proposal" and command.args["accept"]:
        cube = command.args["cube"]
        open_now = settlement.to_answer(state.game, command.seat or 0)
        return settlement.payees(state.game, cube, next(each.points for each in open_now if each.cube == cube))
    return ()


def _has_proposals(game: Game, seat: Seat) -> bool:
    """Tell whether a seat sees proposals that are not public."""
    return len(proposals(game, seat)) > len(proposals(game, None))


def _has_sealed_choice(state: State, seat: Seat) -> bool:
    """Tell whether a seat has a choice that stays sealed until all have answered."""
    choices = open_choices(state, seat)
    if any(choice.name in SEALED for choice in choices):
        return True
    return window.is_sealed(state) and any(choice.name == "cube" for choice in choices)
