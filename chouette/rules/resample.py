"""Resampling: sealed words, answers, proposals and talk chosen again, so that a viewer can't tell the states apart.


The settings of auto no double stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from chouette.rules import play
from chouette.rules.cube import beavers, obligations, settlement
from chouette.rules.cube.cubes import covered_cubes, decision_cubes, holder, live, parties
from chouette.rules.session import consultation
from chouette.rules.state import (
    ANSWERS,
    BOX,
    MOVE,
    PLAYING,
    TEAM,
    Game,
    Proposal,
    Remark,
    Resignation,
    State,
    with_game,
)
from games.kernel.contract import Seat

Words = tuple[tuple[int, bool], ...]
"""(cube, yes) of each word or answer given."""


def resample(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return a state that `viewer` (None = a spectator) cannot tell from `state`."""
    game = state.game
    if game is None or state.phase != PLAYING:
        return state
    sealed = {one.cube: one.seat for one in game.sealed if one.seat != viewer}
    answers, beavers = _answers(state, game, sealed, rng)
    return with_game(
        state,
        words=tuple((cube, rng.random() < 0.5 if cube in sealed else doubles) for cube, doubles in game.words),
        answers=answers,
        beavers=beavers,
        said=tuple((*row[:3], _reply(state, game, row, rng)) if row[2] != viewer else row for row in game.said),
        resignation=game.resignation and _resignation(game, game.resignation, viewer, rng),
        proposals=tuple(_proposal(game, one, viewer, rng) for one in game.proposals),
        talk=tuple(line if viewer in line.audience else _line(game, line, rng) for line in game.talk),
    )


def _answers(state: State, game: Game, sealed: dict[int, Seat], rng: Random) -> tuple[Words, tuple[int, ...]]:
    """Return the answers and the beavers among them: the Box's together and legal, the members' one by one.

    Opened answers are no longer sealed.
    """
    answers = {cube: rng.random() < 0.5 if cube in sealed else takes for cube, takes in game.answers}
    options = state.options
    cubes = decision_cubes(game, live(game))
    allowed = {
        i for i in answers if i in sealed and i in cubes and obligations.may_beaver(options, game.cubes[i].value)
    }
    beavers = {cube for cube in allowed if answers[cube] and rng.random() < 0.5}
    if game.stage == ANSWERS and game.turn == TEAM and game.box in sealed.values():
        args = rng.choice(obligations.answers(options, obligations.batch_of(game, decision_cubes(game, game.batch))))
        box_cubes = {cube for cube, seat in sealed.items() if seat == game.box}
        answers |= {cube: cube in covered_cubes(game, args["take"]) for cube in box_cubes}
        beavers = (beavers - box_cubes) | set(args.get("beaver", ()))
    kept = [cube for cube in game.beavers if cube not in sealed]
    # In the order in which they were said, the viewer's own among the others.
    opened = (cube for cube in kept if cube not in answers)
    return tuple(answers.items()), (*opened, *(cube for cube in answers if cube in beavers or cube in kept))


def _reply(state: State, game: Game, row: beavers.Reply, rng: Random) -> str:
    ask = next((ask for ask in game.asks if (ask.cube, ask.kind, ask.seat) == row[:3]), None)
    return row[3] if ask is None else rng.choice(beavers.ways(state, game, ask))


def _resignation(game: Game, offered: Resignation, viewer: Seat | None, rng: Random) -> Resignation:
    """Return the resignation with new answers of other seats; a seat gives one answer for all its cubes."""
    side = TEAM if offered.by == game.box else BOX
    answers = {**dict.fromkeys(offered.accepted, True), **dict.fromkeys(offered.refused, False)}
    held: dict[Seat, list[int]] = {}
    for cube in answers:
        held.setdefault(holder(game, game.cubes[cube], side), []).append(cube)
    for seat, cubes in held.items():
        if seat != viewer:
            answers |= dict.fromkeys(cubes, rng.random() < 0.5)
    accepted = tuple(sorted(cube for cube, yes in answers.items() if yes))
    refused = tuple(sorted(cube for cube, yes in answers.items() if not yes))
    return replace(offered, accepted=accepted, refused=refused)


def _proposal(game: Game, proposal: Proposal, viewer: Seat | None, rng: Random) -> Proposal:
    if viewer in parties(game, game.cubes[proposal.cube]):
        return proposal
    points = rng.choice(settlement.listed(game, proposal.cube))["points"]
    return replace(proposal, points=points)


def _line(game: Game, line: Remark, rng: Random) -> Remark:
    """Return the line with another phrase, or with another play if the suggested one is still legal."""
    if line.text:
        return replace(line, text=rng.choice(consultation.PHRASES))
    plays = [option["play"] for option in play.listed(game)] if game.stage == MOVE else []
    return replace(line, play=rng.choice(plays)) if line.play in plays else line
