"""Nights, tables, logs, results, venues and the audit in the admin."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.models import AuditEntry, LogEntry, Night, Result, ResultLine, Table, Tally, Venue
from games.services.commands import Actor, Request, new_command_id
from games.services.hosting import device_transfer
from games.services.nights import membership
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tables.registry import COMMANDS
from tests.admin.pages import ask_path, code_at, codes
from tests.conftest import answer, choices_at
from tests.tables.host.host_commands import named
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bar(db):
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


@pytest.fixture
def played(start_table):
    """A table of the dummy game that was played to its end."""
    table = start_table()
    while open_choices := [c for c in choices_at(table) if c.required]:
        answer(table, open_choices[0])
    table.refresh_from_db()
    return table


def acts():
    return list(AuditEntry.objects.order_by("pk").values_list("act", "actor_name"))


def change(model, row):
    return reverse(f"admin:games_{model}_change", args=[row.pk])


def listed(model, query=""):
    return reverse(f"admin:games_{model}_changelist") + query


def test_a_venue_is_added_and_renamed_and_stays(bar):
    add = reverse("admin:games_venue_add")
    bar.post(add, {"name": "  Zum   Anker "})
    venue = Venue.objects.get()
    bar.post(change("venue", venue), {"name": "Ølhallen"})
    venue.refresh_from_db()
    assert venue.name == "Ølhallen"
    assert acts() == [("venue_added", "chief"), ("venue_renamed", "chief")]
    assert bar.post(reverse("admin:games_venue_delete", args=[venue.pk])).status_code == 403


@pytest.mark.parametrize("name", ["", "ØLHALLEN", "a\u202eb", "x" * 81])
def test_a_bad_venue_is_refused_at_the_field(bar, name):
    Venue.objects.create(name="Ølhallen")
    page = bar.post(reverse("admin:games_venue_add"), {"name": name})
    assert page.context["adminform"].form.errors.keys() == {"name"}
    assert Venue.objects.count() == 1
    assert not AuditEntry.objects.exists()


def test_a_forgotten_night_is_closed_by_the_staff_and_not_in_the_hosts_name(bar, start_table):
    table = start_table()
    assert bar.get(ask_path("night", "close", table.night)).status_code == 200
    assert Night.objects.get().status == "open"
    bar.post(ask_path("night", "close", table.night))
    night = Night.objects.get()
    assert (night.status, night.code) == ("closed", None)
    assert LogEntry.objects.filter(table=table).last().actor is None
    assert acts() == [("night_closed", "chief")]
    assert codes(bar.post(ask_path("night", "close", night))) == {"night_closed"}
    assert "/ask/close/" not in bar.get(change("night", night)).content.decode()


def test_the_staff_enters_a_past_game_of_a_night(bar, night, host, guest):
    kari, address = guest("Kari"), ask_path("night", "past_game", night)
    assert bar.get(address).status_code == 200
    told = {"variant": "chicago:bavarian", f"points_{host.pk}": "0"}
    assert codes(bar.post(address, told)) == {"too_few_seats"}
    bar.post(address, {**told, f"points_{kari.pk}": "1"})
    result = Result.objects.get()
    assert (result.reason, result.by_name) == ("entered", "chief")
    assert acts() == [("past_game_entered", "chief")]
    assert bar.get(change("result", result)).status_code == 200
    assert bar.get(change("table", result.table)).status_code == 200


def test_a_night_shows_people_tables_and_events_and_gives_its_files(bar, played):
    night = played.night
    page = bar.get(change("night", night)).content.decode()
    assert "Hanna opened the night." in page and "Guest 1" in page
    for name in ("results.csv", "night.zip"):
        got = bar.get(reverse("admin:games_night_file", args=[night.pk, name]))
        assert got.status_code == 200
    assert bar.get(reverse("admin:games_night_file", args=[night.pk, "x"])).status_code == 404


def test_a_table_is_checked_and_its_faults_are_said(bar, played):
    done = bar.post(ask_path("table", "check", played), follow=True).content.decode()
    assert "All is well" in done
    Table.objects.filter(pk=played.pk).update(dice_drawn=played.dice_drawn + 1)
    wrong = bar.post(ask_path("table", "check", played))
    assert codes(wrong) == {"log_faults"}
    assert "dice in the log" in wrong.content.decode()


def test_an_archived_table_leaves_the_lists_but_its_results_stay(bar, played, host):
    night = reverse("night", args=[played.night.public_id])
    address = reverse("table", args=[played.public_id])
    assert address in browser_of(host).get(night).content.decode()
    bar.post(ask_path("table", "archive", played))
    assert address not in browser_of(host).get(night).content.decode()
    results = reverse("night_results", args=[played.night.public_id])
    assert "Guest 1" in browser_of(host).get(results).content.decode()
    assert codes(bar.post(ask_path("table", "archive", played))) == {"is_archived"}
    bar.post(ask_path("table", "restore", played))
    assert address in browser_of(host).get(night).content.decode()
    assert codes(bar.post(ask_path("table", "restore", played))) == {"not_archived"}
    assert acts() == [("table_archived", "chief"), ("table_restored", "chief")]


def test_a_table_that_plays_or_waits_is_not_archived(bar, start_table, open_table):
    for table in (start_table(), open_table()):
        assert codes(bar.post(ask_path("table", "archive", table))) == {"not_finished"}
    assert not Table.objects.exclude(archived_at=None).exists()


def test_a_table_gives_its_files_when_it_is_over(bar, played, start_table):
    page = bar.get(change("table", played)).content.decode()
    log = reverse("admin:games_table_file", args=[played.pk, "log.json"])
    assert log in page
    assert bar.get(log).json()["entries"]
    running = start_table()
    path = reverse("admin:games_table_file", args=[running.pk, "log.json"])
    assert bar.get(path).status_code == 404


def test_the_log_marks_what_is_hidden_and_keeps_it_while_the_game_runs(bar, start_table):
    table = start_table()
    answer(table, next(c for c in choices_at(table) if c.required))
    entry = LogEntry.objects.filter(table=table).last()
    entry.events = [{"type": "dummy.secret", "data": {"word": "sesame"}, "v": 1, "audience": [0]}]
    entry.dice = [6]
    entry.save()
    log = listed("logentry", f"?table__id__exact={table.pk}")
    for path in (log, change("logentry", entry)):
        page = bar.get(path).content.decode()
        assert "dummy.secret" in page and "hidden" in page
        assert "sesame" not in page
    assert "shown when the game is over" in bar.get(change("logentry", entry)).content.decode()
    Table.objects.filter(pk=table.pk).update(status="finished")
    assert "word: sesame" in bar.get(log).content.decode()


def test_the_log_keeps_what_a_command_says_that_waits_for_its_dice(bar, start_table):
    table = start_table()
    entry = LogEntry.objects.filter(table=table).last()
    entry.command = {"name": "table.throw", "args": {"name": "answer", "args": {"word": "sesame"}}}
    entry.events = [{"type": "table.throw_begun", "data": {"k": 1}, "v": 1}]
    entry.save()
    log = listed("logentry", f"?table__id__exact={table.pk}")
    for path in (log, change("logentry", entry)):
        assert "sesame" not in bar.get(path).content.decode()
    Table.objects.filter(pk=table.pk).update(status="finished")
    assert "sesame" in bar.get(log).content.decode()


def test_a_result_is_corrected_by_a_new_row(bar, played):
    result = Result.objects.get()
    first, second = result.lines.order_by("seat")
    before = {line.pk: line.points for line in ResultLine.objects.all()}
    path = ask_path("result", "correct", result)
    assert f"It was {first.points}." in bar.get(path).content.decode()
    bar.post(path, {"points_0": "-3", "points_1": "3", "reason": "Written on the wrong line"})
    row = Result.objects.get(is_correction=True)
    assert (row.corrects, row.note, row.by_name) == (result, "Written on the wrong line", "chief")
    assert {line.pk: line.points for line in result.lines.all()} == before
    tally = Tally.objects.get(player=second.player, venue=None)
    assert tally.points == second.points + 3
    assert acts() == [("result_corrected", "chief")]
    page = bar.get(change("result", result)).content.decode()
    assert "Written on the wrong line" in page
    assert codes(bar.post(ask_path("result", "correct", row), {"reason": "x"})) == {"is_correction"}


@pytest.mark.parametrize(
    ("points", "reason", "field", "code"),
    [
        (("1", "-1"), "", "id_reason", "no_reason"),
        (("", ""), "A slip", "id_points_0", "bad_points"),
        (("100001", "-100001"), "A slip", "id_points_0", "bad_points"),
        (("x", "-1"), "A slip", "id_points_0", "invalid"),
        (("1", ""), "A slip", "id_points_0", "not_zero"),
    ],
)
def test_a_bad_correction_is_refused_at_its_field(bar, played, points, reason, field, code):
    ResultLine.objects.filter(seat=0).update(points=1)
    ResultLine.objects.filter(seat=1).update(points=-1)
    sent = {"points_0": points[0], "points_1": points[1], "reason": reason}
    page = bar.post(ask_path("result", "correct", Result.objects.get()), sent)
    assert (page.status_code, code_at(page, field)) == (400, {code})
    assert Result.objects.count() == 1
    assert not AuditEntry.objects.exists()


def test_acts_of_the_host_are_in_the_audit(bar, night, host, guest, start_table):
    table, kari = start_table(seats=2), guest("Kari")
    membership.set_lock(night, host, True)
    membership.set_lock(night, host, False)
    membership.rotate_code(night, host)
    move, _secret = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, move.player_id, move.number)
    membership.remove(night, host, kari.pk)
    request = Request("table.kick", named(table, "table.kick", {"seat": 1}), new_command_id())
    submit(table.pk, Actor(host.pk), request)
    submit(table.pk, Actor(host.pk), request)
    membership.give_host(night, host, table.seats.get(index=0).player_id)
    night.refresh_from_db()
    membership.close(night, night.host)
    assert [act for act, _who in acts()] == [
        "night_locked", "night_unlocked", "night_code_rotated", "night_move_approved",
        "night_kicked", "table_kick", "night_host_changed", "table_end", "night_closed",
    ]  # fmt: skip
    assert {who for _act, who in acts()} == {"Hanna"}
    page = bar.get(listed("auditentry", "?by=hosts&act=night_kicked")).content.decode()
    assert "showed somebody the door" in page and ">Kari<" in page
    assert "Hanna" not in bar.get(listed("auditentry", "?by=staff")).content.decode().split('id="changelist-form"')[1]


def test_what_a_guest_does_is_no_act_of_the_audit(start_table):
    table = start_table()
    guest = table.seats.get(index=1).player
    submit(table.pk, Actor(guest.pk), Request("table.leave", {}, new_command_id()))
    assert not AuditEntry.objects.exists()
    assert not COMMANDS["table.leave"].audit


def test_every_act_that_the_services_write_has_a_name():
    from pathlib import Path

    from games.services.audit import words

    text = "".join(p.read_text() for p in Path(setup.__file__).parents[1].rglob("*.py"))
    found = set(re.findall(r'audit\.note\(\s*"(\w+)"', text))
    found |= set(re.findall(r'_save\(rules, keeper, "(\w+)"', text))
    found |= {f"night_{name}" for name in re.findall(r'tell\(night, "(\w+)", actor', text)}
    found |= {name.replace(".", "_") for name, act in COMMANDS.items() if act.audit}
    assert len(found) > 20
    assert found <= words().keys()
