"""People see those whom they met; leaderboards show who chose to be shown."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.models import Membership, Player
from games.services.history import player_history
from games.services.nights import membership
from games.services.people import merging, players
from tests import years
from tests.people.browsers import log_in, make_account
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


@pytest.fixture
def house() -> list[Player]:
    """Twelve players of many nights, with results among them."""
    found = years.players(12)
    years.years(100, found)
    return found


@pytest.fixture
def stranger() -> Player:
    """Somebody who opened an empty night of their own."""
    player = players.new_guest("Stranger")
    membership.host_night(player, "Nobody comes")
    return player


def names(browser, path: str) -> set[str]:
    answer = browser.get(path)
    assert answer.status_code == 200, answer.content[:200]
    return {row["name"] for row in answer.json()["results"]}


def test_who_opens_an_empty_night_browses_nobody(house, stranger):
    browser = browser_of(stranger)
    page = browser.get(reverse("players")).content.decode()
    assert "Stranger" in page
    assert not any(player.nickname in page for player in house)
    assert names(browser, "/api/players/") == {"Stranger"}
    for player in house:
        assert browser.get(reverse("player", args=[player.pk])).status_code == 403
        for part in ("", "results/", "rivals/"):
            answer = browser.get(f"/api/players/{player.pk}/{part}")
            assert (answer.status_code, answer.json()["code"]) == (403, "not_met")


def test_people_see_those_whom_they_met_at_a_night(house, stranger):
    membership.join(membership.host_night(house[3], "Friday"), stranger)
    browser = browser_of(stranger)
    assert names(browser, "/api/players/") == {"Stranger", house[3].nickname}
    assert browser.get(reverse("player", args=[house[3].pk])).status_code == 200
    assert browser.get(reverse("player", args=[house[4].pk])).status_code == 403
    assert browser_of(house[3]).get(reverse("player", args=[stranger.pk])).status_code == 200


def test_of_somebody_else_only_those_rivals_are_told_whom_one_met_too(house, stranger):
    membership.join(membership.host_night(house[3], "Friday"), stranger)
    assert len(player_history.rivals(house[3], player_history.lines_of(house[3], player_history.Filters()))) > 2
    answer = browser_of(stranger).get(f"/api/players/{house[3].pk}/rivals/").json()
    assert answer["rivals"] == []
    page = browser_of(stranger).get(reverse("player", args=[house[3].pk])).content.decode()
    assert not any(player.nickname in page for player in house if player != house[3])
    assert browser_of(house[3]).get(f"/api/players/{house[3].pk}/rivals/").json()["rivals"]


@pytest.mark.parametrize("status", [Membership.Status.WAITING, Membership.Status.KICKED])
def test_who_only_waits_or_was_shown_the_door_meets_nobody(house, stranger, status):
    night = membership.host_night(house[3], "Friday")
    Membership.objects.create(night=night, player=stranger, status=status)
    assert not player_history.has_met(stranger, house[3].pk)
    assert player_history.has_met(house[3], stranger.pk) == (status == Membership.Status.KICKED)


def test_leaderboards_show_who_chose_to_be_shown_and_at_first_nobody(house):
    browser, board = browser_of(house[0]), "/api/leaderboards/?game=chouette"
    shown = [row["player"]["name"] for row in browser.get(board).json()["results"]]
    assert shown == []
    page = browser.get("/leaders/?game=chouette").content.decode()
    assert not any(player.nickname in page for player in house[1:])
    browser_of(house[4]).post(reverse("be_listed"), {"listed": "on"})
    browser_of(house[5]).post(reverse("be_listed"), {"listed": "on"})
    browser_of(house[5]).post(reverse("be_listed"), {})
    shown = [row["player"]["name"] for row in browser.get(board).json()["results"]]
    assert shown == [house[4].nickname]
    assert house[4].nickname in browser.get("/leaders/?game=chouette").content.decode()


def test_a_name_in_a_leaderboard_leads_to_its_page_only_for_those_who_met(house, stranger):
    Player.objects.filter(pk=house[4].pk).update(is_listed=True)
    link = f'href="{reverse("player", args=[house[4].pk])}"'
    for reader, is_link in ((house[0], True), (stranger, False)):
        page = browser_of(reader).get("/leaders/?game=chouette").content.decode()
        assert house[4].nickname in page
        assert (link in page) == is_link


def test_who_is_joined_to_another_player_is_shown_as_that_one_chose(house, stranger):
    guest = players.new_guest("Uli")
    players.set_listed(guest, True)
    merging.merge(guest, stranger)
    assert not Player.objects.get(pk=stranger.pk).is_listed


def test_the_choice_is_the_players_own_and_is_told_with_their_data(house):
    make_account("kari")
    browser = browser_of(house[2])
    log_in(browser)
    page = browser.get(reverse("me")).content.decode()
    assert 'name="listed"' in page
    assert browser_of().post(reverse("be_listed"), {"listed": "on"}).status_code == 403
    assert browser_of(house[6]).post(reverse("my_data_file")).json()["player"]["in_leaderboards"] is False
