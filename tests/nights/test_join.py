"""Joining: scan, name, play; nothing typed is lost and nothing is joined by looking."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.models import Membership, Night, Player, Seat, Table
from games.services.hosting import device_transfer
from games.services.nights import membership
from games.services.people import players
from tests.languages import EVERY
from tests.web.pages import browser_of, join_link, night_page, page_of, read, table_do

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()
    yield
    cache.clear()


def test_only_a_post_joins(night):
    browser = browser_of()
    for path in (join_link(night), reverse("join") + f"?code={night.code}", reverse("home")):
        browser.get(path, follow=True)
    assert night.memberships.count() == 1
    assert Player.objects.count() == 1


def test_a_code_leads_to_the_join_page_however_it_is_typed(night):
    typed = f" {night.code[:2].lower()} - {night.code[2:].lower()} "
    answer = browser_of().post(reverse("join"), {"code": typed})
    assert answer["Location"] == reverse("join_link", args=[night.public_id, night.token("code")])


def test_a_wrong_code_is_told_at_the_field_and_stays_there(night):
    answer = browser_of().post(reverse("join"), {"code": "QQQ<3"})
    assert answer.status_code == 400
    field = read(answer.content.decode()).by_id("code")
    assert field.attrs["value"] == "QQQ<3"
    assert "code-error" in field.attrs["aria-describedby"]


def test_the_eleventh_wrong_code_of_a_minute_has_to_wait(night):
    browser = browser_of()
    answers = [browser.post(reverse("join"), {"code": "QQQQQ"}).status_code for _ in range(11)]
    assert answers == [400] * 10 + [429]
    assert browser.post(reverse("join"), {"code": night.code}).status_code == 429
    elsewhere = browser_of(REMOTE_ADDR="10.0.0.9")
    assert elsewhere.post(reverse("join"), {"code": night.code}).status_code == 302


def test_right_codes_are_not_counted(night):
    for _ in range(15):
        assert browser_of().post(reverse("join"), {"code": night.code}).status_code == 302


def test_behind_our_proxy_the_address_is_the_one_that_the_proxy_saw(night, settings):
    settings.PROXIES = ["127.0.0.1"]
    for i in range(12):
        browser = browser_of(HTTP_X_FORWARDED_FOR=f"1.2.3.{i}, 10.0.0.7")
        last = browser.post(reverse("join"), {"code": "QQQQQ"}).status_code
    assert last == 429


def test_from_the_scan_to_the_seat_in_three_taps(night, open_table):
    table = open_table(seats=1)
    browser = browser_of()
    page = read(browser.get(join_link(night)).content.decode())
    assert page.by_id("nickname") is not None
    joined = browser.post(join_link(night), {"nickname": "Kari"})
    assert joined["Location"] == page_of(table)
    seat = Seat.objects.get(table=table, name="Kari")
    assert seat.accepted_at is None
    room = read(browser.get(joined["Location"]).content.decode())
    assert room.by_id("accept") is not None
    card = room.all("input", name="card")[0].attrs["value"]
    browser.post(table_do(table, "accept"), {"card": card, "nonce": "0123abcd"})
    seat.refresh_from_db()
    assert seat.accepted_at is not None
    assert seat.nonce == "0123abcd"


def test_a_full_table_is_not_taken_and_one_that_plays_is_watched(night, start_table):
    table = start_table(seats=2)
    answer = browser_of().post(join_link(night), {"nickname": "Late"})
    assert answer["Location"] == page_of(table)
    assert not Seat.objects.filter(name="Late").exists()


def test_with_two_open_tables_the_guest_chooses(night, open_table):
    open_table(seats=1)
    open_table(seats=1)
    answer = browser_of().post(join_link(night), {"nickname": "Kari"})
    assert answer["Location"] == night_page(night)


def test_who_is_in_goes_straight_on(night, host, open_table):
    browser = browser_of(host)
    assert browser.get(join_link(night))["Location"] == night_page(night)
    table = open_table(seats=1)
    assert browser.get(join_link(night))["Location"] == page_of(table)


def test_joining_again_is_the_same_guest(night):
    browser = browser_of()
    for _ in range(2):
        browser.post(join_link(night), {"nickname": "Kari"})
    assert night.memberships.count() == 2


def test_the_nickname_is_remembered_at_the_next_night(night, make_player):
    kari = make_player("Kari")
    page = read(browser_of(kari).get(join_link(night)).content.decode())
    assert page.by_id("nickname").attrs["value"] == "Kari"


@pytest.mark.parametrize("nickname", ["", "   ", "a\u202eb", "x" * 25])
def test_a_bad_nickname_is_told_at_the_field_stays_there_and_makes_nobody(night, nickname):
    answer = browser_of().post(join_link(night), {"nickname": nickname})
    field = read(answer.content.decode()).by_id("nickname")
    assert answer.status_code == 400
    assert field.attrs["value"] == nickname
    assert field.attrs["aria-invalid"] == "true"
    assert Player.objects.count() == 1


def test_joining_changes_the_session_key(night):
    browser = browser_of()
    session = browser.session
    session["anything"] = 1
    session.save()
    before = browser.cookies["sessionid"].value
    browser.post(join_link(night), {"nickname": "Kari"})
    assert browser.cookies["sessionid"].value != before


def test_a_locked_a_closed_and_a_full_night_say_so_and_take_nobody(night, host):
    membership.set_lock(night, host, True)
    assert "locked" in browser_of().get(join_link(night)).content.decode()
    assert browser_of().post(join_link(night), {"nickname": "Kari"}).status_code == 400
    assert Player.objects.count() == 1
    membership.set_lock(night, host, False)
    Night.objects.filter(pk=night.pk).update(cap=1)
    assert browser_of().post(join_link(night), {"nickname": "Kari"}).status_code == 400
    link = join_link(night)
    membership.close(Night.objects.get(pk=night.pk), host)
    assert "over" in browser_of().get(link).content.decode()


def test_a_link_of_before_the_code_changed_opens_nothing(night, host):
    link = join_link(night)
    membership.rotate_code(night, host)
    assert browser_of().get(link).status_code == 404


def test_the_language_is_switched_on_the_join_page_and_the_name_being_typed_is_kept(night):
    browser = browser_of()
    page = read(browser.get(join_link(night), headers={"accept-language": "nb"}).content.decode())
    assert page.all("html")[0].attrs["lang"] == "nb"
    assert {b.attrs["value"] for b in page.all("button", name="language")} == set(EVERY)
    sent = {"language": "de", "next": join_link(night), "nickname": "Kari"}
    answer = browser.post(reverse("set_language"), sent)
    assert answer["Location"] == join_link(night)
    page = read(browser.get(join_link(night)).content.decode())
    assert page.all("html")[0].attrs["lang"] == "de"
    assert page.by_id("nickname").attrs["value"] == "Kari"


def test_who_is_admitted_by_hand_waits_and_goes_on_by_itself(night, host):
    membership.set_admission(night, host, True, 60)
    browser = browser_of()
    assert browser.post(join_link(night), {"nickname": "Kari"})["Location"] == night_page(night)
    waiting = browser.get(night_page(night))
    assert "by hand" in waiting.content.decode()
    poll = reverse("night_live", args=[night.public_id]) + "?waiting=1"
    assert "HX-Refresh" not in browser.get(poll)
    membership.admit(night, host, Player.objects.get(nickname="Kari").pk)
    assert browser.get(poll)["HX-Refresh"] == "true"
    assert read(browser.get(night_page(night)).content.decode()).by_id("night-tables")


def test_who_was_shown_the_door_stays_out(night, host, make_player):
    kari = make_player("Kari")
    membership.join(night, kari)
    membership.remove(night, host, kari.pk)
    assert browser_of(kari).get(night_page(night)).status_code == 403
    assert browser_of(kari).post(join_link(night), {"nickname": "Kari"}).status_code == 403


def test_hosting_a_night_needs_two_names_and_makes_the_browser_its_host():
    browser = browser_of()
    answer = browser.post(reverse("host"), {"name": "Thursday", "nickname": "Hanna"})
    night = Night.objects.get()
    assert answer["Location"] == night_page(night)
    assert night.host == Player.objects.get(nickname="Hanna")
    assert browser.get(night_page(night)).status_code == 200


@pytest.mark.parametrize(("name", "nickname"), [("", "Hanna"), ("Thursday", ""), ("x" * 81, "H")])
def test_a_refused_night_keeps_what_was_typed_and_makes_nothing(name, nickname):
    answer = browser_of().post(reverse("host"), {"name": name, "nickname": nickname})
    page = read(answer.content.decode())
    assert answer.status_code == 400
    assert page.by_id("host-name").attrs["value"] == name
    assert page.by_id("host-nickname").attrs["value"] == nickname
    assert not Night.objects.exists()
    assert not Player.objects.exists()


def test_the_front_door_leads_back_to_the_browsers_nights(night, host, make_player):
    assert night_page(night) in browser_of(host).get("/").content.decode()
    assert night_page(night) not in browser_of(make_player("X")).get("/").content.decode()


def test_a_seat_cannot_be_taken_from_outside_the_night(open_table, make_player):
    table = open_table(seats=1)
    outsider = browser_of(make_player("Outsider"))
    assert outsider.get(page_of(table)).status_code == 403
    assert outsider.post(table_do(table, "sit")).status_code == 403
    assert Table.objects.get().seats.count() == 1


def test_another_phone_goes_on_as_the_same_guest_once_the_host_approves(night, host):
    kari = players.new_guest("Kari")
    membership.join(night, kari)
    phone = browser_of()
    args = [night.public_id, night.token("join")]
    names = phone.get(reverse("move_ask", args=args)).content.decode()
    assert "Kari" in names
    phone.post(reverse("move_ask", args=args), {"player": kari.pk})
    number = phone.session["move_number"]
    shown = read(phone.get(reverse("move_wait", args=args)).content.decode())
    assert shown.by_id("move-number").text.strip().replace(" ", "") == number
    use = reverse("move_use", args=args)
    assert phone.post(use, headers={"hx-request": "true"}).status_code == 204
    assert "player_id" not in phone.session
    asked = browser_of(host)
    page = asked.get(night_page(night)).content.decode()
    assert "Kari" in page
    assert number not in page
    do = reverse("night_act", args=[night.public_id, "approve_move"])
    asked.post(do, {"player": kari.pk, "number": f"{number[:3]} {number[3:]}"})
    answer = phone.post(use, headers={"hx-request": "true"})
    assert answer["HX-Redirect"] == night_page(night)
    assert phone.session["player_id"] == kari.pk
    assert Membership.objects.filter(night=night).count() == 2


def test_only_the_browser_that_asked_can_use_an_approved_move(night, host):
    kari = players.new_guest("Kari")
    membership.join(night, kari)
    move, _ = device_transfer.request_move(night, kari.pk)
    device_transfer.approve_move(night, host, move.player_id, move.number)
    args = [night.public_id, night.token("join")]
    other = browser_of()
    other.post(reverse("move_use", args=args))
    assert "player_id" not in other.session
