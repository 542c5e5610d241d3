"""The lot of version 3: it follows from who is here and what they have played, and from nothing else."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from typing import Any

import pytest

from games.kernel.draws.lots import Lot
from games.kernel.tournaments.chance import digest
from games.kernel.tournaments.entries import VERSION, version_of
from tests import seeds
from tests.kernel.tournaments.nights import FORMATS, Night

Drawn = set[tuple[str, ...]]


def drawn(night: Night) -> Drawn:
    """Return what is proposed now: pairs, byes, orders; ids and boards are left out."""
    found: Drawn = set()
    for proposal in night.ask()["proposals"]:
        for entry in proposal.get("entries", []):
            names = entry.get("players", [entry.get("player", "")])
            found.add((entry["type"], *(sorted(names) if entry["type"] == "match" else names)))
    return found


def halfway(name: str, seed: int, people: int = 9) -> Night:
    """Return a night of a format, stopped at some proposals of draws."""
    night = Night(FORMATS[name], people, seed)
    stop = random.Random(seed).randrange(1, 9)
    for number, found in enumerate(night.steps()):
        kinds = {entry["type"] for each in found["proposals"] for entry in each.get("entries", [])}
        if number >= stop and kinds & {"match", "phase", "lot"}:
            return night
    raise AssertionError("no draw")


def free_ones(night: Night) -> list[str]:
    """Return the players who are free."""
    return [each["player"] for each in night.ask()["state"]["players"] if each["status"] == "free"]


@pytest.mark.parametrize("name", FORMATS)
def test_an_idle_entry_changes_nothing(name: str) -> None:
    for seed in range(seeds.first_seed(), seeds.first_seed() + 3):
        night = halfway(name, seed)
        before = drawn(night)
        night.add("break", **{"from": night.now + 240, "to": night.now + 250})
        assert drawn(night) == before, "a break much later"
        if night.try_("table_out", table=1) is None:
            night.add("table_in", table=1)
            assert drawn(night) == before, "a board out and in again"
        night.now += 3
        before = drawn(night)
        for one in free_ones(night)[:3]:
            assert night.try_("withdraw", player=one, when="now") is None
            night.now += 1
            if night.try_("return", player=one) is not None:
                break
            night.now -= 1
            night.log[-1]["at"] = night.now
            assert drawn(night) == before, "gone home and back"
        done = [each for each in night.ask()["state"]["matches"] if each["status"] == "done"]
        for match in done[-2:]:
            night.add("correct", match=match["id"], winner=match["winner"], score=None)
            assert drawn(night) == before, "other points of the loser"


def test_the_order_of_entry_and_of_results_changes_nothing() -> None:
    seen: dict[str, Drawn] = {}
    chance = random.Random(1)
    for _ in range(8):
        for name in ("swiss", "knockout", "lives", "open_end", "round_robin"):
            night = Night(FORMATS[name], 0, 7)
            for one in chance.sample([f"p{at}" for at in range(8)], 8):
                night.add("enter", player=one)
            night.add("start")
            assert drawn(night) == seen.setdefault(name, drawn(night))
            if name == "swiss":
                pairs = [("p0", "p1"), ("p2", "p3"), ("p4", "p5"), ("p6", "p7")]
                for number, pair in enumerate(pairs):
                    night.add("match", id=f"m{number}", players=list(pair), length=3, round=1)
                for number in chance.sample(range(4), 4):
                    night.add("result", match=f"m{number}", winner=pairs[number][0])
                assert drawn(night) == seen.setdefault("second round", drawn(night))


def test_who_goes_who_comes_and_what_is_void_give_other_draws() -> None:
    def first(seed: int) -> Night:
        night = Night({"kind": "swiss", "rounds": 3}, 8, seed)
        night.add("start")
        return night

    others = {"gone": 0, "void": 0, "late": 0}
    for seed in range(10):
        night = first(seed)
        before = drawn(night)
        night.add("withdraw", player="p7", when="now")
        night.add("withdraw", player="p6", when="now")
        with_both = {each for each in before if not {"p6", "p7"} & set(each)}
        others["gone"] += not with_both <= drawn(night)
        night.add("return", player="p6")
        night.add("return", player="p7")
        assert drawn(night) == before
        night.add("enter", player="late")
        others["late"] += not before <= drawn(night)
        night = first(seed)
        seen = []
        for _ in range(3):
            night.confirm(night.ask()["proposals"])
            for match in night.running(night.ask()["state"]):
                night.add("void", match=match["id"])
            seen.append(drawn(night))
        others["void"] += seen[0] != seen[1] != seen[2]
    assert min(others.values()) > 5, others


def test_the_lot_is_the_one_of_the_page() -> None:
    """docs/tournaments.md: anybody can write it down again."""
    night = Night({"kind": "swiss", "rounds": 3}, 0, 5)
    for one in ("b", "a", "d", "c"):
        night.add("enter", player=one)
    night.add("start")
    night.add("match", id="m1", players=["b", "a"], length=3, phase=0, round=1, version=3)
    night.add("match", id="m2", players=["d", "c"], length=3, phase=0, round=1, version=3)
    night.add("result", match="m1", winner="b")
    night.add("result", match="m2", winner="c")
    text = '[2,0,1,[["a",0,1,null,0],["b",1,0,null,0],["c",1,0,null,0],["d",0,1,null,0]],[["a","b",1],["c","d",1]]]'
    key = hmac.digest(b"5", hashlib.sha256(text.encode()).hexdigest().encode(), "sha256")
    words = hmac.digest(key, b"0", "sha256")
    order = ["a", "b", "c", "d"]
    for last, at in ((3, 0), (2, 4), (1, 8)):
        word = int.from_bytes(words[at : at + 4], "big")
        assert word < (1 << 32) - (1 << 32) % (last + 1), "this seed needs no second word"
        order[last], order[word % (last + 1)] = order[word % (last + 1)], order[last]
    assert Lot(5, digest_of(json.loads(text))).shuffled("abcd") == order
    # The round is paired by score in this order.
    (proposal,) = night.ask()["proposals"]
    assert {frozenset(each["players"]) for each in proposal["entries"]} == {frozenset("bc"), frozenset("ad")}


def digest_of(told: list[Any]) -> str:
    draws, phase, round_, people, met = told
    pairs = [pair[:2] for pair in reversed(met) for _ in range(pair[2])]
    return digest(draws, phase, round_, [(a, b, c, d, e) for a, b, c, d, e in reversed(people)], pairs)


def test_a_tournament_has_the_rules_of_the_version_that_its_log_names_first() -> None:
    assert version_of([]) == version_of([{"type": "start"}, 7, {"version": "2"}]) == VERSION
    assert version_of([{"type": "start"}, {"version": 2}, {"version": 3}]) == 2
