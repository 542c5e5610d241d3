"""The house is back: games are handed over by one tap, each once; the host takes others' lists, and chooses."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Locator, Route, expect

from tests.browser.away.test_going_on import LOST, READY, chouette, kept, lose, open_sheet, press, tell
from tests.browser.people import PHONE, Person
from tests.browser.tables import set_up
from tests.browser.taps import stop_clock
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
HANDED = "Games played without the house"


def play(one: Person, *games: tuple[str, str]) -> None:
    """Tell games while the house is out of reach, and close the sheet."""
    sheet = open_sheet(one)
    for number, (winner, level) in enumerate(games):
        if number:
            press(sheet, "Next game")
        tell(sheet, winner, level)
        expect(sheet.locator(".played-games li")).to_have_count(number + 1)
    press(sheet, "Close")


def back(one: Person) -> Locator:
    """Bring the house back into reach; return the sheet that comes by itself."""
    one.context.set_offline(False)
    sheet = one.page.get_by_role("dialog", name=HANDED)
    expect(sheet).to_be_visible(timeout=LOST)
    return sheet


def table_of(one: Person) -> str:
    return one.page.url.split("#")[0].rstrip("/").rsplit("/", 1)[1]


def played(one: Person) -> list[dict[str, Any]]:
    """Return the games that stand in the log as played without the house, the first line of each."""
    entries = one.ask(f"tables/{table_of(one)}/events/?after=0")["entries"]
    return [entry["events"][0]["data"] for entry in entries if entry["events"][0]["type"] == "table.handed_over"]


def nothing_kept(one: Person) -> None:
    expect(one.page.get_by_role("dialog", name=HANDED)).to_be_hidden()
    assert [listed["games"] for listed in kept(one.page)] in ([], [[]])


def lists_shown(host: Person) -> Locator:
    """Open what waits for the host from among the notices."""
    expect(host.page.locator("#banners [data-name=waiting-lists]")).to_be_attached()
    host.read_the_notices()
    press(host.page.locator("#banners [data-name=waiting-lists]"), "Show them")
    sheet = host.page.locator("#waiting-lists")
    expect(sheet).to_be_visible()
    return sheet


def test_one_tap_hands_the_games_over_each_once_also_when_the_house_is_killed_between(
    person: MakePerson, server: Server
) -> None:
    host = chouette(person)
    lose(host)
    play(host, ("Team", "plain"), ("Box", "gammon"))
    sheet = back(host)
    expect(sheet.locator(".played-games li")).to_have_count(2)

    def lose_the_answer(route: Route) -> None:
        """Let the house have the games, and the page not know it."""
        is_list = '"games"' in (route.request.post_data or "") and '"asks"' not in (route.request.post_data or "")
        if is_list:
            route.fetch()
            route.fulfill(status=502)
        else:
            route.continue_()

    host.page.route(re.compile(r"/played/$"), lose_the_answer)
    press(sheet, "Hand over")
    expect(sheet.get_by_role("alert")).to_contain_text("The games stay on this device")
    server.stop(signal.SIGKILL)
    host.page.unroute(re.compile(r"/played/$"))
    server.start()
    # The page asks the house by itself what it has of them.
    expect(sheet).to_be_hidden(timeout=LOST)
    assert [one["number"] for one in played(host)] == [1, 2]
    nothing_kept(host)
    results = host.ask("results/")["results"]
    assert [one["without_house"] for one in results] == [True, True]


def test_a_refused_game_stays_with_its_sentence_and_is_told_otherwise_or_dropped(person: MakePerson) -> None:
    host = chouette(person)
    lose(host)
    play(host, ("Team", "plain"), ("Box", "plain"), ("Team", "plain"))
    # The device is told that the Box stayed, which the rules know better.
    host.page.evaluate(
        """async () => { const asked = indexedDB.open("stammtisch-played", 1);
        await new Promise((done) => { asked.onsuccess = done; });
        const store = asked.result.transaction("lists", "readwrite").objectStore("lists");
        const [key] = await new Promise((done) => { store.getAllKeys().onsuccess = (e) => done(e.target.result); });
        const list = await new Promise((done) => { store.get(key).onsuccess = (e) => done(e.target.result); });
        list.games[1].game.game.box = 0;
        await new Promise((done) => { store.put(list, key).onsuccess = done; });
        asked.result.close(); dispatchEvent(new Event("pageshow")); }"""
    )
    sheet = back(host)
    press(sheet, "Hand over")
    refused = sheet.locator("li", has_text="somebody else was the Box")
    expect(refused).to_be_visible()
    expect(sheet.locator("li")).to_have_count(2)
    assert [one["number"] for one in played(host)] == [1]
    press(refused, "Change")
    form = host.page.get_by_role("dialog", name="Without the house")
    form.locator(".played-form > [data-field=box]").get_by_role("button", name="Bo", exact=True).click()
    press(form, "Keep the change")
    press(form, "Close")
    press(sheet, "Hand over")
    expect(sheet).to_be_hidden()
    assert [one["number"] for one in played(host)] == [1, 2, 3]
    nothing_kept(host)


def test_a_change_of_a_game_that_another_tab_has_handed_over_is_not_said_to_be_kept(person: MakePerson) -> None:
    host = chouette(person)
    lose(host)
    play(host, ("Team", "plain"))
    press(host.page.locator(".played-notice"), "Go on without the house")
    form = host.page.get_by_role("dialog", name="Without the house")
    press(form, "Change game 1")
    form.locator(".played-form > [data-field=level]").get_by_role("button", name="gammon", exact=True).click()
    host.context.set_offline(False)
    other = host.context.new_page()
    other.goto(host.page.url)
    press(other.get_by_role("dialog", name=HANDED), "Hand over")
    expect(other.locator("#hand-over")).to_be_hidden()
    assert [one["number"] for one in played(host)] == [1]
    press(form, "Keep the change")
    expect(form.locator(".played-fault")).to_have_text("This is not on this device any more: nothing was changed.")
    nothing_kept(host)


def test_the_second_of_two_devices_is_told_and_the_host_lets_both_count(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=PHONE), person("Kari", screen=PHONE)
    set_up(host, "chouette", "wood", [guest], ("Bo", "Cy"), line_order="by_hand")
    for one in (host, guest):
        lose(one)
    play(host, ("Box", "plain"))
    play(guest, ("Box", "plain"))
    press(back(host), "Hand over")
    expect(host.page.get_by_role("dialog", name=HANDED)).to_be_hidden()
    sheet = back(guest)
    press(sheet, "Hand over")
    expect(sheet).to_contain_text("The host decides")
    expect(sheet).to_contain_text("Hanna hands over game 1")
    lists = lists_shown(host)
    expect(lists).to_contain_text("Kari hands over 1 game")
    press(lists, "Take them")
    expect(lists.locator(".played-both")).to_contain_text("Hanna hands over game 1")
    expect(lists).to_contain_text("1 entry of the house is taken back")
    press(lists, "Keep both, one after the other")
    expect(lists).to_be_hidden()
    assert [one["by"] for one in played(host)] == ["Hanna", "Kari"]
    expect(sheet).to_be_hidden(timeout=LOST)
    nothing_kept(guest)


def test_who_has_lost_the_right_proposes_and_keeps_what_the_host_does_not_take(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=PHONE), person("Kari", screen=PHONE)
    set_up(host, "chouette", "wood", [guest], ("Bo", "Cy"), line_order="by_hand")
    lose(guest)
    play(guest, ("Box", "plain"))
    table = table_of(host)
    host.ask(f"tables/{table}/scorekeeper/", player=host.ask(f"tables/{table}/")["table"]["seats"][0]["player"])
    sheet = back(guest)
    press(sheet, "Propose to the host")
    expect(sheet).to_contain_text("The host decides")
    press(lists_shown(host), "Do not take them")
    expect(sheet).to_contain_text("The host has not taken these games", timeout=LOST)
    assert played(host) == []
    press(sheet, "Drop them")
    nothing_kept(guest)


def look_again(one: Person, sheet: Locator, name: str, method: str) -> None:
    """Let a page look again what waits at the house: a button stays the same, so that it hears."""
    button = sheet.get_by_role("button", name=name, exact=True).element_handle()
    with one.page.expect_response(lambda answer: "/played/" in answer.url and answer.request.method == method):
        one.page.evaluate("document.dispatchEvent(new Event('night'))")
    one.page.evaluate("() => fetch(location.href)")
    assert button.evaluate("(one) => one.isConnected && !one.disabled")


def test_the_buttons_of_a_list_stay_while_nothing_has_changed(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=PHONE), person("Kari", screen=PHONE)
    set_up(host, "chouette", "wood", [guest], ("Bo", "Cy"), line_order="by_hand")
    lose(guest)
    play(guest, ("Box", "plain"))
    table = table_of(host)
    host.ask(f"tables/{table}/scorekeeper/", player=host.ask(f"tables/{table}/")["table"]["seats"][0]["player"])
    sheet = back(guest)
    look_again(guest, sheet, "Propose to the host", "POST")
    press(sheet, "Propose to the host")
    lists = lists_shown(host)
    look_again(host, lists, "Take them", "GET")
    press(lists, "Take them")
    expect(lists).to_be_hidden()
    assert [one["number"] for one in played(host)] == [1]


def test_a_choice_in_a_conflict_is_asked_again_when_the_table_has_gone_on(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=PHONE), person("Kari", screen=PHONE)
    set_up(host, "chouette", "wood", [guest], ("Bo", "Cy"), line_order="by_hand")
    lose(host)
    play(host, ("Team", "gammon"))
    guest.page.locator(f".cw-begin{READY}, button{READY}", has_text="The game begins").first.click()
    sheet = back(host)
    press(sheet, "Hand over")
    both = host.page.locator("#hand-over")
    expect(both.locator(".played-since li")).to_have_count(1)
    for name in ("pause", "resume"):
        host.ask(f"tables/{table_of(host)}/commands/", id=f"once-{name}", name=f"table.{name}", args={})
    with host.page.expect_response(lambda answer: "keep" in (answer.request.post_data or "")) as asked:
        press(both, "Keep what is on the device")
    assert (asked.value.json()["written"], len(asked.value.json()["since"])) == ([], 1)
    press(both, "Keep what is on the device")
    expect(both).to_be_hidden()
    assert [one["by"] for one in played(host)] == ["Hanna"]
    nothing_kept(host)


def test_the_open_page_takes_the_games_to_a_new_address_and_the_host_takes_them(
    person: MakePerson, server: Server
) -> None:
    """The same house by another name is another origin: neither storage nor seat are there."""
    host, guest = person("Hanna", screen=PHONE), person("Kari", screen=PHONE)
    set_up(host, "chouette", "wood", [guest], ("Bo", "Cy"), line_order="by_hand")
    lose(guest)
    play(guest, ("Box", "plain"), ("Box", "gammon"))
    guest.read_the_notices()
    press(guest.page.locator("#banners"), "Enter the address")
    sheet = guest.page.locator("#elsewhere")
    sheet.get_by_label("The new address").fill("ftp://house")
    press(sheet, "Hand over there")
    expect(sheet.get_by_role("alert")).to_contain_text("no address of a house")
    sheet.get_by_label("The new address").fill(f" localhost:{server.port}/night/somewhere/ ")
    with guest.context.expect_page() as opened:
        press(sheet, "Hand over there")
    there = opened.value
    guest.context.set_offline(False)
    there.reload()
    expect(there.get_by_label("Your nickname")).to_have_value("Kari")
    there.get_by_role("button", name="Propose the games").click()
    expect(there.get_by_role("status").filter(has_text="decides")).to_be_visible()
    lists = lists_shown(host)
    expect(lists).to_contain_text("Somebody who says “Kari” hands over 2 games")
    expect(lists).to_contain_text(table_of(host))
    press(lists, "Take them")
    expect(lists).to_be_hidden()
    assert [one["number"] for one in played(host)] == [1, 2]
    # At the old address the page finds the house again, and that it has them.
    expect(guest.page.locator(".played-notice")).to_be_hidden(timeout=LOST)
    nothing_kept(guest)


def test_a_tap_on_a_sheet_that_another_tab_has_closed_begins_no_game(person: MakePerson) -> None:
    host = chouette(person)
    lose(host)
    play(host, ("Box", "plain"))
    other = host.context.new_page()
    sent: list[Any] = []
    other.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(json.loads(frame))))
    sheet = back(host)
    other.goto(host.page.url)
    expect(other.locator("#hand-over")).to_be_visible(timeout=LOST)
    # The house has written it, and its answer is on its way: the other tab's table goes on, and its sheet is there.
    held: list[tuple[Route, APIResponse]] = []
    host.context.route(re.compile(r"/played/$"), lambda route: held.append((route, route.fetch())))
    press(sheet, "Hand over")
    below = other.locator(f".bt-dock button{READY}", has_text="The game begins")
    expect(below).to_be_visible()
    while not held:
        host.page.wait_for_timeout(100)
    assert len(played(host)) == 1
    expect(below).to_be_visible()
    expect(other.locator("#hand-over")).to_be_visible()
    box = below.bounding_box()
    assert box is not None
    stop_clock(other)
    for route, answer in held:
        route.fulfill(response=answer)
    expect(other.locator("#hand-over")).to_be_hidden(timeout=LOST)
    other.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(other.locator("#banners [data-name=hand-over]")).to_have_count(0)
    assert "command" not in {frame["type"] for frame in sent}
