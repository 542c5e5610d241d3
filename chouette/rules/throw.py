"""Throwing the dice for the side on turn: the house's, or real ones that are typed (docs/rules-chouette.md §4.12)."""

from __future__ import annotations

from chouette.rules import takeback
from chouette.rules.cube.cubes import roller
from chouette.rules.events.game import DiceAwaited, DiceRolled
from chouette.rules.state import BOX, Draft, State
from games.kernel.contract import JsonObject, Seat
from games.kernel.dice import typed


def dice(draft: Draft, seat: Seat) -> None:
    """Throw two dice, or wait for real ones to be typed."""
    if typed.is_on(draft.state.options):
        draft.add(DiceAwaited(seat=seat))
    else:
        fall(draft, seat, typed.BY_HOUSE)


def fall(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Write a roll of two dice, typed or from the house; open proposals and requests lapse before it."""
    source, mark = typed.dice_of(args, draft.dice)
    takeback.lapse(draft)
    high, low = sorted(source.roll(2), reverse=True)
    draft.add(DiceRolled(seat=seat, dice=[high, low], **mark))


def throwing(state: State, seat: Seat | None) -> tuple[Seat | None, tuple[Seat, ...]]:
    """Return the throwing seat and the others: first the other side's Captain or Box, then the line."""
    game = state.game
    if game is None:
        return seat, tuple(other for other in state.line if other != seat)
    thrower = roller(game) if game.turn else seat
    is_of_box = game.turn == BOX if game.turn else thrower in (game.box, game.partner)
    own_side = {game.box, game.partner} if is_of_box else set()
    first = game.captain if is_of_box else game.box
    others = [first, *(other for other in game.line if other != first and other not in own_side)]
    return thrower, tuple(other for other in others if other != thrower)
