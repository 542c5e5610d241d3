"""Whole tournament nights in browsers: the director's laptop, phones and the big screen, by a false clock."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from tests.browser.tournament_night import plans
from tests.browser.tournament_night.night import TournamentNight
from tests.browser.tournament_night.plans import Plan

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(1200)]

Begin = Callable[[Plan, int], TournamentNight]


def _played(begin: Begin, given: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    night = begin(given, 1)
    plans.run(night, given)
    with capsys.disabled():
        print()
        for name, value in plans.figures_of(night).items():
            print(f"{name}: {value}")
    plans.check(night)


@pytest.mark.day(parts=17, turn=3)
def test_a_short_night_of_12_calls_everybody_and_needs_few_taps(
    begin: Begin, capsys: pytest.CaptureFixture[str]
) -> None:
    _played(begin, plans.plan(12, 100, 1, late=2, leavers=1, phones=3), capsys)


@pytest.mark.skipif(os.environ.get("ALL_DAYS") != "1", reason="a night of minutes; make test-long plays it")
def test_a_night_of_24_calls_everybody_and_needs_few_taps(begin: Begin, capsys: pytest.CaptureFixture[str]) -> None:
    _played(begin, plans.plan(24, 240, 3, late=3, leavers=2), capsys)
