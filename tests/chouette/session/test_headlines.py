"""The evening as headlines, and why the next Box is the next Box: docs/rules-chouette.md §§5, 7."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from games.kernel.contract import JsonObject
from games.kernel.sentences import filled
from games.services.logs import event_texts

headlines: Any = import_module("chouette.rules.headlines")  # the package has the function of this name
NAMES = dict(enumerate(["Xenia", "Kari", "Lasse", "Mia"]))
ENDED: JsonObject = {
    **{"number": 3, "reason": "single", "winner": "team", "box": 0, "captain": 1, "last_captain": 1, "partner": None},
    **{"why": "captain_wins", "line_before": [0, 1, 2, 3], "line_after": [1, 2, 3, 0], "points": [-3, 1, 1, 1]},
}
HEIR = "Kari has beaten the Box and takes its place."


def said(name: str, data: JsonObject) -> str:
    sentences = event_texts.sentences_of("chouette")
    telling = event_texts.telling_of(NAMES, sentences["phrases"])
    return filled(sentences["phrases"][name], {**data, "options": {"rotation": "captain_result"}}, telling)


def result(*, is_two: bool = False, **last: Any) -> str:
    line = headlines.result_line({**ENDED, **last}, is_two=is_two)
    return said(line.name, line.data)


def following(last: JsonObject, **roles: Any) -> str:
    return said("following", headlines.following_json({"roles": roles}, {**ENDED, **last}))


def test_the_next_box_is_said_of_people_who_will_be_there() -> None:
    assert following({}, box=1, captain=2, box_why="captain_wins", captain_why="next_in_line") == HEIR
    moved = following({}, box=2, captain=3, box_why="moved_up", captain_why="next_in_line")
    assert moved == "Lasse moves up to Box: Kari does not play."


def test_a_passed_box_is_said_to_be_passed_on_and_nobody_stood_in_who_is_not_captain() -> None:
    passed = following({}, box=2, captain=1, box_why="passed_on", captain_why="passed_on")
    assert passed == "The Box was passed on to Lasse."
    beaten = {"box": 1, "captain": 2, "box_why": "captain_wins"}
    stood_in = following({"last_captain": 2}, **beaten, captain_why="stood_in")
    assert stood_in == f"{HEIR} Lasse stood in and is the next Captain."
    assert following({"last_captain": 2}, **{**beaten, "captain": 3}, captain_why="next_in_line") == HEIR


@pytest.mark.parametrize("winner", ["box", "team"])
def test_the_headline_of_a_game_does_not_depend_on_the_last_cube(winner: str) -> None:
    mixed = {"reason": "dropped", "winner": winner, "points": [1, 1, -1, -1]}
    assert result(**mixed) == "Game 3 is over: Xenia +1."
    assert result(reason="dropped", winner=winner, points=[-2, 2, 0, 0]) == "The Team wins! Xenia −2"
    assert result(reason="dropped", winner=winner, points=[2, 0, -2, 0]) == "The Box wins! Xenia +2"


def test_who_bears_off_last_has_won_whatever_the_points() -> None:
    assert result(reason="gammon", winner="team", points=[1, -5, 2, 2]) == "Gammon! Xenia +1"
    assert headlines.winner_of({**ENDED, "reason": "settled", "winner": "box", "points": [-2, 2, 0, 0]}) == "team"


def test_a_game_of_two_settled_for_nothing_is_nobodys() -> None:
    two = {"reason": "settled", "winner": "box", "line_before": [0, 1], "line_after": [0, 1], "points": [0, 0]}
    assert result(is_two=True, **two) == "Game 3 is over: Xenia 0."
