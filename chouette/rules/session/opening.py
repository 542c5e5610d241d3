"""From one game to the next: the Box's questions and the opening roll (§§4.1, 4.2, 4.10)."""

from __future__ import annotations

from chouette.rules import play
from chouette.rules.cube import automatics
from chouette.rules.events.game import OpeningDieRolled, OpeningTied, TurnBegan
from chouette.rules.events.session import CarryAnswered, GameStarted
from chouette.rules.seating import captaincy
from chouette.rules.session import game_clock, match, start
from chouette.rules.state import (
    BETWEEN,
    BOX,
    MOVE,
    OPENERS,
    OPENING,
    TEAM,
    Draft,
    State,
    first_value,
    is_carry_open,
    lineup,
    playing,
    rule_of,
)
from games.kernel.contract import JsonObject, Seat
from games.kernel.dice import typed


def question(state: State) -> str:
    """Return the Box's open question before the opening roll: `carry`, `partner` or ""."""
    if state.phase != BETWEEN:
        return ""
    if is_carry_open(state):
        return "carry"
    return "partner" if captaincy.is_partner_open(state) else ""


def still_to_roll(state: State) -> tuple[Seat, ...]:
    """Return the seats of Box and Captain that still have to roll for the opening; in a study only the Captain."""
    if state.phase == BETWEEN:
        if question(state):
            return ()
        return (lineup(state)[1],) if is_study(state) else lineup(state)[:OPENERS]
    game = state.game
    if game is None or game.stage != OPENING:
        return ()
    rolled = [seat for seat, _ in game.opening]
    return tuple(seat for seat in (game.box, game.captain) if seat not in rolled)


def is_study(state: State) -> bool:
    """Tell whether the games start from a position of their own, without an opening roll."""
    return bool(state.options["start_position"] != start.NORMAL)


def answer_carry(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Decide for the Box whether this game starts doubled (§4.2)."""
    agreed = args["agree"]
    draft.add(CarryAnswered(seat=seat, agree=agreed, value=2 if agreed else 1))


def ways(state: State) -> tuple[JsonObject, ...]:
    """Return the arguments of an opening roll: the faces of a real die, else none."""
    return typed.listed(1) if typed.is_on(state.options) else ({},)


def opening_roll(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Roll one die for the opening; the first roll begins the game."""
    source, mark = typed.dice_of(args, draft.dice)
    if draft.state.phase == BETWEEN:
        start_game(draft)
    (die,) = source.roll(1)
    draft.add(OpeningDieRolled(seat=seat, die=die, **mark))
    rolled = dict(playing(draft.state).opening)
    if len(rolled) < OPENERS:
        return
    if len(set(rolled.values())) == 1:
        draft.add(OpeningTied(die=die, ties=playing(draft.state).ties + 1))
        automatics.after_tie(draft)
    else:
        _begin(draft, rolled)


def _begin(draft: Draft, rolled: dict[Seat, int]) -> None:
    """Begin the first turn: the seat with the higher die plays these two numbers."""
    winner = max(rolled, key=lambda seat: rolled[seat])
    side = BOX if winner == playing(draft.state).box else TEAM
    dice = sorted(rolled.values(), reverse=True)
    draft.add(TurnBegan(side=side, seat=winner, stage=MOVE, dice=dice))


def start_game(draft: Draft) -> None:
    """Begin the next game with the line as it stands."""
    state = draft.state
    study = start.parse(state.options["start_position"])
    draft.add(
        GameStarted(
            number=match.games_played(state) + 1,
            line=list(lineup(state)),
            partner=captaincy.chosen(state),
            value=max(first_value(state), study.value),
            owner=study.owner,
            crawford=match.is_crawford_next(state),
            position=list(study.position),
            single=rule_of(state, "cubes") == "single",
        )
    )
    game_clock.put_in(draft)


def start_study(draft: Draft, seat: Seat, args: JsonObject) -> None:
    """Begin a game in the middle: the Captain is on roll, or has rolled (a study table)."""
    start_game(draft)
    dice = start.parse(draft.state.options["start_position"]).dice
    if dice:
        draft.add(TurnBegan(side=TEAM, seat=seat, stage=MOVE, dice=list(dice)))
    else:
        play.begin(draft, TEAM)
