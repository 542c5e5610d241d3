"""What is told of a graded game: the course in one side's view, and each mistake in a sentence."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from chouette.analysis import counting, telling
from chouette.analysis.engine import CubeEquities
from chouette.export.record import BEAVER, DOUBLE, DROP, NO_DOUBLE, PLAY, RACCOON, TAKE

EQUITIES = [CubeEquities(*pair) for pair in product((-1.2, -0.3, 0.2, 0.7, 1.4), repeat=2)]


def row(**about: Any) -> dict[str, Any]:
    """Return a row of a play that cost 0.1."""
    usual = {"seq": 5, "seat": 1, "role": "box", "kind": PLAY, "dice": [3, 1], "played": "24/20", "best": "8/5 6/5"}
    return {
        **usual,
        "xgid": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        "equities": {"played": 0.2, "best": 0.3},
        "error": 0.1,
        "counts": True,
        "suggested": [],
        **about,
    }


def cube_mistakes() -> list[tuple[str, str]]:
    """Return every kind of cube action with what was better, over many equities."""
    found = set()
    for equities in EQUITIES:
        for has_doubled in (False, True):
            kind, cost = DOUBLE if has_doubled else NO_DOUBLE, counting.of_double(equities, has_doubled)
            found |= {(kind, cost.best)} if cost.error else set()
        for kind in (TAKE, DROP, BEAVER, RACCOON):
            raised = 2 * equities.take if kind in (BEAVER, RACCOON) else None
            cost = counting.of_answer(equities, kind, raised)
            found |= {(kind, cost.best)} if cost.error else set()
    return sorted(found)


@pytest.mark.parametrize(("kind", "best"), cube_mistakes())
def test_every_mistake_with_a_cube_has_a_sentence_of_its_own(kind: str, best: str) -> None:
    (told,) = telling.mistakes([row(kind=kind, best=best, dice=None, played=kind)])
    text = told.sentence % {"name": "Kari", "error": "0.100", **told.values}
    assert text.startswith("Kari ") and "0.100" in text


def test_a_mistake_with_a_cube_tells_the_equity_of_every_action_for_who_chose() -> None:
    told = {"no_double": 0.5, "take": 1.4, "drop": 1.0}
    for kind, best, ways in (
        (NO_DOUBLE, DOUBLE, [("no double", 0.5), ("double, taken", 1.4), ("double, dropped", 1.0)]),
        (TAKE, DROP, [("take", -1.4), ("drop", -1.0)]),
    ):
        (found,) = telling.mistakes([row(kind=kind, best=best, equities=told)])
        assert [(way.text, way.equity) for way in found.ways] == ways
    (found,) = telling.mistakes([row(kind=BEAVER, best=TAKE, equities={**told, "beaver": 2.8})])
    assert (found.ways[-1].text, found.ways[-1].equity) == ("beaver", -2.8)


@pytest.mark.parametrize(
    ("kind", "best", "told", "marks"),
    [
        (NO_DOUBLE, DOUBLE, {"no_double": 0.5, "take": 0.7, "drop": 1.0}, ["chosen", "best", ""]),
        (DOUBLE, NO_DOUBLE, {"no_double": 1.2, "take": 1.4, "drop": 1.0}, ["best", "", "chosen"]),
        (TAKE, DROP, {"no_double": 0.5, "take": 1.4, "drop": 1.0}, ["chosen", "best"]),
    ],
)
def test_of_a_cubes_ways_the_best_and_the_chosen_are_marked_by_what_a_double_is_worth(
    kind: str, best: str, told: dict[str, float], marks: list[str]
) -> None:
    (found,) = telling.mistakes([row(kind=kind, best=best, equities=told)])
    assert [way.mark for way in found.ways] == marks
    assert found.chosen is not None and found.best is not None and not found.is_drawn
    assert (found.chosen.text, found.best.text) == (kind.replace("_", " "), best.replace("_", " "))


def test_of_a_play_four_ways_are_told_and_the_one_made_is_always_among_them() -> None:
    listed = [[f"{n}/1", 0.5 - 0.1 * n] for n in range(5)]
    (found,) = telling.mistakes([row(listed=[*listed, ["24/20", -0.3]], best="0/1")])
    assert [(way.text, way.mark) for way in found.ways] == [
        ("0/1", "best"),
        ("1/1", ""),
        ("2/1", ""),
        ("24/20", "chosen"),
    ]
    (found,) = telling.mistakes([row(listed=[["8/5 6/5", 0.3], ["24/20", 0.2]])])
    assert [(way.text, way.mark) for way in found.ways] == [("8/5 6/5", "best"), ("24/20", "chosen")]
    (old,) = telling.mistakes([row()])
    assert [(way.text, way.equity) for way in old.ways] == [("8/5 6/5", 0.3), ("24/20", 0.2)]


def test_no_two_mistakes_with_a_cube_have_the_same_sentence() -> None:
    sentences = [telling.mistakes([row(kind=kind, best=best)])[0].sentence for kind, best in cube_mistakes()]
    assert len(set(sentences)) == len(sentences) >= 8


def test_a_mistaken_play_is_told_with_dice_better_play_and_who_had_suggested_it() -> None:
    (told,) = telling.mistakes([row(suggested=[2])])
    text = told.sentence % {"name": "Kari", "error": "0.100", **told.values}
    assert text == "Kari played 24/20 with 3-1: 8/5 6/5 would have been better by 0.100."
    assert (told.seq, told.seat, told.error, told.suggested) == (5, 1, 0.1, (2,))


def test_what_does_not_count_or_costs_little_or_was_not_graded_is_no_mistake() -> None:
    rows = [row(counts=False), row(error=telling.LEAST_ERROR - 0.0001), row(error=None, counts=True)]
    assert telling.mistakes(rows) == []


def test_the_course_is_the_equity_of_the_box_or_without_its_choices_that_of_the_team() -> None:
    rows = [
        row(seq=3),
        row(seq=4, role="captain", equities={"played": -0.5, "best": -0.5}),
        row(seq=6, kind=DOUBLE),
        row(seq=7, equities=None, error=None),
    ]
    assert telling.course(rows) == [(3, 0.2), (4, 0.5)]
    assert telling.first_side(rows) == 1
    team = [{**rows[1], "seat": 2}]
    assert (telling.course(team), telling.first_side(team)) == ([(4, -0.5)], 2)
    assert telling.first_side([]) is None
