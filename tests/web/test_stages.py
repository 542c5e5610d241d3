"""A game that is not finished says so where it is chosen and where its table waits."""

from __future__ import annotations

import pytest
from django.utils import translation

from games.models import Night, Player
from games.plugin import game
from games.services.tables import setup
from tests.languages import EVERY
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def test_a_finished_game_lacks_nothing_in_any_language() -> None:
    for language in EVERY:
        with translation.override(language):
            assert game("chouette").lacks == () == game("chicago").lacks


def test_what_a_game_lacks_stands_in_the_choice_of_games_and_at_its_table(night: Night, host: Player) -> None:
    table = setup.open_table(night, host, "bluffing", "pub", {})
    browser = browser_of(host, headers={"accept-language": "de"})
    with translation.override("de"):
        (words, *_others) = game("bluffing").lacks
        text = str(words)
    for address in (f"/night/{night.public_id}/tables/new/", f"/table/{table.public_id}/"):
        assert text in browser.get(address).content.decode(), address
