"""Rules pages are made once for all their readers: what a stranger may load often costs the house little."""

from __future__ import annotations

from typing import Any

import pytest
from django.template import Context, Template
from django.template.autoreload import reset_loaders
from django.urls import reverse

from games import plugin
from games.web.house_rules import rules
from tests.languages import EVERY
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db
GAMES = ("chicago", "chouette", "dummygame")


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Begin as a new process does."""
    reset_loaders()


def counting(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Any]:
    """Count the calls of a function of the rules pages."""
    calls, function = [], getattr(rules, name)

    def counted(*args: Any) -> Any:
        calls.append(args)
        return function(*args)

    monkeypatch.setattr(rules, name, counted)
    return calls


@pytest.mark.parametrize("game_id", GAMES)
def test_a_rules_page_is_made_once_for_all_its_readers_of_a_language(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [counting(monkeypatch, name) for name in ("comparison", "rules_card")]
    page = reverse("rules", args=[game_id])
    texts = {}
    for language in (*EVERY, *EVERY):
        html = browser_of().get(page, headers={"accept-language": language}).content.decode()
        body = html[html.index("<main") : html.index("</main")]
        assert texts.setdefault(language, body) == body
    assert len(set(texts.values())) == len(EVERY)
    comparisons, cards = map(len, made)
    assert comparisons == len(EVERY)
    assert cards in (0, len(EVERY) * len(plugin.game(game_id).options.presets))


def test_the_odds_on_a_rules_page_are_not_drawn_for_each_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    from chicago.templatetags import chicago_rules

    calls, chart = [], chicago_rules._chart
    monkeypatch.setattr(chicago_rules, "_chart", lambda *args: calls.append(args) or chart(*args))
    for _ in range(5):
        assert browser_of().get(reverse("rules", args=["chicago"])).status_code == 200
    assert len(calls) == len(plugin.game("chicago").options.presets)


def test_what_is_kept_goes_by_its_place_and_its_key() -> None:
    text = Template("{% load house %}{% kept key %}{{ value }}{% endkept %}{% kept key %}{{ value }}!{% endkept %}")
    shown = [text.render(Context({"key": key, "value": value})) for key, value in ("a1", "a2", "b3", "a4")]
    assert shown == ["11!", "11!", "33!", "11!"]


def test_with_debug_every_reader_gets_what_was_changed_last(settings: Any) -> None:
    settings.DEBUG = True
    text = Template("{% load house %}{% kept 'a' %}{{ value }}{% endkept %}")
    assert [text.render(Context({"value": value})) for value in "12"] == ["1", "2"]
