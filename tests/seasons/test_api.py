"""Seasons on the API: the same people are seen by name as on the page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Player, Season
from games.services.people import tokens
from games.services.seasons import entrants
from tests.seasons.test_pages import browser
from tests.seasons.world import THURSDAYS, evening, guests, night_of

pytestmark = pytest.mark.django_db


def names(player: Player, season: Season) -> list[str | None]:
    """Return the names in the standing that the API tells a player."""
    told = browser(player).get(reverse("api_season", args=[season.public_id])).json()
    return [row["player"] and row["player"]["name"] for row in told["standing"]]


def test_the_api_names_whom_the_asker_may_see_and_keeps_the_points_of_the_others(olga: Player, season: Season) -> None:
    anna, bert, carl, eve = guests("Anna", "Bert", "Carl", "Eve")
    evening(olga, THURSDAYS[0], {anna: 4, bert: -4})
    evening(olga, THURSDAYS[1], {carl: 3, bert: -3})
    assert names(olga, season) == ["Anna", "Carl", "Bert"]
    assert names(anna, season) == ["Anna", None, "Bert"]
    for player in (anna, carl):
        entrants.enter(season, player)
    assert names(anna, season) == ["Anna", "Carl", "Bert"]
    address = reverse("api_season", args=[season.public_id])
    assert browser(eve).get(address).status_code == 403
    assert browser(anna).get(reverse("api_season", args=["nothing"])).status_code == 404


def test_a_token_reads_the_seasons_of_its_account(olga: Player, season: Season) -> None:
    night_of(olga, THURSDAYS[0])
    _row, token = tokens.create(olga.user, "Script")
    client = browser(guests("Anna")[0])
    found = client.get(reverse("api_seasons"), headers={"Authorization": f"Bearer {token}"}).json()
    assert [each["id"] for each in found["results"]] == [season.public_id]
    assert client.get(reverse("api_seasons")).json()["results"] == []
