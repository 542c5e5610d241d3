"""One device for several people: it goes to whose turn it is, and is handed on where a seat has secrets."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.chouette.boards import MakePerson
from tests.browser.chouette.chouettes import set_rules
from tests.browser.people import Person
from tests.browser.taps import later, stop_clock
from tests.seeds import day

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

TABLET = (820, 1180)
TYPED = {"dice": "typed", "entry": "throws"}
ELEMENT = "document.querySelector('chouette-table, chicago-table')"
NOW = f"""() => {{ const n = {ELEMENT}?.now;
  return n && {{ view: n.view, me: n.me, choices: n.choices, seats: n.seats }}; }}"""
SHOWS_TURN = f"() => {{ const n = {ELEMENT}?.now; return n?.canAct && n.me === n.view.turn && n.choices.length; }}"
DECIDED = f"""seat => {{ const {{ view, choices }} = {ELEMENT}.now;
  return view.turn !== seat || choices.some((c) => c.name === 'stand'); }}"""
ASKED = f"""() => document.querySelector('dialog.hand[open]')
  || ({ELEMENT}?.now?.canAct && {ELEMENT}.now.choices.some((c) => c.required))"""


ENTERING = f"""() => {{ const n = {ELEMENT}?.now;
  return n?.view.phase === 'over'
  || (n?.canAct && n.me === n.view.turn && n.choices.some((c) => c.name === 'enter_result')); }}"""
ENTERED = f"""JSON.stringify({ELEMENT}.now.view.history) !== JSON.stringify(last)
  || {ELEMENT}.now.view.turn !== turn || {ELEMENT}.now.view.phase === 'over'"""
PLACES = """(() => {
  const places = window.places = new Set();
  const look = () => {
    const table = document.querySelector("#game > :not([aria-busy])");
    if (table) places.add(table.getBoundingClientRect().top);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""


def alone(
    person: MakePerson, game: str, preset: str, *others: str, screen: tuple[int, int] = TABLET, **rules: str
) -> Person:
    """Let a host seat people without a phone, and start."""
    host = person("Hanna", screen=screen)
    host.host_a_night("Thursday")
    host.page.goto(f"{host.page.url.rstrip('/')}/tables/new/?game={game}&preset={preset}")
    set_rules(host, **rules)
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    host.open_more()
    for name in others:
        host.page.locator("#person-name").fill(name)
        host.page.locator("#add-person").click()
        expect(host.page.locator("#lobby-seats").get_by_text(name, exact=True)).to_be_visible()
        expect(host.page.locator("#person-name")).to_have_value("")
    expect(host.page.locator(".no-phone").first).to_contain_text("Hanna enters")
    host.accept_the_rules()
    host.tap("Start the game")
    expect(host.page.locator(f"{game}-table")).to_be_visible()
    return host


def now(one: Person) -> Any:
    return one.page.evaluate(NOW)


def types(one: Person, *faces: int) -> None:
    picker = one.page.locator(".kit-faces")
    for face in faces:
        picker.locator(f"[data-face='{face}']").click()
    picker.locator("button.go").click()


@pytest.mark.day(parts=17, turn=6)
def test_chicago_goes_round_on_one_tablet_with_real_dice(person: MakePerson) -> None:
    host = alone(person, "chicago", "bavarian", "Kari", "Bo", **TYPED)
    chips = host.page.locator(".keeping .chip")
    expect(chips).to_have_count(3)
    host.page.add_init_script(PLACES)
    host.page.reload()
    expect(chips).to_have_count(3)
    host.page.wait_for_timeout(200)
    assert host.page.evaluate("places.size") == 1, "the strip of names has its place before the names come"
    played = []
    for faces in ((2, 3, 4), (1, 3, 4), (6, 2, 5)):
        host.page.wait_for_function(SHOWS_TURN)
        turn = now(host)["view"]["turn"]
        played.append(turn)
        expect(host.page.locator(".keeping [aria-pressed='true']")).to_have_attribute("data-seat", str(turn))
        types(host, *faces)
        host.page.wait_for_function(DECIDED, arg=turn)
        if now(host)["view"]["turn"] == turn:
            host.page.keyboard.press("s")
        if len(played) < 3:
            host.page.wait_for_function(f"() => {ELEMENT}.now.view.turn !== {turn}")
    assert sorted(played) == [0, 1, 2], "each had a turn, on the same device"
    expect(host.page.locator("#log")).to_contain_text("Entered by Hanna:")
    expect(host.page.locator("dialog.hand")).to_be_hidden()
    assert host.faults == []


@pytest.mark.day(parts=17, turn=5)
def test_six_play_bavarian_with_cup_and_mats_on_one_tablet_to_the_end(person: MakePerson) -> None:
    others = ("Kari", "Bo", "Uli", "Eva", "Ole")
    host = alone(person, "chicago", "mats", *others, mats="fixed", mats_fixed="2")
    rng, turns = random.Random(day()), 0
    while host.page.wait_for_function(ENTERING) and now(host)["view"]["phase"] != "over":
        turn, last = now(host)["view"]["turn"], now(host)["view"]["history"]
        counts = host.page.locator(".ct-counts button:not([disabled])")
        expect(counts.first).to_be_visible()
        count = counts.nth(rng.randrange(counts.count()))
        taps = 0
        if count.get_attribute("aria-pressed") == "false":
            count.click()
            taps += 1
        results = host.page.locator(".ct-grid [data-result]:not([disabled])")
        results.nth(rng.randrange(results.count())).click()
        host.page.locator(".ct-enter").click()
        assert taps + 2 <= 3
        turns += 1
        host.page.wait_for_function(f"([turn, last]) => {ENTERED}", arg=[turn, last])
        if turns % 6 == 0:
            seats = now(host)["view"]["seats"]
            assert sum(seat["mats"] for seat in seats) <= 2
    assert turns > len(others), "it took more than a round"
    expect(host.page.locator(".ct-outcome")).to_contain_text("pays")
    assert host.faults == []


@pytest.mark.day(parts=17, turn=14)
def test_a_money_game_asks_to_be_handed_on_before_it_shows_what_is_answered_in_secret(person: MakePerson) -> None:
    host = alone(person, "chouette", "money", "Kari")
    cover = host.page.locator("dialog.hand")
    stop_clock(host.page)
    for _ in range(12):
        host.page.wait_for_function(ASKED)
        if cover.is_visible():
            break
        answer_first(host)
    name = cover.locator("h2").inner_text().removeprefix("Hand it to ")
    host.page.wait_for_function(f"() => {ELEMENT}.now?.me === null")
    assert now(host)["choices"] == [], "what is asked is seen by its own person alone"
    box = cover.get_by_role("button", name=f"I am {name}").bounding_box()
    assert box is not None
    host.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(cover).to_be_visible()
    assert now(host)["me"] is None, "a tap that was meant for the board hands nothing on"
    later(host.page)
    host.tap(f"I am {name}")
    expect(cover).to_be_hidden()
    host.page.wait_for_function(ASKED)
    held = now(host)
    assert [seat["name"] for seat in held["seats"] if seat["seat"] == held["me"]] == [name]
    assert {choice["seat"] for choice in held["choices"]} == {held["me"]}
    answer_first(host)
    expect(host.page.locator("#log")).to_contain_text("Entered by Hanna:")
    assert host.faults == []


def answer_first(one: Person) -> None:
    """Give the first answer to what is asked, as the page's element sends it: all of it where it is a set."""
    before = [c for c in now(one)["choices"] if c["required"]]
    choice = before[0]
    args = choice["options"][0] if "options" in choice else {choice["sets"]["name"]: choice["sets"]["of"]}
    one.page.evaluate(f"([name, args]) => {ELEMENT}.command(name, args)", [choice["name"], args])
    one.page.wait_for_function(
        f"old => document.querySelector('dialog.hand[open]') || old !== JSON.stringify("
        f"{ELEMENT}?.now?.choices.filter((c) => c.required).map((c) => [c.name, c.seat, c.basis]))",
        arg=one.page.evaluate("c => JSON.stringify(c)", [[c["name"], c["seat"], c["basis"]] for c in before]),
    )


@pytest.mark.day(parts=17, turn=7)
def test_somebody_takes_their_seat_over_with_a_phone(person: MakePerson) -> None:
    host = alone(person, "chicago", "bavarian", "Kari", **TYPED)
    table = host.page.url
    host.page.goto(re.sub(r"/table/.*", "/", table))
    host.page.go_back()
    kari = person("Kari")
    kari.page.goto(link_of(host))
    kari.tap("I am Kari")
    number = kari.page.locator("#move-number").inner_text()
    host.tap("Another phone asks …", "link")
    host.page.locator(".number-input").fill(number)
    host.tap("Hand the seat over")
    kari.page.wait_for_url(table)
    expect(kari.page.locator("chicago-table")).to_be_visible()
    host.page.goto(table)
    host.page.wait_for_function(f"() => {ELEMENT}?.now")
    expect(host.page.locator(".keeping .chip")).to_have_count(0)


MOMENTS = 400
"""So many times 50 ms a browser under load may take."""


def link_of(host: Person) -> str:
    """Return the join link of the night, from its page."""
    page = host.context.new_page()
    night = host.page.locator("a.turn-back").get_attribute("href") or ""
    page.goto(host.url.rstrip("/") + night)
    found = re.search(r"http[^\"'\s<]*/j/[a-z0-9]+/[a-z0-9]+/", page.content())
    page.close()
    assert found
    return found.group(0)


@pytest.mark.day(parts=17)
def test_no_line_of_the_log_is_lost_while_the_device_changes_hands(person: MakePerson) -> None:
    host = alone(person, "chouette", "wood", "Kari", "Bo")
    lines = host.page.locator("#log p")
    lines.nth(1).wait_for(state="attached")
    told = lines.all_text_contents()
    asked: list[Route] = []
    states: list[Callable[[], None]] = []
    is_held = True

    def pass_on(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def forward(message: str | bytes) -> None:
            if is_held and '"type":"state"' in str(message)[:40]:
                states.append(lambda: line.send(message))
            else:
                line.send(message)

        server.on_message(forward)

    def keep(route: Route) -> None:
        asked.append(route)

    host.page.route_web_socket(re.compile("/ws/table/"), pass_on)
    host.page.route(re.compile(r"/events/\?after="), keep)
    host.page.reload()
    host.page.locator(".keeping .chip[aria-pressed='false']").first.click()
    host.page.wait_for_function(f"() => {ELEMENT} && document.querySelector('.keeping [aria-pressed=true]')")
    for _ in range(MOMENTS):
        if asked and states:
            break
        host.page.wait_for_timeout(50)
    assert asked and states, "both are under way"
    with host.page.expect_response(re.compile(r"/events/")):
        for request in asked:
            request.continue_()
    is_held = False
    host.page.unroute_all()
    for each in states:
        each()
    for line in told:
        expect(host.page.locator("#log")).to_contain_text(line)
    assert host.faults == []


@pytest.mark.day(parts=17, turn=1)
def test_what_happens_while_the_log_is_on_its_way_leaves_none_of_its_lines_out(person: MakePerson) -> None:
    host = alone(person, "chicago", "classic", "Kari")
    lines = host.page.locator("#log p")
    lines.first.wait_for(state="attached")
    told = lines.all_text_contents()
    asked: list[Route] = []

    def keep(route: Route) -> None:
        asked.append(route)

    host.page.route(re.compile(r"/events/\?after="), keep)
    host.page.reload()
    host.page.wait_for_function(f"() => {ELEMENT}?.now?.canAct")
    for _ in range(MOMENTS):
        if asked:
            break
        host.page.wait_for_timeout(50)
    pause = "el => el.dispatchEvent(new CustomEvent('host-command', { detail: { name: 'table.pause', args: {} } }))"
    host.page.locator("chicago-table").evaluate(pause)
    expect(host.page.locator("#turnbar")).to_contain_text("Paused")
    host.page.wait_for_timeout(200)  # until what was told is written where nothing is waited for
    for request in asked:
        request.continue_()
    for line in [*told, "paused"]:
        expect(host.page.locator("#log")).to_contain_text(line)
    assert host.faults == []


@pytest.mark.day(parts=17, turn=11)
@pytest.mark.parametrize("cut_after", ["asked", "told"])
def test_a_line_that_breaks_while_the_device_is_handed_on_leaves_no_empty_board(
    person: MakePerson, cut_after: str
) -> None:
    """It breaks once: before the house has answered, or between its answer and the state of the seat."""
    host = alone(person, "chouette", "wood", "Kari", "Bo")
    cuts: list[WebSocketRoute] = []

    def pass_on(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def forward(message: str | bytes, send: Callable[[str | bytes], None], moment: str) -> None:
            is_cut = not cuts and moment == cut_after and '"type":"hand"' in str(message)
            if line not in cuts and not (is_cut and moment == "asked"):
                send(message)
            if is_cut:
                cuts.append(line)
                line.close(code=1011)

        line.on_message(lambda message: forward(message, server.send, "asked"))
        server.on_message(lambda message: forward(message, line.send, "told"))

    host.page.route_web_socket(re.compile("/ws/table/"), pass_on)
    host.page.reload()
    other = host.page.locator(".keeping .chip[aria-pressed='false']").first
    seat = other.get_attribute("data-seat")
    other.click()
    host.page.wait_for_function(
        f"seat => {{ const n = {ELEMENT}?.now; return n?.view && n.canAct && String(n.me) === seat; }}", arg=seat
    )
    assert len(cuts) == 1
    expect(host.page.locator(f".keeping .chip[data-seat='{seat}']")).to_have_attribute("aria-pressed", "true")
