"""The staff sees for whom a table waits, and unsticks it: in the house's name, and without anybody's turn."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import AuditEntry, LogEntry, Night, Table
from games.server import health
from games.services.nights import membership
from games.services.regions import written
from games.services.staff import table_acts, waiting
from games.services.tables.registry import COMMANDS
from tests.admin.pages import ask_path, code_at, codes, staff_browser
from tests.conftest import answer, choices_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def bar(db: Any) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("chief", password="x"))
    return client


def page_of(bar: Client, table: Table) -> str:
    return str(bar.get(reverse("admin:games_table_change", args=[table.pk])).content.decode())


def events(table: Table) -> list[str]:
    return [event["type"] for event in LogEntry.objects.filter(table=table).last().events]  # type: ignore[union-attr]


def acts() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.order_by("pk").values_list("act", "actor_name"))


# What is seen


def test_a_table_tells_for_whom_it_waits_since_when_and_its_last_entry(bar: Client, start_table: Any) -> None:
    table = start_table()
    asked = [c for c in choices_at(table) if c.required]
    names = tuple(table.seats.get(index=each.seat).name for each in asked)
    choice = asked[0]
    opened = LogEntry.objects.get(table=table, seq=choice.opened_at)
    LogEntry.objects.filter(pk=opened.pk).update(created_at=timezone.now() - timedelta(hours=2, minutes=5))
    found = waiting.of_table(table)
    assert found.names == names and not found.is_for_device
    page = page_of(bar, table)
    assert written.names(names) in page and "2\xa0hours, 5\xa0minutes" in page
    assert f"{table.seq}," in page
    answer(table, choice)
    table.refresh_from_db()
    found = waiting.of_table(table)
    assert names[0] not in found.names
    assert found.last is not None and found.last.seq == table.seq


def test_a_paused_table_waits_for_its_host_and_one_that_is_over_for_nobody(bar: Client, start_table: Any) -> None:
    table = start_table()
    table_acts.pause(table, User.objects.get())
    table.refresh_from_db()
    assert waiting.of_table(table).names == ()
    assert "the host: it is paused" in page_of(bar, table)
    table_acts.end(table, User.objects.get(), with_result=False)
    assert "waits for" in page_of(bar, table).lower()
    assert "ask/pause/" not in page_of(bar, table)


def test_the_table_that_waits_longest_is_in_the_metrics_and_tables_of_bots_are_not(start_table: Any) -> None:
    from prometheus_client import REGISTRY

    def seconds() -> float:
        health._note_state()
        found = REGISTRY.get_sample_value("stammtisch_longest_wait_seconds")
        assert found is not None
        return found

    assert seconds() == 0
    first, second = start_table(), start_table()
    LogEntry.objects.filter(table=first).update(created_at=timezone.now() - timedelta(hours=1))
    LogEntry.objects.filter(table=second).update(created_at=timezone.now() - timedelta(minutes=1))
    assert 3600 <= seconds() < 3700
    first.seats.update(player=None, bot_level="low")
    assert 60 <= seconds() < 160
    Table.objects.filter(pk=second.pk).update(status="paused")
    assert seconds() == 0


# What is done


def test_the_staff_pauses_a_table_and_lets_it_go_on_in_the_houses_name(bar: Client, start_table: Any) -> None:
    table = start_table()
    assert bar.get(ask_path("table", "pause", table)).status_code == 200
    bar.post(ask_path("table", "pause", table))
    assert Table.objects.get().status == "paused"
    entry = LogEntry.objects.filter(table=table).last()
    assert entry is not None and entry.actor is None
    assert entry.events[0] == {"type": "table.paused", "data": {"why": "house"}, "v": 1}
    assert codes(bar.post(ask_path("table", "pause", table))) == {"paused"}
    bar.post(ask_path("table", "resume", table))
    assert Table.objects.get().status == "playing"
    assert codes(bar.post(ask_path("table", "resume", table))) == {"not_paused"}
    assert acts() == [("table_paused", "chief"), ("table_resumed", "chief")]


def test_a_host_cannot_pause_in_the_houses_name(start_table: Any, host: Any) -> None:
    from games.services.commands import Actor, Request
    from games.services.tables.commit import submit

    table = start_table()
    submit(table.pk, Actor(host.pk), Request("table.pause", {"by_house": True}, "one"))
    entry = LogEntry.objects.filter(table=table).last()
    assert entry is not None and entry.events[0]["data"] == {"why": "host"}


def test_a_bot_or_a_guest_stands_in_for_who_has_gone(bar: Client, start_table: Any, guest: Any) -> None:
    table = start_table(seats=2)
    first, second = table.seats.order_by("index")
    nora = guest("Nora")
    address = ask_path("table", "stand_in", table)
    assert "Nora" in bar.get(address).content.decode()
    bar.post(address, {"seat": f"0:{first.player_id}", "who": f"player:{nora.pk}"})
    first.refresh_from_db()
    assert (first.player, first.accepted_at) == (nora, None)  # Nora accepts on her own phone
    bar.post(address, {"seat": f"1:{second.player_id}", "who": "bot:low"})
    second.refresh_from_db()
    assert (second.player, second.bot_level) == (None, "low")
    assert acts() == [("table_substitute", "chief")] * 2
    entry = LogEntry.objects.filter(table=table, command__name="table.substitute").first()
    assert entry is not None and entry.actor is None


def test_a_stand_in_for_somebody_who_does_not_sit_there_any_more_changes_nothing(
    bar: Client, start_table: Any, guest: Any
) -> None:
    table = start_table(seats=2)
    nora, address = guest("Nora"), ask_path("table", "stand_in", table)
    seq = table.seq
    form = {"seat": f"0:{table.seats.get(index=1).player_id}", "who": f"player:{nora.pk}"}
    assert code_at(bar.post(address, form), "id_seat") == {"invalid_choice"}
    table.seats.filter(index=0).update(player=None, bot_level="low")
    with pytest.raises(Exception, match="other_sitter"):
        table_acts.put_member(table, User.objects.get(), 0, nora.pk, nora.pk)
    assert Table.objects.get().seq == seq and not acts()


def test_the_staff_accepts_no_rules_for_somebody_without_a_phone(bar: Client, start_table: Any, host: Any) -> None:
    table = start_table(seats=2)
    kept = membership.bring(table.night, host, "Opa")
    address = ask_path("table", "stand_in", table)
    assert "Opa" not in bar.get(address).content.decode()
    seat = table.seats.get(index=0)
    with pytest.raises(Exception, match="no_phone"):
        table_acts.put_member(table, User.objects.get(), 0, seat.player_id, kept.pk)
    assert not acts()


def test_this_table_ends_and_the_others_go_on(bar: Client, start_table: Any) -> None:
    table, other = start_table(), start_table()
    address = ask_path("table", "end", table)
    assert codes(bar.post(address, {"how": "result"}))  # the dummy game has no result in mid-game
    bar.post(address, {"how": "broken_off"})
    assert {each.pk: each.status for each in Table.objects.all()} == {table.pk: "finished", other.pk: "playing"}
    assert events(table)[0] == "table.broken_off"
    assert acts() == [("table_end", "chief")]
    assert Night.objects.get().status == "open"


def test_the_night_is_handed_over_to_a_guest_with_a_phone(bar: Client, start_table: Any, guest: Any, host: Any) -> None:
    table = start_table()
    nora, kept = guest("Nora"), membership.bring(table.night, host, "Opa")
    address = ask_path("night", "give_host", table.night)
    assert address.split("?")[0] in page_of(bar, table)
    assert "Opa" not in bar.get(address).content.decode()
    assert code_at(bar.post(address, {"player": str(kept.pk)}), "id_player") == {"invalid_choice"}
    bar.post(address, {"player": str(nora.pk)})
    assert Night.objects.get().host == nora
    assert acts() == [("night_host_changed", "chief")]


def test_no_act_of_the_staff_plays_a_turn_or_is_for_everybody(start_table: Any) -> None:
    table = start_table()
    names = {getattr(table_acts, each) for each in ("PAUSE", "RESUME", "SUBSTITUTE", "CLOSE", "END")}
    assert names == {"table.pause", "table.resume", "table.substitute", "table.close", "table.end"}
    assert "table.play_on" in COMMANDS  # the host's own, which the staff has not
    clerk = staff_browser("clerk", ["view_table"])
    for act in ("pause", "resume", "stand_in", "end"):
        assert clerk.post(ask_path("table", act, table)).status_code == 403
    assert "ask/pause/" not in page_of(clerk, table)
    assert Table.objects.get().seq == table.seq
