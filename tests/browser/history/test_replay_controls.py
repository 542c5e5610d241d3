"""Every control of a replay can be seen and pressed, and does what it says, on a phone and on a laptop."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import controls, tables
from tests.browser.chouette import sheets
from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
SCREENS: tuple[ViewportSize, ...] = ({"width": 390, "height": 844}, {"width": 1366, "height": 768})

HIDE_THE_BAR = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".replay-bar { display: none }");
  document.adoptedStyleSheets.push(sheet);
}"""


SHOWN = """() => [document.querySelector("#replay-said").textContent.trim(),
  JSON.stringify(document.querySelector("chouette-table").now.view)]"""


def two_games(person: MakePerson) -> Person:
    """Let two people play two games of a session and close it; return the host."""
    host, guest = people = person("Hanna"), person("Kari")
    rules = {"start_position": sheets.LAST_CHECKERS, "grace_seconds": 0, "pause_between": 0}
    tables.set_up(host, "chouette", "money", [guest], **rules)
    for one in people:
        sheets.wait_until(one, "() => document.querySelector('chouette-table').now")
    for _game in (1, 2):
        sheets.begin(people)
        sheets.play_a_game(people)
    table = re.search(r"/table/([a-z0-9]+)/", host.page.url)
    assert table
    host.ask(f"tables/{table[1]}/commands/", name="table.close", args={}, id="close")
    host.page.goto(f"{host.url}/table/{table[1]}/replay/")
    return host


def step(page: Page) -> tuple[int, int]:
    """Return the shown step and how many there are."""
    count = page.locator("#replay-count")
    expect(count).to_have_text(re.compile(r"^\d+ / \d+$"))
    now, all_steps = map(int, count.inner_text().split(" / "))
    return now, all_steps


def walk(page: Page, button: str, end: int) -> int:
    """Press a button until a step is reached; return how many steps that were, at each of which something changed."""
    seen = [page.evaluate(SHOWN)]
    while (at := step(page)[0]) != end:
        page.locator(button).click()
        expect(page.locator("#replay-count")).not_to_have_text(re.compile(f"^{at} /"))
        seen.append(page.evaluate(SHOWN))
        assert seen[-1][0] or seen[-1][1] != seen[-2][1], f"nothing is said or seen at step {step(page)[0]}"
    return len(seen)


def hold_inside(page: Page, wide: int) -> None:
    """Hold every control of the replay to its place: on the screen, as large as a finger, none of them alone on it."""
    for control in page.locator("#replay-game, .replay-bar :is(button, input, a)").all():
        box = control.bounding_box()
        assert box is not None, control
        assert box["x"] >= 0 and box["x"] + box["width"] <= wide
        assert box["height"] >= 40, box
        assert box["width"] < wide * 0.8, "a control takes the others' place"
    caption = page.locator("#turn-text").bounding_box()
    assert caption is not None and caption["width"] > wide / 5


@pytest.mark.day(parts=17, turn=15)
def test_every_control_of_a_replay_is_seen_and_pressed_on_phone_and_laptop(person: MakePerson) -> None:
    page = two_games(person).page
    plain = page.url
    for screen in SCREENS:
        page.set_viewport_size(screen)
        page.goto(plain)
        first, most = step(page)
        assert first == 1
        expect(page.locator("#replay-game option:checked")).to_have_text("Game 1")
        hold_inside(page, screen["width"])
        on = walk(page, "#replay-next", most)
        page.locator("#replay-first").click()
        expect(page.locator("#replay-count")).to_have_text(f"1 / {most}")
        page.locator("#replay-last").click()
        expect(page.locator("#replay-count")).to_have_text(f"{most} / {most}")
        assert walk(page, "#replay-back", 1) == on
        page.locator("#replay-first").click()
        expect(page.locator("#replay-count")).to_have_text(f"1 / {most}")
        page.locator("#replay-step").press("End")
        expect(page.locator("#replay-count")).to_have_text(f"{most} / {most}")
        page.locator("#replay-play").click()
        expect(page.locator("#replay-play")).to_have_text("Pause")
        page.locator("#replay-play").click()
        expect(page.locator("#replay-play")).to_have_text("Play")
        page.locator("#replay-game").select_option(label="Game 2")
        expect(page.locator("#replay-count")).to_have_text(re.compile("^1 / "))
        assert controls.faults(page) == []
        page.locator("#replay-link").click()
        expect(page).to_have_url(re.compile(r"\?at=\d+$"))
        expect(page.locator("#replay-game option:checked")).to_have_text("Game 2")
    page.evaluate(HIDE_THE_BAR)
    assert [fault for fault in controls.unpressable(page) if "replay-next" in fault], "a style that hides it is found"
