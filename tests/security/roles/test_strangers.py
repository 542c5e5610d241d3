"""What pages say to whom the house does not know: of a night only where the page is one's."""

from __future__ import annotations

import html
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction

from games import refusals
from games.services.tables import log
from tests.security.roles import roles

pytestmark = pytest.mark.django_db

OF_A_NIGHT = (
    *("night", "table", "replay", "dice", "tournament", "new_table", "owed"),
    *("draw_tables", "regroup", "correct", "answer_correction", "past_game"),
)
"""The first words of the addresses of what belongs to a night."""


def pages_with(sentence: str) -> Iterator[str]:
    """Yield the names of the addresses at which a browser without a player reads a sentence, by a GET or a POST."""
    world = roles.make_world()
    browser = world.browser("nobody")
    for method, name, wanted in roles.rows().values():
        if name.startswith("api_"):
            continue
        where = roles.address(world, name, wanted)
        cache.clear()
        log.forget_all()
        with transaction.atomic():
            answer = browser.get(where) if method == "get" else browser.post(where, roles.sent_form(world))
            transaction.set_rollback(True)
        is_text = not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/")
        if is_text and sentence in html.unescape(answer.content.decode()):
            yield name


def test_only_a_page_of_a_night_says_that_somebody_is_not_at_this_night() -> None:
    told = set(pages_with(refusals.translate("not_inside", {})))
    assert told, "a page of a night says so"
    assert {name for name in told if not name.startswith(OF_A_NIGHT)} == set()


def test_pages_for_guests_of_the_house_tell_a_stranger_how_to_become_one() -> None:
    told = set(pages_with(refusals.translate("guests_only", {})))
    assert told >= {"seasons", "leaders", "player", "past_night", "my_data"}
    assert {name for name in told if name.startswith(("night", "table", "tournament"))} == set()
