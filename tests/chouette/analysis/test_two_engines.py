"""Forty matches with planted blunders: sums of errors are GNU Backgammon's own, bgsage's PRs are near them."""

from __future__ import annotations

from pathlib import Path

import pytest

from chouette.analysis import engines, sage
from chouette.analysis.gnubg import program
from chouette.analysis.report import report
from chouette.board.xgid import parse_xgid
from tests.chouette.analysis.comparing import MATCHES, WithoutLuck, agreement, compared, match, match_file
from tests.chouette.analysis.test_report import error_rate_is_its_own, errors_are_its_own, its_own
from tests.conftest import require
from tests.seeds import share_of_day

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

NEAR, GAP, BIAS = 0.92, 0.5, 0.3
"""What players would take for the same: the best published comparison with XG has 92 % within 1, and a gap of 0.42."""
FAR = 3
"""So many times what is near no single side is apart."""


@pytest.fixture(autouse=True)
def _program() -> None:
    require(program.find(), "GNU Backgammon (Debian's package gnubg)")


@pytest.mark.parametrize("number", share_of_day(range(MATCHES), MATCHES))
def test_the_errors_of_a_match_sum_up_as_in_gnu_backgammons_own_analysis(number: int, tmp_path: Path) -> None:
    engine = engines.engine("gnubg", "2-ply")
    try:
        found = report(match(number), WithoutLuck(engine))
    finally:
        engine.close()
    assert all(row["graded"] and parse_xgid(row["xgid"]) for row in found["decisions"])
    stats = its_own(match_file(number), tmp_path)
    errors_are_its_own(found, stats)
    error_rate_is_its_own(found, stats)


def test_both_engines_give_a_side_nearly_the_same_pr() -> None:
    require(sage.is_installed(), "bgsage (the extra `analysis`)")
    numbers = share_of_day(range(MATCHES), MATCHES)
    pair = engines.engine("gnubg", "2-ply"), engines.engine("bgsage")
    try:
        sides = [side for number in numbers for side in compared(number, *pair)]
    finally:
        for engine in pair:
            engine.close()
    assert all(abs(side.gap) <= FAR * side.allowed for side in sides), sides
    # Shares and means need all the matches.
    if len(numbers) == MATCHES:
        found = agreement(sides)
        assert found.near >= NEAR and found.gap <= GAP and abs(found.bias) <= BIAS, (found, sides)
