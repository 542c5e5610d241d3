"""Standings of each format: what decides between equal people, and what who leaves has reached."""

from __future__ import annotations

import pytest

from tests.kernel.tournaments.nights import Json, Night


def started(format_: Json, people: int) -> Night:
    night = Night(format_, people, 3)
    night.add("start")
    return night


def places(night: Night) -> dict[str, int]:
    return {row["player"]: row["place"] for row in night.ask()["standing"]}


def play_all(night: Night, order: str, margins: dict[str, int] | None = None) -> None:
    """Play to the end; of two people whoever stands first in `order` wins, "ab" = p0 before p1, by a margin."""
    rank = {f"p{'abcdefgh'.index(letter)}": at for at, letter in enumerate(order)}
    while (found := night.ask())["state"]["status"] != "finished":
        running = night.running(found["state"])
        if not running:
            assert night.confirm(found["proposals"])
            continue
        match = running[0]
        winner = min(match["players"], key=rank.__getitem__)
        lost = 3 - (margins or {}).get(winner, 3)
        night.now += 5
        score = [3 if name == winner else lost for name in match["players"]]
        night.add("result", match=match["id"], winner=winner, score=score)


def results(night: Night, *pairs: tuple[str, str]) -> None:
    """Play matches by hand, the winner first, one after another."""
    for number, (winner, loser) in enumerate(pairs, 1):
        night.add("match", id=f"h{number}", players=[winner, loser], length=3)
        night.now += 5
        night.add("result", match=f"h{number}", winner=winner, score=[3, 1])


def test_a_round_robin_goes_by_wins_then_by_the_matches_among_equals_then_by_the_score() -> None:
    night = started({"kind": "round_robin"}, 4)
    night.confirm(night.ask()["proposals"])
    # p0 beats p1, p1 beats p2, p2 beats p0 by most; all three beat p3.
    wins = {("p0", "p1"): 2, ("p1", "p2"): 1, ("p0", "p2"): -3, ("p0", "p3"): 1, ("p1", "p3"): 1, ("p2", "p3"): 1}
    while night.ask()["state"]["status"] != "finished":
        found = night.ask()
        for match in night.running(found["state"]):
            one, other = sorted(match["players"])
            margin = wins[one, other]
            winner = one if margin > 0 else other
            score = [3 if name == winner else 3 - abs(margin) for name in match["players"]]
            night.add("result", match=match["id"], winner=winner, score=score)
        if night.ask()["proposals"]:
            night.confirm(night.ask()["proposals"])
    # Among the three each has one win and one loss. The score: p2 -1 + 3 + 1, p0 2 - 3 + 1, p1 -2 + 1 + 1.
    assert places(night) == {"p2": 1, "p0": 2, "p1": 2, "p3": 4}
    between = next(each for each in night.ask()["state"]["matches"] if {"p0", "p2"} == set(each["players"]))
    night.add("correct", match=between["id"], winner="p0", score=None)
    assert places(night) == {"p0": 1, "p1": 2, "p2": 3, "p3": 4}


def test_two_with_equal_wins_in_a_round_robin_stand_as_their_own_match_ended() -> None:
    night = started({"kind": "round_robin"}, 5)
    # p0 wins all, and p4 loses all but the match against p1, who has won against p2 and p3.
    play_all(night, "abcde")
    found = night.ask()["state"]["matches"]
    match = next(each["id"] for each in found if {"p1", "p2"} == set(each["players"]))
    assert places(night) == {"p0": 1, "p1": 2, "p2": 3, "p3": 4, "p4": 5}
    night.add("correct", match=match, winner="p2")
    # Both have three wins now or two: p2 has won their own match.
    assert places(night)["p2"] == 2 and places(night)["p1"] == 3


def test_before_the_bracket_of_the_lives_the_loser_of_a_later_match_stands_first() -> None:
    night = started({"kind": "lives"}, 8)
    results(night, ("p0", "p1"), ("p2", "p1"), ("p0", "p3"), ("p4", "p3"))
    found = places(night)
    assert (found["p3"], found["p1"]) == (7, 8)
    assert {found[f"p{at}"] for at in (0, 2, 4, 5, 6, 7)} == {1}


@pytest.mark.parametrize("kind", ["knockout", "double"])
def test_who_went_out_in_one_stage_shares_the_place(kind: str) -> None:
    night = started({"kind": kind, "seeding": "given"}, 8)
    play_all(night, "abcdefgh")
    found = places(night)
    shared = {1: 1, 2: 1, 3: 2, 5: 4} if kind == "knockout" else {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 7: 2}
    assert {place: list(found.values()).count(place) for place in found.values()} == shared
    assert found["p0"] == 1 and found["p1"] == 2


def test_who_withdraws_keeps_what_they_have_reached() -> None:
    night = started({"kind": "open_end"}, 4)
    results(night, ("p0", "p1"), ("p0", "p2"))
    before = places(night)
    night.add("withdraw", player="p0", when="now")
    assert places(night) == before and before["p0"] == 1
    cup = started({"kind": "knockout", "seeding": "given"}, 4)
    cup.confirm(cup.ask()["proposals"])
    for match in cup.running(cup.ask()["state"]):
        cup.add("result", match=match["id"], winner=min(match["players"]))
    cup.add("withdraw", player="p0", when="now")
    assert places(cup) == {"p1": 1, "p0": 2, "p2": 3, "p3": 3}


def test_who_met_in_a_match_that_is_void_has_not_met() -> None:
    night = started({"kind": "open_end"}, 2)
    results(night, ("p0", "p1"))
    assert [each["why"] for each in night.ask()["proposals"]] == ["patience"]
    night.add("void", match="h1")
    (proposal,) = night.ask()["proposals"]
    assert proposal["why"] == "pair" and set(proposal["entries"][0]["players"]) == {"p0", "p1"}
    assert all((row["wins"], row["losses"]) == (0, 0) for row in night.ask()["standing"])
