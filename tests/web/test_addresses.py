"""An address that stands in the browser's bar leads somewhere."""

import pytest
from django.urls import reverse

from games import plugin
from games.services.house_rules.cards import rules_card
from games.services.nights import membership
from games.web.house_rules.options_form import OptionsForm
from tests.web.pages import browser_of, night_do, night_page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "args", "leads_to"),
    [
        ("host", [], "home"),
        ("practice", ["chouette"], "home"),
        ("set_language", [], "home"),
        ("be_listed", [], "me"),
        ("hide_grades", [], "me"),
        ("my_data_delete", [], "my_data"),
        ("rule_policy", ["chicago"], "rule_sets"),
        ("my_moves", [], "me"),
        ("my_play", [], "me"),
        ("my_quiz", [], "me"),
        ("my_matches", [], "me"),
    ],
)
def test_a_look_at_the_address_of_a_form_leads_to_its_page(name, args, leads_to):
    answer = browser_of().get(reverse(name, args=args))
    assert (answer.status_code, answer["Location"]) == (302, reverse(leads_to))
    assert browser_of().put(reverse(name, args=args)).status_code in {403, 405}


def test_the_page_of_a_stranger_has_no_link_to_what_others_ask(make_player):
    assert reverse("my_moves") not in browser_of().get(reverse("me")).content.decode()
    assert browser_of(make_player("Kari")).get(reverse("my_moves")).status_code == 200


def test_after_closing_the_host_sees_the_results_and_nobody_is_at_the_night_any_more(night, host, make_player):
    membership.join(night, make_player("Kari"))
    browser = browser_of(host)
    assert "is at the night" in browser.get(night_page(night)).content.decode()
    answer = browser.post(night_do(night, "close"))
    assert answer["Location"] == reverse("night_results", args=[night.public_id])
    page = browser.get(night_page(night)).content.decode()
    assert "was at the night" in page
    assert "is at the night" not in page


@pytest.mark.parametrize("game_id", ["chouette", "chicago"])
def test_a_rules_card_and_a_form_have_each_heading_once(game_id):
    game = plugin.game(game_id)
    for preset in game.options.presets:
        values = game.options.values(preset.id)
        titles = [group.title for group in rules_card(game_id, preset.id, values).groups]
        assert len(titles) == len(set(titles))
        headings = [group.label for group in OptionsForm(game.options, values).groups()]
        assert len(headings) == len(set(headings))
