"""The quiz: one's own mistakes again, spaced; nobody else's, once for each answer, with the engine's word after it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from chouette.analysis import exercises, house
from chouette.analysis.engine import Stakes
from chouette.board.position import START
from chouette.board.xgid import Setup, xgid
from games import plugin
from games.kernel.contract import Illegal
from games.models import GameGrades, QuizCard
from games.services.grades import quiz
from games.services.people import deletion, merging
from tests.chouette.analysis.test_sessions import Planted, rows, turn_of_team
from tests.tables.test_log import play_out
from tests.web.pages import browser_of

NOW = datetime(2026, 5, 1, 20, tzinfo=UTC)
OPENING = xgid(Setup(START, Stakes().state((3, 1))))


def play(seat, error=0.1, position=OPENING, **others):
    about = {"seq": 3, "seat": seat, "role": "box", "kind": "play", "xgid": position, "dice": [3, 1], "error": error}
    about |= {"counts": True, "luck": None, "cube": 1, "suggested": [], "graded": True}
    about |= {"played": "24/20", "best": "8/5 6/5", "equities": {"played": 0.1 - error, "best": 0.1}}
    about |= {"listed": [["8/5 6/5", 0.1], ["24/23 13/10", 0.09], ["24/20", 0.1 - error]]}
    return about | others


def cube(seat, kind, equities, offer="", error=0.3):
    about = {"kind": kind, "xgid": xgid(Setup(START, Stakes().state(), False, offer)), "dice": None}
    return play(seat, error, **about | {"equities": equities} | {"played": kind, "best": None, "listed": []})


@pytest.fixture
def graded(start_table, monkeypatch):
    """A finished table of three; seat 0 has two mistakes, seat 1 one, seat 2 none."""
    monkeypatch.setitem(plugin.game("dummygame").__dict__, "grading", house)
    table = play_out(start_table("dummygame", seats=3))
    answers = {"no_double": 0.4, "take": 0.7, "drop": 1.0}
    found = [play(0), cube(0, "drop", answers, "D"), play(1, position=OPENING.replace("31", "21")), play(2, 0.01)]
    made = {"graded_at": datetime.now(UTC), "engine": "judge", "level": "deep", "formula": 1}
    for result in table.results.filter(seq__isnull=False, is_correction=False):
        GameGrades.objects.create(result=result, rows=found, **made)
    return table


def sitter(table, seat):
    return table.seats.get(index=seat).player


class TestExercises:
    def test_of_a_play_the_engines_list_is_what_there_is_to_choose_from(self):
        found = exercises.exercise(play(0))
        assert [(each.text, round(each.error, 3)) for each in found.candidates] == [
            ("8/5 6/5", 0.0), ("24/23 13/10", 0.01), ("24/20", 0.1),
        ]  # fmt: skip
        assert found.played == "24/20" and found.question.values == {"dice": "3-1"}

    def test_grades_of_an_earlier_version_have_the_best_play_and_the_one_made(self):
        old = play(0)
        del old["listed"]
        assert [each.text for each in exercises.exercise(old).candidates] == ["8/5 6/5", "24/20"]

    @pytest.mark.parametrize("kind", ["double", "no_double"])
    def test_a_double_and_none_are_one_choice_against_the_best_answer(self, kind):
        found = exercises.exercise(cube(0, kind, {"no_double": 0.5, "take": 1.4, "drop": 1.0}))
        assert [(each.text, each.equity) for each in found.candidates] == [("Double", 1.0), ("No double", 0.5)]

    def test_an_answer_is_told_in_the_answerers_view(self):
        found = exercises.exercise(cube(0, "take", {"no_double": 0.9, "take": 1.3, "drop": 1.0}, "D"))
        assert [(each.text, each.equity) for each in found.candidates] == [("Drop", -1.0), ("Take", -1.3)]
        assert found.question.values == {"cube": 1, "double": 2} and not found.is_studied
        beaver = {"no_double": -0.2, "take": 0.1, "drop": 1.0, "beaver": 0.2}
        found = exercises.exercise(cube(0, "beaver", beaver, "D", 0.1))
        assert [each.text for each in found.candidates] == ["Take", "Beaver", "Drop"]

    def test_what_does_not_count_or_cost_is_no_exercise(self):
        assert exercises.exercise(play(0, counts=False)) is exercises.exercise(play(0, 0.019)) is None
        assert exercises.exercise(play(0, equities=None) | {"error": None}) is None

    def test_a_graded_mistake_lists_five_plays_and_the_one_made(self):
        table = turn_of_team()
        found = [row for row in rows(table, Planted()) if row["kind"] == "play"]
        assert found
        for row in found:
            texts = [text for text, _ in row["listed"]]
            assert bool(texts) == (row["counts"] and row["error"] >= 0.02)
            assert not texts or (texts[0] == row["best"] and row["played"] in texts and len(texts) <= 6)


@pytest.mark.django_db
class TestSpacing:
    def test_the_next_one_is_due_first_then_never_asked_and_then_nothing_until_its_day(self, graded):
        player = sitter(graded, 0)
        first = quiz.quiz(player, NOW)
        assert (first.due, first.unseen, first.all) == (0, 2, 2)
        for n in range(2):
            found = quiz.quiz(player, NOW)
            assert found.unseen == 2 - n
            quiz.answer(player, found.asked.key, found.asked.exercise.candidates[0].text, 0, NOW)
        done = quiz.quiz(player, NOW)
        assert done.asked is None and done.next_due > NOW
        assert quiz.quiz(player, done.next_due).due >= 1

    def test_what_is_known_comes_ever_later_and_what_is_not_comes_soon(self, graded):
        player, now, gaps = sitter(graded, 0), NOW, []
        key = quiz.quiz(player, now).asked.key
        for reviews in range(4):
            best = quiz.asked(player, key).exercise.candidates[0].text
            due = quiz.answer(player, key, best, reviews, now).due
            gaps.append(due - now)
            now = due
        assert gaps == sorted(gaps) and gaps[0] <= timedelta(days=3) and gaps[-1] > timedelta(days=10)
        worst = quiz.asked(player, key).exercise.candidates[-1].text
        found = quiz.answer(player, key, worst, 4, now)
        assert found.verdict == quiz.WRONG and found.due - now <= timedelta(days=1)

    def test_two_taps_at_once_are_one_answer(self, graded):
        player = sitter(graded, 0)
        asked = quiz.quiz(player, NOW).asked
        best, worst = asked.exercise.candidates[0].text, asked.exercise.candidates[-1].text
        first = quiz.answer(player, asked.key, best, 0, NOW)
        again = quiz.answer(player, asked.key, worst, 0, NOW)
        assert again.due == first.due
        assert QuizCard.objects.get(player=player).reviews == 1

    def test_a_near_miss_is_nearly_right(self, graded):
        player = sitter(graded, 0)
        found = quiz.quiz(player, NOW).asked
        while found.exercise.kind != "play":
            quiz.answer(player, found.key, found.exercise.candidates[0].text, 0, NOW)
            found = quiz.quiz(player, NOW).asked
        assert quiz.answer(player, found.key, "24/23 13/10", 0, NOW).verdict == quiz.NEARLY

    def test_the_order_tells_nothing(self, graded):
        asked = quiz.quiz(sitter(graded, 0), NOW).asked
        firsts = {quiz.replace(asked, reviews=n).order[0] for n in range(30)}
        assert firsts == set(range(len(asked.exercise.candidates)))

    def test_mistakes_keep_their_day_when_a_game_is_graded_once_more(self, graded):
        player = sitter(graded, 0)
        asked = quiz.quiz(player, NOW).asked
        quiz.answer(player, asked.key, asked.exercise.candidates[0].text, 0, NOW)
        for grades in GameGrades.objects.all():
            grades.rows = [{**row, "seq": row["seq"] + 1} for row in grades.rows[::-1]]
            grades.save()
        assert asked.key != quiz.quiz(player, NOW).asked.key
        assert quiz.asked(player, asked.key).reviews == 1


@pytest.mark.django_db
class TestOwn:
    def test_nobody_is_asked_or_told_of_anothers_mistakes(self, graded):
        key = quiz.quiz(sitter(graded, 1), NOW).asked.key
        for seat in (0, 2):
            with pytest.raises(Illegal, match="no_such_exercise"):
                quiz.answer(sitter(graded, seat), key, "8/5 6/5", 0, NOW)
            browser = browser_of(sitter(graded, seat))
            assert browser.get(reverse("my_quiz"), {"key": key, "choice": "8/5 6/5"}).status_code == 404
        assert quiz.quiz(sitter(graded, 2), NOW).all == 0
        assert not QuizCard.objects.exists()

    def test_a_choice_that_is_none_is_refused_and_loses_nothing(self, graded):
        player = sitter(graded, 0)
        key = quiz.quiz(player, NOW).asked.key
        browser = browser_of(player)
        for given in ({"key": key, "choice": "1/2", "reviews": "0"}, {"key": "x"}, {}):
            assert browser.post(reverse("my_quiz"), given).status_code == 404
        assert quiz.quiz(player, NOW).unseen == 2

    def test_the_page_asks_without_the_answer_and_then_tells_it(self, graded):
        browser, player = browser_of(sitter(graded, 1)), sitter(graded, 1)
        page = browser.get(reverse("my_quiz")).content.decode()
        assert "What do you play with 3-1?" in page and "0.100" not in page and "judge" not in page
        key = quiz.quiz(player, NOW).asked.key
        given = {"key": key, "choice": "24/20", "reviews": 0}
        page = browser.post(reverse("my_quiz"), given, follow=True).content.decode()
        assert "There was something better." in page and "0.100" in page and "judge, deep, formula 1" in page

    def test_the_api_asks_without_the_answer_and_then_tells_it(self, graded):
        browser = browser_of(sitter(graded, 1))
        asked = browser.get(reverse("api_my_quiz")).json()
        assert set(asked["exercise"]["choices"]) == {"8/5 6/5", "24/23 13/10", "24/20"}
        assert "0.1" not in str(asked)
        body = {"key": asked["exercise"]["key"], "choice": "8/5 6/5", "reviews": 0}
        told = browser.post(reverse("api_my_quiz"), body, content_type="application/json").json()
        assert told["verdict"] == "right" and told["ways"][0] == {"text": "8/5 6/5", "equity": 0.1, "error": 0.0}
        assert browser_of().get(reverse("api_my_quiz")).status_code == 401

    def test_after_a_merger_the_answers_go_on_and_after_a_deletion_they_are_gone(self, graded, make_player):
        player, target = sitter(graded, 1), make_player("Target")
        asked = quiz.quiz(player, NOW).asked
        quiz.answer(player, asked.key, asked.exercise.candidates[0].text, 0, NOW)
        QuizCard.objects.create(player=target, key=asked.key, schedule={}, due=NOW, reviews=7)
        assert deletion.own_data(player)["quiz"][0]["answers"] == 1
        merging.merge(player, target)
        assert QuizCard.objects.get().reviews == 7
        deletion.delete(target)
        assert not QuizCard.objects.exists()
