"""House rules on the site: keeping them, their history, their files."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import HouseRules
from games.services.house_rules import sets
from games.services.house_rules.sets import SetDraft, SetKeeper
from games.web.house_rules.options_form import PREFIX
from tests.house_rules.pages import GAME, at, filled, html
from tests.house_rules.test_form import posted
from tests.web.pages import browser_of, read

pytestmark = pytest.mark.django_db

# Keeping sets.


def test_staff_keeps_the_houses_sets_by_the_form_of_the_declaration(bar):
    path = reverse("rule_new", args=[GAME])
    page = read(html(bar.get(f"{path}?preset=dicey")))
    assert all(page.by_id(f"{PREFIX}{o}") for o in ("numbers", "reuse", "rounds", "prize"))
    answer = bar.post(path, filled("Thursday", "dicey", hosts_may="choose", numbers=7))
    rules = HouseRules.objects.get()
    assert answer["Location"] == at("rule_set", rules)
    assert (rules.owner, rules.preset, rules.hosts_may) == (None, "dicey", "choose")
    assert rules.options["numbers"] == 7
    text = html(bar.get(answer["Location"]))
    assert "Everybody holds the numbers from 1 to 7." in text
    assert "Numbers in a hand" in text


def test_hosts_keep_sets_of_their_own(host, night):
    browser = browser_of(host)
    browser.post(reverse("rule_new", args=[GAME]), filled("Mine", hosts_may="nothing"))
    rules = HouseRules.objects.get()
    assert (rules.owner, rules.hosts_may) == (host, "change")
    assert "Mine" in html(browser.get(reverse("rule_sets")))


def test_guests_and_strangers_keep_nothing(make_player, make_rules, host, night):
    of_host = sets.create(SetKeeper(player=host), GAME, SetDraft("Mine", "quick", {}))
    of_house = make_rules()
    for browser in (browser_of(), browser_of(make_player("Kari"))):
        assert browser.post(reverse("rule_new", args=[GAME]), filled("x")).status_code == 403
        assert browser.get(at("rule_set", of_host)).status_code == 404
        assert browser.get(at("rule_change", of_house)).status_code == 403
        for act in ("archive", "default", "duplicate", "restore", "no_default"):
            assert browser.post(at("rule_act", of_house, act)).status_code == 403
        policy = reverse("rule_policy", args=[GAME])
        assert browser.post(policy, {"hosts_may": "sets_only"}).status_code == 403
        assert browser.get(reverse("rule_import")).status_code == 403
        assert browser.get(at("rule_set", of_house)).status_code == 200
    assert HouseRules.objects.count() == 2


def test_staff_without_the_right_keeps_nothing(make_rules, night):
    client = browser_of()
    client.force_login(User.objects.create_user("waiter", is_staff=True))
    assert client.post(at("rule_act", make_rules(), "archive")).status_code == 403


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"o-numbers": "99"}, "o-numbers", "This is a number from 3 to 9."),
        ({"o-wins": "lowest", "o-ties": "die"}, "o-ties", "A die breaks ties of the highest"),
        ({"name": ""}, "set-name", "Give the rules a name"),
        ({"name": "Taken"}, "set-name", "Other rules of this game have this name"),
        ({"hosts_may": "all"}, "hosts-may-error", "hosts_may"),
    ],
)
def test_a_bad_set_is_refused_with_the_reason_at_the_field(bar, make_rules, changes, field, reason):
    make_rules("Taken")
    answer = bar.post(reverse("rule_new", args=[GAME]), filled("New", "dicey") | changes)
    text = html(answer)
    assert answer.status_code == 400
    assert HouseRules.objects.count() == 1
    near = text[text.index(f'"{field}') :]
    assert reason in near[:1800]


def test_a_change_makes_a_version_which_can_be_looked_at_and_brought_back(bar, make_rules):
    rules = make_rules(numbers=4)
    path = at("rule_change", rules)
    assert 'value="4"' in html(bar.get(path))
    bar.post(path, filled(version=1, numbers=8))
    text = html(bar.get(at("rule_set", rules)))
    assert "Version 2" in text
    assert "Numbers in a hand: 4 → <strong>8</strong>" in text
    assert "numbers from 1 to 4." in html(bar.get(at("rule_version", rules, 1)))
    assert read(html(bar.get(f"{path}?version=1"))).by_id("o-numbers").attrs["value"] == "4"
    assert bar.get(at("rule_version", rules, 9)).status_code == 404
    stale = bar.post(path, filled(version=1, numbers=5))
    assert stale.status_code == 400
    assert "have just been changed" in html(stale)


def test_what_is_done_with_a_set_is_done_from_its_page(bar, make_rules):
    rules = make_rules()
    for act, check in (
        ("default", lambda r: r.is_default),
        ("no_default", lambda r: not r.is_default),
        ("archive", lambda r: r.status == "archived"),
        ("restore", lambda r: r.status == "active"),
    ):
        assert bar.post(at("rule_act", rules, act))["Location"] == at("rule_set", rules)
        rules.refresh_from_db()
        assert check(rules), act
        assert bar.get(at("rule_set", rules)).status_code == 200
    bar.post(at("rule_act", rules, "duplicate"))
    assert HouseRules.objects.filter(name="Pub (2)").exists()
    assert bar.post(at("rule_act", rules, "burn")).status_code == 404


def test_the_preview_shows_the_card_and_the_difference(bar):
    sent = filled("Live", numbers=9) | {"diff": "1"}
    text = html(bar.post(reverse("rules_preview", args=[GAME]), sent))
    assert "Live" in text
    assert "Everybody holds the numbers from 1 to 9." in text
    assert 'id="rules-diff"' in text
    assert 'id="rules-diff"' not in html(bar.post(reverse("rules_preview", args=[GAME]), posted(GAME, "quick")))


# Files.


def test_a_set_goes_out_as_a_file_and_comes_in_elsewhere(bar, make_rules, host, night):
    answer = bar.get(at("rule_export", make_rules("Öl & Würfel", numbers=7)))
    assert "attachment" in answer["Content-Disposition"]
    sent = SimpleUploadedFile("x.json", answer.content, "application/json")
    browser = browser_of(host)
    answer = browser.post(reverse("rule_import"), {"file": sent})
    mine = HouseRules.objects.get(owner=host)
    assert answer["Location"] == at("rule_set", mine)
    assert (mine.name, mine.options["numbers"]) == ("Öl & Würfel", 7)


def test_a_bad_file_is_refused_with_every_reason(bar, make_rules):
    whole = json.loads(bar.get(at("rule_export", make_rules())).content)
    whole["sets"][0]["options"] |= {"numbers": 99, "\ud800": 1}
    sent = SimpleUploadedFile("x.json", json.dumps(whole).encode(), "application/json")
    answer = bar.post(reverse("rule_import"), {"file": sent})
    text = html(answer)
    assert answer.status_code == 400
    assert "This is a number from 3 to 9." in text
    assert "sets[0].options.numbers" in text
    assert bar.post(reverse("rule_import")).status_code == 400
    assert HouseRules.objects.count() == 1
