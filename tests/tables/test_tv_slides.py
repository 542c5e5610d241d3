"""The slides of the big screen: whom they name, and in which order."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Night, Result, ResultLine
from games.services.nights import membership
from games.services.people import players
from games.web.tables import tv_slides
from tests.tables.test_log import play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def tonight(start_table, host):
    """A night whose host had another one before, with a winner."""
    before = play_out(start_table("dummygame", seats=2)).night
    Night.objects.filter(pk=before.pk).update(created_at=before.created_at - timedelta(days=7))
    return membership.host_night(host, "Tonight")


def winner_line():
    return ResultLine.objects.order_by("-points").first()


def test_who_won_another_night_and_is_not_here_is_told_as_points(tonight):
    line = winner_line()
    line.player = players.new_guest("Stranger")
    line.name = "Stranger"
    line.save()
    (told,) = tv_slides.nights_slide(tonight).lines
    assert "Stranger" not in str(told) and told[1]


@pytest.mark.parametrize("why", ["here", "listed"])
def test_a_winner_who_is_here_or_in_the_leaderboards_by_choice_is_named(tonight, why):
    line = winner_line()
    line.player = players.new_guest("Known")
    line.name = "Known"
    line.save()
    if why == "here":
        membership.join(tonight, line.player)
    else:
        players.set_listed(line.player, True)
    (told,) = tv_slides.nights_slide(tonight).lines
    assert "Known" in told[1]


def sheets_of(night, *kinds):
    """Give a night results of several games: (game, unit, totals by name)."""
    table = night.tables.first()
    for number, (game_id, unit, totals) in enumerate(kinds, 1):
        at = {"number": number, "finished_at": timezone.now()}
        result = Result.objects.create(table=table, game_id=game_id, unit=unit, **at)
        for index, (name, points) in enumerate(totals.items()):
            ResultLine.objects.create(result=result, seat=index, name=name, points=points, rank=1, is_bot=True)


MATS = ("chicago", "rounds", {"Anna": 3, "Bruno": 0, "Clara": 1})
POINTS = ("chouette", "points", {"Anna": -4, "Bruno": 4})


@pytest.fixture
def evening(start_table):
    """A night with a table and no results yet."""
    night = play_out(start_table("dummygame", seats=2)).night
    Result.objects.all().delete()
    return night


def test_the_fewest_come_first_where_fewer_is_better_and_the_unit_is_said(evening):
    sheets_of(evening, MATS)
    (slide,) = tv_slides.result_slides(evening)
    assert slide.title == "Tonight: Chicago · Rounds paid"
    assert slide.lines == (("Bruno", "0"), ("Clara", "1"), ("Anna", "3"))


def test_all_games_of_tonight_stand_on_one_slide(evening):
    sheets_of(evening, MATS, POINTS)
    (slide,) = tv_slides.result_slides(evening)
    assert slide.title == "Tonight"
    assert slide.lines == (
        ("Chicago · Rounds paid: Bruno", "0"),
        ("Chicago · Rounds paid: Clara", "1"),
        ("Backgammon · Points: Bruno", "+4"),
        ("Backgammon · Points: Anna", "−4"),
    )


def test_the_last_nights_name_the_winners_of_each_game(tonight):
    before = Night.objects.exclude(pk=tonight.pk).get()
    Result.objects.all().delete()
    sheets_of(before, MATS, POINTS)
    slide = tv_slides.nights_slide(tonight)
    assert [(text.split(" · ", 2)[2], end) for text, end in slide.lines] == [
        ("Chicago · Rounds paid", "Bruno 0"),
        ("Backgammon · Points", "Bruno +4"),
    ]
