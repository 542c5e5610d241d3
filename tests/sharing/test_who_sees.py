"""Readers of a season, and whom they see by name: one table over the page, its file, figures, API and links."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import Night, Player, Season, ShareLink
from games.services.people import players
from games.services.seasons import entrants
from games.services.sharing import links
from tests.seasons.test_pages import browser
from tests.seasons.world import THURSDAYS, account, evening, guests, make

pytestmark = pytest.mark.django_db

ANNA, BERT, CARL, DORA = "Anna", "Bertram", "Carlos", "Dorothea"
SEEN = {
    # Anna and Bert were at the first night, Carl and Dora at the second; Carl and Eva are entrants, Dora is listed.
    "stranger": None,
    "another guest": None,
    "guest": {ANNA, BERT, DORA},
    "entrant": {CARL, DORA},
    "entrant who was never there": {CARL, DORA},
    "host of a night": {ANNA, BERT, CARL, DORA},
    "organiser": {ANNA, BERT, CARL, DORA},
    "second organiser": {ANNA, BERT, CARL, DORA},
    "staff": {ANNA, BERT, CARL, DORA},
}
"""Reader → the people whom they see by name; None: the season is not shown to them."""
PAGES = ("season", "season_live", "season_csv", "season_figures", "api_season", "api_season_figures")
BY_LINK = ("shared", "api_shared")


@pytest.fixture
def season(db: None) -> Season:
    """A season of Olga's: its first night is Hedda's, whose rows Olga has put in, the second one her own."""
    olga, hedda = account("Olga"), account("Hedda")
    season = make(olga)
    anna, bert, carl, dora = guests(ANNA, BERT, CARL, DORA)
    theirs = evening(hedda, THURSDAYS[0], {anna: 4, bert: -4})
    season.nights.create(night=theirs)
    evening(olga, THURSDAYS[1], {carl: 3, dora: -3})
    players.set_listed(dora, True)
    entrants.enter(season, carl)
    season.entrants.create(player=guests("Eva")[0])
    season.second = account("Siri")
    season.save()
    return season


def readers(season: Season) -> dict[str, Client]:
    """Return a browser of each reader of the table."""
    named = {each.nickname: each for each in Player.objects.all()}
    boss = account("Boss")
    User.objects.filter(pk=boss.user_id).update(is_staff=True)
    boss.refresh_from_db()
    return {
        "stranger": Client(),
        "another guest": browser(guests("Fred")[0]),
        "guest": browser(named[ANNA]),
        "entrant": browser(named[CARL]),
        "entrant who was never there": browser(named["Eva"]),
        "host of a night": browser(named["Hedda"]),
        "organiser": browser(named["Olga"]),
        "second organiser": browser(named["Siri"]),
        "staff": browser(boss),
    }


def seen_at(client: Client, name: str, about: str) -> set[str] | None:
    """Return who is named at an address; None for a refusal."""
    answer = client.get(reverse(name, args=[about]))
    if answer.status_code != 200:
        assert answer.status_code in (401, 403), (name, answer.status_code)
        return None
    text = b"".join(answer) if answer.streaming else answer.content
    return {each for each in (ANNA, BERT, CARL, DORA) if each in text.decode()}


def test_each_reader_sees_the_same_people_everywhere(season: Season) -> None:
    found = {
        (reader, page): seen_at(client, page, season.public_id)
        for reader, client in readers(season).items()
        for page in PAGES
    }
    assert found == {(reader, page): SEEN[reader] for reader in SEEN for page in PAGES}


def test_whoever_has_the_link_sees_listed_people_alone_whoever_they_are(season: Season) -> None:
    olga = Player.objects.get(nickname="Olga")
    links.open_season(season, olga)
    links.open_night(Night.objects.get(opened_by=olga), olga)
    asking = readers(season)
    for link in ShareLink.objects.all():
        for reader, client in asking.items():
            for name in BY_LINK:
                assert seen_at(client, name, link.key) == {DORA}, (reader, name)
