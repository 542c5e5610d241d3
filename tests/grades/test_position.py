"""The position of a night: everybody votes, then comes the engine's list; names only where `skill_shown` allows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import GameGrades, Night, PositionVote, Table
from games.services.grades import position
from games.services.nights import membership
from games.services.people import deletion, merging, players
from games.web.tables.tv_slides import position_slide
from tests.grades.test_quiz import graded, play, sitter  # noqa: F401
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 1, 20, tzinfo=UTC)


@pytest.fixture
def evening(graded):  # noqa: F811
    """The night of a finished table at which seat 1 made the costliest mistake."""
    for grades in GameGrades.objects.all():
        grades.rows = [play(0, 0.1, "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10"), play(1, 0.4)]
        grades.save()
    return graded.night


def seen(evening, player, now=NOW):
    cache.clear()
    return position.of_night(evening, player, now)


def test_the_costliest_mistake_is_asked_and_the_answer_comes_after_ones_own_vote(graded, evening):  # noqa: F811
    kari, per = sitter(graded, 0), sitter(graded, 2)
    before = seen(evening, kari)
    assert before.exercise.played == "24/20" and not before.is_told and not before.votes and not before.name
    position.vote(evening, kari, before.key, "24/20", NOW)
    position.vote(evening, kari, before.key, "8/5 6/5", NOW)
    after = seen(evening, kari)
    assert (after.mine, after.votes, after.is_told) == ("24/20", {"24/20": 1}, True)
    assert not seen(evening, per).is_told


def test_a_screen_waits_for_everybody_or_three_minutes(graded, evening):  # noqa: F811
    assert not seen(evening, None).is_told
    key = seen(evening, None).key
    position.vote(evening, sitter(graded, 0), key, "24/20", NOW)
    assert not seen(evening, None).is_told
    assert seen(evening, None, NOW + timedelta(minutes=3)).is_told
    assert position_slide(evening).title == "The position of the night: what would you choose?"
    for seat in (1, 2):
        position.vote(evening, sitter(graded, seat), key, "8/5 6/5", NOW)
    inside = evening.memberships.filter(status="in").count()
    assert seen(evening, None).is_told == (PositionVote.objects.count() >= inside)


def test_a_screen_shows_every_way_to_choose_and_later_all_of_the_engines_list(graded, evening):  # noqa: F811
    listed = [["8/5 6/5", 0.1], ["13/9", 0.06], ["13/10 6/5", 0.05], ["24/23 13/10", 0.0], ["8/4", -0.1]]
    for grades in GameGrades.objects.all():
        grades.rows = [play(1, 0.4) | {"listed": [*listed, ["24/20", -0.3]]}]
        grades.save()
    cache.clear()
    ways = {text for text, _ in listed} | {"24/20"}
    assert {text for text, _ in position_slide(evening).lines} > ways
    for member in evening.memberships.filter(status="in"):
        position.vote(evening, member.player, seen(evening, None).key, "24/20", NOW)
    cache.clear()
    assert {text.rpartition(" (")[0] for text, _ in position_slide(evening).lines} > ways


@pytest.mark.parametrize("rule", ["own", "table", "all"])
def test_whose_it_was_is_told_as_the_house_rule_says(graded, evening, make_player, rule):  # noqa: F811
    graded.options["skill_shown"] = rule
    graded.save(update_fields=["options"])
    olga = make_player("Olga")
    membership.join(evening, olga)
    evening.status = Night.Status.CLOSED
    name = sitter(graded, 1).nickname
    wanted = {"own": {1}, "table": {0, 1, 2, "screen"}, "all": {0, 1, 2, "screen", "olga"}}[rule]
    readers = {seat: sitter(graded, seat) for seat in range(3)} | {"olga": olga, "screen": None}
    assert {who for who, reader in readers.items() if seen(evening, reader).name == name} == wanted
    assert all(seen(evening, reader).name in ("", name) for reader in readers.values())


def test_who_hides_their_grades_is_no_position_and_nothing_is_taken_from_a_table_in_play(graded, evening):  # noqa: F811
    players.set_hides_grades(sitter(graded, 1), True)
    assert seen(evening, sitter(graded, 0)).exercise.question.values == {"dice": "3-1"}
    assert seen(evening, sitter(graded, 0)).exercise.candidates[-1].error == pytest.approx(0.1)
    Table.objects.update(status=Table.Status.PLAYING)
    assert seen(evening, sitter(graded, 0)) is None


def test_the_position_stays_once_somebody_has_voted(graded, evening):  # noqa: F811
    key = seen(evening, None).key
    position.vote(evening, sitter(graded, 0), key, "24/20", NOW)
    for grades in GameGrades.objects.all():
        grades.rows = [*grades.rows, play(2, 0.9, "XGID=-b----E-C---eE---c-e----B-:0:0:1:66:0:0:0:0:10")]
        grades.save()
    assert seen(evening, None).key == key


def test_a_vote_that_is_none_and_one_in_a_closed_night_are_refused(graded, evening):  # noqa: F811
    key = seen(evening, None).key
    for given in ((key, "1/2"), ("x", "24/20")):
        with pytest.raises(Illegal, match="no_such_exercise"):
            position.vote(evening, sitter(graded, 0), *given, NOW)
    evening.status = Night.Status.CLOSED
    with pytest.raises(Illegal, match="night_closed"):
        position.vote(evening, sitter(graded, 0), key, "24/20", NOW)


def test_the_page_of_the_results_and_the_api_ask_and_then_tell(graded, evening, make_player):  # noqa: F811
    browser, where = browser_of(sitter(graded, 0)), reverse("night_results", args=[evening.public_id])
    page = browser.get(where).content.decode()
    assert "The position of the night" in page and "judge" not in page and "0.400" not in page
    api = reverse("api_night_position", args=[evening.public_id])
    asked = browser_of(sitter(graded, 2)).get(api).json()["position"]
    assert asked["ways"] is None and asked["votes"] == {} and asked["name"] == ""
    sent = {"key": asked["key"], "choice": "24/20"}
    browser.post(reverse("night_position", args=[evening.public_id]), sent)
    page = browser.get(where).content.decode()
    assert "0.400" in page and "your choice" in page and "chosen in the game" not in page
    told = browser_of(sitter(graded, 2)).post(api, sent, content_type="application/json").json()["position"]
    assert told["ways"][0]["text"] == "8/5 6/5" and told["votes"] == {"24/20": 2} and told["name"] == ""
    outside = browser_of(make_player("Else"))
    assert outside.post(reverse("night_position", args=[evening.public_id]), sent).status_code == 403
    assert outside.get(api).status_code == 403


def test_votes_go_over_in_a_merger_into_ones_own_data_and_with_a_deletion(graded, evening, make_player):  # noqa: F811
    kari, target = sitter(graded, 1), make_player("Target")
    key = seen(evening, None).key
    position.vote(evening, kari, key, "24/20", NOW)
    assert deletion.own_data(kari)["position_votes"][0]["choice"] == "24/20"
    PositionVote.objects.create(night=evening, player=target, key=key, choice="8/5 6/5", voted_at=NOW)
    merging.merge(kari, target)
    assert PositionVote.objects.get().choice == "8/5 6/5"
    deletion.delete(target)
    assert not PositionVote.objects.exists()
