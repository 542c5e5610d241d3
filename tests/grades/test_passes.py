"""The passes over a game: the first one, the deep one that replaces it as a whole, a deeper look at single choices."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse

from games.kernel.contract import Illegal
from games.kernel.figures.skill import Depth
from games.management.commands.analyser import Command
from games.models import DeeperQuestion, GameGrades, Result
from games.services.grades import deeper_grading, jobs, visibility
from games.services.grades.early_grading import LEAST_ENTRIES, Ahead
from tests.conftest import answer, choices_at
from tests.grades.judging import Grading, Judge, play_out, work
from tests.secrecy import listeners

pytestmark = pytest.mark.django_db


def levels(grades):
    """Return the levels of a game's figures, of which there is one but for deeper looks."""
    return {row["level"] for row in grades.rows}


def first_pass():
    """Make the first pass over the newest game."""
    job = jobs.claim()
    jobs.grade(job, jobs.graded_games()["dummygame"], Judge())
    job.refresh_from_db()
    return job


def test_the_deep_pass_replaces_the_figures_of_the_first_as_a_whole_and_says_so(played, grading):
    job = first_pass()
    assert (job.depth, job.level, job.is_deep, levels(job)) == (Depth.FIRST, "quick", False, {"quick"})
    work()
    for grades in GameGrades.objects.all():
        assert (grades.depth, grades.level, grades.is_deep, levels(grades)) == (Depth.DEEP, "deep", True, {"deep"})
    assert jobs.claim_deep() is None


def test_no_game_has_its_deep_pass_before_each_has_its_first(played, start_table, grading):
    play_out(start_table())
    work()
    assert grading.levels == sorted(grading.levels, key=["quick", "deep"].index)


def test_a_game_that_has_just_ended_has_both_passes_before_a_long_queue_of_older_ones(played, start_table, grading):
    Result.objects.update(finished_at=datetime.now(UTC) - 2 * jobs.FRESH)
    old = set(Result.objects.values_list("pk", flat=True))
    play_out(start_table())
    work()
    done = GameGrades.objects.order_by("graded_at").values_list("result_id", flat=True)
    new = len(done) - len(old)
    assert new and not old & set(done[:new])
    assert grading.levels[: 2 * new] == ["quick"] * new + ["deep"] * new
    assert set(GameGrades.objects.values_list("depth", flat=True)) == {Depth.DEEP}


def test_figures_of_the_first_pass_stand_where_the_deep_one_knows_less(played, grading, monkeypatch):
    job = first_pass()
    monkeypatch.setattr(Grading, "graded", False)
    jobs.grade(jobs.claim_deep(), grading, Judge())
    job.refresh_from_db()
    assert (job.level, levels(job)) == ("quick", {"quick"})
    GameGrades.objects.update(claimed_at=job.claimed_at - jobs.OLD - timedelta(seconds=1))
    assert jobs.claim_deep().tries == 2


def test_a_killed_deep_pass_is_made_at_the_next_start(played, grading):
    job = first_pass()
    assert jobs.claim_deep().result_id == job.result_id
    assert jobs.claim_deep() is None
    jobs.free_claims()
    assert jobs.claim_deep().result_id == job.result_id


@pytest.fixture
def ending(start_table, monkeypatch):
    """Return a function that lets so many games end, each between two choices of what is being graded.

    It returns the list of results whose figures are kept, in order, which grows meanwhile, and that of the new ones.
    """
    monkeypatch.setattr("games.management.commands.analyser.LOOK_SECONDS", 0.0)
    order, new = [], []
    keep = jobs._keep
    monkeypatch.setattr(jobs, "_keep", lambda job, *rest: (order.append(job.result_id), keep(job, *rest)))

    def let(number):
        def every(self, game, engine):
            for row in Grading.every(self, game, engine):
                if len(new) < number:
                    new.append(play_out(start_table()).results.latest("finished_at").pk)
                yield row

        monkeypatch.setattr(Grading, "rows", every)
        return order, new

    return let


def test_a_game_that_ends_meanwhile_is_graded_before_an_older_one_in_hand(played, grading, ending):
    Result.objects.update(finished_at=datetime.now(UTC) - 2 * jobs.FRESH)
    order, new = ending(1)
    work()
    assert order[0] == new[0]
    assert not GameGrades.objects.exclude(depth=Depth.DEEP).exists()


def test_a_game_that_ends_meanwhile_is_graded_before_the_deep_pass_in_hand(played, grading, ending):
    order, new = ending(1)
    # The new game is to end in the deep pass.
    new.append(None)
    first_pass()
    new.clear()
    work()
    old = played.results.get().pk
    assert order == [old, *new, old, *new]


def test_games_that_end_one_after_the_other_hold_up_no_game_that_has_just_ended(played, grading, ending):
    order, new = ending(3)
    work()
    assert order[:4] == [played.results.get().pk, *new], "first passes, in the order in which the games ended"
    assert order[4:] == order[:4], "then the deep passes"


def test_what_is_played_is_judged_ahead_and_nothing_of_it_kept(start_table, grading):
    table = start_table("dummygame", "endless")
    ahead = Ahead({"dummygame": Judge()})
    assert not ahead.work(lambda: None), "too few entries"
    judged = []
    while table.seq < LEAST_ENTRIES:
        answer(table, next(choice for choice in choices_at(table) if choice.required))
        table.refresh_from_db()
    assert ahead.work(lambda: judged.append(1)) and judged
    assert not ahead.work(lambda: None), "nothing new"
    assert not GameGrades.objects.exists()


def test_what_is_played_is_judged_some_choices_at_a_time_and_each_of_them(start_table, grading, monkeypatch):
    monkeypatch.setattr("games.services.grades.early_grading.MOST_CHOICES", 5)
    table = start_table("dummygame", "endless")
    while table.seq < 2 * LEAST_ENTRIES:
        answer(table, next(choice for choice in choices_at(table) if choice.required))
        table.refresh_from_db()
    # As one long game.
    Result.objects.all().delete()
    judged, ahead, turns = [], Ahead({"dummygame": Judge()}), 0
    every = Grading.every
    monkeypatch.setattr(
        Grading, "rows", lambda *args: (row for row in every(*args) if not judged.append((row["seq"], row["seat"])))
    )
    while ahead.work(lambda: None):
        turns += 1
    seats = table.seats.count()
    assert turns > 1
    # Less than what makes a turn may be left, and one choice more is looked at to see that an entry is over.
    assert {(seq, seat) for seq in range(1, table.seq - LEAST_ENTRIES + 1) for seat in range(seats)} <= set(judged)
    assert len(judged) <= table.seq * seats + turns


def test_games_that_are_played_quickly_hold_up_no_deep_pass(played, start_table, grading, monkeypatch):
    first_pass()
    turns = []

    def busy(self, go_on):
        turns.append(1)
        return len(turns) < 3

    monkeypatch.setattr(Ahead, "work", busy)
    command = Command()
    monkeypatch.setattr(command, "_rest", lambda seconds: command._signals.append(1))
    command._work({"dummygame": Judge()}, once=False)
    assert grading.levels == ["quick", "deep"]
    assert GameGrades.objects.get().depth == Depth.DEEP
    assert len(turns) == 3


def test_a_failure_of_what_is_judged_ahead_costs_nothing_else(grading):
    def fail():
        raise ValueError("no such position")

    assert Command()._try(fail) is False


@pytest.fixture
def graded(played, grading):
    """Return a table whose games have both passes; its players see each other's grades."""
    played.options["skill_shown"] = "table"
    played.save(update_fields=["options"])
    work()
    return played


def of_seat(table, seat):
    """Return a player as a viewer, the entry that ended the first game, and the number of a row of the seat."""
    by = visibility.viewer(table, table.seats.get(index=seat).player)
    seen = visibility.games(table, by)[0]
    return by, seen.result.seq, next(row["row"] for row in seen.rows if row["seat"] == seat)


def test_a_deeper_look_replaces_one_row_and_says_its_level(graded):
    by, ended, number = of_seat(graded, 0)
    assert deeper_grading.state(graded, by, ended, number) == deeper_grading.OPEN
    assert [deeper_grading.ask(graded, by, ended, number) for _ in range(2)] == [deeper_grading.ASKED] * 2
    work()
    assert (
        deeper_grading.state(graded, by, ended, number)
        == deeper_grading.ask(graded, by, ended, number)
        == deeper_grading.DONE
    )
    rows = GameGrades.objects.get(result__seq=ended).rows
    assert {number: row.get("deeper") for number, row in enumerate(rows) if row.get("deeper")} == {number: "deepest"}
    assert rows[number]["level"] == "deepest"
    assert not DeeperQuestion.objects.exists()


def test_nobody_asks_about_a_grade_that_they_do_not_see(graded, make_player):
    by, ended, number = of_seat(graded, 0)
    for who, entry, row in (
        (visibility.viewer(graded, make_player("Else")), ended, number),
        (visibility.ELSEWHERE, ended, number),
        (by, ended, 10_000),
        (by, ended + 1, number),
    ):
        with pytest.raises(Illegal, match="no_such_grade"):
            deeper_grading.ask(graded, who, entry, row)
    graded.options["skill_shown"] = "own"
    with pytest.raises(Illegal, match="no_such_grade"):
        deeper_grading.state(graded, visibility.viewer(graded, graded.seats.get(index=1).player), ended, number)
    assert not DeeperQuestion.objects.exists()


def test_without_an_answer_the_figure_stands_and_may_be_asked_about_again(graded, monkeypatch):
    by, ended, number = of_seat(graded, 0)
    before = GameGrades.objects.get(result__seq=ended).rows
    for failure in (lambda *_: None, lambda *_: {"graded": False}, lambda *_: 1 / 0):
        deeper_grading.ask(graded, by, ended, number)
        monkeypatch.setattr(Grading, "row", failure)
        work()
        assert deeper_grading.state(graded, by, ended, number) == deeper_grading.OPEN
    assert GameGrades.objects.get(result__seq=ended).rows == before


def test_a_game_graded_anew_keeps_no_deeper_row_of_the_old_figures(graded, grading):
    by, ended, number = of_seat(graded, 0)
    deeper_grading.ask(graded, by, ended, number)
    call_command("analyser", "--once", "--again", stdout=StringIO())
    assert {row.get("deeper") for row in GameGrades.objects.get(result__seq=ended).rows} == {None}
    assert not DeeperQuestion.objects.exists()


def test_a_question_whose_answer_ends_the_process_is_given_up(graded, grading):
    by, ended, number = of_seat(graded, 0)
    deeper_grading.ask(graded, by, ended, number)
    DeeperQuestion.objects.update(tries=jobs.MOST_TRIES)
    work()
    assert not DeeperQuestion.objects.exists()
    assert deeper_grading.state(graded, by, ended, number) == deeper_grading.OPEN


def test_the_api_asks_twenty_times_an_hour(graded, grading, monkeypatch):
    _, ended, number = of_seat(graded, 0)
    browser = listeners.browser(graded.night, graded.seats.get(index=0).player)
    url = reverse("api_table_grades_deeper", args=[graded.public_id])
    cache.clear()
    body = {"ended": ended, "row": number}
    answers = [browser.post(url, body, content_type="application/json") for _ in range(21)]
    assert [each.status_code for each in answers] == [200] * 20 + [429]
    assert answers[0].json() == browser.get(url, body).json() == {"state": "asked"}
    assert browser.get(url, {"ended": ended, "row": "x"}).status_code == 400
    assert browser.get(url, {"ended": ended, "row": 10_000}).json()["code"] == "no_such_grade"
    cache.clear()
    DeeperQuestion.objects.all().delete()
    monkeypatch.setattr(Grading, "has_engine", lambda self: False)
    assert browser.post(url, body, content_type="application/json").json()["code"] == "no_engine"
