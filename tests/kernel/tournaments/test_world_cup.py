"""The World-Cup Chouette in the kernel: sizes of tables, banks, who is out, the last session, refusals, replay."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.kernel.tournaments import answers, house_answers
from games.kernel.tournaments.entries import VERSION
from games.kernel.tournaments.phases import world_cup

Json = dict[str, Any]
FORMAT = {"kind": "world_cup", "bank": 20, "minutes": 60}


class Cup:
    """A log that grows, and what it is answered by."""

    def __init__(self, count: int, seed: str = "s") -> None:
        self.seed = seed
        self.now = 0
        self.log: list[Json] = []
        for name in (f"p{n}" for n in range(1, count + 1)):
            self.add("enter", player=name)

    def add(self, entry_type: str, **fields: Any) -> Json:
        """Append an entry; it has to be taken."""
        self.log.append({"at": self.now, "type": entry_type, **fields})
        return self.answer()

    def refused(self, entry_type: str, **fields: Any) -> str:
        """Return the code by which an entry is refused, which names its place."""
        log = [*self.log, {"at": self.now, "type": entry_type, **fields}]
        error = house_answers.answer(self.asked(log))["error"]
        assert error["entry"] == len(self.log)
        return error["code"]

    def asked(self, log: list[Json]) -> Json:
        return {"format": FORMAT, "log": log, "now": self.now, "seed": self.seed}

    def answer(self) -> Json:
        found = house_answers.answer(self.asked(self.log))
        assert "error" not in found, found
        return found

    def confirm(self) -> Json:
        """Confirm what is proposed."""
        for each in self.answer()["proposals"]:
            for entry in each.get("entries", ()):
                self.log.append({"at": self.now, **entry})
        return self.answer()

    def play(self, points: dict[str, int]) -> Json:
        """End the running session with these points, 0 for others."""
        self.now += 60
        session = self.answer()["state"]["sessions"][-1]
        for table in session["tables"]:
            own = {name: points[name] for name in table["players"] if name in points}
            self.add("banked", session=session["session"], table=table["table"], points=own)
        return self.answer()

    def row(self, name: str) -> Json:
        return next(row for row in self.answer()["state"]["players"] if row["player"] == name)


def begun(count: int, seed: str = "s") -> Cup:
    cup = Cup(count, seed)
    cup.confirm()
    cup.confirm()
    return cup


@pytest.mark.parametrize("people", range(4, 65))
def test_tables_have_four_or_five_and_three_or_six_only_where_nothing_else_holds_everybody(people: int) -> None:
    found = world_cup.table_sizes(people)
    assert sum(found) == people
    if people in (6, 7, 11):
        assert set(found) <= {3, 4, 5, 6}
    else:
        assert set(found) <= {4, 5}


def test_everybody_is_drawn_once_by_lot_and_anew_for_each_session() -> None:
    cup = begun(16)
    first = cup.answer()["state"]["sessions"][0]["tables"]
    assert sorted(name for table in first for name in table["players"]) == sorted(f"p{n}" for n in range(1, 17))
    cup.play({})
    second = cup.confirm()["state"]["sessions"][1]["tables"]
    assert [each["players"] for each in first] != [each["players"] for each in second]


def test_who_has_nothing_left_after_a_session_is_out_and_is_drawn_no_more() -> None:
    cup = begun(8)
    cup.play({"p1": -20, "p2": -25, "p3": -19, "p4": 64})
    assert [cup.row(name)["status"] for name in ("p1", "p2", "p3", "p4")] == ["out", "out", "free", "free"]
    tables = cup.confirm()["state"]["sessions"][1]["tables"]
    assert {"p1", "p2"}.isdisjoint(name for table in tables for name in table["players"])
    assert cup.refused("return", player="p1") == "bad_entry"
    assert cup.refused("withdraw", player="p1", when="now") == "player_gone"


def test_with_fewer_than_four_left_a_director_is_asked_for_the_last_session_and_the_largest_bank_wins() -> None:
    cup = begun(5)
    cup.play({"p1": -20, "p2": -20, "p3": 30, "p4": 5, "p5": 5})
    (proposal,) = cup.answer()["proposals"]
    assert proposal["mode"] == "ask" and proposal["entries"][0]["last"] is True
    cup.confirm()
    found = cup.play({"p3": -40, "p4": 10, "p5": 30})
    assert [entry["type"] for each in found["proposals"] for entry in each["entries"]] == ["finish"]
    assert [(row["player"], row["place"], row["bank"]) for row in cup.confirm()["standing"]] == [
        ("p5", 1, 55), ("p4", 2, 35), ("p3", 3, 10), ("p1", 4, 0), ("p2", 4, 0),
    ]  # fmt: skip


def test_a_last_session_is_played_when_all_who_are_left_agree_and_an_agreement_can_be_taken_back() -> None:
    cup = begun(5)
    for n in range(1, 6):
        cup.add("agree", player=f"p{n}", agrees=True)
    cup.add("agree", player="p2", agrees=False)
    cup.play({})
    assert cup.answer()["proposals"][0]["entries"][0]["last"] is False
    cup.add("agree", player="p2", agrees=True)
    assert cup.answer()["proposals"][0]["entries"][0]["last"] is True
    cup.add("enter", player="late")
    assert cup.answer()["proposals"][0]["entries"][0]["last"] is False, "who has just come has not agreed"


def test_who_comes_late_plays_from_the_next_session_and_not_after_the_last_one_has_begun() -> None:
    cup = begun(5)
    cup.add("enter", player="late")
    assert cup.row("late")["status"] == "free"
    cup.play({})
    tables = cup.confirm()["state"]["sessions"][1]["tables"]
    assert "late" in [name for table in tables for name in table["players"]]
    cup.play({f"p{n}": -20 for n in range(1, 4)})
    cup.confirm()
    assert cup.refused("enter", player="too late") == "too_late"


def test_who_pauses_sits_one_session_out_and_who_goes_after_it_is_counted_to_its_end() -> None:
    cup = begun(10)
    cup.add("withdraw", player="p1", when="one")
    cup.add("withdraw", player="p2", when="after")
    assert cup.row("p1")["status"] == cup.row("p2")["status"] == "playing"
    cup.play({"p2": 7})
    assert (cup.row("p1")["status"], cup.row("p2")["status"], cup.row("p2")["bank"]) == ("pausing", "withdrawn", 27)
    cup.confirm()
    cup.play({})
    (proposal,) = cup.answer()["proposals"]
    assert proposal["entries"] == [{"type": "return", "player": "p1", "version": VERSION}]


def test_people_who_pause_are_called_back_where_too_few_are_free() -> None:
    cup = begun(4)
    cup.add("withdraw", player="p1", when="one")
    cup.play({})
    assert cup.answer()["proposals"][0]["entries"][0] == {"type": "return", "player": "p1", "version": VERSION}


def test_a_correction_recounts_the_banks_and_takes_back_who_was_out() -> None:
    cup = begun(4)
    cup.play({"p1": -20, "p2": 20})
    assert cup.row("p1")["status"] == "out"
    cup.add("banked", session=1, table=1, points={"p1": -10, "p2": 10})
    assert (cup.row("p1")["status"], cup.row("p1")["bank"], cup.row("p2")["bank"]) == ("free", 10, 30)


def test_a_break_holds_the_next_draw_back() -> None:
    cup = begun(4)
    cup.add("break", **{"from": 50, "to": 90})
    cup.play({})
    assert cup.answer()["proposals"] == [{"wait": {"until": 90}, "why": "break"}]
    cup.now = 90
    assert cup.answer()["proposals"][0]["entries"][0]["type"] == "session"


def test_who_withdraws_before_the_last_session_stands_behind_those_who_play_it() -> None:
    cup = begun(4)
    cup.play({"p1": 9, "p2": -9})
    cup.add("withdraw", player="p1", when="now")
    cup.confirm()
    cup.play({})
    assert [row["player"] for row in cup.answer()["standing"]][-1] == "p1"


def test_everybody_withdrawn_ends_it() -> None:
    cup = begun(4)
    cup.play({})
    for n in range(1, 5):
        cup.add("withdraw", player=f"p{n}", when="now")
    assert cup.answer()["proposals"][0]["entries"] == [{"type": "finish"}]


def test_after_it_is_reopened_sessions_go_on() -> None:
    cup = begun(4)
    for n in range(1, 5):
        cup.add("agree", player=f"p{n}", agrees=True)
    cup.play({})
    cup.confirm()
    cup.play({})
    cup.confirm()
    assert cup.answer()["state"]["status"] == "finished"
    cup.add("reopen")
    assert cup.answer()["proposals"][0]["entries"][0]["last"] is False


@pytest.mark.parametrize(
    ("code", "entry_type", "fields"),
    [
        ("unknown_entry", "match", {"id": "m1", "players": ["p1", "p2"], "length": 3}),
        ("player_twice", "enter", {"player": "p1"}),
        ("no_such_player", "withdraw", {"player": "nobody", "when": "now"}),
        ("player_busy", "session", {"session": 2, "tables": [["p1", "p2"]], "last": False}),
        ("player_busy", "finish", {}),
        ("bad_entry", "session", {"session": 2, "tables": [["p1"]], "last": False}),
        ("bad_entry", "session", {"session": 7, "tables": [["p1", "p2"]], "last": False}),
        ("no_such_match", "banked", {"session": 9, "table": 1, "points": {}}),
        ("no_such_table", "banked", {"session": 1, "table": 9, "points": {}}),
        ("no_such_player", "banked", {"session": 1, "table": 1, "points": {"nobody": 1}}),
        ("bad_entry", "banked", {"session": 1, "table": 1, "points": {"p1": True}}),
        ("bad_entry", "start", {}),
        ("bad_entry", "reopen", {}),
        ("bad_entry", "break", {"from": 9, "to": 9}),
    ],
)
def test_what_is_refused_has_a_code_and_the_place_of_the_entry(code: str, entry_type: str, fields: Json) -> None:
    assert begun(5).refused(entry_type, **fields) == code


def test_fewer_than_four_do_not_start() -> None:
    cup = Cup(3)
    assert cup.answer()["proposals"] == [{"wait": {"until": None}, "why": "nobody_free"}]
    assert cup.refused("start") == "too_few"


def test_the_command_does_not_know_it() -> None:
    found = answers.answer({"format": FORMAT, "log": [], "now": 0, "seed": 0})
    assert found == {"error": {"code": "bad_format", "entry": None}}


@pytest.mark.parametrize("seed", range(12))
def test_a_random_evening_always_ends_draws_nobody_twice_and_is_the_same_on_replay(seed: int) -> None:
    rng = random.Random(seed)
    cup = begun(rng.choice([4, 5, 6, 7, 11, 16, 23]), str(seed))
    late = 0
    for _ in range(200):
        found = cup.answer()
        assert house_answers.answer(cup.asked(list(cup.log))) == found
        state = found["state"]
        if state["status"] == "finished":
            return
        sessions = state["sessions"]
        if sessions[-1]["ended"] is None:
            names = [name for table in sessions[-1]["tables"] for name in table["players"]]
            assert len(set(names)) == len(names)
            cup.play({name: rng.randrange(-14, 8) for name in names})
            continue
        assert any("entries" in each for each in found["proposals"]), "nobody plays, and nothing is proposed"
        free = [row["player"] for row in state["players"] if row["status"] == "free"]
        if rng.random() < 0.2 and late < 3 and not any(each["last"] for each in sessions):
            late += 1
            cup.add("enter", player=f"late{late}")
        elif rng.random() < 0.2 and free:
            cup.add("withdraw", player=rng.choice(free), when=rng.choice(["now", "after", "one"]))
        else:
            cup.confirm()
    raise AssertionError("it does not end")
