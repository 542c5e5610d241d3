"""Lives: same lives first, no rematch but a forced one, a bracket by the lives left."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from tests.kernel.tournaments.nights import Json, Night


def started(people: int, **settings: object) -> Night:
    night = Night({"kind": "lives"} | settings, people, 5)
    night.add("start")
    return night


def play(night: Night, id_: str, winner: str, loser: str) -> None:
    night.add("match", id=id_, players=[winner, loser], length=3)
    night.add("result", match=id_, winner=winner)


def lives(found: Json) -> dict[str, int]:
    return {each["player"]: each["lives"] for each in found["state"]["players"]}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("people", "places"), [(4, 4), (11, 4), (12, 8), (24, 8), (47, 8), (48, 16)])
def test_the_lives_left_fill_the_bracket_exactly_and_two_losses_are_out(people: int, places: int, seed: int) -> None:
    night = Night({"kind": "lives"}, people, seed)
    met: dict[str, set[str]] = defaultdict(set)
    for found in night.steps():
        for proposal in found["proposals"]:
            for entry in proposal.get("entries", []):
                if entry["type"] == "phase":
                    left = [each["lives"] for each in found["state"]["players"] if each["status"] == "free"]
                    assert sum(left) == places and not night.running(found["state"])
                    assert len(entry["players"]) == len(left)
                elif entry["type"] == "match" and "round" not in entry:
                    one, other = entry["players"]
                    assert other not in met[one] or (entry["forced"] and proposal["mode"] == "ask")
                    met[one].add(other)
                    met[other].add(one)
    standing = found["standing"]
    assert standing[0]["losses"] <= 1 and [row["place"] for row in standing].count(1) == 1
    assert all(row["losses"] <= 2 for row in standing)


@pytest.mark.parametrize("people", [2, 3])
def test_two_or_three_people_play_to_the_last_life(people: int) -> None:
    night = started(people)
    found = night.play()
    assert not any(entry["type"] == "phase" for entry in night.log)
    assert Counter(each["status"] for each in found["state"]["players"]) == {"free": 1, "out": people - 1}


def test_who_finds_nobody_with_the_same_lives_waits_as_long_as_a_match_can_bring_one() -> None:
    night = started(8)
    night.add("match", id="m1", players=["p0", "p1"], length=3)
    night.add("match", id="m2", players=["p2", "p3"], length=3)
    for name in ("p4", "p5", "p6"):
        night.add("withdraw", player=name, when="now")
    night.add("result", match="m1", winner="p0")
    # p0 and p7 have two lives, p1 waits for the loser of the other match.
    proposals = night.ask()["proposals"]
    assert [set(each["entries"][0]["players"]) for each in proposals if "entries" in each] == [{"p0", "p7"}]
    night.confirm(proposals)
    night.now = 3
    night.add("result", match="m2", winner="p2")
    assert {"p1", "p3"} in [
        set(each["entries"][0]["players"]) for each in night.ask()["proposals"] if "entries" in each
    ]


def test_after_patience_people_with_other_lives_are_met() -> None:
    night = started(12)
    for at in range(5):
        night.add("withdraw", player=f"p{at}", when="now")
    play(night, "m1", "p5", "p6")
    play(night, "m2", "p7", "p8")
    night.add("match", id="m3", players=["p6", "p8"], length=3)
    night.add("match", id="m4", players=["p5", "p7"], length=3)
    night.add("match", id="m5", players=["p9", "p10"], length=3)
    night.add("result", match="m3", winner="p6")
    # p11 has two lives and p6 one; running matches can bring somebody for both.
    assert night.ask()["proposals"] == [{"wait": {"until": 6}, "why": "patience"}]
    night.now = 6
    (proposal,) = night.ask()["proposals"]
    assert (proposal["why"], set(proposal["entries"][0]["players"])) == ("far", {"p6", "p11"})


def test_latecomers_have_two_lives_until_somebody_is_out_then_one_until_the_bracket() -> None:
    night = started(6)
    play(night, "m1", "p0", "p1")
    assert night.try_("enter", player="early") is None
    play(night, "m2", "p2", "p1")
    assert night.try_("enter", player="late") is None
    assert lives(night.ask()) | {"p1": 0} == {
        "p0": 2, "p1": 0, "p2": 2, "p3": 2, "p4": 2, "p5": 2, "early": 2, "late": 1,
    }  # fmt: skip
    for _found in night.steps():
        if any(entry["type"] == "phase" for entry in night.log):
            break
    assert night.try_("enter", player="too_late") == "too_late"


def test_a_place_left_by_somebody_who_withdraws_is_a_bye() -> None:
    night = Night({"kind": "lives"}, 8, 2)
    for found in night.steps():
        if found["state"]["round"] is not None:
            break
    alive = [each["player"] for each in found["state"]["players"] if each["lives"]]
    assert night.try_("withdraw", player=alive[0], when="now") is None
    night.play()


def test_batches_pair_at_their_minutes_only() -> None:
    night = Night({"kind": "lives", "batch": 10}, 16, 2)
    for found in night.steps():
        if found["state"]["round"] is not None:
            break
    before = [match for match in found["state"]["matches"] if match["round"] is None]
    assert len(before) > 20 and {match["started"] % 10 for match in before} == {0}


def test_matches_of_somebody_without_a_life_are_warned_of_after_a_correction() -> None:
    night = started(8)
    play(night, "m1", "p0", "p1")
    play(night, "m2", "p1", "p2")
    play(night, "m3", "p1", "p3")
    night.add("match", id="m4", players=["p1", "p4"], length=3)
    assert night.ask()["state"]["warnings"] == []
    night.add("correct", match="m2", winner="p2")
    # p1 had lost twice before m3.
    assert night.ask()["state"]["warnings"] == [
        {"match": "m3", "because": "m2", "repairs": ["void", "stand"]},
        {"match": "m4", "because": "m2", "repairs": ["void", "stand"]},
    ]
    assert night.try_("stand", match="m3") is None and night.try_("void", match="m4") is None
    assert night.ask()["state"]["warnings"] == []
    assert {each["player"]: each["status"] for each in night.ask()["state"]["players"]}["p1"] == "out"
