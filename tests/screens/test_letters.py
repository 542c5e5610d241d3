"""Letters of screens: good for ten minutes and once, for hosts and staff alone; room for real ones in a flood."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.kernel.contract import Illegal
from games.models import AuditEntry, Night, Screen
from games.services import server_time
from games.services.clock import housekeeping
from games.services.nights import membership
from games.services.screens import screen_letters, screens
from tests.screens.houses import TV, row_of, shown_letters, shows, taken_in, television
from tests.web.pages import browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


def refused(code: str, act: object, *args: object, **more: object) -> None:
    with pytest.raises(Illegal) as heard:
        act(*args, **more)  # type: ignore[operator]
    assert heard.value.code == code


def test_looking_at_the_page_stores_nothing_and_gives_no_letters():
    browser = browser_of()
    page = browser.get(TV)
    assert page.context["letters"] == ""
    assert not Screen.objects.exists()
    assert "screen" not in browser.cookies
    assert browser.get("/tv").status_code in {301, 302}


def test_a_television_without_script_gets_its_letters_by_a_button():
    browser = browser_of()
    assert reverse("screen_letters") in browser.get(TV).content.decode()
    assert browser.post(reverse("screen_letters")).url == TV
    assert len(shown_letters(browser)) == screen_letters.LENGTH
    assert shown_letters(browser) in browser.get(TV).content.decode()


def test_letters_are_entered_as_one_types_them_and_the_screen_shows_the_night(night, host):
    tv = television()
    found = shown_letters(tv)
    screens.enter(night, host, f" {found[:2].lower()} {found[2:].lower()} ")
    assert shows(tv).startswith(f"{night.public_id}-door")
    assert night.name in tv.get(TV).content.decode()


def test_letters_are_used_up_by_the_first_who_enters_them(night, host, make_player):
    tv = television()
    found = shown_letters(tv)
    other = make_player("Olav")
    elsewhere = membership.host_night(other, "Elsewhere")
    screens.enter(night, host, found)
    refused("wrong_letters", screens.enter, elsewhere, other, found)
    assert shows(tv).startswith(night.public_id)


def test_two_taps_at_once_take_one_screen_in_once(night, host):
    tv = television()
    found = shown_letters(tv)
    screens.enter(night, host, found)
    screens.enter(night, host, found)
    assert Screen.objects.get().shows.count() == 1


def test_letters_are_good_for_ten_minutes(night, host):
    tv = television()
    found = shown_letters(tv)
    Screen.objects.update(lettered_at=server_time.now() - screen_letters.STAND)
    assert shown_letters(tv) == ""
    refused("wrong_letters", screens.enter, night, host, found)
    tv.post(reverse("screen_letters"))
    assert shown_letters(tv) not in {"", found}
    assert Screen.objects.count() == 1, "the same screen"


def test_letters_are_renewed_before_they_are_over_and_not_while_they_are_new():
    tv = television()
    found = shown_letters(tv)
    tv.post(reverse("screen_letters"))
    assert shown_letters(tv) == found
    Screen.objects.update(lettered_at=server_time.now() - screen_letters.RENEWED - timedelta(seconds=1))
    tv.post(reverse("screen_letters"))
    assert shown_letters(tv) != found


def test_wrong_letters_are_counted_for_each_host_and_for_the_house(night, host, settings, make_player):
    for _ in range(10):
        refused("wrong_letters", screens.enter, night, host, "CCCC")
    refused("too_many_tries", screens.enter, night, host, shown_letters(television()))
    other = make_player("Olav")
    screens.enter(membership.host_night(other, "Elsewhere"), other, shown_letters(television()))


@pytest.mark.parametrize("typed", ["", "CC", "CCCCC", "CCC\0", "💥💥💥💥", "C" * 5000, "ÇÇÇÇ", "0000"])
def test_whatever_is_typed_is_refused_in_words(night, host, typed):
    television()
    refused("wrong_letters", screens.enter, night, host, typed)


def test_a_guest_a_host_of_a_closed_night_and_a_stranger_take_nothing_in(night, host, make_player):
    tv, guest = television(), make_player("Greta")
    membership.join(night, guest)
    found = shown_letters(tv)
    refused("not_host", screens.enter, night, guest, found)
    membership.close(night, host)
    refused("night_closed", screens.enter, night, host, found)
    for browser in (browser_of(), browser_of(guest), browser_of(host)):
        assert browser.get(reverse("screens")).status_code == 403
        assert browser.post(reverse("screen_act", args=["enter"]), {"letters": found}).status_code == 403
    assert shows(tv) == "letters"


def test_a_code_that_is_scanned_fills_the_letters_in_for_the_host(night, host):
    page = browser_of(host).get(reverse("screens"), {"letters": " cdfg<script>"})
    assert page.context["letters"] == "CDFG"
    assert 'value="CDFG"' in page.content.decode()


def test_ten_thousand_screens_of_a_stranger_leave_room_for_a_real_one(monkeypatch, night, host):
    """Of one address as few stay as are bounded, and the real one's, of another, is not touched."""
    monkeypatch.setattr(screen_letters, "MOST_OF_ADDRESS", 5)
    real = television()
    for _ in range(30):
        screen_letters.open_or_renew("", "203.0.113.9")
    assert Screen.objects.count() == 6
    assert screens.enter(night, host, shown_letters(real)) is None
    newcomer = television()
    assert shown_letters(newcomer)


def test_many_addresses_of_a_stranger_leave_room_too(monkeypatch):
    monkeypatch.setattr(screen_letters, "MOST", 8)
    for number in range(30):
        screen_letters.open_or_renew("", f"203.0.113.{number // 2}")
    assert Screen.objects.count() == 8
    assert shown_letters(television())


def test_an_ipv6_network_is_one_address(monkeypatch):
    monkeypatch.setattr(screen_letters, "MOST_OF_ADDRESS", 3)
    for number in range(9):
        screen_letters.open_or_renew("", f"2001:db8:1:2::{number + 1:x}")
    assert Screen.objects.count() == 3


def test_a_screen_that_was_taken_in_never_gives_way(monkeypatch, night, host):
    monkeypatch.setattr(screen_letters, "MOST_OF_ADDRESS", 2)
    tv = taken_in(night, host)
    for _ in range(9):
        television()
    assert shows(tv).startswith(night.public_id)


def test_the_network_of_a_screen_is_not_stored_as_it_is():
    screen_letters.open_or_renew("", "203.0.113.9")
    assert "203.0.113" not in str(list(Screen.objects.values()))


def test_the_secret_is_stored_as_its_digest_alone():
    tv = television()
    secret = tv.cookies["screen"].value
    assert secret not in str(list(Screen.objects.values()))
    assert tv.cookies["screen"]["httponly"]
    assert tv.cookies["screen"]["samesite"] == "Lax"


@pytest.mark.parametrize("made_up", ["x", "x" * 32, "", "../" * 10, "a" * 5000])
def test_a_made_up_cookie_is_no_screen(made_up, night, host):
    taken_in(night, host)
    tv = browser_of()
    tv.cookies["screen"] = made_up
    assert shows(tv) == "letters"
    tv.post(reverse("screen_letters"))
    assert tv.cookies["screen"].value != made_up


def test_a_television_that_lost_its_cookie_shows_letters_again(night, host):
    tv = taken_in(night, host)
    del tv.cookies["screen"]
    assert shows(tv) == "letters"


def test_what_nobody_took_in_is_erased_and_what_was_taken_in_stays(night, host):
    taken_in(night, host)
    television()
    now = server_time.now()
    housekeeping.run(now + timedelta(minutes=30), ["screens"])
    assert Screen.objects.count() == 2
    housekeeping.run(now + timedelta(days=1), ["screens"])
    assert Screen.objects.get().taken_at is not None
    housekeeping.run(now + timedelta(days=500), ["screens"])
    assert not Screen.objects.exists()


def test_staff_take_a_screen_in_for_the_house_name_it_and_take_it_away(bar: Client):
    tv = television()
    assert bar.get(reverse("screens")).status_code == 200
    entered = {"letters": shown_letters(tv), "name": "Over the bar"}
    assert bar.post(reverse("screen_act", args=["enter"]), entered).status_code == 302
    assert shows(tv) == "between"
    row = row_of(tv)
    assert (row.name, row.is_staffs) == ("Over the bar", True)
    bar.post(reverse("screen_act", args=["rename"]), {"screen": row.public_id, "name": "Beside the door"})
    assert row_of(tv).name == "Beside the door"
    bar.post(reverse("screen_act", args=["end"]), {"screen": row.public_id})
    assert shows(tv) == "letters"
    codes = {"screen_taken_in", "screen_renamed", "screen_ended"}
    assert set(AuditEntry.objects.values_list("act", flat=True)) >= codes


@pytest.mark.parametrize("act", ["enter", "rename", "send", "end"])
def test_an_act_of_the_staff_on_nothing_is_refused_in_words(bar: Client, act):
    answer = bar.post(reverse("screen_act", args=[act]), {"screen": "nothing", "night": "nothing"}, follow=True)
    assert answer.status_code == 200
    assert "error" in answer.content.decode()


def test_the_admin_lists_what_was_taken_in_and_no_letters(admin_client: Client, night: Night, host):
    taken_in(night, host, name="Over the bar")
    waiting = shown_letters(television())
    page = admin_client.get(reverse("admin:games_screen_changelist")).content.decode()
    assert "Over the bar" in page
    assert waiting not in page
    assert page.count("field-name") == 1


def test_a_clock_that_is_set_back_leaves_no_letters_good_for_longer(night, host):
    tv = television()
    found = shown_letters(tv)
    Screen.objects.update(lettered_at=server_time.now() + timedelta(hours=5))
    assert shown_letters(tv) == ""
    refused("wrong_letters", screens.enter, night, host, found)
    tv.post(reverse("screen_letters"))
    assert shown_letters(tv) not in {"", found}
