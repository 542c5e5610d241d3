"""House rules in the admin: the form of the declaration, acts, files, history."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games import plugin
from games.game_texts import gettext_of
from games.models import GamePolicy, HouseRules, HouseRulesVersion
from games.services.house_rules import sets as house_rule_sets
from games.services.house_rules.sets import SetDraft, SetKeeper
from tests.admin.pages import staff_browser
from tests.house_rules.test_form import posted
from tests.web.pages import browser_of, read

pytestmark = pytest.mark.django_db
GAME = "dummygame"
LIST, ADD = "admin:games_houserules_changelist", "admin:games_houserules_add"
CHANGE, DO = "admin:games_houserules_change", "admin:games_houserules_do"


@pytest.fixture
def user(db):
    """The publican."""
    return User.objects.create_superuser("bar", password="x")


@pytest.fixture
def bar(user):
    """The publican's browser."""
    client = browser_of()
    client.force_login(user)
    return client


@pytest.fixture
def make(user):
    """Make a set of the house."""

    def made(name="Pub", **options):
        return house_rule_sets.create(SetKeeper(user=user), GAME, SetDraft(name, "quick", options))

    return made


def filled(name="Pub", version=0, **changes):
    heads = {"name": name, "version": version, "hosts_may": "choose"}
    return posted(GAME, "quick", **changes) | heads


def do(bar, action, *sets):
    sent = {"action": action, "_selected_action": [rules.pk for rules in sets]}
    return bar.post(reverse(LIST), sent, follow=True)


def test_a_set_is_made_and_changed_by_choices_not_by_json(bar):
    assert f"?game={GAME}" in bar.get(reverse(ADD)).content.decode()
    path = reverse(ADD) + f"?game={GAME}"
    html = bar.get(path).content.decode()
    assert read(html).by_id("o-numbers").attrs["max"] == "9"
    assert not re.search(r"<textarea|&quot;numbers&quot;:", html)
    bar.post(path, filled("Thursday", numbers=6))
    rules = HouseRules.objects.get()
    assert (rules.name, rules.owner, rules.hosts_may) == ("Thursday", None, "choose")
    change = reverse(CHANGE, args=[rules.pk])
    assert 'id="rules-diff"' in bar.get(change).content.decode()
    bar.post(change, filled("Thursday", version=1, numbers=7))
    rules.refresh_from_db()
    assert (rules.version, rules.options["numbers"]) == (2, 7)
    html = bar.get(change).content.decode()
    assert "Numbers in a hand: 6 → <strong>7</strong>" in html


def test_a_bad_set_is_refused_at_its_field(bar):
    path = reverse(ADD) + f"?game={GAME}"
    answer = bar.post(path, filled("") | {"o-numbers": "99"})
    page = read(answer.content.decode())
    assert not HouseRules.objects.exists()
    for field in ("set-name", "o-numbers"):
        assert page.by_id(field).attrs["aria-invalid"] == "true"
    assert page.by_id("o-numbers").attrs["value"] == "99"


def test_sets_are_archived_restored_and_made_the_default(bar, make):
    first, second = make("First"), make("Second")
    do(bar, "make_default", first)
    assert HouseRules.objects.get(is_default=True) == first
    assert "one default" in do(bar, "make_default", first, second).content.decode()
    do(bar, "archive_sets", first, second)
    assert not HouseRules.objects.filter(status="active").exists()
    page = bar.get(reverse(CHANGE, args=[first.pk])).content.decode()
    assert "Everybody holds" in page
    assert "o-numbers" not in page
    do(bar, "restore_sets", first)
    for act in ("default", "no_default", "duplicate", "archive", "restore"):
        assert bar.get(reverse(DO, args=[first.pk, act])).status_code == 404
        assert bar.post(reverse(DO, args=[first.pk, act])).status_code == 302
    assert HouseRules.objects.filter(name="First (2)").exists()


def test_sets_go_out_as_one_file_and_come_in_again(bar, make):
    answer = do(bar, "export_sets", make("First", numbers=4), make("Second"))
    assert [one["name"] for one in json.loads(answer.content)["sets"]] == ["First", "Second"]
    path = reverse("admin:games_houserules_import")
    assert bar.get(path).status_code == 200
    bar.post(path, {"file": SimpleUploadedFile("x.json", answer.content)})
    assert HouseRules.objects.get(name="First (2)").options["numbers"] == 4
    refused = bar.post(path, {"file": SimpleUploadedFile("x.json", b"{}")})
    assert refused.status_code == 400
    assert "not a file of house rules" in refused.content.decode()


def test_versions_are_read_as_cards_and_never_written(bar, make):
    make(numbers=6)
    row = HouseRulesVersion.objects.get()
    path = reverse("admin:games_houserulesversion_change", args=[row.pk])
    assert "Everybody holds the numbers from 1 to 6." in bar.get(path).content.decode()
    assert bar.post(path, {"name": "x"}).status_code == 403
    assert bar.get(reverse("admin:games_houserulesversion_add")).status_code == 403


def test_what_hosts_may_play_is_set_for_each_game(bar):
    sent = {"game_id": GAME, "hosts_may": "sets_only"}
    bar.post(reverse("admin:games_gamepolicy_add"), sent)
    row = GamePolicy.objects.get()
    assert (row.hosts_may, row.updated_by) == ("sets_only", "bar")
    path = reverse("admin:games_gamepolicy_change", args=[row.pk])
    bar.post(path, {"hosts_may": "anything"})
    assert house_rule_sets.policy(GAME) == "anything"
    assert bar.post(reverse("admin:games_gamepolicy_add"), sent).status_code == 200


def test_who_may_only_look_changes_nothing(make):
    rules = make()
    waiter = User.objects.create_user("waiter", is_staff=True)
    waiter.user_permissions.add(Permission.objects.get(codename="view_houserules"))
    client = browser_of()
    client.force_login(waiter)
    page = client.get(reverse(CHANGE, args=[rules.pk]))
    assert "Everybody holds" in page.content.decode()
    client.post(reverse(CHANGE, args=[rules.pk]), filled(version=1, numbers=9))
    client.post(reverse(DO, args=[rules.pk, "archive"]))
    client.post(reverse("admin:games_houserules_import"))
    do(client, "archive_sets", rules)
    rules.refresh_from_db()
    assert (rules.version, rules.status) == (1, "active")
    assert client.get(reverse(ADD)).status_code == 403


def test_the_list_asks_as_often_for_many_sets_as_for_one(bar, make, django_assert_max_num_queries):
    for number in range(20):
        make(f"Set {number}")
    HouseRules.objects.filter(name="Set 3").update(game_id="skat")
    with django_assert_max_num_queries(10):
        assert bar.get(reverse(LIST)).status_code == 200
    with django_assert_max_num_queries(10):
        assert bar.get(reverse("rule_sets")).status_code == 200


def test_pages_of_the_admin_run_no_inline_script(bar, make):
    for path in (reverse(ADD) + f"?game={GAME}", reverse(CHANGE, args=[make().pk])):
        html = bar.get(path).content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>", html)
        assert not re.search(r"\sstyle=|\son[a-z]+=", html)


def test_the_list_names_the_variants_that_the_games_bring_along_each_as_a_start(bar):
    html = bar.get(reverse(LIST)).content.decode()
    for game in plugin.all_games().values():
        for preset in game.options.presets:
            start = f"{reverse(ADD)}?game={game.game_id}&amp;preset={preset.id}"
            assert f'href="{start}"' in html
            assert gettext_of(game, preset.label) in unescape(html)
            assert bar.get(unescape(start)).status_code == 200


def test_who_may_only_look_at_house_rules_is_offered_no_start():
    html = staff_browser("Vera", ["view_houserules"]).get(reverse(LIST)).content.decode()
    assert 'id="variants-chicago"' in html
    assert "preset=" not in html
