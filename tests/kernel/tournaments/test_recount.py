"""The recount of draws: each entry by the version of the pairing that it names."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from games.kernel.tournaments import house_answers
from games.kernel.tournaments.answers import answer
from games.kernel.tournaments.chance import BY_STATE
from games.kernel.tournaments.entries import VERSIONS
from games.kernel.tournaments.recount import recount

Json = dict[str, Any]
FORMAT: Json = {"kind": "swiss", "rounds": 5, "tie": "wins"}


def drawn(version: int, seed: str, people: int = 5) -> Json:
    """Return the file of a Swiss tournament of some people that a version of the pairing has drawn."""
    log: list[Json] = [{"at": 0, "type": "enter", "player": f"p{at}"} for at in range(people)]
    log.append({"at": 0, "type": "start"})
    origins: list[list[int] | None] = [None] * len(log)
    for minute in range(1, 6):
        asked = {"format": FORMAT, "log": log, "now": minute, "seed": seed}
        length = len(log)
        for proposal in answer(asked, version)["proposals"]:
            entries = [{"at": minute, **entry} for entry in proposal["entries"]]
            log, origins = [*log, *entries], [*origins, *[[length, minute]] * len(entries)]
        for match in [entry for entry in log[length:] if entry["type"] == "match"]:
            log.append({"at": minute, "type": "result", "match": match["id"], "winner": min(match["players"])})
            origins.append(None)
    digest = hashlib.sha256(seed.encode()).hexdigest()
    return {"format": FORMAT, "hash": digest, "seed": seed, "opened_at": None, "log": log, "drawn": origins}


def named(file: Json, version: int) -> Json:
    """Return a file whose drawn entries name another version."""
    return file | {"log": [entry | {"version": version} if "version" in entry else entry for entry in file["log"]]}


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_of_the_pairing_is_recounted_by_itself(version: int) -> None:
    other = next(each for each in VERSIONS if each != version)
    are_different = False
    for number in range(20):
        file = drawn(version, f"seed {number}")
        assert recount(file) == {"checked": 15, "late": 0, "unknown": 0, "faults": [], "thrown_away": []}
        are_different = are_different or recount(named(file, other))["faults"] != []
    assert are_different, "the versions draw the same: nothing is proved"


@pytest.mark.parametrize("version", VERSIONS)
def test_many_are_drawn_again_by_the_pairing_of_their_version_and_by_no_other(version: int) -> None:
    found = recount(file := drawn(version, "seed", 24))
    assert (found["checked"], found["unknown"], found["faults"]) == (60, 0, [])
    other = next(each for each in VERSIONS if (each < BY_STATE) != (version < BY_STATE))
    assert recount(named(file, other))["faults"]


def test_a_version_that_is_not_known_here_is_said_to_be_so() -> None:
    file = named(drawn(VERSIONS[-1], "seed"), max(VERSIONS) + 1)
    assert recount(file) == {"checked": 0, "late": 0, "unknown": 15, "faults": [], "thrown_away": []}


DRAWN_BEFORE = json.loads((Path(__file__).parent / "drawn_before.json").read_text())
"""Files that houses of versions 1 and 2 have drawn, people coming and going, each with the standing that was told."""


@pytest.mark.parametrize("file", DRAWN_BEFORE, ids=lambda file: file["format"]["kind"])
def test_what_an_earlier_house_has_drawn_is_proven_and_the_standing_stays(file: Json) -> None:
    found = recount(file)
    assert found["checked"] > 5 and (found["faults"], found["unknown"]) == ([], 0)
    asked = {"format": file["format"], "log": file["log"], "now": 999, "seed": file["seed"]}
    assert [[row["player"], row["place"]] for row in house_answers.answer(asked)["standing"]] == file["standing"]


class Drawn:
    """A file of draws that grows: entries of people by hand, and what a version proposes and somebody confirms."""

    def __init__(self, format_: Json, people: int, version: int, seed: str = "seed") -> None:
        self.version = version
        digest = hashlib.sha256(seed.encode()).hexdigest()
        self.file: Json = {"format": format_, "hash": digest, "seed": seed, "opened_at": None}
        self.file |= {"log": [], "drawn": [], "by": []}
        for at in range(people):
            self.add("enter", player=f"p{at}")
        self.add("start")

    def add(self, kind: str, by: str | None = "d1", **fields: Any) -> None:
        """Let somebody make an entry."""
        self.append({"at": 0, "type": kind, **fields}, None, by)

    def append(self, entry: Json, drawn: list[int] | None, by: str | None) -> None:
        self.file["log"].append(entry)
        self.file["drawn"].append(drawn)
        self.file["by"].append(by)

    def proposals(self) -> list[list[Json]]:
        """Return the entries of each proposal."""
        asked = {"format": self.file["format"], "log": self.file["log"], "now": 0, "seed": self.file["seed"]}
        return [each["entries"] for each in answer(asked, self.version)["proposals"] if "entries" in each]

    def confirm(self, *which: int) -> None:
        """Confirm all proposals, or some of them."""
        found, length = self.proposals(), len(self.file["log"])
        for at in which or range(len(found)):
            for entry in found[at]:
                self.append({"at": 0, **entry}, [length, 0], None)

    def thrown_away(self) -> list[Json]:
        """Return the draws that a recount says were thrown away; nothing else may be wrong."""
        found = recount(self.file)
        assert (found["faults"], found["unknown"]) == ([], 0), found
        thrown: list[Json] = found["thrown_away"]
        return thrown


LATER: Json = {"from": 240, "to": 250}
TWO_BOARDS: Json = {"kind": "swiss", "rounds": 3, "tables": 2}


def met(proposals: list[list[Json]]) -> set[frozenset[str]]:
    return {frozenset(entry["players"]) for each in proposals for entry in each if entry["type"] == "match"}


@pytest.mark.parametrize("version", [1, 2])
def test_a_draw_that_an_idle_entry_has_turned_is_named_with_who_made_it(version: int) -> None:
    cup = Drawn(FORMAT, 8, version)
    before = met(cup.proposals())
    cup.add("break", by="d2", **LATER)
    assert met(cup.proposals()) != before
    cup.confirm()
    assert cup.thrown_away() == [{"before": 9, "because": "break", "by": "d2"}]


def test_idle_entries_turn_no_draw_of_version_3_and_nothing_is_thrown_away() -> None:
    cup = Drawn(TWO_BOARDS, 4, 3)
    before = met(cup.proposals())
    cup.add("break", **LATER)
    cup.add("table_out", table=2)
    cup.add("table_in", table=2)
    assert met(cup.proposals()) == before
    cup.confirm()
    assert cup.thrown_away() == []


def test_who_goes_home_and_comes_back_has_thrown_away_only_the_draw_in_between() -> None:
    cup = Drawn(FORMAT, 8, 3)
    before = met(cup.proposals())
    cup.add("withdraw", player="p0", when="now")
    between = met(cup.proposals())
    assert not between <= before
    cup.add("return", by=None, player="p0")
    assert met(cup.proposals()) == before
    cup.confirm()
    assert cup.thrown_away() == [{"before": 10, "because": "return", "by": None}]


def test_a_draw_of_which_a_part_was_confirmed_alone_is_named() -> None:
    """A director who confirms pair by pair draws the others anew each time."""
    turned = 0
    for number in range(10):
        cup = Drawn({"kind": "open_end"}, 6, 3, f"seed {number}")
        rest = met(cup.proposals()[1:])
        cup.confirm(0)
        is_other = met(cup.proposals()) != rest
        cup.confirm()
        turned += is_other
        assert cup.thrown_away() == ([{"before": 7, "because": "match", "by": None}] if is_other else [])
    assert turned


def test_the_order_of_a_bracket_that_somebody_late_has_turned_is_named() -> None:
    cup = Drawn({"kind": "knockout"}, 4, 3)
    cup.add("enter", player="late")
    cup.confirm()
    assert cup.thrown_away() == [{"before": 5, "because": "enter", "by": "d1"}]


def test_a_draw_after_which_none_was_confirmed_is_not_thrown_away() -> None:
    cup = Drawn(FORMAT, 8, 3)
    cup.add("finish")
    assert cup.thrown_away() == []


def test_a_file_without_who_made_its_entries_is_recounted_too() -> None:
    cup = Drawn(FORMAT, 8, 2)
    cup.add("break", **LATER)
    cup.confirm()
    del cup.file["by"]
    assert cup.thrown_away() == [{"before": 9, "because": "break", "by": None}]
    assert "error" in recount(cup.file | {"by": [None]})


@pytest.mark.parametrize("broken", [{"at": 0, "type": "match"}, {"at": 0, "type": "nothing"}])
def test_what_follows_an_entry_that_no_house_has_made_is_a_fault(broken: Json) -> None:
    file = drawn(3, "seed")
    at = next(number for number, entry in enumerate(file["log"]) if entry["type"] == "result")
    file["log"][at] = broken
    later = [number for number, origin in enumerate(file["drawn"]) if origin is not None and number > at]
    assert later and recount(file)["faults"] == later
