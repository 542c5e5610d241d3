"""Jobs of the analyser: each finished game once, in order, claimed by one process, found again after a kill."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command

from games.kernel.figures.skill import Depth
from games.management import locks
from games.models import GameGrades
from games.services.grades import jobs, personal
from games.services.people import deletion
from games.services.seats.sittings import Sitting
from tests.grades.judging import Grading, Judge, play_out, work
from tests.seeds import share_of_day

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("ages", "order"),
    [((30, 20, 10), (0, 1, 2)), ((900, 800, 700), (2, 1, 0)), ((30, 900, 10), (0, 2, 1)), ((61, 59, 5), (1, 2, 0))],
    ids=["just now", "long ago", "mixed", "around the minute"],
)
def test_games_of_the_last_minute_are_claimed_in_the_order_of_their_ends_and_then_the_newest(
    played, start_table, grading, ages, order
):
    games = [played.results.get(), *(play_out(start_table()).results.get() for _ in ages[1:])]
    for result, seconds in zip(games, ages, strict=True):
        result.finished_at = datetime.now(UTC) - timedelta(seconds=seconds)
        result.save(update_fields=["finished_at"])
    expected = [games[index].pk for index in order]
    assert [jobs.claim().result_id for _ in games] == expected
    jobs.free_claims()
    assert [jobs.claim().result_id for _ in games] == expected, "those that were claimed once are in the same order"


def test_a_game_that_was_claimed_once_and_a_new_one_are_in_one_order(played, start_table, grading):
    assert jobs.claim().result == played.results.get()
    jobs.free_claims()
    later = play_out(start_table()).results.get()
    assert [jobs.claim().result for _ in range(2)] == [played.results.get(), later]
    GameGrades.objects.all().delete()
    for each in (played.results.get(), later):
        each.finished_at -= timedelta(days=1)
        each.save(update_fields=["finished_at"])
    assert jobs.claim().result == later
    jobs.free_claims()
    newest = play_out(start_table()).results.get()
    assert [jobs.claim().result for _ in range(3)] == [newest, later, played.results.get()]


def test_every_finished_game_is_graded_once(played, start_table, grading):
    later = play_out(start_table())
    work()
    graded = GameGrades.objects.filter(graded_at__isnull=False)
    assert {row.result.table_id for row in graded} == {played.pk, later.pk}
    assert {(row.engine, row.level, row.formula) for row in graded} == {("judge 1", "deep", 1)}
    count = len(grading.levels)
    work()
    assert len(grading.levels) == count
    assert Judge.closed == 2


def test_a_game_begins_behind_the_one_before_it(played, grading):
    work()
    spans = sorted(grading.asked)
    assert spans[0][0] == 1
    assert all(first == last + 1 for (_, last), (first, _) in pairwise(spans))


def test_a_running_game_is_not_graded(start_table, grading):
    start_table()
    work()
    assert not grading.asked


def test_a_claim_is_one_process_s_until_it_is_old(played, grading, settings):
    claimed = {jobs.claim().result_id for _ in range(played.results.count())}
    assert len(claimed) == played.results.count()
    assert jobs.claim() is None
    GameGrades.objects.update(claimed_at=GameGrades.objects.first().claimed_at - jobs.OLD - timedelta(seconds=1))
    again = jobs.claim()
    assert (again.result_id in claimed, again.tries) == (True, 2)
    GameGrades.objects.update(tries=jobs.MOST_TRIES, claimed_at=again.claimed_at - 2 * jobs.OLD)
    assert jobs.claim() is None


def test_a_game_whose_engine_is_gone_is_not_taken_for_graded(played, grading, monkeypatch):
    monkeypatch.setattr(Grading, "graded", False)
    work()
    assert not GameGrades.objects.filter(graded_at__isnull=False).exists()


def test_grading_again_replaces_a_game_as_a_whole(played, grading):
    work()
    before = len(grading.asked)
    out = StringIO()
    call_command("analyser", "--once", "--again", stdout=out)
    assert len(grading.asked) == 2 * before
    assert GameGrades.objects.count() == before


def test_old_grades_are_seen_until_new_ones_replace_them(played, grading):
    work()
    line = played.results.first().lines.get(seat=1)
    seen = personal.own_rows(line)
    jobs.again()
    assert personal.own_rows(line) == seen != []
    jobs.claim()
    assert personal.own_rows(line) == seen


def test_without_an_engine_the_analyser_says_how_to_get_one(played, grading, monkeypatch):
    monkeypatch.setattr(Grading, "engine", lambda self: None)
    assert work() == "dummygame: no engine is installed: ask a judge.\n"
    assert not GameGrades.objects.exists()


def test_grades_go_with_own_data_and_tell_of_nobody_else(played, grading):
    work()
    line = played.results.first().lines.get(seat=1)
    own = deletion.own_data(line.player)["grades"]
    assert own == personal.own_rows(line) != []
    assert all(row["seat"] == line.seat and "suggested" not in row for row in own)
    name = line.name
    deletion.delete(line.player)
    assert all(name not in str(row) for row in GameGrades.objects.values_list("rows", flat=True))


def test_what_somebody_else_did_on_a_seat_is_not_the_last_sitters():
    sat = (Sitting(0, 7, 0), Sitting(1, 8, 0, end=5), Sitting(1, None, 5, is_bot=True), Sitting(2, 9, 0, end=8))
    owners = {
        (seat, seq): jobs.with_owner({"seat": seat, "seq": seq, "counts": True}, sat, 8)["seat"]
        for seat, seq in ((0, 3), (1, 3), (1, 6), (2, 3), (None, 3))
    }
    # Who left with the last entry is whose line the result has.
    assert owners == {(0, 3): 0, (1, 3): None, (1, 6): 1, (2, 3): 2, (None, 3): None}


def test_every_game_of_the_house_is_graded_anew_when_told_so(played, grading):
    work()
    before, out = len(grading.asked), StringIO()
    call_command("analyse", "--again", stdout=out)
    assert out.getvalue().startswith(f"{GameGrades.objects.count()} games are graded again")
    assert len(grading.asked) == 2 * before
    with locks.analysing():
        call_command("analyse", "--again", stdout=out)
    assert out.getvalue().endswith("An analyser works already: it grades them.\n")
    assert not GameGrades.objects.filter(graded_at__isnull=False).exists()
    for wrong in ([], ["match.mat", "--again"]):
        with pytest.raises(CommandError, match="Name a match file, or --again"):
            call_command("analyse", *wrong, stdout=out)


class Killed(BaseException):
    """The end of a process, which leaves no time to tidy up."""


@pytest.mark.parametrize("point", share_of_day(range(20), 4))
def test_an_analyser_that_is_killed_at_any_point_goes_on_and_grades_the_same(played, grading, monkeypatch, point):
    work()
    found = dict(GameGrades.objects.values_list("result_id", "rows"))
    both = 2 * sum(map(len, found.values()))
    jobs.again()
    seen = []
    rows = Grading.rows

    def killed(self, game, engine):
        for row in rows(self, game, engine):
            seen.append(row)
            if len(seen) == 1 + both * point // 20:
                raise Killed
            yield row

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(Grading, "rows", killed)
        work()
    for grades in GameGrades.objects.all():
        assert len(grades.rows) == len(found[grades.result_id]), "a game has all of its figures or none"
        assert len({row["level"] for row in grades.rows}) == 1
    work()
    assert dict(GameGrades.objects.values_list("result_id", "rows")) == found
    assert set(GameGrades.objects.values_list("depth", flat=True)) == {Depth.DEEP}
