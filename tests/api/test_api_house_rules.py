"""House rules in the API: what a game can be played by, and who sees which set."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from games import plugin
from games.services.house_rules import sets
from games.services.house_rules.sets import HostsMay, SetDraft, SetKeeper
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
GAME = "dummygame"


@pytest.fixture
def house(db: None) -> SetKeeper:
    """Somebody of the staff."""
    return SetKeeper(user=User.objects.create_user("bar", is_staff=True))


def test_a_games_rules_are_its_variants_and_the_sets_on_offer(client, house, host, night) -> None:
    pub = sets.create(house, GAME, SetDraft("Pub", "quick", {"numbers": 4}, HostsMay.CHOOSE))
    sets.create(house, GAME, SetDraft("Hidden", "quick", {}, HostsMay.NOTHING))
    mine = sets.create(SetKeeper(player=host), GAME, SetDraft("Mine", "dicey", {}))
    path = reverse("api_game_rules", args=[GAME])
    answer = client.get(path).json()
    options = plugin.game(GAME).options
    assert [p["id"] for p in answer["presets"]] == [p.id for p in options.presets]
    assert answer["hosts_may"] == "anything"
    (shown,) = answer["sets"]
    assert (shown["id"], shown["version"], shown["hosts_may"]) == (pub.public_id, 1, "choose")
    assert shown["options"] == options.values("quick", {"numbers": 4})
    (difference,) = shown["differences"]
    assert difference == {
        "option": "numbers", "label": "Numbers in a hand", "before": "3", "after": "4",
    }  # fmt: skip
    lines = [line for group in shown["card"]["groups"] for line in group["lines"]]
    assert lines[0] == {
        "option": "numbers",
        "text": "Everybody holds the numbers from 1 to 4.",
        "instead": "Everybody holds the numbers from 1 to 3.",
    }
    assert [one["id"] for one in browser_of(host).get(path).json()["sets"]] == [
        pub.public_id,
        mine.public_id,
    ]


def test_a_set_is_shown_to_whom_it_concerns(client, house, host, night) -> None:
    mine = sets.create(SetKeeper(player=host), GAME, SetDraft("Mine", "dicey", {}))
    path = reverse("api_house_rules", args=[mine.public_id])
    assert browser_of(host).get(path).json()["name"] == "Mine"
    refused = client.get(path)
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_rules")


def test_a_game_that_is_not_there_is_not_found(client) -> None:
    refused = client.get(reverse("api_game_rules", args=["poker"]))
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_game")
