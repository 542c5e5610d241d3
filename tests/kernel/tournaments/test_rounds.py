"""Rounds: everybody against everybody, fixed schedules, Swiss in step and neighbours."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from games.kernel.tournaments.phases.pairs import berger, schedule
from tests.kernel.tournaments.nights import Json, Night


def meetings(found: Json) -> Counter[frozenset[str]]:
    return Counter(frozenset(m["players"]) for m in found["state"]["matches"] if m["status"] != "void")


@pytest.mark.parametrize("count", range(2, 21))
def test_in_bergers_tables_everybody_meets_everybody_once(count: int) -> None:
    players = [f"p{at}" for at in range(count)]
    rounds = berger(players)
    assert len(rounds) == count - 1 + count % 2
    assert Counter(frozenset(pair) for each in rounds for pair in each) == Counter(
        map(frozenset, combinations(players, 2))
    )
    assert all(len({name for pair in each for name in pair}) == 2 * len(each) == count - count % 2 for each in rounds)


@pytest.mark.parametrize(("count", "matches"), [(n, m) for n in range(2, 22) for m in range(1, n)])
def test_a_schedule_gives_everybody_the_matches_and_nobody_an_opponent_twice(count: int, matches: int) -> None:
    players = [f"p{at}" for at in range(count)]
    pairs = [pair for each in schedule(players, matches) for pair in each]
    assert len(set(map(frozenset, pairs))) == len(pairs)
    counts = Counter(name for pair in pairs for name in pair)
    missing = [matches - counts[name] for name in players]
    assert missing == [0] * (count - 1) + [count % 2 * (matches % 2)]


@pytest.mark.parametrize(("people", "matches"), [(8, 6), (11, 5), (6, 6), (9, 4)])
def test_latecomers_join_a_schedule_until_the_first_result(people: int, matches: int) -> None:
    night = Night({"kind": "schedule", "matches": matches}, people, 3)
    night.add("start")
    night.confirm(night.ask()["proposals"])
    assert night.try_("enter", player="late") is None
    night.end_next(night.ask()["state"])
    assert night.try_("enter", player="later") == "too_late"
    found = night.play()
    assert max(meetings(found).values()) == 1
    counts = Counter(name for pair in meetings(found) for name in pair)
    most = min(matches, people)
    assert sum(most - count for count in counts.values()) <= 1 and max(counts.values()) <= most


def test_a_latecomer_of_a_round_robin_meets_everybody() -> None:
    night = Night({"kind": "round_robin"}, 4, 3)
    night.add("start")
    night.confirm(night.ask()["proposals"])
    assert night.try_("enter", player="late") is None
    assert len(meetings(night.play())) == 10


def test_groups_play_among_themselves_and_the_best_of_each_go_on() -> None:
    format_ = {"phases": [{"kind": "round_robin", "groups": 2}, {"kind": "knockout"}], "advance": [4]}
    night = Night(format_, 10, 3)
    found = night.play()
    groups = [m for m in found["state"]["matches"] if m["phase"] == 0 and m["round"]]
    assert len(groups) == 20 and [m["phase"] for m in found["state"]["matches"][-3:]] == [1, 1, 1]
    cup = {name for m in found["state"]["matches"] if m["phase"] == 1 for name in m["players"]}
    assert {row["player"] for row in found["standing"][:4]} == cup


@pytest.mark.parametrize(("people", "rounds"), [(n, r) for n in (3, 4, 5, 6, 7, 8, 10, 12) for r in (1, 2, 3, 5, 99)])
def test_nobody_meets_anybody_twice_in_a_swiss_of_as_many_rounds_as_there_can_be(people: int, rounds: int) -> None:
    most = min(rounds, people - 1 + people % 2)
    for seed in range(3):
        found = Night({"kind": "swiss", "rounds": rounds, "tie": "wins"}, people, seed).play()
        assert max(meetings(found).values()) == 1
        assert {m["round"] for m in found["state"]["matches"]} == set(range(1, most + 1))
        byes = [each["byes"] for each in found["state"]["players"]]
        assert sum(byes) == most * (people % 2) and max(byes) - min(byes) <= 1


def test_swiss_pairs_equal_scores_with_the_least_float() -> None:
    night = Night({"kind": "swiss", "rounds": 4, "tie": "wins"}, 16, 3)
    for found in night.steps():
        wins = {each["player"]: each["wins"] for each in found["state"]["players"]}
        for proposal in found["proposals"]:
            entries = [each for each in proposal.get("entries", []) if each["type"] == "match"]
            if entries and entries[0]["round"] <= 3:
                # 8 and 8, then 4, 8 and 4 people: nobody floats.
                assert all(wins[each["players"][0]] == wins[each["players"][1]] for each in entries)


Way = frozenset[frozenset[str]]


def ways(people: list[str], met: Way) -> list[Way]:
    """Return all ways to pair people who have not met; "" is nobody."""
    if not people:
        return [frozenset()]
    one, *others = people
    return [
        rest | {pair}
        for other in others
        if (pair := frozenset((one, other))) not in met
        for rest in ways([name for name in others if name != other], met)
    ]


def can_go_on(people: list[str], met: Way, rounds: int) -> bool:
    return rounds == 0 or any(can_go_on(people, met | way, rounds - 1) for way in ways(people, met))


def float_of(way: Way, wins: dict[str, int]) -> tuple[int, int, int]:
    """Return the score of the bye, the sum of the differences, and that of their squares."""
    bye = sum(wins[name] for pair in way if "" in pair for name in pair - {""})
    differences = [abs(wins[one] - wins[other]) for one, other in map(sorted, way) if one]
    return bye, sum(differences), sum(each * each for each in differences)


@pytest.mark.parametrize(("people", "rounds"), [(4, 3), (5, 5), (5, 3), (6, 5), (6, 3), (7, 4)])
def test_a_swiss_of_few_has_the_least_float_after_which_the_other_rounds_can_be_played(
    people: int, rounds: int
) -> None:
    """All pairings of each round are tried, and of each one all ways to go on."""
    for seed in range(6):
        night = Night({"kind": "swiss", "rounds": rounds, "tie": "wins"}, people, seed)
        everybody = [f"p{at}" for at in range(people)] + [""] * (people % 2)
        met: Way = frozenset()
        for found in night.steps():
            entries = [entry for each in found["proposals"] for entry in each.get("entries", []) if "round" in entry]
            if not entries:
                continue
            wins = {each["player"]: each["wins"] for each in found["state"]["players"]}
            way = frozenset(frozenset(entry.get("players", [entry.get("player"), ""])) for entry in entries)
            after = rounds - entries[0]["round"]
            fit = [each for each in ways(everybody, met) if can_go_on(everybody, met | each, after)]
            assert way in fit
            assert float_of(way, wins) == min(float_of(each, wins) for each in fit)
            met |= way


def leaders() -> Night:
    """Return a Swiss of six after two of three rounds: p1 and p3 have won both of theirs, and have not met."""
    night = Night({"kind": "swiss", "rounds": 3, "tie": "wins"}, 6)
    night.add("start")
    rounds = [["p4", "p5"], ["p3", "p0"], ["p1", "p2"]], [["p1", "p0"], ["p5", "p2"], ["p3", "p4"]]
    for number, pairs in enumerate(rounds, 1):
        for pair in pairs:
            night.add("match", id=f"{number}{pair[0]}", players=pair, length=3, round=number)
        for pair in pairs:
            night.add("result", match=f"{number}{pair[0]}", winner=pair[0])
    return night


def test_two_leaders_who_have_not_met_meet_in_the_last_round_where_the_float_stays_the_same() -> None:
    for seed in range(8):
        night = leaders()
        night.seed = seed
        way = {frozenset(each["players"]) for each in night.ask()["proposals"][0]["entries"]}
        assert way == {frozenset(("p1", "p3")), frozenset(("p0", "p5")), frozenset(("p2", "p4"))}


def by_groups(way: Way, wins: dict[str, int]) -> list[int]:
    """Return the float of each score, the highest first: of a pair it is that of the better one."""
    floats = Counter[int]()
    for one, other in (sorted(pair) for pair in way if "" not in pair):
        floats[max(wins[one], wins[other])] += abs(wins[one] - wins[other])
    return [floats[score] for score in range(max(wins.values()), -1, -1)]


@pytest.mark.parametrize(("people", "rounds"), [(5, 3), (6, 3), (6, 4), (7, 4)])
def test_of_pairings_of_equal_float_the_top_group_comes_first(people: int, rounds: int) -> None:
    for seed in range(6):
        night = Night({"kind": "swiss", "rounds": rounds, "tie": "wins"}, people, seed)
        everybody = [f"p{at}" for at in range(people)] + [""] * (people % 2)
        met: Way = frozenset()
        for found in night.steps():
            entries = [entry for each in found["proposals"] for entry in each.get("entries", []) if "round" in entry]
            if not entries:
                continue
            wins = {each["player"]: each["wins"] for each in found["state"]["players"]}
            way = frozenset(frozenset(entry.get("players", [entry.get("player"), ""])) for entry in entries)
            fit = [w for w in ways(everybody, met) if can_go_on(everybody, met | w, rounds - entries[0]["round"])]
            best = min(float_of(each, wins) for each in fit)
            assert by_groups(way, wins) == min(by_groups(w, wins) for w in fit if float_of(w, wins) == best)
            met |= way


def test_a_latecomer_of_a_swiss_has_a_loss_for_each_round_missed() -> None:
    night = Night({"kind": "swiss", "rounds": 3}, 4, 3)
    night.add("start")
    night.confirm(night.ask()["proposals"])
    assert night.try_("enter", player="late") is None
    late = night.ask()["state"]["players"][-1]
    assert (late["wins"], late["losses"], late["status"]) == (0, 1, "free")
    night.play()
    assert night.try_("enter", player="later") == "too_late"


def test_leaving_and_coming_back_gives_no_point_and_costs_the_rounds_missed() -> None:
    night = Night({"kind": "swiss", "rounds": 3, "tie": "wins"}, 5, 3)
    night.add("start")
    assert night.try_("withdraw", player="p0", when="now") is None
    night.confirm(night.ask()["proposals"])
    assert night.try_("return", player="p0") is None
    player = night.ask()["state"]["players"][0]
    assert (player["wins"], player["losses"], player["byes"]) == (0, 1, 0)


def test_a_play_off_decides_who_has_won_a_swiss() -> None:
    night = Night({"kind": "swiss", "rounds": 1}, 4, 3)
    found = night.play()
    assert [m["round"] for m in found["state"]["matches"]] == [1, 1, 0]
    assert [row["place"] for row in found["standing"]] == [1, 2, 3, 3]


def test_neighbours_meet_again_but_not_three_times_in_a_row() -> None:
    order = [f"p{at}" for at in range(6)]
    night = Night({"kind": "neighbours", "rounds": 4, "order": order}, 6, 3)
    found = night.play()
    rounds = [{frozenset(m["players"]) for m in found["state"]["matches"] if m["round"] == n} for n in (1, 2, 3, 4)]
    near = {frozenset(("p0", "p1")), frozenset(("p2", "p3")), frozenset(("p4", "p5"))}
    assert rounds[0] == rounds[1] == near and not rounds[2] & near
    two = Night({"kind": "neighbours", "rounds": 4}, 2, 3).play()
    assert len(two["state"]["matches"]) == 4
