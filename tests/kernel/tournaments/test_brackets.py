"""Knock-outs and double elimination: byes, seeds, consolation, eights, re-entry, and matches by the wrong person."""

from __future__ import annotations

from collections import Counter

import pytest

from games.kernel.tournaments.phases.brackets import double_of, knockout_of, places_for, seed_order
from tests.kernel.tournaments.nights import Json, Night


def first_round(night: Night) -> list[set[str]]:
    """Start, draw, and return who meets whom."""
    night.add("start")
    night.confirm(night.ask()["proposals"])
    return [set(match["players"]) for match in night.ask()["state"]["matches"]]


def win(night: Night, id_: str, winner: str) -> None:
    night.add("result", match=id_, winner=winner)
    night.confirm(night.ask()["proposals"])


def statuses(night: Night) -> dict[str, str]:
    return {each["player"]: each["status"] for each in night.ask()["state"]["players"]}


def match_of(night: Night, *names: str) -> Json:
    (found,) = [m for m in night.ask()["state"]["matches"] if set(names) == set(m["players"]) and m["status"] != "void"]
    return found


@pytest.mark.parametrize("size", [2, 4, 8, 16, 64])
def test_seeds_meet_as_late_as_they_can(size: int) -> None:
    order = seed_order(size)
    assert sorted(order) == list(range(size))
    assert all(order[at] + order[at + 1] == size - 1 for at in range(0, size, 2))


@pytest.mark.parametrize("size", [2, 4, 8, 32])
def test_double_elimination_has_twice_the_matches(size: int) -> None:
    assert len(knockout_of(size)) == size - 1
    assert len(double_of(size)) == 2 * (size - 1) + 1


def test_the_first_seeds_have_the_byes() -> None:
    assert places_for(["a", "b", "c", "d", "e", "f"]) == ["a", None, "d", "e", "b", None, "c", "f"]
    assert first_round(Night({"kind": "knockout", "seeding": "given"}, 6)) == [{"p3", "p4"}, {"p2", "p5"}]


@pytest.mark.parametrize("people", [2, 3, 5, 8, 13, 64])
def test_in_double_elimination_two_losses_are_out_and_one_wins(people: int) -> None:
    found = Night({"kind": "double"}, people, people).play()
    losses = Counter(row["losses"] for row in found["standing"])
    assert losses[2] == people - 1 and found["standing"][0]["losses"] <= 1
    assert [row["place"] for row in found["standing"][:4]] == [1, 2, 3, 4][:people]


def test_whoever_loses_the_first_match_played_is_in_the_consolation() -> None:
    night = Night({"kind": "knockout", "consolation": True}, 11, 4)
    found = night.play()
    draws = [entry["players"] for entry in night.log if entry["type"] == "phase"]
    assert len(draws) == 2
    firsts: dict[str, bool] = {}
    for match in found["state"]["matches"]:
        for name in match["players"]:
            firsts.setdefault(name, match["winner"] == name)
    assert sorted(draws[1]) == sorted(name for name, has_won in firsts.items() if not has_won)
    # The consolation follows the main bracket.
    order = [row["player"] for row in found["standing"]]
    assert {*order[-len(draws[1]) :]} == {*draws[1]}


def test_eights_start_when_full_and_the_last_with_byes() -> None:
    night = Night({"kind": "knockout", "rolling": 8}, 17, 4)
    first_round(night)
    assert [len(entry["players"]) for entry in night.log if entry["type"] == "phase"] == [8, 7, 2]
    for at in range(7):
        assert night.try_("enter", player=f"late{at}") is None
    # One takes the bye of the seven, six wait for two more.
    assert len([entry for entry in night.log if entry["type"] == "phase"]) == 3
    assert not any(entry["type"] == "phase" for each in night.ask()["proposals"] for entry in each.get("entries", []))
    for at in range(7, 9):
        assert night.try_("enter", player=f"late{at}") is None
    night.confirm(night.ask()["proposals"])
    assert [len(entry["players"]) for entry in night.log if entry["type"] == "phase"] == [8, 7, 2, 8]


def test_a_latecomer_takes_a_bye_whose_match_has_not_begun_else_comes_too_late() -> None:
    for kind in ("knockout", "double"):
        night = Night({"kind": kind, "seeding": "given"}, 6)
        first_round(night)
        assert night.try_("enter", player="late") is None
        night.confirm(night.ask()["proposals"])
        assert match_of(night, "late", "p1")["round"] == 1
        win(night, match_of(night, "p3", "p4")["id"], "p3")
        assert match_of(night, "p0", "p3")["status"] == "running"
        assert night.try_("enter", player="later") == "too_late"
        night.play()


def test_who_lost_early_enough_enters_again() -> None:
    night = Night({"kind": "knockout", "rolling": 8, "reentry_until": 1}, 8, 3)
    one, _ = sorted(first_round(night)[0])
    match = night.ask()["state"]["matches"][0]
    other = next(name for name in match["players"] if name != one)
    assert night.try_("enter", player=one) == "player_twice"
    win(night, match["id"], other)
    assert statuses(night)[one] == "out"
    assert night.try_("enter", player=one) is None and statuses(night)[one] == "free"
    assert night.try_("enter", player=one) == "player_twice"


def test_a_wrong_result_is_corrected_after_two_later_matches() -> None:
    night = Night({"kind": "knockout", "seeding": "given"}, 8)
    first_round(night)
    for names, winner in ((("p0", "p7"), "p0"), (("p3", "p4"), "p3"), (("p1", "p6"), "p1"), (("p2", "p5"), "p2")):
        win(night, match_of(night, *names)["id"], winner)
    win(night, match_of(night, "p0", "p3")["id"], "p0")
    win(night, match_of(night, "p1", "p2")["id"], "p1")
    wrong, semi, final = match_of(night, "p0", "p7"), match_of(night, "p0", "p3"), match_of(night, "p0", "p1")
    night.add("correct", match=wrong["id"], winner="p7")
    repairs = ["void", "stand"]
    assert night.ask()["state"]["warnings"] == [{"match": semi["id"], "because": wrong["id"], "repairs": repairs}]
    assert night.try_("stand", match=final["id"]) == "bad_entry"
    assert night.try_("void", match=semi["id"]) is None
    # The right two meet, and the final waits for its repair.
    assert night.ask()["state"]["warnings"][0]["match"] == final["id"]
    assert night.try_("void", match=final["id"]) is None
    night.confirm(night.ask()["proposals"])
    assert match_of(night, "p7", "p3")["status"] == "running"
    assert night.ask()["state"]["warnings"] == [] and statuses(night)["p0"] == "out"


def test_a_later_match_that_stands_keeps_its_people() -> None:
    night = Night({"kind": "knockout", "seeding": "given"}, 4)
    first_round(night)
    win(night, match_of(night, "p0", "p3")["id"], "p0")
    win(night, match_of(night, "p1", "p2")["id"], "p1")
    final = match_of(night, "p0", "p1")
    night.add("correct", match="m1", winner="p3")
    assert night.try_("stand", match=final["id"]) is None
    assert night.ask()["state"]["warnings"] == [] and statuses(night)["p3"] == "out"
    win(night, final["id"], "p0")
    assert next(row["player"] for row in night.ask()["standing"]) == "p0"


def test_coming_back_does_not_open_what_was_played_upon() -> None:
    night = Night({"kind": "knockout", "seeding": "given"}, 4)
    first_round(night)
    assert night.try_("withdraw", player="p0", when="now") is None
    assert night.ask()["state"]["matches"][0]["winner"] == "p3"
    win(night, match_of(night, "p1", "p2")["id"], "p1")
    assert night.try_("return", player="p0") is None and statuses(night)["p0"] == "out"
    assert match_of(night, "p3", "p1")["status"] == "running"


def test_a_match_that_the_bracket_does_not_have_is_refused() -> None:
    night = Night({"kind": "knockout", "seeding": "given"}, 4)
    night.add("start")
    night.add("phase", phase=0, players=["p0", "p1", "p2", "p3"])
    assert night.try_("match", id="m1", players=["p0", "p1"], length=3) == "bad_entry"
    assert night.try_("match", id="m1", players=["p0", "p3"], length=3) is None


def test_draws_by_lot_are_uniform() -> None:
    """Chi-square of whom the first of four meets; 13.8 is exceeded once in a thousand."""
    falls: Counter[str] = Counter()
    for seed in range(600):
        (pair,) = [pair for pair in first_round(Night({"kind": "knockout"}, 4, seed)) if "p0" in pair]
        falls.update(pair - {"p0"})
    assert sum((falls[name] - 200) ** 2 / 200 for name in ("p1", "p2", "p3")) < 13.8


def lengths_by_round(night: Night) -> dict[int, set[int]]:
    """Play a night; return the lengths of its matches by round."""
    found: dict[int, set[int]] = {}
    for match in night.play()["state"]["matches"]:
        found.setdefault(match["round"], set()).add(match["length"])
    return found


def test_lengths_count_from_the_last_round_backwards() -> None:
    knockout = Night({"kind": "knockout", "length": 3, "last_lengths": [7, 5]}, 8)
    assert lengths_by_round(knockout) == {1: {3}, 2: {5}, 3: {7}}
    swiss = Night({"kind": "swiss", "rounds": 3, "tie": "wins", "length": 3, "last_lengths": [7, 5]}, 8)
    assert lengths_by_round(swiss) == {1: {3}, 2: {5}, 3: {7}}


def test_in_double_elimination_the_finals_of_both_halves_are_a_round_before_the_final() -> None:
    night = Night({"kind": "double", "length": 3, "last_lengths": [7, 5]}, 8)
    found = lengths_by_round(night)
    # Round 3 has the final of the upper half, and two matches of the lower one.
    assert (found[3], found[5], found[6]) == ({3, 5}, {5}, {7})
    assert found[1] == found[4] == {3}


def test_the_cup_of_an_open_end_and_the_bracket_of_the_lives_have_longer_last_rounds() -> None:
    cup = Night({"kind": "open_end", "last_start": 30, "cup": 2, "last_lengths": [9]}, 6).play()
    assert [match["length"] for match in cup["state"]["matches"] if match["phase"] == 1] == [9]
    assert {match["length"] for match in cup["state"]["matches"] if match["phase"] == 0} == {3}
    lives = Night({"kind": "lives", "last_lengths": [9]}, 8).play()
    assert [match["length"] for match in lives["state"]["matches"]][-1] == 9


def test_the_consolation_has_the_usual_length() -> None:
    found = Night({"kind": "knockout", "consolation": True, "last_lengths": [7]}, 8).play()
    assert [match["length"] for match in found["state"]["matches"]].count(7) == 1


def test_a_seed_given_before_the_start_decides_the_bracket_and_none_is_given_later() -> None:
    night = Night({"kind": "knockout", "seeding": "given"}, 4)
    for at, seed in enumerate((4, 3, None, 1)):
        assert night.try_("seed", player=f"p{at}", seed=seed) is None
    assert night.try_("seed", player="nobody", seed=1) == "no_such_player"
    assert night.try_("seed", player="p1", seed=0) == "bad_entry"
    night.add("start")
    (draw,) = night.ask()["proposals"]
    assert draw["entries"][0]["players"] == ["p3", "p1", "p0", "p2"]
    assert night.try_("seed", player="p1", seed=1) == "too_late"
