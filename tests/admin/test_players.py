"""Players in the admin: banned, renamed, joined and deleted by the services, after a question."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import AuditEntry, LogEntry, Membership, Player, Tally
from games.services.nights import night_rights
from games.services.people import bans, merging
from games.services.people import players as people_players
from tests.admin.pages import ask_path, code_at, codes
from tests.conftest import answer as answered
from tests.conftest import choices_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(db):
    return User.objects.create_superuser("chief", password="x")


@pytest.fixture
def bar(chief):
    client = Client()
    client.force_login(chief)
    return client


def act(bar, name, *players, **data):
    return bar.post(ask_path("player", name, *players), data)


def last_act():
    entry = AuditEntry.objects.order_by("pk").last()
    return (entry.act, entry.actor_name, entry.subject) if entry else None


def test_a_ban_takes_a_reason_and_puts_the_player_out(bar, night, guest):
    kari = guest("Kari")
    page = bar.get(ask_path("player", "ban", kari)).content.decode()
    assert "Kari" in page and "leaves every open night" in page
    act(bar, "ban", kari, reason="Threw  a mug")
    kari.refresh_from_db()
    assert kari.banned_at
    assert night.memberships.get(player=kari).status == Membership.Status.KICKED
    assert last_act() == ("player_banned", "chief", "Kari")
    assert AuditEntry.objects.get(act="player_banned").data["reason"] == "Threw a mug"
    row = bar.get(reverse("admin:games_player_change", args=[kari.pk])).content.decode()
    assert "chief: Threw a mug" in row
    act(bar, "lift", kari)
    kari.refresh_from_db()
    assert kari.banned_at is None
    assert last_act() == ("ban_lifted", "chief", "Kari")


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "a\u202eb"])
def test_a_ban_without_a_fit_reason_is_refused_at_the_field(bar, make_player, reason):
    kari = make_player("Kari")
    answer = act(bar, "ban", kari, reason=reason)
    assert answer.status_code == 400
    assert code_at(answer, "id_reason") == {"no_reason_given"}
    kari.refresh_from_db()
    assert kari.banned_at is None
    assert not AuditEntry.objects.exists()


def test_several_are_banned_from_the_list_and_refusals_are_named(bar, make_player, chief):
    kari, per, ola = map(make_player, ("Kari", "Per", "Ola"))
    bans.ban(per, chief)
    sent = {"action": "ban", "_selected_action": [kari.pk, per.pk, ola.pk]}
    to_page = bar.post(reverse("admin:games_player_changelist"), sent)
    assert "/ask/ban/" in to_page.url
    page = bar.post(to_page.url, {"reason": "A brawl"}, follow=True).content.decode()
    assert "Per: This player is banned already." in page
    assert Player.objects.filter(banned_at__isnull=False).count() == 3


@pytest.mark.parametrize(
    ("raw", "code"),
    [("", "nickname_empty"), ("a\u200bb", "nickname_characters"), ("x" * 25, "nickname_long")],
)
def test_a_bad_nickname_is_refused_at_the_field(bar, make_player, raw, code):
    kari = make_player("Kari")
    answer = act(bar, "rename", kari, nickname=raw)
    assert (answer.status_code, code_at(answer, "id_nickname")) == (400, {code})
    kari.refresh_from_db()
    assert kari.nickname == "Kari"


def test_a_new_nickname_is_told_at_the_open_night(bar, night, guest):
    kari = guest("Kari")
    act(bar, "rename", kari, nickname="Karin")
    assert night.events.first().type == "renamed"
    assert last_act() == ("player_renamed", "chief", "Kari → Karin")


def played_by(start_table):
    table = start_table()
    while open_choices := [c for c in choices_at(table) if c.required]:
        answered(table, open_choices[0])
    return table.seats.get(index=1).player


def test_two_players_are_joined_after_a_look_at_both(bar, start_table, make_player):
    guest, other = played_by(start_table), make_player("Per")
    sent = {"action": "merge", "_selected_action": [guest.pk, other.pk]}
    address = bar.post(reverse("admin:games_player_changelist"), sent).url
    page = bar.get(address).content.decode()
    assert "What goes along" in page and "Who stays?" in page
    assert code_at(bar.post(address, {}), "id_keep") == {"not_chosen"}
    assert code_at(bar.post(address, {"keep": "0"}), "id_keep") == {"invalid_choice"}
    assert Player.objects.filter(merged_into=None).count() >= 3
    bar.post(address, {"keep": str(other.pk)})
    guest.refresh_from_db()
    assert guest.merged_into == other
    assert LogEntry.objects.filter(actor=other).exists()
    assert last_act() == ("players_merged", "chief", "Guest 1 → Per")


def test_the_page_says_what_refuses_to_be_joined(bar, start_table):
    table = start_table()
    first, second = [seat.player for seat in table.seats.all()]
    address = ask_path("player", "merge", first, second)
    page = bar.get(address)
    assert codes(page) == {"same_table"}
    assert "Join them" not in page.content.decode()
    assert "same_table" in codes(bar.post(address, {"keep": str(first.pk)}))
    assert not Player.objects.filter(merged_into__isnull=False).exists()
    assert not AuditEntry.objects.exists()


def test_the_other_player_is_found_by_number(bar, make_player):
    kari, per = make_player("Kari"), make_player("Per")
    address = ask_path("player", "merge", kari)
    for raw, code in (("", "no_such_player"), ("x", "no_such_player"), (kari.pk, "same_player")):
        assert code_at(bar.post(address, {"other": raw}), "id_other") == {code}
    found = bar.post(address, {"other": per.pk})
    assert found.url == ask_path("player", "merge", kari, per).replace(",", "%2C")
    text = bar.get(reverse("admin:games_player_changelist") + f"?q={per.pk}").content.decode()
    assert ">Per<" in text and ">Kari<" not in text


def test_data_are_deleted_after_a_tick_and_the_audit_forgets_too(bar, guest, chief, night):
    kari = guest("Kari")
    bans.ban(kari, chief, "Kari sang")
    people_players.rename(kari, "Karin", chief)
    assert code_at(act(bar, "delete", kari), "id_sure") == {"not_confirmed"}
    act(bar, "delete", kari, sure="on")
    kari.refresh_from_db()
    assert kari.deleted_at
    assert last_act()[:2] == ("player_deleted", "chief")
    for entry in AuditEntry.objects.all():
        assert "Kari" not in f"{entry.subject} {entry.data}"


def test_who_hosts_is_not_deleted(bar, night, host):
    answer = act(bar, "delete", host, sure="on")
    assert codes(answer) == {"hosts_a_night"}
    assert "This player hosts “Thursday”" in answer.content.decode()
    host.refresh_from_db()
    assert host.deleted_at is None


def test_sums_are_counted_anew_from_the_results(bar, start_table):
    guest = played_by(start_table)
    before = list(Tally.objects.filter(player=guest).values("points", "played", "venue"))
    Tally.objects.filter(player=guest).update(points=999)
    act(bar, "rebuild", guest)
    assert list(Tally.objects.filter(player=guest).values("points", "played", "venue")) == before
    assert last_act()[0] == "tallies_rebuilt"


def test_players_are_found_by_state_and_account(bar, make_player, chief):
    kari, per, ola = map(make_player, ("Kari", "Per", "Ola"))
    bans.ban(kari, chief)
    merging.merge(per, ola)
    listed = reverse("admin:games_player_changelist")

    def names(query):
        text = bar.get(f"{listed}?{query}").content.decode()
        return {name for name in ("Kari", "Per", "Ola") if f">{name}</a>" in text}

    assert names("state=banned") == {"Kari"}
    assert names("state=joined") == {"Per"}
    assert names("state=here") == {"Kari", "Ola"}
    assert names("state=deleted") == names("account=yes") == set()
    assert names("account=no") == {"Kari", "Per", "Ola"}


def test_nothing_is_offered_for_who_is_gone(bar, make_player, night, host):
    kari, per = make_player("Kari"), make_player("Per")
    merging.merge(kari, per)
    page = bar.get(reverse("admin:games_player_change", args=[kari.pk])).content.decode()
    assert "/ask/" not in page
    for name, data in (
        ("ban", {"reason": "x"}),
        ("rename", {"nickname": "X"}),
        ("delete", {"sure": "on"}),
    ):
        assert codes(act(bar, name, kari, **data)) == {"gone_player"}
    assert night_rights.is_inside(night, host)
