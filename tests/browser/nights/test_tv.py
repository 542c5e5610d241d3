"""The big screen: every ending is seen, who leads is named, the board stays where it is."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from chouette.board.gnubg_id import position_id
from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import Event
from tests.browser.chouette.chouettes import bearing_off
from tests.browser.screens import NAMES, big_screen
from tests.chouette.sessions import Session

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SIZES = ((1920, 1080), (1280, 720))
TURNS = {"doubled", "answers_opened", "beavered", "game_ended", "session_ended"}
# What has the screen, one after the other, with how long each was to have it.
SHOWN = """() => {
    const el = document.querySelector(".headlines"), found = [];
    for (let motion; [motion] = el.getAnimations(), motion && found.length < 9;) {
        found.push([el.innerText, motion.effect.getTiming().duration]);
        motion.onfinish();
    }
    return found;
}"""
FAULTS = """([names, high]) => {
    const all = (css) => [...document.querySelectorAll(css)].filter((el) => el.checkVisibility());
    const faults = [], say = (is, what) => is && faults.push(what);
    const list = document.querySelector(".bt-mates").getBoundingClientRect();
    const corner = document.querySelector(".tv-corner").getBoundingClientRect();
    const shown = all(".bt-name").map((el) => el.textContent);
    say([...shown].sort().join() !== [...names].sort().join(), `named are ${shown}`);
    for (const el of all(".bt-name, .bt-tv-games li, #turn-text, .bt-tv-caption"))
        say(el.scrollWidth > el.clientWidth + 1, `${el.textContent} is cut`);
    for (const el of all(".bt-mate, .bt-tv-games li, .bt-tv-story, .bt-fit, .turnbar")) {
        const box = el.getBoundingClientRect();
        const wide = Math.min(box.right, corner.right) - Math.max(box.left, corner.left);
        say(wide > 0 && Math.min(box.bottom, corner.bottom) - Math.max(box.top, corner.top) > 0,
            `${el.className} lies on the way in`);
        say(box.bottom > innerHeight || box.right > innerWidth, `${el.className} is outside`);
    }
    for (const el of all(".bt-mate"))
        say(el.getBoundingClientRect().bottom > list.bottom + 1, `${el.innerText} is cut`);
    for (const el of all(".bt-tv *, .bt-members *, .turnbar *, .tv-corner *"))
        if ([...el.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
            say(parseFloat(getComputedStyle(el).fontSize) < 0.03 * high, `${el.className} ${el.textContent} is small`);
    say(all(".bt-name").some((el) => getComputedStyle(el).textDecorationLine !== "none"), "a name is struck out");
    return faults;
}"""


def session(count: int, seed: int = 7, checkers: int = 4) -> Session:
    """Return a chouette of short games."""
    changes = {"max_players": 10, "start_position": position_id(bearing_off(checkers))}
    return Session(random.Random(seed), OPTIONS.values("german", changes), count)


def shown(page: Page) -> list[tuple[str, int]]:
    """Return the headlines that have the screen now, one after the other, and end them."""
    page.wait_for_function("() => document.querySelector('.headlines').getAnimations().length > 0")
    return [(text.replace("\n", " "), ms) for text, ms in page.evaluate(SHOWN)]


def points(amount: int) -> str:
    """Return points as they are written."""
    return f"+{amount}" if amount > 0 else str(amount).replace("-", "−")


@pytest.mark.day(parts=17, turn=11)
def test_every_ending_of_an_evening_has_the_screen_for_two_to_four_seconds(chrome: Browser) -> None:
    """Doubles, opened answers and results: table.md, law 4."""
    evening, kinds = session(4), set[str]()
    with big_screen(chrome) as screen:
        screen.welcome(rules.view(evening.state, None), 4, len(evening.log))
        while not rules.is_over(evening.state):
            before = len(evening.log)
            screen.act(evening, "close" if len(evening.state.sheet) == 6 else "")
            events = [event for entry in evening.log[before:] for event in entry.events]
            if TURNS.isdisjoint(event.type for event in events):
                continue
            kinds |= {event.type for event in events} & TURNS
            told = shown(screen.page)
            assert all(2000 <= ms <= 4000 for _, ms in told)
            for event in events:
                assert any(tells(event, text) for text, _ in told), (event, told)
    assert {"doubled", "answers_opened", "game_ended", "session_ended"} <= kinds


def tells(event: Event, text: str) -> bool:
    """Tell whether a headline tells what an event says; other events need none."""
    data: dict[str, Any] = dict(event.data)
    if event.type == "doubled":
        return ("double" in text and all(NAMES[seat] in text for seat in data["members"])) or "everybody" in text
    if event.type == "answers_opened":
        return ("take" in text) == bool(data["takes"]) and ("drop" in text) == bool(data["drops"])
    if event.type == "game_ended":
        changed = {NAMES[seat]: amount for seat, amount in enumerate(data["points"]) if amount}
        return all(name in text and points(amount) in text for name, amount in changed.items())
    return event.type != "session_ended" or "evening" in text or "over" in text


@pytest.mark.day(parts=17, turn=4)
def test_what_happened_before_the_screen_came_back_is_no_headline(chrome: Browser) -> None:
    evening = session(3)
    with big_screen(chrome) as screen:
        screen.welcome(rules.view(evening.state, None), 3, len(evening.log))
        while not evening.state.sheet:
            evening.act()
        last = evening.log[-1]
        # The line broke; the end of the game comes as the tail that follows on the welcome.
        screen.line[-1].close()
        screen.page.wait_for_timeout(0)
        while len(screen.line) < 2:
            screen.page.wait_for_timeout(20)
        screen.greet(3, screen.seq + 1)
        screen.entry(last.events, rules.view(evening.state, None))
        screen.page.wait_for_function("() => document.querySelector('chouette-table').now.view.sheet.length === 1")
        screen.entry((Event("seat_joined", {"seat": 2}),), rules.view(evening.state, None))
        screen.page.wait_for_function("() => document.querySelector('.headline-line').textContent.includes('joins')")
        assert screen.page.locator(".headlines").is_hidden()


@pytest.mark.day(parts=17, turn=16)
def test_a_greeting_is_shown_in_the_screens_language_and_other_words_are_not(chrome: Browser) -> None:
    with big_screen(chrome, lang="de") as screen:
        screen.welcome(rules.view(session(3).state, None), 3, 1)
        for line in ({"text": "Take it!", "greeting": ""}, {"text": "Ouch!", "greeting": "ouch"}):
            screen.send({"type": "chat", "message": {"id": 1, "name": "Kari", "at": "2026-01-02T20:05:00Z", **line}})
        screen.page.wait_for_function("() => document.querySelector('.headline-line').textContent === 'Kari: Autsch!'")


@pytest.mark.day(parts=17, turn=2)
@pytest.mark.parametrize("size", SIZES)
def test_the_ranking_names_everybody_and_the_board_never_moves(chrome: Browser, size: tuple[int, int]) -> None:
    """At 2, 4, 6 and 10 players; before, in, between and after the games; in German."""
    with big_screen(chrome, size, "de", dark=size == SIZES[1]) as screen:
        for count in (2, 4, 6, 10):
            evening, boards, seen = session(count, count), set[str](), set[str]()
            for _ in range(400):
                phase = evening.state.phase + (evening.state.game.stage if evening.state.game else "")
                if phase not in seen or len(evening.state.sheet) == 4:
                    seen.add(phase)
                    screen.welcome(rules.view(evening.state, None), count, len(evening.log))
                    screen.page.wait_for_function(f"() => document.querySelectorAll('.bt-mate').length === {count}")
                    assert screen.page.evaluate(FAULTS, [NAMES[:count], size[1]]) == [], (count, phase)
                    board = "JSON.stringify(document.querySelector('.bt-fit').getBoundingClientRect())"
                    boards.add(screen.page.evaluate(board))
                if rules.is_over(evening.state):
                    break
                if len(evening.state.sheet) == 4:
                    assert evening.house("close")
                else:
                    evening.act()
            assert len(boards) == 1, count
            assert "over" in " ".join(seen)
