"""The forecast of the end: how far it lies from the end at half-time, running matches, and breaks."""

from __future__ import annotations

import pytest

from games.kernel.tournaments import formats, log
from games.kernel.tournaments.forecast import forecast, of_plan
from tests import seeds
from tests.bench import bench_forecast
from tests.kernel.tournaments.nights import Night


@pytest.mark.long
@pytest.mark.day(parts=12, turn=3)
@pytest.mark.parametrize("name", seeds.share_of_day(list(bench_forecast.FORMATS), 4, every=12))
def test_at_half_time_of_two_hundred_nights_the_forecast_fits(name: str) -> None:
    format_ = bench_forecast.FORMATS[name]
    found = bench_forecast.errors(format_)
    assert found.fits(format_), found


def test_the_last_matches_that_have_just_begun_are_in_it() -> None:
    night = Night({"kind": "round_robin", "length": 5, "tie": "lot"}, 4, 1)
    for found in night.steps():
        open_ = [m for m in found["state"]["matches"] if m["status"] == "running"]
        if len(found["state"]["matches"]) == 6 and open_ and max(m["started"] for m in open_) == night.now:
            break
    assert 25 < found["state"]["forecast_end"] - night.now < 70


@pytest.mark.parametrize("kind", ["swiss", "knockout", "round_robin", "lives", "schedule", "double"])
def test_a_break_of_an_hour_moves_the_end_by_about_an_hour(kind: str) -> None:
    night = Night({"kind": kind}, 12, 1)
    night.add("start")
    night.confirm(night.ask()["proposals"])
    before = night.ask()["state"]["forecast_end"]
    assert before > 60
    night.add("break", **{"from": 40, "to": 100})
    assert 35 <= night.ask()["state"]["forecast_end"] - before <= 62
    night.log.pop()
    night.add("break", **{"from": before + 30, "to": before + 90})
    assert night.ask()["state"]["forecast_end"] == before


def test_the_last_start_of_an_open_end_stays_with_a_break_before_it() -> None:
    night = Night({"kind": "open_end", "last_start": 180}, 12, 1)
    night.add("start")
    before = night.ask()["state"]["forecast_end"]
    night.add("break", **{"from": 40, "to": 100})
    assert night.ask()["state"]["forecast_end"] == before


def test_the_forecast_of_a_plan_is_that_of_its_first_minute() -> None:
    given = bench_forecast.FORMATS["Swiss with play-off"]
    entries = [{"at": 0, "type": "enter", "player": f"p{at}", "seed": at + 1} for at in range(24)]
    tournament = log.replay(formats.read(given), [*entries, {"at": 0, "type": "start"}])
    assert of_plan(formats.read(given), 24) == forecast(tournament, 0)
