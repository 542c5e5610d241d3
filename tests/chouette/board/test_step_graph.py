"""A play can be made step by step: what the board gets of a roll (§3)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from chouette.board.notation import format_play
from chouette.board.plays import legal_plays
from chouette.board.position import BAR, OFF, START, Position
from tests.chouette.board.step_graph import step_graph
from tests.chouette.positions import dice, positions


def _applied(points: Sequence[int], source: int, target: int, hit: bool) -> Position:
    after = list(points)
    after[source] -= 1
    if hit:
        after[target] = 0
        after[OFF] -= 1
    if target != OFF:
        after[target] += 1
    return tuple(after)


@given(positions, dice)
def test_the_ends_of_the_steps_are_exactly_the_legal_plays(position: Position, dice: tuple[int, int]) -> None:
    expected = {format_play(play): play.result for play in legal_plays(position, dice)}
    nodes = step_graph(position, dice)
    places: dict[int, Position] = {0: position}
    ends = {}
    for number, node in enumerate(nodes):
        here = places[number]
        for source, target, hit, die, following in node["to"]:
            assert here[source] > 0 and (target == OFF or source - target == die)
            assert hit == (target != OFF and here[target] == -1)
            assert places.setdefault(following, _applied(here, source, target, hit)) == _applied(
                here, source, target, hit
            ), "however a node is reached, the checkers stand alike"
        if node["play"] is not None:
            assert not node["to"]
            ends[node["play"]] = here
        else:
            assert node["to"], "no step leads into a dead end"
    assert ends == expected


def test_a_roll_that_cannot_be_played_is_an_end_at_once() -> None:
    closed = [0] * 26
    closed[BAR] = 1
    for point in range(19, 25):
        closed[point] = -2
    (only,) = step_graph(tuple(closed), (6, 5))
    assert only == {"left": [6, 5], "to": [], "play": "cannot move"}


@pytest.mark.parametrize("roll", [(3, 1), (6, 6), (1, 1)])
def test_the_steps_of_a_roll_stay_a_small_message(roll: tuple[int, int]) -> None:
    assert len(step_graph(START, roll)) < 400
