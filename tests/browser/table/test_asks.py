"""Single questions about the game by a letter each: answered once, never an act; and time asked for by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import chicago.rules.events.words
import chouette.rules.events.words
from games.kernel.sentences import Node
from tests.browser.gallery import laws
from tests.browser.gallery.stage import SCREENS, Stage, by_table
from tests.browser.gallery.states import Shown
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LETTERS = "LIWCBOKXAVG"
BROKEN = re.compile(r"%\(|undefined|null|NaN|\[object")
HEARD = "[...document.querySelector('#polite').children].map((line) => line.textContent)"
SILENCE = "document.querySelector('#polite').replaceChildren()"
KEEP = """() => {
    window.sent = [];
    document.querySelector("chouette-table, chicago-table").addEventListener("command", ({ detail }) => {
        sent.push([detail.name, detail.args]);
    });
}"""


@pytest.fixture(scope="module")
def states() -> list[Shown]:
    """All states of all games."""
    return laws.all_states()


@pytest.fixture
def page(chrome: Browser) -> Iterator[Stage]:
    """A table's page on a laptop."""
    shown = Stage(chrome, "en")
    yield shown
    shown.close()
    assert shown.faults == []


def texts_of(node: Node) -> Iterator[str]:
    """Yield the texts of a sentence's declaration."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for one in node.values():
            yield from texts_of(one)
    elif isinstance(node, list | tuple):
        for one in node:
            yield from texts_of(one)


def ask(page: Stage, letter: str) -> list[str]:
    """Press a letter in silence, and return what is heard then."""
    page.page.evaluate(SILENCE)
    page.page.keyboard.press(letter.lower())
    page.page.wait_for_timeout(30)
    if letter != "A":  # advice that is asked for comes from the house
        page.page.wait_for_function("document.querySelector('#polite').children.length")
    heard: list[str] = page.page.evaluate(HEARD)
    return heard


def open_at(page: Stage, state: Shown) -> None:
    """Load a state's table, keep the commands that it gives, and show the state."""
    page.open(state)
    page.resize(SCREENS[4])
    page.page.evaluate(KEEP)
    page.show(state)


def view_of(state: Shown) -> Any:
    return next(frame["view"] for frame in reversed(state.frames) if "view" in frame)


def test_no_act_has_a_letter_that_asks() -> None:
    acts = [*chouette.rules.events.words.WORDS.values(), *chicago.rules.events.words.WORDS.values()]
    keys = {text for words in acts for text in texts_of(words.key) if len(text) == 1 and text.isupper()}
    assert {"R", "D", "N", "T", "P", "E", "M", "S"} <= keys
    assert keys & set(LETTERS) == set()


@pytest.mark.day(parts=17, turn=3)
def test_in_every_state_each_letter_is_answered_once_and_does_nothing(page: Stage, states: list[Shown]) -> None:
    for group in share_of_day(by_table(states), 3, every=17):
        open_at(page, group[0])
        for state in group[:: max(1, len(group) // 3)]:
            page.show(state)
            for letter in LETTERS:
                heard = ask(page, letter)
                assert len(heard) <= 1 and not any(BROKEN.search(text) for text in heard), (state.name, letter, heard)
    assert page.page.evaluate("sent") == []


@pytest.mark.day(parts=17, turn=3)
def test_answers_about_the_board_are_what_stands_there(page: Stage, states: list[Shown]) -> None:
    state = next(one for one in states if one.game == "chouette" and one.name == "turn to roll")
    game = view_of(state)["game"]
    open_at(page, state)
    [pips] = ask(page, "I")
    assert [int(count) for count in re.findall(r"\d+", pips)] == game["pips"]
    # The side at the bottom is the roller's; the view counts as the Box does.
    points = game["points"] if game["turn"] == "box" else [-count for count in reversed(game["points"])]
    for letter, sign in (("B", 1), ("O", -1)):
        [told] = ask(page, letter)
        blots = [place for place in range(24, 0, -1) if points[place] == sign]
        assert [int(place) for place in re.findall(r"\d+", told)] == blots, told
    [cubes] = ask(page, "C")
    assert all(f"at {cube['value']}" in cubes for cube in game["cubes"] if cube["result"] is None)
    [turn] = ask(page, "W")
    assert turn.startswith("Your turn")


@pytest.mark.day(parts=17, turn=3)
def test_the_group_ask_is_one_stop_and_answers_where_the_letters_are_switched_off(
    page: Stage, states: list[Shown]
) -> None:
    state = next(one for one in states if one.game == "chicago" and view_of(one)["cup"]["throws"])
    open_at(page, state)
    asking = page.page.get_by_role("toolbar", name="Ask")
    expect(asking.get_by_role("button")).to_have_count(len(LETTERS))
    expect(asking.locator("[tabindex='0'], :not([tabindex])")).to_have_count(1)
    expect(asking.get_by_role("button", name="Dice")).to_have_attribute("aria-keyshortcuts", "I")
    # The switch of the menu, which is not shown to fingers alone.
    page.page.evaluate("localStorage.setItem('stammtisch.keys', '0')")
    open_at(page, state)
    expect(asking.get_by_role("button", name="Dice")).not_to_have_attribute("aria-keyshortcuts", re.compile("."))
    page.page.evaluate(SILENCE)
    page.page.keyboard.press("i")
    page.page.wait_for_timeout(100)
    assert page.page.evaluate(HEARD) == []
    page.page.locator("#say-game").focus()
    for _ in range(2):
        page.page.keyboard.press("ArrowRight")
    expect(asking.get_by_role("button", name="Dice")).to_be_focused()
    page.page.keyboard.press("Enter")
    page.page.wait_for_function("document.querySelector('#polite').children.length")
    rolled = ", ".join(map(str, view_of(state)["cup"]["rolled"]))
    assert rolled in page.page.evaluate(HEARD)[0]


@pytest.mark.day(parts=17, turn=3)
def test_what_was_said_is_said_again_until_the_player_acts(page: Stage, states: list[Shown]) -> None:
    state = next(one for one in states if one.game == "chouette" and one.name == "turn to roll")
    open_at(page, state)
    page.page.evaluate(
        "document.querySelector('chouette-table').dispatchEvent(new CustomEvent('say', { detail: { text: 'Hear.' } }))"
    )
    assert "Hear." in ask(page, "V")[0]
    assert "Hear." in ask(page, "V")[0]
    page.page.keyboard.press("r")
    page.page.wait_for_function("sent.length")
    assert "Hear." not in ask(page, "V")[0]


@pytest.mark.day(parts=17, turn=3)
def test_own_time_is_asked_for_once_where_the_player_wishes_it(page: Stage, states: list[Shown]) -> None:
    state = next(one for one in states if is_ringing(one))
    open_at(page, state)
    page.page.wait_for_timeout(300)
    assert page.page.evaluate("sent") == []
    page.page.evaluate("localStorage.setItem('stammtisch.chouette.own_time', '1')")
    open_at(page, state)
    page.page.wait_for_function("sent.length")
    page.show(state)
    page.page.wait_for_timeout(300)
    assert page.page.evaluate("sent") == [["wait", {"late": False}]]


def is_ringing(state: Shown) -> bool:
    """Tell whether the reader may ask for time before a roll."""
    frame = next(frame for frame in reversed(state.frames) if "choices" in frame)
    return any({"late": False} in (one.get("options") or []) for one in frame["choices"] if one["name"] == "wait")
