"""In a money game the result is luck and errors, and a rest: the engine's own disagreement between its levels."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import pytest

from chouette.analysis import engines, gnubg_program
from chouette.analysis.report import report
from chouette.match_files.reading import read
from games.kernel.figures.skill import Depth
from tests import seeds
from tests.chouette.analysis.balancing import Balance, balance
from tests.chouette.analysis.files import as_mat, session
from tests.conftest import require

GAMES = 40
MOST_REST, MIDDLE_REST = 0.5, 0.15


def balances(numbers: Sequence[int]) -> list[Balance]:
    """Return the balance of money games of bots, as the deep pass judges them."""
    require(gnubg_program.find(), "GNU Backgammon (Debian's package gnubg)")
    engine = engines.engine("gnubg").at(Depth.DEEP)
    try:
        games = (read(as_mat(session("money", {}, seed=number, games=1)).encode()) for number in numbers)
        return [balance(report(game, engine)) for game in games]
    finally:
        engine.close()


def rests(games: Sequence[int]) -> list[float]:
    """Return what is left in each game, in units of its cube at the end; none is large."""
    found = balances(games)
    assert all(abs(each.rest) <= MOST_REST * each.cube for each in found), found
    return [abs(each.rest) / each.cube for each in found]


def test_the_result_of_a_game_is_luck_and_errors_but_for_a_small_rest() -> None:
    assert rests([1])


@pytest.mark.long
def test_the_results_of_forty_games_are_luck_and_errors_but_for_small_rests() -> None:
    games = seeds.share_of_day(range(GAMES), GAMES)
    found = rests(games)
    assert len(games) < GAMES or median(found) <= MIDDLE_REST, found
