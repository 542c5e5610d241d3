"""Game clocks on phones and a big screen: pressed at a real board, kept over a reload, warned of, in the replay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chouette.boards import MakePerson
from tests.browser.chouette.wood import press
from tests.browser.people import TV, Person
from tests.browser.tables import set_up

LOOSE_MODULES = True
pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

RUNS = ".bt-clock[data-runs]"
WARNED = """async () => {
  const { GameClock } = await import("chouette/team/game_clock.js");
  const said = [];
  const urgent = [];
  for (const [name, list] of [["polite", said], ["assertive", urgent]])
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) list.push(...[...addedNodes].map((one) => one.textContent));
    }).observe(document.getElementById(name), { childList: true });
  const clock = new GameClock(0), seats = [{ seat: 0, name: "Kari" }];
  document.body.append(clock.el);
  const view = { clock: { left: [60300, 90000], runs: 0, turn: null, delay: 12000, fallen: [] } };
  clock.show({ view, seats, clocks: { "0:flag": 60300 }, isPaused: false, hasEnded: false });
  const before = clock.el.innerText;
  await new Promise((done) => setTimeout(done, 1500));
  const after = clock.el.innerText, isLow = clock.el.hasAttribute("data-low");
  clock.show({ view, seats, clocks: { "0:flag": 72300 }, isPaused: true, hasEnded: false });
  const paused = clock.el.innerText.split("\\n");
  await new Promise((done) => setTimeout(done, 1500));
  const still = clock.el.innerText.split("\\n"), minute = [...said];
  for (const me of [1, 0]) {
    clock.show({ view, seats, clocks: { "0:flag": 10400 }, me, isPaused: false, hasEnded: false });
    await new Promise((done) => setTimeout(done, 900));
    urgent.push(`seat ${me}`);
  }
  return { before, after, isLow, said: minute, urgent, paused, still };
}"""


def clock_of(one: Person, name: str) -> str:
    """Return the reserve that a page shows of somebody."""
    tile = one.page.locator(".bt-mate", has=one.page.locator(".bt-name", has_text=name))
    return tile.locator(".bt-clock-left").inner_text()


def seconds_left(one: Person) -> int:
    """Return the seconds that a page shows of the running clock: the free ones and the reserve."""
    tile = one.page.locator(".bt-mate", has=one.page.locator(RUNS))
    minutes, seconds = tile.locator(".bt-clock-left").inner_text().split(":")
    return int(tile.locator(".bt-clock-free").inner_text() or 0) + 60 * int(minutes) + int(seconds)


def sleeps(one: Person, other: Person) -> None:
    """Put a phone to sleep for some seconds; awake it shows what the other one shows."""
    one.sleep()
    other.page.wait_for_timeout(3000)
    one.wake()
    for _ in range(60):
        if abs(seconds_left(one) - seconds_left(other)) <= 1:
            return
        other.page.wait_for_timeout(250)
    raise AssertionError((seconds_left(one), seconds_left(other)))


@pytest.mark.day(parts=17, turn=10)
def test_a_match_at_a_real_board_is_pressed_by_taps_and_every_screen_shows_the_clocks(person: MakePerson) -> None:
    host, guest, tv = person("Anna"), person("Bert"), person("TV", screen=TV)
    rules = {"format": "match", "match_length": 3, "clock": "delay", "match_minutes": 60}
    tv.page.goto(set_up(host, "chouette", "wood", [guest], **rules))
    press(host, "The game begins")
    expect(host.page.locator(".bt-clock:visible")).to_have_count(2)
    expect(host.page.locator(RUNS)).to_have_count(0)
    press(host, "Start the other's clock")
    press(guest, "Dice lifted")
    for one in (host, guest, tv):
        running = one.page.locator(".bt-mate", has=one.page.locator(RUNS))
        expect(running.locator(".bt-name")).to_have_text("Anna")
        expect(running.locator(".bt-clock-free")).to_have_text(re.compile(r"^1?\d$"))
        assert clock_of(one, "Bert") == "6:00"
    sleeps(guest, host)
    expect(tv.page.locator(".bt-tv-caption")).to_contain_text(re.compile("(59|60) minutes left"))
    host.page.reload()
    expect(host.page.locator(".bt-mate", has=host.page.locator(RUNS)).locator(".bt-name")).to_have_text("Anna")
    expect(host.page.locator("[data-act='press {}']")).to_be_in_viewport()
    press(host, "The game is over")
    host.page.locator("[data-act='ends team 1']").click()
    press(guest, "That is right")
    expect(host.page.locator("chouette-table .bt-d-panel[data-kind='result']")).to_be_visible()
    host.page.goto(f"{host.page.url}replay/?at=6")
    expect(host.page.locator(".bt-clock-left:visible").first).to_have_text("6:00")
    assert host.faults == guest.faults == tv.faults == []


def test_a_minute_left_is_announced_once_and_a_paused_clock_stands(person: MakePerson) -> None:
    host = person("Kari")
    set_up(host, "chouette", "match", (), ("Bo",))
    found = host.page.evaluate(WARNED)
    assert (found["before"], found["after"], found["isLow"]) == ("1:01", "0:59", True)
    assert found["said"] == ["Kari has one minute left."]
    assert found["urgent"] == ["seat 1", "Ten seconds left", "seat 0"], "to whom the clock is, ten seconds before it"
    assert found["paused"] == found["still"] == ["12", "1:01"]
