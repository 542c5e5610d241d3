"""House rules by name at a table: what is on offer, what is fixed, what has changed since."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import plugin
from games.models import HouseRules, Table
from games.services.house_rules import sets
from games.services.house_rules.sets import HostsMay, SetDraft, SetKeeper
from games.services.tables import setup
from tests.house_rules.pages import GAME, at, filled, html
from tests.house_rules.test_form import new_table, posted
from tests.web.pages import browser_of, page_of, read, table_do

pytestmark = pytest.mark.django_db


# At a table.


def test_a_new_table_starts_from_the_houses_default(host, night, make_rules, bar):
    bar.post(at("rule_act", make_rules("Pub", numbers=4), "default"))
    browser = browser_of(host)
    page = html(browser.get(f"{new_table(night)}?game={GAME}"))
    assert page.index("House rules of the pub") < page.index("Variants")
    rules = HouseRules.objects.get()
    tag = read(page).all("input", name="rules")[0]
    assert tag.attrs["value"] == rules.public_id
    sent = posted(GAME, "quick", numbers=4, sets=2)
    sent |= {"rules": rules.public_id, "version": "1"}
    table_page = browser.post(new_table(night), sent)["Location"]
    table = Table.objects.get()
    assert table_page == page_of(table)
    assert (table.house_rules, table.house_rules_version) == (rules, 1)
    assert (table.options["numbers"], table.options["sets"]) == (4, 2)
    text = html(browser.get(table_page))
    assert "Pub" in text
    assert "version 1" in text


def test_a_fixed_set_is_greyed_with_the_reason_and_the_server_holds_to_it(host, night, make_rules):
    rules = make_rules("Pub", HostsMay.CHOOSE, numbers=4)
    browser = browser_of(host)
    page = html(browser.get(f"{new_table(night)}?game={GAME}&rules={rules.public_id}"))
    assert "The house plays “Pub” as it is" in page
    fieldsets = read(page).all("fieldset")
    assert fieldsets
    assert all("disabled" in tag.attrs for tag in fieldsets)
    head = {"game": GAME, "preset": "quick", "rules": rules.public_id, "version": "1"}
    refused = browser.post(new_table(night), head | posted(GAME, "quick", numbers=9))
    assert refused.status_code == 400
    assert "as it is" in html(refused)
    assert not Table.objects.exists()
    browser.post(new_table(night), head)
    assert Table.objects.get().options["numbers"] == 4


def test_a_set_that_changes_while_the_host_looks_is_shown_again(host, night, make_rules, staff):
    rules = make_rules("Pub", numbers=4)
    sent = posted(GAME, "quick", numbers=4) | {"rules": rules.public_id, "version": "1"}
    sets.change(SetKeeper(user=staff), rules.public_id, SetDraft("Pub", "quick", {"numbers": 8}), 1)
    answer = browser_of(host).post(new_table(night), sent)
    page = read(html(answer))
    assert answer.status_code == 400
    assert page.by_id("o-numbers").attrs["value"] == "8"
    assert page.all("input", name="version")[0].attrs["value"] == "2"
    browser_of(host).post(new_table(night), sent | {"version": "2", "o-numbers": "8"})
    assert Table.objects.get().house_rules_version == 2


def test_rules_are_kept_under_a_name_while_a_table_is_opened(host, night):
    browser = browser_of(host)
    sent = posted(GAME, "dicey", numbers=7)
    refused = browser.post(new_table(night), sent | {"set_name": "x" * 61})
    assert refused.status_code == 400
    assert read(html(refused)).by_id("o-numbers").attrs["value"] == "7"
    assert not Table.objects.exists()
    browser.post(new_table(night), sent | {"set_name": "Our evening"})
    rules, table = HouseRules.objects.get(), Table.objects.get()
    assert (rules.name, rules.owner, table.house_rules) == ("Our evening", host, rules)
    assert "Our evening" in html(browser.get(f"{new_table(night)}?game={GAME}"))


def test_where_the_house_plays_its_own_rules_only_nothing_else_is_on_offer(host, night, make_rules, bar):
    browser, path = browser_of(host), f"{new_table(night)}?game={GAME}"
    bar.post(reverse("rule_policy", args=[GAME]), {"hosts_may": "sets_only"})
    assert "has none on offer yet" in html(browser.get(path))
    rules = make_rules("Pub")
    page = html(browser.get(path))
    assert "preset=dicey" not in page
    assert rules.public_id in page
    assert browser.get(f"{path}&preset=dicey").status_code == 400
    assert browser.post(new_table(night), posted(GAME, "dicey")).status_code == 400
    sent = posted(GAME, "quick") | {"rules": rules.public_id, "version": "1", "set_name": "Mine"}
    assert browser.post(new_table(night), sent).status_code == 400
    assert not Table.objects.exists()
    assert HouseRules.objects.count() == 1


def test_a_waiting_table_takes_other_rules_by_name(host, night, make_rules, open_table):
    rules, table = make_rules("Pub", HostsMay.CHOOSE, numbers=4), open_table(GAME, "dicey")
    browser = browser_of(host)
    path = reverse("table_rules", args=[table.public_id])
    page = read(html(browser.get(f"{path}?rules={rules.public_id}")))
    sent = {tag.attrs["name"]: tag.attrs["value"] for tag in page.all("input", type="hidden")}
    browser.post(table_do(table, "rules"), sent)
    table.refresh_from_db()
    assert (table.house_rules_name, table.options["numbers"]) == ("Pub", 4)
    assert not table.seats.filter(accepted_at__isnull=False).exists()
    assert "as it is" in html(browser.get(path))
    browser.post(table_do(table, "rules"), posted(GAME, "dicey"))
    table.refresh_from_db()
    assert (table.house_rules, table.preset) == (None, "dicey")


# The declaration has changed since.


def test_a_set_from_before_a_change_of_the_game_still_reads(bar, make_rules, host, night):
    rules = make_rules("Pub", numbers=4)
    stored = dict(rules.options) | {"smoking": True}
    del stored["sets"]
    HouseRules.objects.filter(pk=rules.pk).update(options=stored)
    text = html(bar.get(at("rule_set", rules)))
    assert "“Sets” is new in the game since then" in text
    assert "no rule “smoking” any more" in text
    rules.refresh_from_db()
    table = setup.open_table(night, host, GAME, "quick", {}, rules=rules)
    assert table.options == plugin.game(GAME).options.values("quick", {"numbers": 4})


def test_a_stored_value_that_is_refused_now_is_shown_with_the_reason(bar, make_rules, host, night):
    rules = make_rules("Pub")
    HouseRules.objects.filter(pk=rules.pk).update(options=rules.options | {"numbers": 77})
    for path in (at("rule_set", rules), at("rule_change", rules)):
        text = html(bar.get(path))
        assert "“77” was stored. This is a number from 3 to 9." in text
    sent = {"game": GAME, "preset": "quick", "rules": rules.public_id, "version": "1"}
    answer = browser_of(host).get(f"{new_table(night)}?game={GAME}&rules={rules.public_id}")
    assert "“77” was stored." in html(answer)
    HouseRules.objects.filter(pk=rules.pk).update(hosts_may=HostsMay.CHOOSE)
    assert browser_of(host).post(new_table(night), sent).status_code == 400
    assert not Table.objects.exists()
    bar.post(at("rule_change", rules), filled(version=1, numbers=5))
    browser_of(host).post(new_table(night), sent | {"version": "2"})
    assert Table.objects.get().options["numbers"] == 5


def test_a_variant_that_is_gone_and_a_game_that_is_not_installed_break_no_page(bar, make_rules):
    rules, lost = make_rules("Pub"), make_rules("Lost")
    HouseRules.objects.filter(pk=rules.pk).update(preset="slow")
    HouseRules.objects.filter(pk=lost.pk).update(game_id="skat")
    assert "The variant “slow” is gone" in html(bar.get(at("rule_set", rules)))
    assert bar.get(reverse("rule_sets")).status_code == 200
    assert bar.get(at("rule_set", lost)).status_code == 404
