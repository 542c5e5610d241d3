"""The night's page: what all see, what only the host can do."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.models import Night, NightEvent
from games.services.hosting import device_transfer
from games.services.nights import membership, night_rights
from games.services.nights.registry import NIGHT, NightRight
from games.web.nights import events as night_events
from tests.web.pages import browser_of, night_do, night_page, page_of, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def kari(night, make_player):
    player = make_player("Kari")
    membership.join(night, player)
    return player


@pytest.mark.parametrize(
    "act", sorted(name for name, act in NIGHT.items() if act.right is not NightRight.MEMBER and name != "take_over")
)
def test_a_guest_cannot_do_what_is_the_hosts(night, kari, act):
    before = Night.objects.values().get(pk=night.pk)
    sent = {"player": kari.pk, "number": "123456", "cap": "5"}
    answer = browser_of(kari).post(night_do(night, act), sent)
    assert answer.status_code == 403
    assert Night.objects.values().get(pk=night.pk) == before
    assert night_rights.is_inside(night, kari)


def test_acts_are_posts_and_unknown_ones_are_nothing(night, host):
    browser = browser_of(host)
    assert browser.get(night_do(night, "lock")).status_code == 405
    assert browser.post(night_do(night, "dance")).status_code == 404


def test_the_host_locks_unlocks_and_changes_the_code(night, host):
    browser = browser_of(host)
    browser.post(night_do(night, "lock"))
    assert Night.objects.get().status == "locked"
    browser.post(night_do(night, "unlock"))
    assert Night.objects.get().status == "open"
    code = night.code
    browser.post(night_do(night, "rotate"))
    assert Night.objects.get().code != code


def test_the_host_admits_by_hand_and_sets_how_many(night, host):
    browser = browser_of(host)
    browser.post(night_do(night, "admission"), {"by_hand": "on", "cap": "12"})
    night.refresh_from_db()
    assert (night.admit_by_hand, night.cap) == (True, 12)
    answer = browser.post(night_do(night, "admission"), {"cap": "1"}, follow=True)
    assert "from 2 to 500" in answer.content.decode()
    night.refresh_from_db()
    assert (night.admit_by_hand, night.cap) == (True, 12)


def test_the_host_shows_the_door_and_hands_the_night_over(night, host, kari, make_player):
    ola = make_player("Ola")
    membership.join(night, ola)
    browser = browser_of(host)
    browser.post(night_do(night, "remove"), {"player": ola.pk})
    assert not night_rights.is_inside(night, ola)
    browser.post(night_do(night, "give_host"), {"player": kari.pk})
    assert Night.objects.get().host == kari
    assert browser.post(night_do(night, "lock")).status_code == 403


def test_showing_the_door_is_asked_twice_and_says_what_it_costs(night, host, kari):
    page = read(browser_of(host).get(night_page(night)).content.decode())
    at = page.tags.index(page.by_id(f"door-{kari.pk}"))
    (remove,) = page.all("form", action=night_do(night, "remove"))
    assert page.tags[at].name == "details"
    assert page.tags[at + 1].text.strip() == "Show the door"
    assert "can't come in again" in page.tags[at + 2].text
    assert page.tags.index(remove) == at + 3


def test_closing_is_asked_twice_and_leaves_the_results(night, host):
    browser = browser_of(host)
    page = browser.get(night_page(night)).content.decode()
    assert page.index('id="close-night"') < page.index(night_do(night, "close"))
    browser.post(night_do(night, "close"))
    assert Night.objects.get().status == "closed"
    closed = browser.get(night_page(night)).content.decode()
    assert reverse("night_results", args=[night.public_id]) in closed
    assert night_do(night, "lock") not in closed


def test_after_five_minutes_without_the_host_another_takes_over(night, kari):
    gone = datetime.now(UTC) - timedelta(seconds=200)
    Night.objects.filter(pk=night.pk).update(host_away_since=gone)
    browser = browser_of(kari)
    assert night_do(night, "take_over") not in browser.get(night_page(night)).content.decode()
    browser.post(night_do(night, "take_over"))
    assert Night.objects.get().host != kari
    Night.objects.filter(pk=night.pk).update(host_away_since=gone - timedelta(seconds=200))
    assert night_do(night, "take_over") in browser.get(night_page(night)).content.decode()
    browser.post(night_do(night, "take_over"))
    assert Night.objects.get().host == kari


def test_a_host_who_has_been_gone_for_a_day_is_told_without_a_time_of_day(night, kari):
    browser = browser_of(kari)
    now = datetime.now(UTC)
    for hours, is_told in ((1, True), (24, False), (24 * 365 * 50, False)):
        Night.objects.filter(pk=night.pk).update(host_away_since=now - timedelta(hours=hours))
        page = browser.get(night_page(night)).content.decode()
        assert (" has been gone since " in page) is is_told
        assert (", the host, is not here." in page) is not is_told
        assert night_do(night, "take_over") in page


def test_only_the_host_sees_the_link_for_the_big_screen(night, host, kari):
    link = reverse("tv", args=[night.public_id, night.token("tv")])
    assert link in browser_of(host).get(night_page(night)).content.decode()
    assert link not in browser_of(kari).get(night_page(night)).content.decode()


def test_the_page_shows_code_qr_and_link(night, host, settings):
    settings.PUBLIC_URL = "https://games.example.org"
    page = read(browser_of(host).get(night_page(night)).content.decode())
    assert page.by_id("room-code").text.strip() == night.code
    link = page.by_id("join-url").attrs["value"]
    assert link.startswith("https://games.example.org/j/")
    assert page.all("svg", class_="qr")


def test_a_link_that_works_on_this_computer_only_says_so(night, host, settings):
    browser = browser_of(host)
    hint = "on this computer only"
    assert hint in browser.get(night_page(night), SERVER_NAME="127.0.0.1").content.decode()
    assert hint not in browser.get(night_page(night), SERVER_NAME="192.168.1.5").content.decode()
    settings.PUBLIC_URL = "https://games.example.org"
    assert hint not in browser.get(night_page(night), SERVER_NAME="127.0.0.1").content.decode()


def test_the_parts_come_only_when_they_have_changed(night, host, kari):
    browser = browser_of(host)
    live = reverse("night_live", args=[night.public_id])
    first = browser.get(live)
    mark = read(first.content.decode()).by_id("live-mark").attrs["data-mark"]
    assert browser.get(live, {"have": mark}).status_code == 204
    membership.set_lock(night, host, True)
    again = browser.get(live, {"have": mark})
    assert again.status_code == 200
    swaps = [t for t in read(again.content.decode()).tags if "hx-swap-oob" in t.attrs]
    assert len({t.attrs["id"] for t in swaps}) == len(swaps) > 5


def test_htmx_gets_parts_and_a_form_without_scripts_goes_back(night, host):
    browser = browser_of(host)
    parts = browser.post(night_do(night, "lock"), headers={"hx-request": "true"})
    assert "<html" not in parts.content.decode()
    assert "The night is locked." in parts.content.decode()
    assert browser.post(night_do(night, "unlock"))["Location"] == night_page(night)


def test_a_refused_act_says_why_on_the_page(night, host, kari):
    answer = browser_of(host).post(night_do(night, "approve_move"), {"player": kari.pk, "number": "1"}, follow=True)
    assert answer.status_code == 200
    assert "No phone of this person has shown this number" in answer.content.decode()


def test_a_member_who_was_removed_is_sent_out_by_the_next_refresh(night, host, kari):
    browser = browser_of(kari)
    membership.remove(night, host, kari.pk)
    live = browser.get(reverse("night_live", args=[night.public_id]))
    assert live["HX-Refresh"] == "true"


def test_every_event_that_the_services_record_has_words(night, host, kari, open_table, make_player):
    open_table(seats=2)
    ola = make_player("Ola")
    membership.set_admission(night, host, True, 9)
    membership.join(night, ola)
    membership.admit(night, host, ola.pk)
    membership.set_lock(night, host, True)
    membership.set_lock(night, host, False)
    membership.rotate_code(night, host)
    move, _ = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, move.player_id, move.number)
    membership.remove(night, host, ola.pk)
    membership.give_host(night, host, kari.pk)
    membership.close(night, kari)
    events = list(night.events.all())
    assert len(events) > 12
    for event in events:
        sentence = night_events.sentence(event)
        assert sentence, event.type
        assert "?" not in sentence
        assert "%" not in sentence


def test_an_event_of_a_later_version_is_shown_as_its_code(night):
    event = NightEvent.objects.create(night=night, type="aliens_landed", data={})
    assert night_events.sentence(event) == "aliens_landed"
    assert all(line["text"] for line in night_events.feed(night.events.all()))


def test_nicknames_are_shown_as_text(night, host):
    Night.objects.filter(pk=night.pk).update(name="<b>&")
    page = browser_of(host).get(night_page(night)).content.decode()
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page


def test_the_page_knows_its_parts_from_the_start(night, host, open_table):
    table, browser = open_table(seats=2), browser_of(host)
    for page, live in (
        (night_page(night), reverse("night_live", args=[night.public_id])),
        (page_of(table), reverse("table_live", args=[table.public_id])),
    ):
        mark = read(browser.get(page).content.decode()).by_id("live-mark").attrs["data-mark"]
        assert browser.get(live, {"have": mark}).status_code == 204


def test_a_form_empties_itself_only_after_an_act_that_was_carried_out(night, host, kari):
    browser, headers = browser_of(host), {"hx-request": "true"}
    move, _ = device_transfer.request_move(night, kari.pk)
    wrong = browser.post(night_do(night, "approve_move"), {"player": kari.pk, "number": "1"}, headers=headers)
    assert "HX-Trigger" not in wrong
    right = browser.post(night_do(night, "approve_move"), {"player": kari.pk, "number": move.number}, headers=headers)
    assert right["HX-Trigger"] == "done"


def test_nobody_opens_nights_without_end(host):
    cache.clear()
    sent = {"name": "Night", "nickname": "Hanna"}
    answers = [browser_of(host).post(reverse("host"), sent).status_code for _ in range(7)]
    cache.clear()
    assert answers == [302] * 6 + [429]


def test_the_waiting_room_lets_a_guest_take_over_from_a_host_who_is_gone_and_leads_back(night, open_table):
    table = open_table("chicago", "bavarian", seats=2)
    guest = table.seats.get(index=1).player
    gone = datetime.now(UTC) - timedelta(seconds=400)
    Night.objects.filter(pk=night.pk).update(host_away_since=gone)
    page = reverse("table", args=[table.public_id])
    browser = browser_of(guest)
    assert night_do(night, "take_over") in browser.get(page).content.decode()
    answer = browser.post(night_do(night, "take_over"), {"table": table.public_id})
    assert answer.headers["Location"] == page
    night.refresh_from_db()
    assert night.host == guest
