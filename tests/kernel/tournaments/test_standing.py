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


# Ties of everybody against everybody, and of Buchholz


def circle(format_: Json) -> Night:
    """Play everybody against everybody with four: each of three has two wins, without known points; p3 has none."""
    night = started(format_, 4)
    for _ in range(3):
        night.confirm(night.ask()["proposals"])
        for match in night.running(night.ask()["state"]):
            pair = sorted(match["players"])
            night.add("result", match=match["id"], winner="p2" if pair == ["p0", "p2"] else pair[0])
    return night


def test_a_play_off_decides_between_those_who_have_won_each_other_once() -> None:
    night = circle({"kind": "round_robin"})
    assert places(night) == {"p0": 1, "p1": 1, "p2": 1, "p3": 4}
    (proposal,) = [each for each in night.ask()["proposals"] if "entries" in each]
    (entry,) = proposal["entries"]
    assert (entry["round"], "p3" in entry["players"]) == (0, False)
    found = night.play()
    assert sorted(row["place"] for row in found["standing"])[:2] == [1, 2]
    assert places(night)["p3"] == 4


def test_a_lot_decides_between_those_who_have_won_each_other_once_and_stands_in_the_log() -> None:
    firsts = set()
    for seed in range(12):
        night = circle({"kind": "round_robin", "tie": "lot"})
        night.seed = seed
        (proposal,) = night.ask()["proposals"]
        (entry,) = proposal["entries"]
        assert (entry["type"], sorted(entry["players"]), proposal["mode"]) == ("lot", ["p0", "p1", "p2"], "auto")
        assert night.try_("lot", phase=0, players=["p0", "p1"]) == "bad_entry", "not all who are equal"
        assert night.try_("lot", phase=0, players=["p0", "p3"]) == "bad_entry", "no equals"
        night.confirm([proposal])
        assert places(night) == {name: at for at, name in enumerate([*entry["players"], "p3"], 1)}
        firsts.add(entry["players"][0])
        (proposal,) = night.ask()["proposals"]
        assert proposal["entries"] == [{"type": "finish"}]
    assert firsts == {"p0", "p1", "p2"}


def test_a_lot_that_a_correction_has_made_needless_changes_nothing() -> None:
    night = circle({"kind": "round_robin", "tie": "lot"})
    night.confirm(night.ask()["proposals"])
    match = next(m for m in night.ask()["state"]["matches"] if set(m["players"]) == {"p0", "p1"})
    night.add("correct", match=match["id"], winner="p1", score=None)
    assert places(night) == {"p1": 1, "p2": 2, "p0": 3, "p3": 4}


def test_nobody_draws_lots_where_a_play_off_was_chosen() -> None:
    assert (
        circle({"kind": "round_robin", "tie": "playoff"}).try_("lot", phase=0, players=["p0", "p1", "p2"]) is not None
    )


def test_places_of_a_tournament_that_began_with_an_earlier_version_stay_shared() -> None:
    night = circle({"kind": "round_robin"})
    night.log = [entry | {"version": 2} if "version" in entry else entry for entry in night.log]
    assert places(night) == {"p0": 1, "p1": 1, "p2": 1, "p3": 4}
    assert [each["entries"] for each in night.ask()["proposals"]] == [[{"type": "finish"}]]


def buchholz(version: int, *rounds: list[str]) -> Night:
    """Play Swiss rounds by a version of the pairing: "ab" means that a has won against b, "a" that a has a bye."""
    night = Night({"kind": "swiss", "rounds": len(rounds), "tie": "buchholz"}, 0)
    for name in sorted("".join(rounds[0])):
        night.add("enter", player=name)
    night.add("start")
    for number, pairs in enumerate(rounds, 1):
        for pair in pairs:
            if len(pair) == 1:
                night.add("bye", player=pair, phase=0, round=number, version=version)
            else:
                match = {"id": f"{pair}{number}", "players": list(pair), "length": 3, "round": number}
                night.add("match", version=version, **match)
        for pair in pairs:
            if len(pair) == 2:
                night.add("result", match=f"{pair}{number}", winner=pair[0])
    return night


def test_a_bye_counts_for_buchholz_as_an_opponent_of_ones_own_score() -> None:
    """Scores: a 3, b 2, c 2, d 1, e 1, byes among them.

    Opponents of b: a 3, d 1, the bye 2; of c: e 1, a 3, d 1; of d: the bye 1, b 2, c 2; of e: c 2, the bye 1, a 3.
    Without the worst: b 5, c 4; e 5, d 4. Without the byes: b 3, c 4; e 3, d 2.
    """
    rounds = ["ab", "ce", "d"], ["ac", "bd", "e"], ["cd", "ae", "b"]
    night = buchholz(3, *rounds)
    assert {row["player"]: row["wins"] for row in night.ask()["standing"]} == {"a": 3, "b": 2, "c": 2, "d": 1, "e": 1}
    assert places(night) == {"a": 1, "b": 2, "c": 3, "e": 4, "d": 5}
    for version in (1, 2):
        assert places(buchholz(version, *rounds)) == {"a": 1, "c": 2, "b": 3, "e": 4, "d": 5}, "as it was told then"


def opponents(state: Json, name: str) -> tuple[list[int], list[int]]:
    """Return the scores of a player's opponents in all rounds, and those of the rounds without one."""
    wins = {each["player"]: each["wins"] for each in state["players"]}
    mine = [m for m in state["matches"] if name in m["players"] and m["status"] == "done" and m["round"]]
    scores = [wins[other] for match in mine for other in match["players"] if other != name]
    return scores, [wins[name]] * (state["round"] - len(mine))


def test_rounds_without_a_match_count_for_buchholz_and_may_be_left_out() -> None:
    """Byes, a late start, a pause and a withdrawal; the worst of all rounds is left out, whatever it was."""
    is_left_out = False
    for seed in range(12):
        night = Night({"kind": "swiss", "rounds": 5, "tie": "buchholz"}, 7, seed)
        night.add("start")
        seen = 0
        for found in night.steps():
            if found["state"]["round"] != seen and seen < 3:
                seen = found["state"]["round"] or 0
                more = {1: ("enter", {"player": "late"}), 2: ("withdraw", {"player": "p0", "when": "one"})}
                kind, fields = more.get(seen, ("withdraw", {"player": "p1", "when": "after"}))
                assert seen == 0 or night.try_(kind, **fields) is None
        state = night.ask()["state"]
        keys = {}
        for player in state["players"]:
            real, without = opponents(state, player["player"])
            keys[player["player"]] = (player["wins"], sum(real + without) - min(real + without))
            is_left_out = is_left_out or min(without, default=99) < min(real)
        order = sorted(keys.values(), reverse=True)
        assert places(night) == {name: order.index(key) + 1 for name, key in keys.items()}
    assert is_left_out, "nobody had a round without a match as the worst"
