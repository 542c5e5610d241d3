"""The big screen's slides name nobody whom tonight's guests have not met."""

from datetime import timedelta

import pytest

from games.models import Night, ResultLine
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
