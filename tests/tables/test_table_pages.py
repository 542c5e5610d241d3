"""The waiting room, the table's page and the big screen."""

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import LogEntry, Night, Result, ResultLine, Seat, Table
from games.services.commands import Actor, Request, new_command_id
from games.services.logs import log_views
from games.services.nights import membership
from games.services.tables import setup
from games.services.tables.commit import submit
from games.web.tables.acts import ACTS
from tests.tables.host.host_commands import named
from tests.web.pages import browser_of, night_page, page_of, read, table_do

pytestmark = pytest.mark.django_db


@pytest.fixture
def kari(night, make_player):
    player = make_player("Kari")
    membership.join(night, player)
    return player


@pytest.fixture
def act_as_host(host):
    def act(table, name):
        submit(table.pk, Actor(host.pk), Request(name, {}, new_command_id()))

    return act


def card_mark(browser, table):
    return read(browser.get(page_of(table)).content.decode()).all("input", name="card")[0].attrs["value"]


def names(table):
    return [seat.name for seat in table.seats.order_by("index")]


def seat_id(table, index):
    return table.seats.get(index=index).seat_id


def config_of(browser, path):
    html = browser.get(path).content.decode()
    return json.loads(read(html).by_id("config").text)


@pytest.mark.parametrize("act", ["add_bot", "reorder", "start", "rules"])
def test_what_is_the_hosts_at_a_table_is_refused_for_a_guest(open_table, kari, act):
    table = open_table(seats=2)
    sent = {"level": "low", "seat": "0", "by": "1", "preset": table.preset}
    assert browser_of(kari).post(table_do(table, act), sent).status_code == 403
    table.refresh_from_db()
    assert table.status == "lobby"
    assert len(names(table)) == 2


def test_a_guest_stands_up_but_takes_nobody_else_off_the_table(open_table, kari):
    table = open_table(seats=2)
    browser = browser_of(kari)
    browser.post(table_do(table, "sit"))
    assert browser.post(table_do(table, "vacate"), {"seat": seat_id(table, 0)}).status_code == 403
    browser.post(table_do(table, "vacate"), {"seat": seat_id(table, 2)})
    assert names(table) == ["Hanna", "Guest 1"]


def test_two_posts_that_take_somebody_off_the_table_take_one_off(open_table, host):
    table, browser = open_table(seats=4), browser_of(host)
    sent = {"seat": seat_id(table, 1)}
    assert 'class="banner error"' not in browser.post(table_do(table, "vacate"), sent, follow=True).content.decode()
    assert "Nobody sits there any more." in browser.post(table_do(table, "vacate"), sent, follow=True).content.decode()
    assert names(table) == ["Hanna", "Guest 2", "Guest 3"]


def test_the_page_of_a_table_that_waited_when_its_night_was_closed_leads_to_the_night(open_table, night, host):
    table, browser = open_table(seats=2), browser_of(host)
    membership.close(night, host)
    assert browser.get(page_of(table)).url == night_page(night)
    assert browser.get(f"{page_of(table)}live/").headers["HX-Refresh"] == "true"
    answer = browser.post(table_do(table, "start"), follow=True)
    assert (answer.redirect_chain[-1][0], "This night is over." in answer.content.decode()) == (night_page(night), True)
    refused = browser.get(f"{page_of(table)}rules/")
    assert (refused.status_code, "This night is over." in refused.content.decode()) == (400, True)


def test_the_host_adds_bots_changes_the_order_and_takes_seats_back(open_table, host):
    table, browser = open_table(seats=2), browser_of(host)
    browser.post(table_do(table, "add_bot"), {"level": "low"})
    assert names(table)[2].endswith("🤖")
    browser.post(table_do(table, "reorder"), {"seat": seat_id(table, 1), "by": "-1"})
    assert names(table)[:2] == ["Guest 1", "Hanna"]
    browser.post(table_do(table, "reorder"), {"seat": seat_id(table, 0), "by": "1"})
    assert names(table)[:2] == ["Hanna", "Guest 1"]
    browser.post(table_do(table, "vacate"), {"seat": seat_id(table, 2)})
    assert len(names(table)) == 2


@pytest.mark.parametrize(
    ("act", "sent"),
    [
        ("reorder", {"seat": "0", "by": "1"}),
        ("reorder", {"seat": "x", "by": "1"}),
        ("reorder", {}),
        ("vacate", {"seat": "99"}),
        ("vacate", {"seat": "²"}),
        ("add_bot", {"level": "nobody"}),
        ("add_bot", {}),
    ],
)
def test_a_mangled_form_changes_nothing_and_says_why(open_table, host, act, sent):
    table = open_table(seats=2)
    answer = browser_of(host).post(table_do(table, act), sent, follow=True)
    assert answer.status_code == 200
    assert 'class="banner error"' in answer.content.decode()
    assert names(table) == ["Hanna", "Guest 1"]


def test_acts_are_posts_and_unknown_ones_are_nothing(open_table, host):
    table, browser = open_table(seats=1), browser_of(host)
    assert all(browser.get(table_do(table, act)).status_code == 405 for act in ACTS)
    assert browser.post(table_do(table, "dance")).status_code == 404


def test_who_accepts_a_card_that_has_changed_is_asked_again(open_table, night, host, kari):
    table, browser = open_table(seats=2), browser_of(kari)
    read_card = card_mark(browser, table)
    other = next(p.id for p in _presets(table) if p.id != table.preset)
    setup.change_rules(table, host, other, {})
    answer = browser.post(table_do(table, "accept"), {"card": read_card}, follow=True)
    assert "read them again" in answer.content.decode()
    assert not Seat.objects.filter(player=kari, accepted_at__isnull=False).exists()
    browser.post(table_do(table, "accept"), {"card": card_mark(browser, table), "nonce": "n"})
    assert Seat.objects.get(player=kari).accepted_at is not None


def _presets(table):
    from games import plugin

    return plugin.game(table.game_id).options.presets


def test_the_start_waits_and_says_for_what(open_table, host, kari):
    table, browser = open_table(seats=1), browser_of(host)
    page = browser.get(page_of(table)).content.decode()
    assert "disabled" in read(page).by_id("start").attrs
    assert "1 more player is needed." in page
    setup.sit(table, kari)
    assert "still to be accepted by Kari" in browser.get(page_of(table)).content.decode()
    setup.sit(table, kari, accept=True, nonce="n")
    page = read(browser.get(page_of(table)).content.decode())
    assert "disabled" not in page.by_id("start").attrs
    browser.post(table_do(table, "start"))
    table.refresh_from_db()
    assert table.status == "playing"


def test_in_the_waiting_room_everybody_has_the_colour_of_their_seat(open_table, kari):
    table = open_table(seats=2)
    setup.sit(table, kari)
    page = read(browser_of(kari).get(page_of(table)).content.decode())
    mats = [t.attrs["class"] for t in page.all("span") if "mat seat-" in t.attrs.get("class", "")]
    assert mats == ["mat seat-2", "mat seat-0", "mat seat-1", "mat seat-2"], "her own first"


def test_a_key_that_was_just_changed_sends_nobody_back_to_the_page(open_table, night, kari):
    table = open_table(seats=1)
    old, late = browser_of(kari), browser_of()
    late.cookies["sessionid"] = old.cookies["sessionid"].value
    places = [("table_live", table), ("night_live", night)]
    lives = [reverse(name, args=[of.public_id]) for name, of in places]
    old.post(table_do(table, "sit"))
    for live in lives:
        answer = late.get(live)
        assert (answer.status_code, answer.content) == (204, b""), "an old key opens nothing"
        assert "HX-Refresh" not in answer
        assert old.get(live).status_code == 200
        assert browser_of().get(live)["HX-Refresh"] == "true"
    late.cookies["sessionid"] = "somebody" * 4
    assert late.get(lives[0])["HX-Refresh"] == "true"


def test_starting_twice_starts_once(open_table, host):
    table, browser = open_table(seats=2), browser_of(host)
    browser.post(table_do(table, "start"))
    browser.post(table_do(table, "start"))
    assert LogEntry.objects.filter(table=table, seq=1).count() == 1


def test_the_waiting_room_becomes_the_game_when_it_starts(open_table, host, kari):
    table, browser = open_table(seats=2), browser_of(kari)
    live = reverse("table_live", args=[table.public_id])
    mark = read(browser.get(live).content.decode()).by_id("live-mark").attrs["data-mark"]
    assert browser.get(live, {"have": mark}).status_code == 204
    setup.start(table, host, new_command_id())
    assert browser.get(live, {"have": mark})["HX-Refresh"] == "true"


def test_the_page_of_a_running_table_tells_its_module_what_it_needs(start_table, host, kari):
    table = start_table(seats=2)
    mine = config_of(browser_of(host), page_of(table))
    assert (mine["table"], mine["game"], mine["seat"]) == (table.public_id, table.game_id, 0)
    assert mine["host"] is True
    assert mine["urls"]["socket"] == f"/ws/table/{table.public_id}/"
    watching = config_of(browser_of(kari), page_of(table))
    assert (watching["seat"], watching["host"], watching["tv"]) == (None, False, False)
    assert mine["outbox"] != watching["outbox"], "who goes on in the same window sends nothing that another one tapped"


def first_of(browser, path):
    return json.loads(read(browser.get(path).content.decode()).by_id("first").text)


def test_the_page_comes_with_the_table_as_its_reader_sees_it_and_as_nobody_else(night, start_table, kari):
    """The dice under the cups are in their owners' pages alone (tests/dummygame)."""
    table = start_table(preset="hidden")
    now = log_views.snapshot(table.pk)
    people = [*(seat.player for seat in table.seats.select_related("player")), kari]
    pages = [first_of(browser_of(each), page_of(table)) for each in people] + [first_of(browser_of(), tv_link(night))]
    for player, page in zip([*people, None], pages, strict=True):
        reader = now.reader(None if player is None else player.pk)
        assert page["table"] == json.loads(json.dumps(now.table))
        assert without_clocks(page["state"]) == without_clocks(json.loads(json.dumps(now.state_for(reader))))
    mine, theirs, guest, screen = (page["state"]["view"] for page in pages)
    assert guest == screen
    assert guest not in (mine, theirs)


def without_clocks(state):
    return {name: value for name, value in state.items() if name != "clocks"}


def test_playing_again_opens_one_table_for_all_that_ask(start_table, host):
    table = start_table(seats=2)
    submit(table.pk, Actor(host.pk), Request("table.end", {}, new_command_id()))
    guest = Seat.objects.get(table=table, index=1).player
    first = browser_of(host).post(table_do(table, "again"))
    second = browser_of(guest).post(table_do(table, "again"))
    assert first["Location"] == second["Location"] == page_of(Table.objects.get(number=2))
    room = read(browser_of(guest).get(second["Location"]).content.decode())
    assert room.all("form", **{"data-fresh-nonce": Table.objects.get(number=2).public_id})


def test_a_seat_kept_for_the_next_game_takes_a_fresh_number(start_table, host):
    table = start_table(seats=2)
    submit(table.pk, Actor(host.pk), Request("table.end", {}, new_command_id()))
    browser = browser_of(host)
    following = browser.post(table_do(table, "again"))["Location"]
    seat = Seat.objects.get(table__number=2, player=host)
    card = read(browser.get(following).content.decode()).all("input", name="card")[0]
    browser.post(table_do(seat.table, "accept"), {"card": card.attrs["value"], "nonce": "fresh0fresh1"})
    seat.refresh_from_db()
    assert seat.nonce == "fresh0fresh1"


def tv_link(night):
    return reverse("tv", args=[night.public_id, night.token("tv")])


def test_the_big_screen_needs_no_guest_and_shows_the_door(night):
    browser = browser_of()
    page = browser.get(tv_link(night)).content.decode()
    assert night.code in page
    assert browser.cookies["tv"].value == f"{night.public_id}.{night.token('tv')}"
    assert "sessionid" not in browser.cookies
    assert browser.get(night_page(night)).status_code == 403


def test_the_host_reads_beforehand_why_a_table_cannot_be_closed(host, start_table, act_as_host):
    def why(table, player=host):
        tag = read(browser_of(player).get(page_of(table)).content.decode()).by_id("why-open")
        return None if tag is None else tag.text.strip()

    match, open_ended = start_table(sets=2), start_table(sets=0)
    assert why(match) == "This game ends by itself."
    assert why(match, match.seats.get(index=1).player) is None
    assert why(open_ended) == ""
    before = LogEntry.objects.count()
    act_as_host(open_ended, "table.pause")
    assert "paused" in why(open_ended)
    assert LogEntry.objects.count() == before + 1, "asking is no act"


def test_the_join_token_is_no_link_for_the_big_screen(night):
    wrong = reverse("tv", args=[night.public_id, night.token("join")])
    assert browser_of().get(wrong).status_code == 404


def test_the_big_screen_follows_from_the_door_to_the_game_and_to_the_next(night, host, open_table, start_table):
    browser = browser_of()
    live = reverse("tv_live", args=[night.public_id, night.token("tv")])
    shown = "door-"
    assert browser.get(live, {"shown": shown}).status_code == 200
    first = open_table(seats=2)
    assert browser.get(live, {"shown": shown})["HX-Refresh"] == "true"
    shown = f"door-{first.public_id}"
    assert "Hanna" in browser.get(live, {"shown": shown}).content.decode()
    setup.start(first, host, new_command_id())
    assert browser.get(live, {"shown": shown})["HX-Refresh"] == "true"
    assert config_of(browser, tv_link(night))["tv"] is True
    second = start_table(seats=2)
    assert browser.get(live, {"shown": f"play-{first.public_id}"})["HX-Refresh"] == "true"
    assert config_of(browser, tv_link(night))["table"] == second.public_id
    here = {"shown": f"play-{second.public_id}", "to": "testserver"}
    assert browser.get(live, here).status_code == 204
    assert "HX-Refresh" not in browser.get(live, here)
    assert browser.get(live, {**here, "to": "192.168.1.20:8000"})["HX-Refresh"] == "true"


def test_a_screen_that_was_let_in_is_out_when_the_code_changes(night, host):
    browser, link = browser_of(), tv_link(night)
    browser.get(link)
    membership.rotate_code(night, host)
    assert browser.get(link).status_code == 404
    night.refresh_from_db()
    assert browser.get(tv_link(night)).status_code == 200


def test_the_big_screen_says_good_night(night, host):
    browser, link = browser_of(), tv_link(night)
    membership.close(night, host)
    page = browser.get(link).content.decode()
    assert "Good night!" in page
    assert "qr-box" not in page
    assert Night.objects.get().code is None


def test_the_big_screen_shows_between_two_tables_who_is_here_what_is_next_and_who_leads(night, start_table):
    table = start_table(seats=2)
    line = {"player": table.seats.get(index=1).player, "seat": 1, "rank": 1, "points": 3, "name": "Kari"}
    result = Result.objects.create(
        table=table, game_id=table.game_id, number=1, unit="points", finished_at=timezone.now()
    )
    ResultLine.objects.create(result=result, **line)
    Table.objects.filter(pk=table.pk).update(status="finished", finished_at=timezone.now())
    assert 'id="config"' in browser_of().get(tv_link(night)).content.decode(), "the result stands"
    Table.objects.filter(pk=table.pk).update(finished_at=timezone.now() - timedelta(minutes=4))
    page = browser_of().get(tv_link(night)).content.decode()
    assert "The host opens a table in a moment." in page
    assert "Tonight:" in page
    assert night.code in page


def test_the_hosts_page_names_the_order_of_play_where_the_host_sets_it(host, start_table):
    def order(table, player=host):
        _, found, after = browser_of(player).get(page_of(table)).content.decode().partition('id="order"')
        return re.findall(r'value="(\d+)"', after.split("</datalist>")[0]) if found else None

    table = start_table(seats=4, game="chouette", preset="german", line_order="by_hand")
    assert order(table) == ["0", "1", "2", "3"]
    submit(
        table.pk,
        Actor(host.pk),
        Request("table.place", named(table, "table.place", {"seat": 2, "to": 0}), new_command_id()),
    )
    assert order(table) == ["2", "0", "1", "3"]
    assert order(table, table.seats.get(index=1).player) is None
    assert order(start_table()) == []


@pytest.mark.parametrize("act", ["sit", "accept"])
def test_a_browser_that_takes_a_seat_gets_another_session_key(act, open_table, kari):
    """`accept` seats a guest without a seat, too; a seated guest keeps the session key."""
    table, browser = open_table(seats=1), browser_of(kari)
    before, fields = browser.session.session_key, {"nonce": "n", "card": card_mark(browser, table)}
    browser.post(table_do(table, act), fields)
    assert table.seats.filter(player=kari).exists()
    seated = browser.cookies["sessionid"].value
    assert seated != before
    browser.post(table_do(table, "accept"), fields)
    assert browser.cookies["sessionid"].value == seated
