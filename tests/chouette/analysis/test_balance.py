"""In a money game the result is luck and errors, and a rest: the engine's own disagreement between its levels."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import pytest

from chouette.analysis import engines, house, telling
from chouette.analysis.engine import Engine
from chouette.analysis.gnubg import program
from chouette.analysis.report import report
from chouette.match_files.reading import read
from chouette.rules.events.fold import EVENTS
from chouette.rules.options.declaration import OPTIONS
from chouette.rules.state import Cube, initial
from games.kernel.figures.skill import Depth, GameToGrade
from tests import seeds
from tests.chouette import botplay
from tests.chouette.analysis.balancing import Balance, balance
from tests.chouette.analysis.files import as_mat, session
from tests.conftest import require

GAMES = 40
MOST_REST, MIDDLE_REST = 0.5, 0.15


def balances(numbers: Sequence[int]) -> list[Balance]:
    """Return the balance of money games of bots, as the deep pass judges them."""
    require(program.find(), "GNU Backgammon (Debian's package gnubg)")
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


def chouette_rest(number: int, engine: Engine) -> tuple[float, int]:
    """Return what luck and errors leave unsaid of the Box's points in a chouette of four, and its cubes at the end."""
    table = botplay.session(OPTIONS.values("german", {}), ["net"] * 4, number, 1, asides=False)
    rows = list(house.rows(GameToGrade(table.options, 4, table.log, 1), engine))
    box = next(seat for row in rows for seat in [row["seat"]] if row["role"] == "box" and seat is not None)
    luck = telling.luck_of_seat(rows, box)
    assert luck is not None
    errors = sum((-1 if row["role"] == "box" else 1) * row["error"] * row["cube"] for row in rows)
    (played,) = [row for row in table.state.sheet if row.number]
    points = sum(each.points * ((each.payee == box) - (each.payer == box)) for each in played.transfers)
    return points - luck - errors, sum(cube.value for cube in last_cubes(table))


def last_cubes(table: botplay.BotTable) -> Sequence[Cube]:
    """Return the cubes of a table's last game as they stood at its end."""
    state = initial(table.options, 4)
    found: Sequence[Cube] = ()
    for entry in table.log:
        for event in entry.events:
            found = state.game.cubes if state.game is not None else found
            state = EVENTS.fold(state, event, entry.seq)
    return found


@pytest.mark.parametrize("number", seeds.share_of_day([1, 2, 3, 4, 5, 6], 6, every=6))
@pytest.mark.day(parts=6, turn=4)
def test_the_points_of_the_box_in_a_chouette_are_luck_and_errors_but_for_a_small_rest(number: int) -> None:
    require(program.find(), "GNU Backgammon (Debian's package gnubg)")
    engine = engines.engine("gnubg").at(Depth.DEEP)
    try:
        rest, cubes = chouette_rest(number, engine)
    finally:
        engine.close()
    assert abs(rest) <= MOST_REST * cubes, (rest, cubes)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_the_results_of_forty_games_are_luck_and_errors_but_for_small_rests() -> None:
    games = seeds.share_of_day(range(GAMES), GAMES, every=1)
    found = rests(games)
    assert len(games) < GAMES or median(found) <= MIDDLE_REST, found
