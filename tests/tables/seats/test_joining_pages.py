"""Joining a table that runs, from the pages: scan, join, play, in three taps at most."""

from __future__ import annotations

import json

import pytest

from games.models import Seat
from games.services.tables.seating import joining
from tests.tables.host.host_commands import act
from tests.web.pages import browser_of, join_link, night_page, page_of, read, table_do

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(start_table):
    """A running table that takes newcomers in."""
    return start_table(preset="endless", seats=2)


def shown(browser, path):
    return read(browser.get(path).content.decode())


def is_offered(page):
    return "hidden" not in page.by_id("join-bar").attrs


def test_from_the_scan_to_a_seat_at_a_running_table(night, table):
    browser = browser_of()
    joined = browser.post(join_link(night), {"nickname": "Kari"})
    assert joined["Location"] == page_of(table)
    page = shown(browser, page_of(table))
    assert is_offered(page)
    assert page.by_id("house-rules") is not None
    assert page.by_id("rules-card") is not None
    assert browser.post(table_do(table, "join"))["Location"] == page_of(table)
    seat = Seat.objects.get(table=table, name="Kari")
    assert (seat.index, seat.accepted_at is not None) == (2, True)
    page = shown(browser, page_of(table))
    assert not is_offered(page)
    assert json.loads(page.by_id("config").text)["seat"] == 2


def test_the_night_page_offers_it_where_it_can_be_had(night, table, start_table, guest, host):
    start_table(preset="quick", seats=2)
    late = browser_of(guest())
    offers = [f for f in shown(late, night_page(night)).all("form") if "join" in f.attrs.get("action", "")]
    assert [form.attrs["action"] for form in offers] == [table_do(table, "join")]
    act(table, host, "pause")
    for browser in (late, browser_of(host)):
        page = shown(browser, night_page(night))
        assert not [f for f in page.all("form") if f.attrs.get("action") == table_do(table, "join")]


def test_of_two_running_tables_the_one_that_takes_newcomers_is_shown(night, table, start_table):
    start_table(preset="quick", seats=2)
    assert browser_of().post(join_link(night), {"nickname": "A"})["Location"] == page_of(table)
    start_table(preset="endless", seats=2)
    assert browser_of().post(join_link(night), {"nickname": "B"})["Location"] == night_page(night)


def test_a_seat_before_the_start_comes_first(night, table, open_table):
    waiting = open_table(seats=1)
    assert browser_of().post(join_link(night), {"nickname": "A"})["Location"] == page_of(waiting)


def test_a_refusal_is_told_on_the_table_s_page(table, host, guest):
    late = guest()
    act(table, host, "join", bot="low")
    act(table, host, "join", bot="low")
    assert not joining.is_open(table)
    answer = browser_of(late).post(table_do(table, "join"), follow=True)
    assert "All seats of this table are taken." in answer.content.decode()
    assert not table.seats.filter(player=late).exists()


def test_who_is_not_at_the_night_joins_no_table(table, make_player):
    assert browser_of(make_player("X")).post(table_do(table, "join")).status_code == 403
    assert table.seats.count() == 2


def test_the_page_says_what_leaving_does(table, start_table, host):
    found = shown(browser_of(host), page_of(table)).by_id("config").text
    assert json.loads(found)["leaving"] == {"kind": "by_host", "note": ""}
    backgammon = start_table("chouette", "german", seats=3)
    found = json.loads(shown(browser_of(host), page_of(backgammon)).by_id("config").text)
    assert found["leaving"]["kind"] == "at_once"
    assert found["leaving"]["note"]


def test_the_lobby_seats_as_many_as_the_house_rules_allow(open_table, host):
    """A chouette of up to ten; a money game or a match takes two, whatever the preset."""
    for rules, free in (({"max_players": 10}, 10), ({}, 6), ({"format": "match"}, 2)):
        table = open_table("chouette", "german", seats=0, **rules)
        assert f"{free} seats free" in browser_of(host).get(page_of(table)).content.decode()
