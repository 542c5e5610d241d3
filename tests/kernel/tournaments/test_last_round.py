"""The last round: another last start of an open end, and the round that is made the last one."""

from __future__ import annotations

import pytest

from tests.kernel.tournaments.nights import FORMATS, Json, Night

WITHOUT: list[str] = ["lives", "knockout", "rolling", "double", "round_robin", "groups"]


def running_at(format_: Json, people: int, minute: int) -> Night:
    """Return a night that has gone on until a minute, with all that was proposed confirmed."""
    night = Night(format_, people, 5)
    for found in night.steps():
        if (
            found["state"]["status"] == "running"
            and night.now >= minute
            and not any("entries" in each for each in found["proposals"])
        ):
            return night
    raise AssertionError("it is over before that")


def begins(night: Night) -> list[Json]:
    """Return the matches that begin from now on, until the end; the cup and play-offs left out."""
    known = {m["id"] for m in night.ask()["state"]["matches"]}
    matches: list[Json] = night.play()["state"]["matches"]
    return [m for m in matches if m["id"] not in known and m["phase"] == 0 and m["round"] != 0]


def test_the_last_round_of_an_open_end_is_a_closing_of_this_minute_and_the_cup_follows() -> None:
    night = running_at({"kind": "open_end", "last_start": 180, "cup": 2}, 10, 60)
    night.add("closing", last_start=night.now)
    assert begins(night) == []
    assert [entry["phase"] for entry in night.log if entry["type"] == "phase"] == [1]


def test_another_closing_lets_matches_begin_until_then_and_no_longer() -> None:
    night = running_at({"kind": "open_end", "last_start": 180}, 10, 60)
    night.add("closing", last_start=100)
    assert night.ask()["state"]["forecast_end"] < 150
    begun = begins(night)
    assert begun and max(m["started"] for m in begun) <= 100


def test_a_later_closing_opens_the_entry_again_and_before_the_start_it_counts_as_well() -> None:
    night = Night({"kind": "open_end", "last_start": 30}, 6, 5)
    night.add("closing", last_start=90)
    for _ in night.steps():
        if night.now > 40:
            break
    assert night.try_("enter", player="late") is None
    assert max(m["started"] for m in begins(night)) > 30


def test_a_closing_lies_not_before_its_minute_and_not_in_the_cup() -> None:
    night = running_at({"kind": "open_end", "last_start": 60, "cup": 2}, 8, 40)
    assert night.try_("closing", last_start=night.now - 1) == "bad_entry"
    while night.ask()["state"]["phase"] == 0:
        if not night.confirm(night.ask()["proposals"]):
            night.wait_until(night.ask()["proposals"], night.ask()["state"])
    assert night.try_("closing", last_start=500) == "bad_entry"
    assert night.try_("last_round") == "bad_entry"


@pytest.mark.parametrize("kind", ["swiss", "neighbours", "buchholz"])
def test_the_round_that_has_begun_is_the_last_one(kind: str) -> None:
    night = running_at(FORMATS[kind], 9, 30)
    number = night.ask()["state"]["round"]
    night.add("last_round")
    assert begins(night) == []
    assert night.ask()["state"]["round"] == number


def test_what_waits_for_a_board_in_the_last_round_is_played() -> None:
    night = running_at({"kind": "swiss", "rounds": 5, "tables": 2, "tie": "wins"}, 8, 0)
    night.add("last_round")
    assert [m["round"] for m in begins(night)] == [1, 1]


def test_no_other_match_of_a_schedule_begins_and_a_knock_out_follows() -> None:
    night = running_at(FORMATS["schedule"], 10, 40)
    night.add("last_round")
    assert begins(night) == []
    assert any(entry["type"] == "phase" and entry["phase"] == 1 for entry in night.log)


@pytest.mark.parametrize("kind", WITHOUT)
def test_other_formats_have_neither(kind: str) -> None:
    night = running_at(FORMATS[kind], 9, 10)
    assert night.try_("closing", last_start=night.now + 10) == "bad_entry"
    assert night.try_("last_round") == "bad_entry"


def test_nothing_is_the_last_round_before_anything_has_begun() -> None:
    for kind in ("swiss", "schedule", "neighbours"):
        night = Night(FORMATS[kind], 8, 5)
        assert night.try_("last_round") == "not_running"
        night.add("start")
        assert night.try_("last_round") == "bad_entry"
