"""Rolling and moving for the side on turn (docs/rules-chouette.md §§3, 4.3)."""

from __future__ import annotations

from typing import Any

from chouette.board.notation import NO_MOVE, listed_plays, parse_play
from chouette.board.position import BoardError, Position, swap, winner_value
from chouette.rules import takeback, throw
from chouette.rules.cube import window
from chouette.rules.cube.cubes import other, turnable
from chouette.rules.events.game import PlayMade, TurnBegan
from chouette.rules.session import ending
from chouette.rules.state import BOX, MOVE, OFFER, ROLL, TEAM, WINDOW, Draft, Game, playing
from games.kernel.contract import Illegal, JsonObject, Seat
from games.kernel.records import TABLES, keeps_answers, kept


def roll(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Throw two dice, or ask to roll in the cube window."""
    if playing(draft.state).stage == WINDOW:
        window.roll(draft, seat, args)
    else:
        throw.dice(draft, seat)


def movers_view(game: Game) -> Position:
    """Return the position in the view of the side on turn."""
    return game.position if game.turn == BOX else swap(game.position)


def plays(game: Game) -> tuple[str, ...]:
    """Return the distinct plays of the roll in notation, only `cannot move` if there is none; empty without a roll."""
    return tuple(by_notation(movers_view(game), game.dice)) if game.stage == MOVE else ()


@keeps_answers(2 * TABLES)
def by_notation(position: Position, dice: tuple[int, ...]) -> dict[str, Position]:
    """Return the result of each distinct play of a roll, by its notation; shared, so never change it.

    The only cache of plays: a roll is looked up from its throw to its move, by choices, command and
    bots, and listing it takes half as long as the rest of a move. A table has one roll at a time, and bots
    look at some more; a roll takes 6 kB, all together 6 MB.
    """
    return {text: play.result for text, play in listed_plays(position, dice).items()}


def is_possible(game: Game) -> bool:
    """Tell whether the roll on the board can be played; True without a roll."""
    return game.stage != MOVE or plays(game) != (NO_MOVE,)


@kept
def listed(game: Game) -> tuple[JsonObject, ...]:
    """Return the distinct plays as the arguments that a choice lists: `{"play": notation}`.

    They are shared by who moves and who may suggest a play, so never change them.
    """
    return tuple({"play": text} for text in plays(game))


def canonical(game: Game, args: JsonObject) -> JsonObject:
    """Return a play in its listed form: `{"play": notation}`.

    Accepted are notation in any spelling and `{"moves": [[from, to], …]}` with 25 for
    the bar and 0 for off. Raises Illegal with the board's codes: `bad_play`,
    `illegal_play`, `no_hit`, `ambiguous_play`.
    """
    text = _text(args)
    if text is None or game.stage != MOVE:
        return args
    if text in plays(game):
        return {"play": text}
    try:
        parsed = parse_play(text, movers_view(game), game.dice)
    except BoardError as error:
        raise Illegal(error.code) from error
    listed = by_notation(movers_view(game), game.dice).items()
    return {"play": next(text for text, result in listed if result == parsed.result)}


def _text(args: JsonObject) -> str | None:
    """Return the notation that arguments hold, None for arguments of another shape."""
    if not isinstance(args, dict) or len(args) != 1:
        return None
    if isinstance(text := args.get("play"), str):
        return text
    moves = args.get("moves")
    if not isinstance(moves, list) or not moves or not all(map(_is_move, moves)):
        return None
    return " ".join(f"{source}/{target}" for source, target in moves)


def _is_move(move: Any) -> bool:
    is_pair = isinstance(move, list) and len(move) == 2
    return is_pair and all(type(n) is int and 0 <= n <= 25 for n in move)


def move(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Make a play; bearing off the last checker ends the game, else the turn passes."""
    game = playing(draft.state)
    result = by_notation(movers_view(game), game.dice)[args["play"]]
    after = result if game.turn == BOX else swap(result)
    takeback.lapse(draft)
    draft.add(PlayMade(seat=seat, play=args["play"], dice=list(game.dice), position=list(after)))
    value = winner_value(result)
    if value:
        ending.finish(draft, game.turn, value)
    else:
        begin(draft, other(game.turn))


def begin(draft: Draft, side: str) -> None:
    """Begin a side's turn: the Team's cube window, or the Box's choice to offer or roll.

    Without a cube that a member may turn there is no window.
    """
    game = playing(draft.state)
    if side == BOX:
        draft.add(TurnBegan(side=BOX, seat=game.box, stage=OFFER, dice=[]))
        return
    cubes = turnable(draft.state, game, TEAM)
    stage = WINDOW if cubes else ROLL
    draft.add(TurnBegan(side=TEAM, seat=game.captain, stage=stage, dice=[]))
