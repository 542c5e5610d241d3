"""Secrets of a seat, in its view or its choices: sealed decisions, talk, proposals."""

from __future__ import annotations

from chouette.rules.choices import choices as open_choices
from chouette.rules.cube import window
from chouette.rules.state import PLAYING, Game, State, is_wood
from chouette.rules.view import mine, proposals
from games.kernel.contract import ALWAYS, Choice, Seat

SEALED = {"answer", "answer_batch", "answer_resignation", "reply"}
"""Choices whose answers are opened together."""
BETWEEN_FEW = {"say", "suggest", "ask_advice", "propose", "answer_proposal", "correct"}
"""Choices that only their own seat may see and make, at a real board too."""
_TOLD = ("talk", "suggestions", "words", "given", "replied", "closed")
_WRITTEN = ("talk", "suggestions")
"""Secrets at a real board, where answers are said aloud and a scorekeeper enters them for many seats."""


def has_secrets(state: State, seat: Seat) -> bool:
    """Tell whether a seat sees facts that others do not, or has a choice that it answers in secret."""
    if seat >= len(state.players):
        return False
    shown = mine(state, seat, ALWAYS)
    if is_wood(state):
        return any(shown[name] for name in _WRITTEN)
    if shown["auto"] or shown["resigned_to"] is not None or any(shown[name] for name in _TOLD):
        return True
    if state.phase == PLAYING and state.game is not None and _knows_proposals(state.game, seat):
        return True
    return _is_asked_in_secret(state, seat)


def to_enter(state: State, choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices of a seat that another player may enter: at a real board, all but talk and agreements."""
    return tuple(choice for choice in choices if choice.name not in BETWEEN_FEW) if is_wood(state) else ()


def _knows_proposals(game: Game, seat: Seat) -> bool:
    """Tell whether a seat sees proposals that are not public."""
    return len(proposals(game, seat)) > len(proposals(game, None))


def _is_asked_in_secret(state: State, seat: Seat) -> bool:
    """Tell whether a seat has a choice that stays sealed until all have answered."""
    asked = open_choices(state, seat)
    if any(choice.name in SEALED for choice in asked):
        return True
    return window.is_sealed(state) and any(choice.name == "cube" for choice in asked)
