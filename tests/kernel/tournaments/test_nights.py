"""Whole nights of every format: always an end, the same answer for every prefix, whatever happens in between."""

from __future__ import annotations

import json
import random

import pytest

from games.kernel.tournaments.answers import answer
from tests import seeds
from tests.kernel.tournaments.disorder import Disorder
from tests.kernel.tournaments.nights import FORMATS, Json, Night, check

SIZES = (3, 4, 5, 8, 12, 17, 24, 64)
# All against all of 64 is 2,016 matches, a night of no house, and a minute of every prefix's answers.
ALL_AGAINST_ALL = {"round_robin", "lots", "groups"}
NIGHTS = [
    (name, size, seed)
    for seed in range(8)
    for size in SIZES
    for name in FORMATS
    if size <= 24 or name not in ALL_AGAINST_ALL
]


def replayed(night: Night) -> None:
    """Play a night, and ask about every prefix of its log again, as a file would bring it."""
    seen: list[tuple[int, int, Json]] = []
    for found in night.steps():
        check(found, night.format)
        seen.append((len(night.log), night.now, found))
    log = json.loads(json.dumps(night.log))
    for length, now, found in seen:
        again = answer({"format": night.format, "log": log[:length], "now": now, "seed": night.seed})
        assert again == found


@pytest.mark.parametrize("name", FORMATS)
def test_every_prefix_of_a_night_has_the_same_answer_again(name: str) -> None:
    for size in (3, 8, 13):
        replayed(Night(FORMATS[name], size, size))


@pytest.mark.long
@pytest.mark.parametrize(("name", "size", "seed"), seeds.share_of_day(NIGHTS, 16))
def test_every_format_and_size_ends_and_replays(name: str, size: int, seed: int) -> None:
    replayed(Night(FORMATS[name], size, seed))


def disorder(seed: int) -> Disorder:
    """Play a night in disorder; nobody plays twice at a time, and there is always an end."""
    chance = random.Random(seed)
    name = list(FORMATS)[seed % len(FORMATS)]
    night = Disorder(Night(FORMATS[name], chance.choice([2, 3, 4, 5, 6, 7, 8, 9, 12, 16]), seed))
    night.run(40)
    return night


@pytest.mark.parametrize("seed", [seeds.first_seed() + at for at in range(45)])
def test_results_corrections_withdrawals_and_late_entries_in_any_order_come_to_an_end(seed: int) -> None:
    disorder(seed)


@pytest.mark.long
def test_ten_thousand_nights_in_disorder_come_to_an_end() -> None:
    codes: set[str] = set()
    for seed in seeds.share_of_day(range(10_000), 64):
        codes |= disorder(seed).codes
    assert codes >= {"player_twice", "player_gone", "already_decided", "not_running", "bad_entry", "no_such_table"}


@pytest.mark.parametrize("name", FORMATS)
def test_everybody_withdrawn_ends_it(name: str) -> None:
    night = Night(FORMATS[name], 6)
    night.add("start")
    night.confirm(night.ask()["proposals"])
    for at in range(6):
        assert night.try_("withdraw", player=f"p{at}", when="now") is None
    (proposal,) = night.ask()["proposals"]
    assert (proposal["entries"], proposal["why"], proposal["mode"]) == ([{"type": "finish"}], "over", "ask")


@pytest.mark.parametrize("name", ["knockout", "lives", "swiss", "round_robin"])
def test_a_pause_ends_by_itself_when_others_have_played_or_nobody_else_is_there(name: str) -> None:
    night = Night(FORMATS[name], 4, 1)
    assert night.try_("withdraw", player="p0", when="one") is None
    assert night.ask()["state"]["players"][0]["status"] == "pausing"
    night.play()
    assert {"type": "return", "player": "p0"} in [
        {key: entry[key] for key in ("type", "player")} for entry in night.log if entry["type"] == "return"
    ]


def test_a_withdrawal_at_once_gives_the_running_match_to_the_opponent_and_later_ones_let_it_end() -> None:
    night = Night(FORMATS["open_end"], 4, 3)
    night.add("start")
    night.confirm(night.ask()["proposals"])
    one, other = night.ask()["state"]["matches"][0]["players"]
    night.now = 5
    assert night.try_("withdraw", player=one, when="after") is None
    assert night.ask()["state"]["matches"][0]["status"] == "running"
    assert night.try_("withdraw", player=one, when="now") is None
    match = night.ask()["state"]["matches"][0]
    assert (match["status"], match["winner"], match["ended"]) == ("done", other, 5)
    assert night.try_("result", match="m1", winner=one) == "already_decided"
    assert night.try_("withdraw", player=one, when="now") == "player_gone"


def test_no_match_starts_in_a_break_and_the_wait_names_its_end() -> None:
    night = Night(FORMATS["open_end"], 4, 3)
    night.add("start")
    night.add("break", **{"from": 0, "to": 15})
    assert night.ask()["proposals"] == [{"wait": {"until": 15}, "why": "break"}]
    night.now = 15
    assert [each["why"] for each in night.ask()["proposals"]] == ["pair", "pair"]


def test_no_match_gets_a_table_that_is_out_of_order_or_taken() -> None:
    night = Night({"kind": "open_end", "tables": 2}, 6, 3)
    night.add("start")
    night.add("table_out", table=1)
    proposals = night.ask()["proposals"]
    assert [entry["table"] for each in proposals for entry in each.get("entries", [])] == [2]
    assert proposals[-1] == {"wait": {"until": None}, "why": "no_table"}
    night.add("table_out", table=2)
    (proposal, *_) = night.ask()["proposals"]
    assert (proposal["why"], proposal["mode"]) == ("no_table", "ask")
    assert proposal["entries"][0]["type"] == "table_in"


def test_a_finished_tournament_takes_late_corrections_and_opens_again() -> None:
    night = Night(FORMATS["swiss"], 4, 3)
    night.play()
    match = night.ask()["state"]["matches"][0]
    assert night.try_("enter", player="late") == "too_late"
    assert night.try_("match", id="x", players=["p0", "p1"], length=3) == "not_running"
    loser = next(name for name in match["players"] if name != match["winner"])
    before = night.ask()["standing"]
    assert night.try_("correct", match=match["id"], winner=loser) is None
    assert night.ask()["standing"] != before
    assert night.try_("reopen") is None and night.ask()["state"]["status"] == "running"


def test_the_forecast_is_the_end_in_the_end() -> None:
    night = Night(FORMATS["lives"], 8, 3)
    assert night.ask()["state"]["forecast_end"] is None
    found = night.play()
    assert found["state"]["forecast_end"] == night.now
