"""The admin: everything can be looked up, play cannot be touched, the seed is not shown."""

from importlib import import_module

import pytest
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse, set_script_prefix

from games.models import ApiToken, GamePolicy, HouseRules, LogEntry, Player, Table, Venue

pytestmark = pytest.mark.django_db
import_module("games.admin.urls")
MODELS = [m for m in admin.site._registry if m._meta.app_label == "games"]
# What the house sets for its games is no play: rules, venues and keys can be made here.
PLAY = [m for m in MODELS if m not in {HouseRules, GamePolicy, Venue, ApiToken}]


@pytest.fixture
def bar(db):
    client = Client()
    client.force_login(User.objects.create_superuser("bar", password="x"))
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.__name__)
def test_lists_and_rows_can_be_read_and_searched(bar, start_table, model):
    start_table("chicago", "bavarian", seats=2)
    name = model._meta.model_name
    assert bar.get(reverse(f"admin:games_{name}_changelist")).status_code == 200
    assert bar.get(reverse(f"admin:games_{name}_changelist") + "?q=Hanna").status_code == 200
    row = model.objects.first()
    if row is not None:
        answer = bar.get(reverse(f"admin:games_{name}_change", args=[row.pk]))
        assert answer.status_code == 200


@pytest.mark.parametrize("model", sorted(PLAY, key=lambda m: m.__name__), ids=lambda m: m.__name__)
def test_nothing_of_play_is_added_or_deleted_here(bar, start_table, model):
    start_table("chicago", "bavarian", seats=2)
    name = model._meta.model_name
    assert bar.get(reverse(f"admin:games_{name}_add")).status_code == 403
    row = model.objects.first()
    if row is not None:
        delete = reverse(f"admin:games_{name}_delete", args=[row.pk])
        assert bar.post(delete, {"post": "yes"}).status_code == 403


def test_a_table_leads_to_its_log_and_keeps_its_seed(bar, start_table):
    table = start_table("chicago", "bavarian", seats=2)
    page = bar.get(reverse("admin:games_table_change", args=[table.pk])).content.decode()
    assert table.dice_seed not in page
    log = reverse("admin:games_logentry_changelist") + f"?table__id__exact={table.pk}"
    assert log in bar.get(reverse("admin:games_table_changelist")).content.decode()
    assert bar.get(log).status_code == 200


def test_the_log_and_tables_are_not_changed_here(bar, start_table):
    table = start_table("chicago", "bavarian", seats=2)
    entry = LogEntry.objects.get(table=table)
    for kind, row in (("table", table), ("logentry", entry)):
        path = reverse(f"admin:games_{kind}_change", args=[row.pk])
        assert bar.post(path, {"seq": "99"}).status_code == 403
    assert Table.objects.get().seq == table.seq


def test_a_nickname_can_be_put_right(bar):
    player = Player.objects.create(nickname="rude")
    path = reverse("admin:games_player_ask", args=["rename"]) + f"?ids={player.pk}"
    bar.post(path, {"nickname": "polite"})
    player.refresh_from_db()
    assert player.nickname == "polite"


def test_view_site_leads_to_the_house_below_its_base_path(rf):
    request = rf.get("/")
    request.user = AnonymousUser()
    set_script_prefix("/games/")
    try:
        assert admin.site.each_context(request)["site_url"] == "/games/"
    finally:
        set_script_prefix("/")
