"""*That is me*: a name of a spreadsheet becomes somebody's by an organiser's yes; a tick lets the name be shown."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Player, Season, SeasonName
from games.services.people import deletion
from games.services.seasons import entrants
from games.services.sharing import links, results
from games.services.sheets import name_claims
from tests.seasons.test_pages import act, browser, page
from tests.seasons.world import FIRST, account, guests, night_of
from tests.sheets.test_sheets import TOTALS, WIDE, refused, take

pytestmark = pytest.mark.django_db


def test_who_opens_the_link_says_who_they_are_and_an_organiser_agrees(olga: Player, season: Season) -> None:
    take(season, olga, WIDE)
    entrants.open_entry(season, olga)
    season.refresh_from_db()
    link = reverse("season_entry", args=[season.public_id, season.entry_key])
    phone = Client()
    text = phone.get(link).content.decode()
    assert "place 1, a guest with 8" in text and "Anna" not in text
    name = SeasonName.objects.get(name="Anna")
    phone.post(link, {"nickname": "Ännchen", "name": name.pk, "listed": "yes"})
    anna = Player.objects.get(nickname="Ännchen")
    assert anna.is_listed and list(season.entrants.values_list("player", flat=True)) == [anna.pk]
    asked = " ".join(page(olga, season).split())
    assert "Ännchen says: “Anna” in a spreadsheet is me." in asked
    assert "2 names of the spreadsheets are nobody's" in asked
    act(olga, season, "decide_name", name=name.pk, agrees="yes")
    name.refresh_from_db()
    assert (name.player, name.claimant) == (anna, None)
    assert [row.name for row in results.of_season(season).rows] == ["Ännchen", ""]
    assert "One name of the spreadsheets is nobody's" in " ".join(page(olga, season).split())


def test_a_no_leaves_the_name_and_whoever_has_it_is_refused(olga: Player, season: Season) -> None:
    anna, eve = guests("Anna", "Eve")
    night_of(olga, FIRST, anna, eve)
    take(season, olga, TOTALS)
    row = SeasonName.objects.get(name="Anna")
    name_claims.claim(season, eve, row.pk)
    refused("name_claimed", name_claims.claim, season, anna, row.pk)
    assert name_claims.claimable(season, eve) == []
    refused("not_organiser", name_claims.ACTS.do, season, eve, "decide_name", {"name": row.pk, "agrees": True})
    name_claims.decide(season, olga, row.pk, False)
    name_claims.claim(season, anna, row.pk)
    deletion.delete(anna)
    row.refresh_from_db()
    assert (row.player, row.claimant) == (None, None)


def test_strangers_say_nothing_and_an_organisers_own_word_is_enough(olga: Player, season: Season) -> None:
    take(season, olga, TOTALS)
    row = SeasonName.objects.get(name="Anna")
    refused("not_in_season", name_claims.claim, season, account("Uli"), row.pk)
    name_claims.claim(season, olga, row.pk)
    row.refresh_from_db()
    assert row.player == olga
    refused("no_such_name", name_claims.claim, season, olga, row.pk)


def test_two_names_of_one_evening_are_not_one_persons(olga: Player, season: Season) -> None:
    (anna,) = guests("Anna")
    night_of(olga, FIRST, anna)
    take(season, olga, WIDE)
    for name in SeasonName.objects.order_by("name"):
        name_claims.claim(season, anna, name.pk)
        if name.name == "Anna":
            name_claims.decide(season, olga, name.pk, True)
        else:
            refused("sheet_person_twice", name_claims.decide, season, olga, name.pk, True)


def test_whether_the_name_may_be_shown_is_asked_once_with_being_counted_in(olga: Player, season: Season) -> None:
    (anna,) = guests("Anna")
    night_of(olga, FIRST, anna)
    phone = browser(anna)
    where = reverse("season", args=[season.public_id])
    assert 'name="listed"' in phone.get(where).content.decode()
    phone.post(reverse("season_act", args=[season.public_id, "enter"]))
    anna.refresh_from_db()
    assert not anna.is_listed
    phone.post(reverse("season_act", args=[season.public_id, "leave"]))
    assert 'name="listed"' not in phone.get(where).content.decode()


def test_links_and_texts_of_seasons_have_share_and_copy(olga: Player, season: Season) -> None:
    links.open_season(season, olga)
    entrants.open_entry(season, olga)
    text = page(olga, season)
    for field in ("season-entry", "share-link"):
        assert f'data-share="#{field}"' in text and f'data-copy="#{field}"' in text
