"""My play: rates with ranges by games, by part and by night, luck apart; and the line on the card of a result."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.urls import reverse

from chouette.analysis import counting, house, telling
from chouette.analysis.engine import Stakes
from chouette.board.position import START, swap
from chouette.board.xgid import Setup, xgid
from games import plugin
from games.kernel.figures.skill_rates import Sum, rate, sum_of
from games.models import GameGrades, Player, Table
from games.services.grades import card, own_play, visibility
from games.services.grades.visibility import Viewer
from games.services.people import deletion, merging, players
from tests.secrecy import listeners
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

RACE = (0, 5, 5, 0, 0, 0, 0, 5, *(0 for _ in range(8, 20)), -5, 0, 0, -5, -5, 0)
HOME = (0, 5, 5, 5, *(0 for _ in range(4, 22)), -5, -5, -5, 0)


ANSWER = {"no_double": 0.5, "take": 0.45, "drop": 1.0}


def row(seat: int | None, error: float = 0.1, **others: Any) -> dict[str, Any]:
    found = {"seq": 1, "seat": seat, "role": "box", "kind": "play", "xgid": at(START), "dice": [3, 1], "error": error}
    return {**found, "counts": seat is not None, "luck": None, "cube": 1, "suggested": [], "graded": True, **others}


def at(position: tuple[int, ...]) -> str:
    return xgid(Setup(position, Stakes().state()))


def of(rows: list[dict[str, Any]], name: str) -> list[int]:
    return [index for index, parts in enumerate(counting.parts(rows)) if name in parts]


class TestRates:
    def test_a_rate_is_that_of_all_choices_and_not_the_mean_of_games(self) -> None:
        found = rate([Sum(1.0, 10), Sum(0.0, 90)], 500)
        assert (found.value, found.choices, found.games) == (5.0, 100, 2)

    def test_games_without_a_choice_that_counts_are_no_games(self) -> None:
        assert rate([Sum(0.0, 0)], 500).value is None
        assert rate([Sum(1.0, 10), Sum(0.0, 0)], 500).games == 1

    def test_a_range_needs_five_games_and_holds_the_value(self) -> None:
        four = [Sum(0.1 * n, 10) for n in range(4)]
        assert rate(four, 500).low is None
        five = rate([*four, Sum(0.4, 10)], 500)
        assert five.low is not None and five.high is not None and five.value is not None
        assert 0 <= five.low < five.value < five.high

    def test_the_range_of_games_of_one_length_is_students(self) -> None:
        errors = [0.0, 0.1, 0.2, 0.3, 0.4]
        found = rate([Sum(error, 10) for error in errors], 10)
        # The mean error 0.2 with its standard error sqrt(0.025 / 5), and t(4) = 2.776.
        assert found.value == pytest.approx(0.2)
        assert found.high == pytest.approx(0.2 + 2.776 * 0.0707107, abs=0.002)

    def test_ranges_hold_the_true_rate_in_19_of_20_samples(self) -> None:
        rng = random.Random(33)
        hits = 0
        for _ in range(2000):
            games = []
            for _ in range(12):
                form, n = rng.gammavariate(4, 0.01), rng.randrange(15, 50)
                games.append(Sum(sum(rng.expovariate(1 / form) for _ in range(n)), n))
            found = rate(games, 1)
            assert found.low is not None and found.high is not None
            hits += found.low <= 0.04 <= found.high
        assert 0.90 <= hits / 2000 <= 0.97

    def test_what_does_not_count_and_what_is_not_graded_is_in_no_sum(self) -> None:
        rows = [row(0, 0.2), row(0, 0.4, counts=False), {**row(0), "error": None, "graded": False}]
        assert sum_of(rows) == Sum(0.2, 1)


class TestParts:
    def test_the_first_three_turns_of_each_side_are_the_opening(self) -> None:
        rows = [row(n % 2, kind="no_double" if n % 3 == 0 else "play") for n in range(12)]
        plays_before = [sum(each["kind"] == "play" for each in rows[:n]) for n in range(12)]
        assert of(rows, "opening") == [n for n in range(12) if plays_before[n] < 6]

    def test_later_positions_are_contact_race_or_bear_off_for_both_sides_alike(self) -> None:
        first = [row(0) for _ in range(6)]
        for position, stage in ((START, "contact"), (RACE, "race"), (HOME, "bear_off")):
            for seen in (position, swap(position)):
                assert of([*first, row(0, xgid=at(seen))], stage)[-1] == 6, (stage, seen)

    def test_doubles_and_answers_are_apart_from_plays(self) -> None:
        kinds = ["play", "double", "no_double", "take", "drop", "beaver", "raccoon", "settlement"]
        rows = [row(0, kind=kind) for kind in kinds]
        assert (of(rows, "plays"), of(rows, "doubles"), of(rows, "answers")) == ([0], [1, 2], [3, 4, 5, 6, 7])

    def test_roles_are_told_of_a_chouette_alone(self) -> None:
        two = [row(0), row(1, role="captain")]
        assert of(two, "box") == []
        assert of([*two, row(2, role="member")], "box") == [0]

    def test_every_part_has_a_label(self) -> None:
        labels = {name for names in counting.PARTS.values() for name in names}
        rows = [*(row(n, role=role) for n, role in enumerate(("box", "captain", "member"))), row(0, kind="take")]
        assert {part for parts in counting.parts(rows) for part in parts} <= labels

    def test_every_choice_belongs_to_one_area(self) -> None:
        rows = [*(row(0) for _ in range(6)), *(row(0, xgid=at(each)) for each in (START, RACE, HOME))]
        rows += [row(0, kind=kind) for kind in ("double", "no_double", "take", "drop")]
        found = [counting.area(parts) for parts in counting.parts(rows)]
        assert found == ["opening"] * 6 + ["contact", "race", "race"] + ["cube"] * 4
        assert set(found) == set(counting.AREAS)


@pytest.mark.django_db
class TestWhatCostMost:
    def graded(self, table: Table, rows: list[dict[str, Any]]) -> str:
        """Grade a table's games; return the page of its first seat."""
        for result in table.results.filter(seq__isnull=False, is_correction=False):
            made = {"graded_at": datetime.now(UTC), "engine": "judge", "level": "deep", "formula": 1}
            GameGrades.objects.update_or_create(result=result, defaults={"rows": rows, **made})
        page = browser_of(table.seats.get(index=0).player).get(reverse("my_play")).content.decode()
        return " ".join(page.split())

    def test_three_sentences_stand_before_the_numbers(self, start_table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(plugin.game("dummygame").__dict__, "grading", house)
        table = play_out(start_table("dummygame"))
        rows = [row(n % 2, 0.01) for n in range(6)]
        rows += [row(0, 0.05, xgid=at(START)) for _ in range(12)] + [
            row(0, 0.1, kind="take", equities=ANSWER) for _ in range(12)
        ]
        rows += [row(0, 0.0, xgid=at(RACE)) for _ in range(12)]
        page = self.graded(table, rows)
        cost = 12 * 0.05 + 12 * 0.1 + 3 * 0.01
        most = f"What cost you most: Cube, {round(100 * 1.2 / cost)} % of all your errors, in 12 choices."
        then = f"What comes next: Contact, {round(100 * 0.6 / cost)} % in 12 choices."
        best = "What goes best: Race, with 0 where all choices have 23 (PR)."
        places = [page.index(each) for each in (most, then, best)]
        assert places == sorted(places) and places[-1] < page.index('<dl class="numbers">')

    def test_few_choices_or_no_errors_are_put_in_no_words(self, start_table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(plugin.game("dummygame").__dict__, "grading", house)
        table = play_out(start_table("dummygame"))
        few = [row(0, 0.1, xgid=at(each)) for each in (START, RACE) for _ in range(9)] + [
            row(0, kind="take", equities=ANSWER)
        ] * 9
        assert "What cost you most" not in self.graded(table, few)
        right = [row(0, 0.0, xgid=at(each)) for each in (START, RACE) for _ in range(20)] + [
            row(0, 0.0, kind="take", equities=ANSWER)
        ] * 20
        assert "What cost you most" not in self.graded(table, right)


@pytest.fixture
def graded(start_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> Table:
    """A finished table of three with a graded game: seat 0 errs by 0.1, seat 1 by 0.01, seat 2 by 0.05."""
    monkeypatch.setitem(plugin.game("dummygame").__dict__, "grading", house)
    table = play_out(start_table("dummygame", seats=3))
    rows = [row(seat, error) for seat, error in enumerate((0.1, 0.01, 0.05)) for _ in range(20)]
    rows.append(row(2, 0.05, luck=0.45, cube=2, dice=[6, 6]))
    for result in table.results.filter(seq__isnull=False, is_correction=False):
        made = {"graded_at": datetime.now(UTC), "engine": "judge", "level": "deep", "formula": 1}
        GameGrades.objects.create(result=result, rows=rows, **made)
    table.options["skill_shown"] = "own"
    table.save(update_fields=["options"])
    return table


@pytest.fixture
def duel(start_table: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> Table:
    """A finished table of two with graded games for points: rolls of both sides, one of them without a choice."""
    monkeypatch.setitem(plugin.game("dummygame").__dict__, "grading", house)
    table = play_out(start_table("dummygame"))
    rows = [
        row(0, role="box", luck=0.5, cube=2, lucks=[[0, 1.0], [1, -1.0]]),
        row(1, role="captain", luck=0.25, lucks=[[0, -0.25], [1, 0.25]]),
        row(None, role="captain", luck=-0.1, counts=False, lucks=[[0, 0.1], [1, -0.1]]),
    ]
    for result in table.results.filter(seq__isnull=False, is_correction=False):
        made = {"graded_at": datetime.now(UTC), "engine": "judge", "level": "deep", "formula": 1}
        GameGrades.objects.create(result=result, rows=rows, **made)
    return table


def sitter(table: Table, seat: int) -> Player:
    found = table.seats.get(index=seat).player
    assert found is not None
    return found


@pytest.mark.django_db
class TestOwnPlay:
    def test_own_rows_alone_are_in_the_figures(self, graded: Table) -> None:
        games = GameGrades.objects.count()
        (found,) = own_play.own_play(sitter(graded, 1))
        assert (found.whole.choices, found.luck.rolls) == (20 * games, 0)
        assert found.whole.value == pytest.approx(5.0)
        (night,) = found.nights
        assert night.rate.value == night.so_far.value == found.whole.value
        (other,) = own_play.own_play(sitter(graded, 2))
        assert other.luck.points == pytest.approx(0.9 * games)

    def test_the_page_says_engine_and_number_and_no_decimal_below_two_hundred_choices(self, graded: Table) -> None:
        page = browser_of(sitter(graded, 0)).get(reverse("my_play")).content.decode()
        assert "Graded by judge, deep, formula 1." in page
        assert "<dd>50</dd>" in page and "<dd>20</dd>" in page

    def test_the_page_tells_the_formula_with_its_constants_in_the_readers_language(self, graded: Table) -> None:
        browser = browser_of(sitter(graded, 0))
        for language, same, lost in (("en", "0.001", "−0.9"), ("de", "0,001", "−0,9"), ("nb", "0,001", "−0,9")):
            page = browser.get(reverse("my_play"), HTTP_ACCEPT_LANGUAGE=language).content.decode()
            assert all(f"{each}" in page for each in (counting.PER_DECISION, same, lost)), language
        told = {value for sentence in house.WHAT_COUNTS for value in sentence.values.values()}
        constants = (counting.PER_DECISION, counting.SAME, counting.SAME_PLAY, counting.FAR, counting.LOST)
        assert told == set(constants)

    def test_what_errors_cost_is_told_in_points_of_the_cubes(self, graded: Table) -> None:
        games = GameGrades.objects.count()
        for grades in GameGrades.objects.all():
            grades.rows = [row(0, 0.1, cube=4), row(0, 0.05, cube=1), row(0, 0.7, cube=2, counts=False), row(1, 0.3)]
            grades.save()
        (found,) = own_play.own_play(sitter(graded, 0))
        assert found.cost == pytest.approx(0.45 * games)
        page = browser_of(sitter(graded, 0)).get(reverse("my_play")).content.decode()
        assert "Your errors cost 0.5 points" in " ".join(page.split()) or games > 1

    @pytest.mark.parametrize(("shown", "hides", "is_told"), [("own", False, False), ("table", False, True),
                                                             ("all", False, True), ("table", True, False)])  # fmt: skip
    def test_luck_is_taken_out_of_games_of_two_whose_other_side_shows_its_grades(
        self, duel: Table, shown: str, hides: bool, is_told: bool
    ) -> None:
        duel.options["skill_shown"] = shown
        duel.save(update_fields=["options"])
        players.set_hides_grades(sitter(duel, 1), hides)
        (found,) = own_play.own_play(sitter(duel, 0))
        if not is_told:
            assert found.without_luck == (None, None)
            return
        points = [line.points for line in sitter(duel, 0).result_lines.all()]
        of_two, of_more = found.without_luck
        assert of_two is not None and of_two.n == len(points) and of_more is None
        # The other side's roll that left no choice is theirs, too.
        assert float(of_two.mean) == pytest.approx(sum(points) / len(points) - (0.5 * 2 - 0.25 + 0.1))
        page = " ".join(browser_of(sitter(duel, 0)).get(reverse("my_play")).content.decode().split())
        assert "Luck taken out, an estimate" in page

    def test_luck_is_not_taken_out_of_matches_or_without_the_luck_of_a_roll(self, duel: Table) -> None:
        rows = GameGrades.objects.latest("pk").rows
        assert telling.luck_of_seat(rows, 0) == pytest.approx(0.85)
        assert telling.luck_of_seat(rows, 1) == pytest.approx(-0.85)
        match = xgid(Setup(START, Stakes(length=5).state()))
        assert telling.luck_of_seat([{**each, "xgid": match} for each in rows], 0) is None
        assert telling.luck_of_seat([*rows, row(2, role="member")], 0) is None
        assert telling.luck_of_seat([*rows, row(0, role="box", lucks=None)], 0) is None

    @pytest.mark.parametrize(("shown", "hides", "is_told"), [("own", False, False), ("table", False, True),
                                                             ("table", True, False)])  # fmt: skip
    def test_luck_is_taken_out_of_games_of_more_that_show_everybodys_grades(
        self, graded: Table, shown: str, hides: bool, is_told: bool
    ) -> None:
        lucks = {0: 0.6, 1: -0.5, 2: -0.1}
        for grades in GameGrades.objects.all():
            grades.rows = [row(seat, lucks=[[each, points] for each, points in lucks.items()]) for seat in (0, 1, 2)]
            grades.save()
        graded.options["skill_shown"] = shown
        graded.save(update_fields=["options"])
        players.set_hides_grades(sitter(graded, 2), hides)
        for seat in (0, 1):
            (found,) = own_play.own_play(sitter(graded, seat))
            page = " ".join(browser_of(sitter(graded, seat)).get(reverse("my_play")).content.decode().split())
            assert ("more than two less the luck of all rolls at your cubes" in page) == is_told
            of_two, of_more = found.without_luck
            assert of_two is None and (of_more is not None) == is_told
            if of_more is not None:
                points = [line.points for line in sitter(graded, seat).result_lines.all()]
                # Three rolls in each game.
                assert float(of_more.mean) == pytest.approx(sum(points) / len(points) - 3 * lucks[seat])

    def test_gnu_backgammons_error_rate_stands_apart_with_plays_doubles_and_answers(self, graded: Table) -> None:
        even = {"no_double": 0.5, "take": 0.45, "drop": 1.0}
        for grades in GameGrades.objects.all():
            grades.rows = [
                row(0, 0.1),
                # Not to double was clear for XG and is counted by GNU Backgammon; the last one is by neither.
                row(0, 0.0, kind="no_double", dice=None, counts=False, equities=even),
                row(0, 0.0, kind="no_double", dice=None, counts=False, equities={**even, "take": 0.3}),
                row(0, 0.3, kind="take", dice=None, equities=even, xgid=at(START).replace(":00:", ":D:")),
                row(1, 0.2),
            ]
            grades.save()
        (found,) = own_play.own_play(sitter(graded, 0))
        ((other, whole, parts),) = found.others
        games = GameGrades.objects.count()
        assert (whole.choices, found.whole.choices) == (3 * games, 2 * games)
        assert whole.value == pytest.approx(1000 * 0.4 / 3)
        assert {name: rate.choices // games for name, rate in parts.items()} == {"plays": 1, "doubles": 1, "answers": 1}
        page = " ".join(browser_of(sitter(graded, 0)).get(reverse("my_play")).content.decode().split())
        assert f"<summary>{other.label}</summary>" in page and "1000 times the sum of the errors" in page

    def test_a_game_without_luck_says_nothing_of_it(self, graded: Table) -> None:
        page = browser_of(sitter(graded, 1)).get(reverse("my_play")).content.decode()
        assert "Luck of your own" not in page

    def test_nobody_elses_figures_are_on_the_page(self, graded: Table, make_player: Callable[[str], Player]) -> None:
        assert own_play.own_play(make_player("Olga")) == []
        page = browser_of(sitter(graded, 0)).get(reverse("my_play")).content.decode()
        assert not any(sitter(graded, seat).nickname in page for seat in (1, 2))

    def test_after_a_merger_the_play_is_the_remaining_persons_and_after_a_deletion_nobodys(
        self, graded: Table, make_player: Callable[[str], Player]
    ) -> None:
        kari, target = sitter(graded, 1), make_player("Target")
        merging.merge(kari, target)
        (found,) = own_play.own_play(target)
        assert found.whole.value == pytest.approx(5.0)
        client = browser_of(target)
        deletion.delete(target)
        assert client.get(reverse("my_play")).status_code in {302, 403}


def said(table: Table, player: Player | None) -> str:
    return card.line(table, visibility.viewer(table, player)).text


@pytest.mark.django_db
class TestLine:
    def test_under_own_everybody_reads_of_their_own_game_alone(self, graded: Table) -> None:
        assert said(graded, sitter(graded, 0)) == "Your game: PR 50 (20 choices) · judge, deep"
        luck = "your biggest swing: 6-6 (+0.9)"
        assert said(graded, sitter(graded, 2)) == f"Your game: PR 25 (21 choices) · {luck} · judge, deep"
        assert said(graded, None) == ""

    def test_under_table_the_best_game_and_the_swing_are_named(self, graded: Table) -> None:
        graded.options["skill_shown"] = "table"
        one, two = sitter(graded, 1).nickname, sitter(graded, 2).nickname
        best = f"Best game: {one}, PR 5 (20 choices) · biggest swing: {two}'s 6-6 (+0.9) · judge, deep"
        assert said(graded, sitter(graded, 0)) == said(graded, None) == best

    def test_who_hides_their_grades_is_neither_best_nor_lucky_to_others(self, graded: Table) -> None:
        graded.options["skill_shown"] = "table"
        for seat in (1, 2):
            players.set_hides_grades(sitter(graded, seat), True)
        assert said(graded, sitter(graded, 0)) == "Your game: PR 50 (20 choices) · judge, deep"

    def test_before_the_tables_end_only_its_players_are_told(
        self, graded: Table, make_player: Callable[[str], Player]
    ) -> None:
        graded.options["skill_shown"], graded.status = "all", Table.Status.PLAYING
        elsewhere: Viewer = visibility.viewer(graded, make_player("Else"))
        assert said(graded, None) == card.line(graded, elsewhere).text == ""
        assert said(graded, sitter(graded, 0)).startswith("Best game")

    def test_a_handful_of_choices_is_no_best_game(self, graded: Table) -> None:
        graded.options["skill_shown"] = "table"
        for grades in GameGrades.objects.all():
            grades.rows = [*grades.rows[:20], *(row(1, 0.0) for _ in range(card.LEAST_CHOICES - 1))]
            grades.save()
        assert said(graded, sitter(graded, 0)) == "Your game: PR 50 (20 choices) · judge, deep"

    def test_while_the_game_is_not_graded_yet_the_api_says_so(
        self, graded: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        GameGrades.objects.all().delete()
        address = reverse("api_table_grades_line", args=[graded.public_id])
        client = listeners.browser(graded.night, sitter(graded, 0))
        for has_engine in (True, False):
            monkeypatch.setattr(house, "has_engine", lambda has_engine=has_engine: has_engine)
            told = client.get(address).json()
            assert (told["is_awaited"], told["text"]) == (has_engine, "")
            assert told["ended"] == graded.results.filter(is_correction=False).latest("seq").seq
