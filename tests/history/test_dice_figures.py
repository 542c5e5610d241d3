"""Figures of dice: what fell, what was to be expected, the range of honest sets, and who sees them."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import plugin
from games.kernel.dice import ScriptedDice, SystemDice
from games.kernel.figures import dice_counts
from games.kernel.figures.dice_counts import Counts
from games.kernel.figures.rolls import Roll, Trial
from games.models import DiceTally, LogEntry, Night, Player, Table
from games.services.commands import Actor, Request
from games.services.history import exports
from games.services.people import merging
from games.services.rolls import dice_figures, roll_levels
from games.services.tables.commit import submit
from tests.conftest import answer, choices_at
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)
DOUBLE = Trial("double", Fraction(1, 6), lambda faces: faces[0] == faces[1])


def thrown(rolls: int, rng: Random) -> Counts:
    return dice_counts.counted(
        [(Roll(0, "roll", (rng.randint(1, 6), rng.randint(1, 6))), [DOUBLE]) for _ in range(rolls)]
    )


def all_figures(counts: Counts) -> list[dice_counts.Figure]:
    return [*dice_counts.figures(counts, counts), *dice_counts.rates(counts, counts, ["double"])]


def test_counts_add_up_and_are_kept_as_json() -> None:
    rolls = [(Roll(0, "roll", faces), [DOUBLE]) for faces in ((6, 1), (1, 6), (3, 3), (2, 5), (4, 4))]
    found = dice_counts.counted(rolls)
    assert (found.rolls, found.faces["6"], found.pairs["61"], found.serial) == (5, 2, 2, {"61": 1, "32": 1})
    assert (found.trials, found.hits) == ({"double 1/6": 5}, {"double 1/6": 2})
    twice = Counts.from_json(found.to_json())
    assert twice == found
    twice.join(found)
    assert (twice.rolls, twice.hits["double 1/6"], twice.faces["3"]) == (10, 4, 4)
    control = dice_counts.counted(rolls, ScriptedDice([1, 1] * 5))
    assert (control.rolls, control.faces, control.hits["double 1/6"]) == (5, {"1": 10}, 5)


@pytest.mark.parametrize(
    "trials", [{Fraction(1, 6): 60}, {Fraction(3, 4): 9, Fraction(8, 9): 7}, {Fraction(1, 216): 900}]
)
def test_at_most_one_honest_set_in_a_hundred_lies_outside_the_range(trials: dict[Fraction, int]) -> None:
    weights = [Fraction(1)]
    for chance, n in trials.items():
        for _ in range(n):
            longer = [Fraction(0)] * (len(weights) + 1)
            for hits, weight in enumerate(map(float, weights)):
                longer[hits] += weight * float(1 - chance)
                longer[hits + 1] += weight * float(chance)
            weights = longer
    low, high = dice_counts.range_of_hits(trials)
    below, above = sum(weights[: int(low)]), sum(weights[int(high) + 1 :])
    assert below <= dice_counts.RANGE_TAIL >= above
    assert below + weights[int(low)] > dice_counts.RANGE_TAIL < above + weights[int(high)]


def test_the_ranges_of_many_and_of_a_few_more_go_over_into_each_other() -> None:
    exact = dice_counts.range_of_hits({Fraction(1, 6): dice_counts.MOST_ALIKE})
    curve = dice_counts.range_of_hits({Fraction(1, 6): dice_counts.MOST_ALIKE + 1})
    assert exact is not None
    assert curve is not None
    assert all(abs(one - other) <= 3 for one, other in zip(exact, curve, strict=True))
    assert dice_counts.range_of_hits({Fraction(1, 6): 0}) is None


def test_the_ranges_of_chi_squares_leave_half_a_percent_at_each_end() -> None:
    """By the series of the lower incomplete gamma function."""
    for freedom, (low, high) in dice_counts.OF_CHI_SQUARE.items():
        for at, wanted in ((low, 0.005), (high, 0.995)):
            half, x = freedom / 2, at / 2
            term = total = 1 / half
            for step in range(1, 400):
                term *= x / (half + step)
                total += term
            assert abs(total * math.exp(-x + half * math.log(x) - math.lgamma(half)) - wanted) < 1e-5


def test_honest_dice_lie_inside_as_often_as_the_page_says() -> None:
    rng, outside, every = Random(17), Counter[str](), 0
    for _ in range(150):
        found = all_figures(thrown(200, rng))
        every += len(found)
        outside.update(each.id for each in found if each.is_outside)
    assert sum(outside.values()) <= every * 0.02


def test_the_dice_of_the_case_that_was_proven_lie_outside() -> None:
    """9.22 % doubles in 25,470 rolls; and a tenth too many doubles stand out at 3,300 rolls, not at 300."""
    within = dice_counts.range_of_hits({Fraction(1, 6): 25_470})
    assert within is not None
    assert within[0] > 25_470 * 0.0922
    for rolls, stands_out in ((3400, True), (300, False)):
        within = dice_counts.range_of_hits({Fraction(1, 6): rolls})
        assert within is not None
        assert (rolls * 1.1 / 6 > within[1]) is stands_out


def test_small_numbers_have_no_chi_square() -> None:
    few = {each.id: each for each in all_figures(thrown(40, Random(1)))}
    assert few["chi faces"].within is not None
    assert few["chi pairs"].within is None
    assert not few["chi pairs"].is_outside


@pytest.fixture
def table(start_table: Callable[..., Table]) -> Table:
    """A finished table of Chicago."""
    return play_out(start_table("chicago", "bavarian", seats=3))


def page(browser: object, name: str, *args: object) -> str:
    answer = browser.get(reverse(name, args=args))  # type: ignore[attr-defined]
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.django_db
def test_a_finished_table_is_counted_once_for_its_players_and_the_house(table: Table, host: Player) -> None:
    assert dice_figures.count_new(NOW) == 1
    assert dice_figures.count_new(NOW) == 0
    (house,) = dice_figures.of_player(None)
    drawn = Counter(str(die) for row in LogEntry.objects.filter(table=table) for die in row.dice)
    assert house.counts.faces == drawn
    assert sum(house.control.faces.values()) == table.dice_drawn
    assert {key.split()[0] for key in house.counts.trials} == {"chick", "fish", "triple"}
    assert house.control.trials == house.counts.trials
    of_players = [dice_figures.of_player(seat.player)[0] for seat in table.seats.exclude(player=None)]
    assert sum(each.counts.rolls for each in of_players) == house.counts.rolls
    live = dice_figures.of_table(table)
    assert (live.counts.faces, live.counts.hits) == (house.counts.faces, house.counts.hits)
    of_table = page(browser_of(host), "table_dice", table.public_id)
    assert "How the dice fell at this table." in of_table
    assert '"games/dice/roll_file.js"' in of_table
    assert "Chicago" in page(browser_of(None), "house_dice")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page(browser_of(host), "player_dice", host.pk)
    assert len(queries) <= 12
    assert browser_of(host).get(reverse("player_rolls", args=[host.pk])).status_code == 200


@pytest.mark.django_db
def test_the_levels_of_rolls_are_counted_for_players_and_the_house(
    table: Table, host: Player, night: Night, start_table: Callable[..., Table]
) -> None:
    typed = start_table("chicago", "classic", seats=3, dice="typed", entry="throws")
    for _ in range(6):
        answer(typed, next(choice for choice in choices_at(typed) if choice.required))
    submit(typed.pk, Actor(host.pk), Request("table.end", {}, "end"))
    assert dice_figures.count_new(NOW) == 2
    house = Counter(dice_figures.of_player(None)[0].counts.levels)
    assert house["C"] and house["typed"]
    assert dice_figures.of_player(None)[0].counts.rolls == house["C"], "the faces of typed dice count nowhere"
    assert not dice_figures.of_player(None)[0].control.levels
    rows = list(csv.DictReader(io.StringIO("".join(exports.night_levels_csv(night)).removeprefix("\ufeff"))))
    assert {row["table"] for row in rows} == {table.public_id, typed.public_id}
    assert {name: sum(int(row[name]) for row in rows) for name in roll_levels.EVERY_LEVEL} == {
        "A": 0, "B": 0, "B2": 0, "C": house["C"], "sealed": 0, "typed": house["typed"],
    }  # fmt: skip
    shown = page(browser_of(None), "house_dice")
    assert "the house alone" in shown and "real dice, typed in" in shown
    assert "were counted before" not in shown
    own = dice_figures.of_player(host)[0].counts.levels
    of_host = [row for row in rows if row["roller"] == host.nickname]
    assert (own["C"], own["typed"]) == tuple(sum(int(row[name]) for row in of_host) for name in ("C", "typed"))


@pytest.mark.django_db
def test_rolls_of_older_tallies_are_told_apart_from_those_with_a_level(host: Player) -> None:
    raw = thrown(7, Random(3)).to_json()
    raw["levels"] = {"A": 2, "typed": 3}
    DiceTally.objects.create(player=None, game_id="chicago", counts=raw, control=raw)
    assert "5 rolls were counted before the levels were counted." in " ".join(
        page(browser_of(host), "house_dice").split()
    )


@pytest.mark.django_db
def test_a_table_whose_log_was_moved_to_a_file_is_counted_the_same(table: Table, settings, tmp_path) -> None:
    from games.services.storage import log_files

    settings.DATA_DIR = tmp_path
    before = dice_figures.of_table(table).counts
    log_files.compress(table.pk)
    assert dice_figures.count(table.pk)
    assert dice_figures.of_player(None)[0].counts == before


@pytest.mark.django_db
def test_who_is_joined_has_the_dice_of_both(make_player: Callable[..., Player]) -> None:
    one, other = make_player("One"), make_player("Other")
    for player, rolls in ((one, 3), (other, 4)):
        raw = thrown(rolls, Random(2)).to_json()
        DiceTally.objects.create(player=player, game_id="chouette", counts=raw, control=raw)
    merging.merge(one, other)
    (found,) = dice_figures.of_player(other)
    assert (found.counts.rolls, found.control.rolls) == (7, 7)
    assert not dice_figures.of_player(one)


@pytest.mark.django_db
def test_a_page_without_any_dice_says_so(host: Player) -> None:
    assert "0 rolls count." in page(browser_of(host), "house_dice")


def test_a_control_is_seeded_by_nothing() -> None:
    rolls = [(Roll(0, "roll", (1, 1)), [DOUBLE])] * 60
    assert dice_counts.counted(rolls, SystemDice()) != dice_counts.counted(rolls, SystemDice())


def test_entering_from_the_bar_is_tried_against_the_points_that_are_held() -> None:
    thrown_at = plugin.game("chouette").thrown
    assert thrown_at is not None
    from chouette.rules.state import TEAM

    class Game:
        turn = "box"
        position = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, -2, -2, -1, 0, 0, 1)

    class State:
        game = Game

    assert Game.turn != TEAM
    double, entering = thrown_at.trials(State, Roll(0, "roll", (6, 5)))
    assert (double.chance, double.is_hit((6, 5)), double.is_hit((5, 5))) == (Fraction(1, 6), False, True)
    # They hold 20, 21 and 19: the points of 5, 4 and 6.
    assert entering.chance == 1 - Fraction(1, 4)
    assert [entering.is_hit(faces) for faces in ((6, 5), (4, 4), (6, 3), (1, 2))] == [False, False, True, True]
