"""Pages about people without a phone: adding them, taking their seat over, and the scorekeeper."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Membership, Player, Table
from games.services.hosting import device_transfer, kept_seats
from games.services.house_rules.cards import card_mark
from tests.tables.host.host_commands import act
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


def post(table: Table, by: Player, act_name: str, /, **form: object):
    """Send a form of the table's page."""
    return browser_of(by).post(reverse("table_act", args=[table.public_id, act_name]), form)


def mark(table: Table) -> str:
    """Return the mark of the card that the page of the waiting room shows."""
    return card_mark(table.preset, table.options)


def names(table: Table) -> list[str]:
    return list(table.seats.order_by("index").values_list("name", flat=True))


def test_one_field_and_one_tap_seat_somebody_in_the_waiting_room(open_table, host) -> None:
    table = open_table("dummygame", "endless", seats=1)
    page = browser_of(host).get(reverse("table", args=[table.public_id])).content.decode()
    assert "Add somebody without a phone" in page
    post(table, host, "add_person", name="Kari", card="of other rules")
    assert names(table) == ["Hanna"]
    post(table, host, "add_person", name="Kari", card=mark(table))
    assert names(table) == ["Hanna", "Kari"]
    assert "no phone · Hanna enters" in browser_of(host).get(reverse("table", args=[table.public_id])).content.decode()


def test_a_guest_is_not_offered_it(open_table) -> None:
    table = open_table("dummygame", "endless", seats=2)
    guest = table.seats.get(index=1).player
    page = browser_of(guest).get(reverse("table", args=[table.public_id])).content.decode()
    assert "Add somebody without a phone" not in page
    assert post(table, guest, "add_person", name="Kari").status_code == 403


def test_at_a_table_that_runs_they_get_a_new_seat_or_an_empty_one(start_table, host) -> None:
    table = start_table("dummygame", "endless", seats=2)
    act(table, host, "kick", seat=1)
    page = browser_of(host).get(reverse("table", args=[table.public_id])).content.decode()
    assert "a new seat" in page
    assert "instead of Guest 1" in page
    post(table, host, "add_person", name="Kari", seat="1")
    post(table, host, "add_person", name="Bo", seat="")
    assert names(table) == ["Hanna", "Kari", "Bo"]


def test_the_scorekeeper_is_named_on_the_page_and_adds_people_then(open_table, host) -> None:
    table = open_table("dummygame", "endless", seats=2)
    guest = table.seats.get(index=1).player
    post(table, host, "scorekeeper", player=guest.pk)
    post(table, guest, "add_person", name="Kari", card=mark(table))
    assert Membership.objects.get(player__nickname="Kari").keeper == guest


def test_the_join_page_asks_whether_one_is_here_already_without_a_phone(open_table, night, host) -> None:
    table = open_table("dummygame", "endless", seats=1)
    link = reverse("join_link", args=[night.public_id, night.token("join")])
    assert "I am Kari" not in browser_of(None).get(link).content.decode()
    kept_seats.seat_person(table, host, "Kari")
    assert "I am Kari" in browser_of(None).get(link).content.decode()


def test_who_enters_for_somebody_hands_the_seat_over_by_the_number_on_their_phone(open_table, night, host) -> None:
    table = open_table("dummygame", "endless", seats=2)
    guest = table.seats.get(index=1).player
    kept_seats.name_scorekeeper(table, host, guest.pk)
    table.refresh_from_db()
    kept_seats.seat_person(table, guest, "Kari")
    kari = Player.objects.get(nickname="Kari")
    move, secret = device_transfer.request_move(night, kari.pk)
    browser = browser_of(guest)
    assert "Hand the seat over" in browser.get(reverse("my_moves")).content.decode()
    browser.post(reverse("my_moves"), {"kept": kari.pk, "number": move.number, "answer": "yes"})
    assert device_transfer.use_move(secret) == kari
    assert not Membership.objects.filter(keeper__isnull=False).exists()


def test_a_phone_that_asks_for_somebody_is_refused_by_who_enters_for_them(open_table, night, host) -> None:
    table = open_table("dummygame", "endless", seats=1)
    kept_seats.seat_person(table, host, "Kari")
    kari = Player.objects.get(nickname="Kari")
    device_transfer.request_move(night, kari.pk)
    browser_of(host).post(reverse("my_moves"), {"kept": kari.pk, "answer": "no"})
    assert not device_transfer.waiting(night)
