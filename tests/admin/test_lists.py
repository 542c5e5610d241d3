"""The admin's lists with years of data: few queries, filters, rights, nothing inline."""

import json
from importlib import import_module

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.management.translations.django_texts import OF_SCRIPTS
from games.models import AuditEntry, LogEntry, Night, Player, Result, Table
from games.services import audit
from games.services.commands import new_command_id
from games.services.tables import setup
from tests.admin.pages import INLINE_SCRIPT, INLINE_STYLE, ask_path, staff_browser
from tests.languages import TRANSLATED
from tests.years import players, years

pytestmark = pytest.mark.django_db
MOST_QUERIES = 12
import_module("games.admin.urls")
MODELS = sorted((m for m in site._registry if m._meta.app_label == "games"), key=lambda m: m.__name__)
# Model → its acts with what they would need to succeed.
ACTS = {
    "night": {"close": {}, "past_game": {"variant": "chicago:bavarian"}},
    "table": {"check": {}, "archive": {}, "restore": {}},
    "result": {"correct": {"points_0": "1", "points_1": "-1", "reason": "A slip"}},
    "player": {
        "rename": {"nickname": "Other"},
        "ban": {"reason": "A brawl"},
        "lift": {},
        "rebuild": {},
        "delete": {"sure": "on"},
        "merge": {"keep": "0"},
    },
}

# List, filter, how many rows it finds (None: some, not all).
FILTERS = [
    ("night", "?status__exact=open", 8),
    ("night", "?q=%22Night+3%22", 1),
    ("night", "?venue__id__exact={venue}", None),
    ("night", "?memberships__player__id__exact={host}", 8),
    ("table", "?game=chouette&variant=chouette:german&archived=no", 40),
    ("table", "?archived=yes", 0),
    ("table", "?night={night}", 5),
    ("table", "?night=x", 0),
    ("result", "?game=chouette&unit=points&is_correction__exact=0", 400),
    ("result", "?variant=chouette:german&night={night}", 50),
    ("result", "?variant=chouette", 400),
    ("result", "?table__night__venue__id__exact={venue}", None),
    ("result", "?is_correction__exact=1", 0),
    ("result", "?lines__player__id__exact={host}", None),
    ("player", "?account=no&state=here", 30),
    ("player", "?state=banned", 0),
    ("auditentry", "?by=staff&act=night_closed", 8),
    ("auditentry", "?by=hosts", 0),
    ("auditentry", "?q=somebody", 8),
]


@pytest.fixture
def data(db):
    """Some hundred results, twenty nights, audit lines."""
    people = players(30)
    years(400, people)
    chief = User.objects.create_user("somebody")
    for night in Night.objects.all():
        audit.note("night_closed", chief, night.name, night=night)


@pytest.fixture
def bar(db):
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


def listed(model, query=""):
    return reverse(f"admin:games_{model}_changelist") + query


def test_a_list_asks_the_database_seldom(bar, data, django_assert_max_num_queries):
    for name in (model._meta.model_name for model in MODELS):
        for query in ("", "?q=an"):
            with django_assert_max_num_queries(MOST_QUERIES, info=name):
                assert bar.get(listed(name, query)).status_code == 200


def test_filters_find_what_they_say(bar, data):
    night = Night.objects.order_by("pk").first()
    for model, query, count in FILTERS:
        filled = query.format(venue=night.venue_id, host=night.host_id, night=night.pk)
        answer = bar.get(listed(model, filled))
        assert answer.status_code == 200, filled
        found = answer.context["cl"].result_count
        is_right = found == count if count is not None else 0 < found < 400
        assert is_right, f"{model}{filled}: {found}"


def test_a_page_asks_the_database_seldom(bar, data, django_assert_max_num_queries):
    for model in (Night, Table, Result, Player, AuditEntry):
        name = model._meta.model_name
        path = reverse(f"admin:games_{name}_change", args=[model.objects.first().pk])
        with django_assert_max_num_queries(30, info=name):
            assert bar.get(path).status_code == 200


def test_bots_are_named_by_a_word_and_not_by_a_sign_that_fonts_lack(bar, host, open_table, data):
    table = open_table(seats=1)
    setup.add_bot(table, host, "low")
    setup.start(table, host, new_command_id())
    result = Result.objects.first()
    result.lines.filter(seat=0).update(name="Ada 🤖", player=None)
    pages = [
        *(listed(name) for name in ("table", "logentry", "result")),
        reverse("admin:games_table_change", args=[table.pk]),
        reverse("admin:games_logentry_change", args=[LogEntry.objects.first().pk]),
        reverse("admin:games_result_change", args=[result.pk]),
        ask_path("result", "correct", result),
    ]
    for path in pages:
        html = bar.get(path).content.decode()
        assert "🤖" not in html and "ud83e" not in html, path
        # A long list has its newest rows in front; this old result is on its own page. The log names who acted.
        assert "(bot)" in html or path == listed("result") or "/logentry/" in path, path


def test_who_has_no_permission_sees_nothing(data):
    waiter = staff_browser("waiter")
    page = waiter.get(reverse("admin:index")).content.decode()
    assert "Your account may see nothing here" in page
    for model in MODELS:
        name = model._meta.model_name
        assert waiter.get(listed(name)).status_code == 403, name
        row = model.objects.first()
        if row is not None:
            path = reverse(f"admin:games_{name}_change", args=[row.pk])
            assert waiter.get(path).status_code == 403, name
    for path in ("games_night_file", "games_table_file"):
        name = "results.csv" if "night" in path else "log.json"
        model = Night if "night" in path else Table
        pk = model.objects.first().pk
        assert waiter.get(reverse(f"admin:{path}", args=[pk, name])).status_code == 404


def browser_with(permissions):
    return staff_browser(f"waiter{User.objects.count()}", permissions)


def test_acts_take_the_right_to_change_and_only_looking_is_not_enough(data):
    """Guests and players are sent to the login, who may only look is refused; nothing changes."""
    for model in (Night, Table, Result, Player):
        name = model._meta.model_name
        before = list(model.objects.values())
        for act, sent in ACTS[name].items():
            path = ask_path(name, act, model.objects.first())
            right = {"check": "view", "delete": "delete"}.get(act, "change")
            assert Client().post(path, sent).status_code == 302
            # Whoever may change something may look at it, too.
            others = {"view", "add", "change", "delete"} - {right}
            less = browser_with(() if right == "view" else [f"{each}_{name}" for each in others])
            for answer in (less.get(path), less.post(path, sent)):
                assert answer.status_code == 403, path
            able = browser_with([f"view_{name}", f"{right}_{name}"])
            assert able.get(path).status_code == 200, path
            assert f'value="{act}"' in able.get(listed(name)).content.decode()
            offered = less.get(listed(name)).content.decode()
            assert f'value="{act}"' not in offered, path
        assert list(model.objects.values()) == before
    assert AuditEntry.objects.filter(act="night_closed").count() == AuditEntry.objects.count()


def test_an_act_on_nothing_or_on_too_much_is_not_found(bar, data):
    for path in (
        ask_path("player", "ban"),
        reverse("admin:games_player_ask", args=["ban"]) + "?ids=x,0",
        ask_path("player", "fly", Player.objects.first()),
        ask_path("player", "merge", *Player.objects.all()[:3]),
        ask_path("player", "rename", *Player.objects.all()[:2]),
    ):
        assert bar.get(path).status_code == 404, path


def test_the_front_page_is_grouped_with_a_line_of_help(bar):
    page = bar.get(reverse("admin:index")).content.decode()
    places = [page.index(f">{name}</h2>") for name in ("Evenings", "People", "House rules")]
    assert places == sorted(places)
    assert "Everybody who was ever here." in page


def test_pages_of_the_admin_hold_nothing_inline(bar, data):
    paths = [reverse("admin:index"), *(listed(m._meta.model_name) for m in MODELS)]
    for model, row in (("night", Night), ("table", Table), ("result", Result), ("player", Player)):
        first = row.objects.first()
        paths.append(reverse(f"admin:games_{model}_change", args=[first.pk]))
        paths += [ask_path(model, act, first) for act in ACTS[model]]
    for path in paths:
        html = bar.get(path).content.decode()
        assert not INLINE_SCRIPT.search(html), path
        assert not INLINE_STYLE.search(html), path


@pytest.mark.parametrize(("language", "name"), [("de", "Angemeldete Geräte"), ("nb", "Innloggede enheter")])
def test_devices_have_a_name_in_the_readers_language(language: str, name: str) -> None:
    chief = Client(headers={"accept-language": language})
    chief.force_login(User.objects.create_superuser("chief", password="x"))
    assert name in chief.get(reverse("admin:usersessions_usersession_changelist")).content.decode()


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_choosers_of_the_admin_speak_the_readers_language(language: str) -> None:
    chief = Client(headers={"accept-language": language})
    chief.force_login(User.objects.create_superuser("chief", password="x"))
    told = chief.get(reverse("admin:jsi18n")).content.decode()
    for text in OF_SCRIPTS:
        assert f"{json.dumps(text)}: {json.dumps(text)}" not in told
        assert json.dumps(text) in told
