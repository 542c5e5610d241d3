"""The end of a game on a real board: one side tells it and the other agrees, or the host states it (§4.13)."""

from __future__ import annotations

from chouette.rules import takeback
from chouette.rules.cube.cubes import roller
from chouette.rules.events.wood import ResultAgreed, ResultRefused, ResultTold
from chouette.rules.session import ending
from chouette.rules.state import BOX, RESULT, TEAM, WOOD, Draft, Game, playing
from games.kernel.contract import JsonObject, Seat

LEVELS = (1, 2, 3)
"""Plain, gammon, backgammon."""

LISTED: tuple[JsonObject, ...] = tuple({"winner": side, "level": level} for side in (BOX, TEAM) for level in LEVELS)


def tellers(game: Game) -> tuple[Seat, ...]:
    """Return the seats that may tell how the game has ended: Box and Captain, or their deputies."""
    return tuple(dict.fromkeys((roller(game, BOX), roller(game, TEAM)))) if game.stage == WOOD else ()


def may_state(game: Game) -> bool:
    """Tell whether the host may state the result: the game runs, and no double or resignation waits."""
    return game.stage in (WOOD, RESULT) and game.resignation is None


def tell(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Tell how the game has ended, for one side; open proposals and requests lapse."""
    takeback.lapse(draft)
    draft.add(ResultTold(seat=seat, winner=args["winner"], level=args["level"]))


def to_agree(game: Game) -> Seat | None:
    """Return the seat of the other side that has to agree to the result, None without one."""
    if game.stage != RESULT or game.told is None:
        return None
    box, team = roller(game, BOX), roller(game, TEAM)
    return team if game.told.seat == box else box


def answer(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Agree to a told result, which ends the game, or refuse it."""
    result = playing(draft.state).told
    if not args["accept"] or result is None:
        draft.add(ResultRefused(seat=seat))
        return
    draft.add(ResultAgreed(seat=seat, winner=result.winner, level=result.level))
    ending.finish(draft, result.winner, result.level)


def state_it(draft: Draft, house: None, args: JsonObject) -> None:
    """State the result for the host, which ends the game."""
    draft.add(ResultAgreed(seat=None, winner=args["winner"], level=args["level"]))
    ending.finish(draft, args["winner"], args["level"])
