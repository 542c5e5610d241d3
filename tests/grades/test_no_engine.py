"""Without an engine every page about one's play says in one line how to get one, and has all the rest."""

from __future__ import annotations

import html

import pytest
from django.urls import reverse

from chouette.analysis import engines, house
from games.models import Table
from tests.grades.judging import play_out
from tests.grades.test_quiz import graded, play, sitter  # noqa: F401
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db

LINE = f"No engine is installed: {engines.HOW_TO_GET_ONE}."


@pytest.fixture
def addresses(start_table) -> list[str]:
    table = play_out(start_table("chouette", "match", match_length=1))
    own = [reverse(name) for name in ("my_play", "my_quiz", "my_matches")]
    return [*own, reverse("study", args=["chouette"]), reverse("replay", args=[table.public_id])]


def said(host, address: str) -> str:
    page = browser_of(host).get(address)
    assert page.status_code == 200, address
    return " ".join(html.unescape(page.content.decode()).split())


@pytest.mark.parametrize("has_engine", [False, True])
def test_every_page_says_how_to_get_an_engine_where_there_is_none(addresses, host, monkeypatch, has_engine):
    monkeypatch.setattr(house, "has_engine", lambda: has_engine)
    for address in addresses:
        assert said(host, address).count(LINE) == (not has_engine), address


def test_a_quiz_goes_on_without_an_engine(graded, monkeypatch):  # noqa: F811
    monkeypatch.setattr(house, "has_engine", lambda: False)
    page = said(sitter(graded, 1), reverse("my_quiz"))
    assert "No engine is installed: " in page and "What do you play with 3-1?" in page


def test_no_engine_is_wished_for_where_none_would_grade(addresses, host, monkeypatch):
    """On a real board the plays are not known."""
    monkeypatch.setattr(house, "has_engine", lambda: False)
    table = Table.objects.get()
    table.options["board"] = "wood"
    table.save(update_fields=["options"])
    assert LINE not in said(host, addresses[-1])
