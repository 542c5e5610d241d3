"""Draws: everybody once, sizes as wanted, each way as its name says, and refusals that name the place."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel.draws.draw import answer
from games.kernel.draws.strangers import repeats
from tests.architecture.sources import ROOT

FIVE = {"want": 5, "least": 3, "most": 6}


def people(count: int) -> list[dict[str, Any]]:
    return [{"player": f"p{at}", "rank": at + 1, "strength": count - at} for at in range(count)]


def drawn(count: int, way: str = "lot", size: dict[str, int] = FIVE, **more: Any) -> dict[str, Any]:
    return answer({"people": people(count), "size": size, "way": way, "seed": 1} | more)


def sizes(found: dict[str, Any]) -> list[int]:
    return [len(table) for table in found["tables"]]


@pytest.mark.parametrize(
    ("count", "size", "expected", "over"),
    [
        (14, FIVE, [5, 5, 4], 0),
        (11, FIVE, [6, 5], 0),
        (7, FIVE, [4, 3], 0),
        (2, FIVE, [], 2),
        (0, FIVE, [], 0),
        (7, {"want": 5, "least": 5, "most": 6}, [6], 1),
        (14, {"tables": 3}, [5, 5, 4], 0),
        (23, {"tables": 2}, [10, 10], 3),
        (5, {"tables": 3}, [], 5),
    ],
)
def test_sizes_are_nearest_to_the_wanted_one_with_larger_tables_first(
    count: int, size: dict[str, int], expected: list[int], over: int
) -> None:
    found = drawn(count, size=size)
    assert (sizes(found), len(found["over"])) == (expected, over)


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(0, 30))
    least = draw(st.integers(2, 5))
    want = draw(st.integers(least, 7))
    most = draw(st.integers(want, 10))
    size: dict[str, Any] = {"want": want, "least": least, "most": most}
    if draw(st.booleans()):
        size = {"tables": draw(st.integers(1, 6))}
    names = [f"p{at}" for at in range(count)]
    met = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names), st.integers(0, 3)))) if count else []
    groups = [names[at : at + 2] for at in range(0, draw(st.integers(0, min(count, 4))) // 2 * 2, 2)]
    return {
        "people": people(count),
        "size": size,
        "way": draw(st.sampled_from(["lot", "strong", "snake", "strength", "strangers", "captains"])),
        "captains": draw(st.lists(st.sampled_from(names), unique=True, max_size=5)) if count else [],
        "met": [[a, b, times] for a, b, times in met if a != b],
        "keep": groups,
        "seed": draw(st.integers(0, 99)),
    }


@given(wishes())
@settings(max_examples=200, deadline=None)
def test_everybody_is_once_at_a_table_or_over_and_kept_people_sit_together(wish: dict[str, Any]) -> None:
    found = answer(wish)
    assert answer(wish) == found
    if "error" in found:
        assert wish["keep"] and found["error"] == {"code": "bad_format", "at": "keep"}
        return
    seated = [name for table in found["tables"] for name in table]
    assert sorted(seated + found["over"]) == sorted(person["player"] for person in wish["people"])
    size = {"least": 2, "most": 10} | wish["size"]
    assert all(size["least"] <= len(table) <= size["most"] for table in found["tables"])
    assert sizes(found) == sorted(sizes(found), reverse=True)
    for group in wish["keep"]:
        (home,) = [table for table in found["tables"] if group[0] in table]
        assert set(group) <= set(home)
    assert all(sum(set(group) <= set(table) for group in wish["keep"]) <= 1 for table in found["tables"])
    met: Counter[frozenset[str]] = Counter()
    for a, b, times in wish["met"]:
        met[frozenset((a, b))] += times
    assert found["repeats"] == repeats(found["tables"], met)


def test_strong_and_strength_seat_neighbours_together() -> None:
    ranks = [sorted(int(name[1:]) for name in table) for table in drawn(14, "strong")["tables"]]
    assert ranks == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13]]
    strengths = [sorted(int(name[1:]) for name in table) for table in drawn(14, "strength")["tables"]]
    assert strengths == [[9, 10, 11, 12, 13], [4, 5, 6, 7, 8], [0, 1, 2, 3]]


def test_snake_mixes_and_who_has_no_rank_comes_last() -> None:
    found = drawn(9, "snake", {"tables": 3})
    assert [sorted(table) for table in found["tables"]] == [["p0", "p5", "p6"], ["p1", "p4", "p7"], ["p2", "p3", "p8"]]
    found = drawn(6, "strong", {"tables": 2}, people=[{"player": "new"}, *people(5)])
    assert "new" in found["tables"][-1]


def test_a_captain_sits_at_each_table() -> None:
    found = drawn(14, "captains", captains=["p3", "p4", "p5"], keep=[["p3", "p9"]])
    assert [sum(name in ("p3", "p4", "p5") for name in table) for table in found["tables"]] == [1, 1, 1]


def evening(count: int, rounds: int, size: dict[str, int], chance: random.Random) -> Counter[frozenset[str]]:
    """Return who has met how often after so many rounds by lot."""
    met: Counter[frozenset[str]] = Counter()
    for _ in range(rounds):
        for table in drawn(count, seed=chance.randrange(10**9), size=size)["tables"]:
            met.update(map(frozenset, combinations(table, 2)))
    return met


def strangers(count: int, size: dict[str, int], met: Counter[frozenset[str]], **more: Any) -> dict[str, Any]:
    return drawn(count, "strangers", size, met=[[*sorted(pair), times] for pair, times in met.items()], **more)


def least_repeats(places: list[int], met: Counter[frozenset[str]], groups: list[list[str]]) -> int:
    """Return the least repeats of all seatings, found by putting one person after another anywhere."""
    count = sum(places)
    least = sum(met.values())
    tables: list[list[str]] = [[] for _ in places]

    def put(at: int, sum_: int) -> None:
        nonlocal least
        if sum_ >= least and at < count:
            return
        if at == count:
            homes = [[t for t, table in enumerate(tables) if set(group) <= set(table)] for group in groups]
            if all(homes) and len({home for (home,) in homes}) == len(groups):
                least = min(least, sum_)
            return
        for table, place in zip(tables, places, strict=True):
            if len(table) < place:
                more = sum(met[frozenset((f"p{at}", name))] for name in table)
                table.append(f"p{at}")
                put(at + 1, sum_ + more)
                table.pop()

    put(0, 0)
    return least


@pytest.mark.parametrize(("count", "tables"), [(6, 2), (8, 2), (9, 3), (10, 4)])
@pytest.mark.parametrize("groups", [[], [["p0", "p3"]], [["p0", "p3"], ["p1", "p2"]]])
def test_few_strangers_meet_again_as_little_as_any_way_lets_them(
    count: int, tables: int, groups: list[list[str]]
) -> None:
    chance = random.Random(count + tables)
    for _ in range(5):
        met = evening(count, chance.randint(2, 8), {"tables": tables}, chance)
        found = strangers(count, {"tables": tables}, met, seed=chance.randrange(10**9), keep=groups)
        assert found["repeats"] == repeats(found["tables"], met) == least_repeats(sizes(found), met, groups)


def test_of_equal_ways_the_lot_takes_each() -> None:
    """Of four, two have met: two ways are left, and each is drawn."""
    met = Counter({frozenset(("p0", "p1")): 1})
    ways = {frozenset(map(frozenset, strangers(4, {"tables": 2}, met, seed=seed)["tables"])) for seed in range(40)}
    assert len(ways) == 2


@pytest.mark.parametrize(
    ("count", "tables"), [(12, 3), (13, 3), (14, 3), (16, 2), (16, 4), (18, 3), (20, 5), (24, 5), (40, 8)]
)
def test_strangers_meet_no_more_again_than_in_the_best_of_a_thousand_lots(count: int, tables: int) -> None:
    chance = random.Random(count)
    names = [f"p{at}" for at in range(count)]
    for _ in range(3):
        met = evening(count, chance.randint(2, 8), {"tables": tables}, chance)
        found = strangers(count, {"tables": tables}, met, seed=chance.randrange(10**9))
        bounds = [sum(sizes(found)[:at]) for at in range(len(found["tables"]) + 1)]
        best = min(
            repeats([lot[a:b] for a, b in pairwise(bounds)], met)
            for lot in (chance.sample(names, count) for _ in range(1000))
        )
        assert found["repeats"] <= best


def test_lots_are_uniform() -> None:
    """Chi-square of with whom the first of six sits, 5 others, 2,000 draws; 20.5 is exceeded once in a thousand."""
    falls: Counter[str] = Counter()
    for seed in range(2000):
        tables = drawn(6, seed=seed, size={"tables": 3})["tables"]
        (home,) = [table for table in tables if "p0" in table]
        falls.update(set(home) - {"p0"})
    assert sum((falls[f"p{at}"] - 400) ** 2 / 400 for at in range(1, 6)) < 20.5


@pytest.mark.parametrize(
    ("more", "code", "at"),
    [
        ({"people": 3}, "bad_format", "people"),
        ({"people": [{"player": ""}]}, "bad_format", "people/0/player"),
        ({"people": [{"player": "a", "rank": True}]}, "bad_format", "people/0/rank"),
        ({"people": [{"player": "a"}, {"player": "a"}]}, "player_twice", "people/1"),
        ({"size": {"want": 5, "least": 6, "most": 6}}, "bad_format", "size"),
        ({"size": {"tables": 0}}, "bad_format", "size"),
        ({"way": "best"}, "bad_format", "way"),
        ({"captains": ["nobody"]}, "no_such_player", "captains/0"),
        ({"keep": [["p0", "p1"], ["p1", "p2"]]}, "player_twice", "keep"),
        ({"keep": [["p0", "p1", "p2", "p3", "p4", "p5", "p6"]]}, "bad_format", "keep"),
        ({"met": [["p0", "p0", 1]]}, "bad_format", "met/0"),
        ({"met": [["p0", "p1", -1]]}, "bad_format", "met/0"),
        ({"seed": None}, "bad_format", "seed"),
        ({"extra": 1}, "bad_format", "extra"),
    ],
)
def test_bad_wishes_are_refused_at_their_place(more: dict[str, Any], code: str, at: str) -> None:
    assert drawn(12, **more) == {"error": {"code": code, "at": at}}


def test_the_command_answers_each_line_and_tells_of_refusals_by_its_status() -> None:
    wish = json.dumps({"people": people(4), "size": {"want": 4}, "way": "lot", "seed": 1})
    done = subprocess.run(
        [sys.executable, "-m", "games.kernel.draws", "--lines"],
        input=f"{wish}\nNaN\n[]\n{wish}\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    first, second, third, fourth = map(json.loads, done.stdout.splitlines())
    assert first == fourth and len(first["tables"]) == 1
    assert second == {"error": {"code": "bad_json", "at": ""}}
    assert third == {"error": {"code": "bad_format", "at": ""}}
    assert done.returncode == 2 and done.stderr == ""
