"""Two who were at one table, in one result or drawn in one tournament are two people, whoever wants to join them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import Membership, Player, Season, TournamentEntry
from games.services.hosting import claims
from games.services.people import accounts, merging, two_people
from games.services.seasons import proposals
from tests.admin.pages import ask_path
from tests.seasons.test_pages import browser, page
from tests.seasons.world import FIRST, account, guests, make, night_of, play
from tests.tournaments.world import Evening
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def refused(code: str):
    return pytest.raises(Illegal, match=f"'{code}'")


@pytest.fixture
def cup() -> Evening:
    """A tournament of which the first matches are drawn, with a bye."""
    evening = Evening("Anna", "Bert", "Carl")
    evening.begin()
    return evening


def test_two_who_were_drawn_in_one_tournament_are_never_joined_by_a_match_or_a_bye(cup: Evening) -> None:
    for one, other in (("Anna", "Bert"), ("Bert", "Carl"), ("Carl", "Anna")):
        if all(map(two_people.is_drawn, two_people.entered_twice(cup.people[one], cup.people[other])[0])):
            with refused("same_tournament"):
                merging.merge(cup.people[one], cup.people[other])
    drawn = {key for entry in TournamentEntry.objects.all() for key in entry.data.get("players", ())}
    assert len(drawn) >= 2


def test_neither_an_admin_nor_a_claim_joins_them(cup: Evening) -> None:
    anna, bert = (cup.player(key) for key in cup.read().state["matches"][0]["players"])
    User.objects.create_superuser("chief", password="x")
    admin = Client()
    admin.force_login(User.objects.get(username="chief"))
    page = admin.get(ask_path("player", "merge", anna, bert)).content.decode()
    assert 'data-code="same_tournament"' in page and "Join them" not in page
    admin.post(ask_path("player", "merge", anna, bert), {"keep": anna.pk, "sure": "on"})
    bert.refresh_from_db()
    assert bert.merged_into is None
    accounts.own_player(User.objects.create_user("bert"), "Bert")
    bert.user = User.objects.create_user("bert2")
    bert.save()
    with refused("same_tournament"):
        claims.create(cup.night, bert, anna.pk)


def test_a_lost_phone_that_entered_anew_and_was_not_drawn_stands_in_the_tournament_once(cup: Evening) -> None:
    again = cup.joined("Anna 2")
    cup.do(cup.host, "enter", players=[again.pk])
    assert not two_people.is_drawn(two_people.entered_twice(again, cup.people["Anna"])[0][0])
    merging.merge(again, cup.people["Anna"])
    assert cup.tournament.participants.filter(player=cup.people["Anna"]).count() == 1
    playing = [each["player"] for each in cup.read().state["players"] if each["status"] != "withdrawn"]
    assert len(playing) == 3


# What is asked


def test_the_admin_shows_both_asks_where_both_were_and_preselects_nobody(
    make_player: Callable[[str], Player], staff_browser: Client
) -> None:
    olga, anna, anne = account("Olga"), *guests("Anna", "Anne")
    night_of(olga, FIRST, anna, anne)
    address = ask_path("player", "merge", anna, anne)
    text = staff_browser.get(address).content.decode()
    assert "both were at" in text and "checked" not in text
    staff_browser.post(address, {"keep": str(anna.pk)})
    assert Player.objects.get(pk=anne.pk).merged_into is None
    staff_browser.post(address, {"keep": str(anna.pk), "sure": "on"})
    assert Player.objects.get(pk=anne.pk).merged_into == anna


@pytest.fixture
def staff_browser() -> Client:
    """The browser of a superuser."""
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


def test_an_organiser_chooses_both_sees_both_and_says_that_they_are_one(settings) -> None:
    settings.VETO_SECONDS = 0
    olga, (anna, anne) = account("Olga"), guests("Anna", "Anne")
    season = make(olga)
    night = night_of(olga, FIRST, anna, anne)
    Membership.objects.filter(night=night).exclude(player=olga).update(keeper=olga)
    for person in (anna, anne):
        play(night, {olga: 1, person: -1})
    shown = page(olga, season)
    assert "please choose" in shown and f'value="{anna.pk}" selected' not in shown
    both = browser(olga).get(reverse("season", args=[season.public_id]), {"one": anna.pk, "other": anne.pk})
    assert "both were at" in both.content.decode()
    assert "Choose the two" in asked(olga, season, {"one": anna.pk, "other": anna.pk})
    with refused("both_there"):
        proposals.propose(season, olga, anna.pk, anne.pk)
    assert proposals.propose(season, olga, anna.pk, anne.pk, sure=True) is None
    assert Player.objects.filter(merged_into__isnull=False).count() == 1


def asked(by: Player, season: Season, choice: dict[str, int]) -> str:
    """Return the season's page for a choice of two people."""
    return browser(by).get(reverse("season", args=[season.public_id]), choice).content.decode()


def test_a_match_of_a_tournament_is_a_match_and_no_table_in_ones_own_data() -> None:
    evening = Evening("Kari", "Nils", medium="screen")
    evening.begin()
    kari = evening.people["Kari"]
    summary = two_people.summary(kari)
    assert (summary.tables, summary.matches) == (0, 1)
    shown = dict(
        re.findall(r"<dt>(\w+)</dt><dd><strong>(\d+)", browser_of(kari).get(reverse("my_data")).content.decode())
    )
    assert (shown["Tables"], shown["Matches"]) == ("0", "1")
