"""What is done by itself: the roll of whoever may not double, bearing off, and Confirm after a quiet play."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.chouette.boards import ONE_PLAY, START, xgid
from tests.browser.gallery.chouette import COURSES, stage
from tests.browser.gallery.stage import SCREENS, Stage
from tests.browser.gallery.states import Course, Shown, Wanted, states_of
from tests.browser.people import Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

HOME = {6: 3, 5: 2, 4: 2, 3: 1, 1: 1, 20: -2, 22: -3, 24: -1}
TABLE = "document.querySelector('chouette-table')"
IS_ASKED = TABLE + ".now.choices.some(({ name }) => name === 'start_study')"
# Longer than what is done by itself takes.
AFTER_MS = 3_000


def rolled(name: str, roll: str, points: dict[int, int] = HOME, seats: int = 2) -> Shown:
    """Return the state of a game that begins with a position, in a bear-off unless another is given, and that roll."""
    start = {"start_position": xgid(points, roll)}
    preset = "money" if seats == 2 else "german"
    return states_of(Course("chouette", seats, preset, (Wanted(name, stage("move")),), start))[0]


@pytest.fixture(scope="module")
def states() -> dict[str, Shown]:
    """A roll that no double can come before, and two rolls in the bear-off: with one best play, and with more."""
    four = next(course for course in COURSES if (course.seats, course.preset) == (4, "club"))
    window = Wanted("Captain's window", stage("window", "roll"))
    wanted = (*(one for one in four.wanted if one.name == "turn to roll"), window)
    found = states_of(replace(four, wanted=wanted))
    made = (rolled("to be played", "52", START, 4), rolled("one play", "66", ONE_PLAY))
    return {one.name: one for one in (*found, *made, rolled("one is best", "65"), rolled("many are as good", "21"))}


@pytest.fixture
def page(chrome: Browser) -> Iterator[Stage]:
    """A table's page on a phone whose player has switched nothing off."""
    shown = Stage(chrome, "en", by_itself=True)
    yield shown
    shown.close()
    assert shown.faults == []


def begin(page: Stage, state: Shown) -> None:
    """Show a state of a table; the page keeps the commands that the table gives."""
    page.open(state)
    page.resize(SCREENS[0])
    page.page.evaluate(
        """() => {
            window.sent = [];
            const keep = ({ detail: { name, args } }) => sent.push([name, args.play ?? ""]);
            document.querySelector("chouette-table").addEventListener("command", keep);
        }"""
    )
    page.show(state)


def sent(page: Stage) -> Any:
    """Return the commands that the table has given, as names and plays."""
    return page.page.evaluate("window.sent")


def wait_for_a_command(page: Stage) -> None:
    page.page.wait_for_function("window.sent.length > 0")


def of_keeper(state: Shown) -> Shown:
    """Return a state as a device is told it that several share."""
    frames = [{**one, "you": {**one["you"], "keeps": [3]}} if "you" in one else one for one in state.frames]
    return replace(state, frames=frames)


@pytest.mark.day(parts=17, turn=1)
def test_where_nobody_can_double_the_dice_roll_by_themselves_as_rolls_place_says(
    page: Stage, states: dict[str, Shown]
) -> None:
    begin(page, states["turn to roll"])
    roll = page.page.get_by_role("button", name="Roll", exact=True)
    expect(roll).to_have_text(re.compile("^Rolls in [12] …"))
    assert sent(page) == []
    wait_for_a_command(page)
    assert sent(page) == [["roll", ""]]


@pytest.mark.day(parts=17, turn=11)
def test_what_is_done_by_itself_can_be_stopped_and_then_waits_for_the_player(
    page: Stage, states: dict[str, Shown]
) -> None:
    begin(page, states["turn to roll"])
    expect(page.page.get_by_text("Rolls in")).to_be_visible()
    page.page.keyboard.press("m")
    expect(page.page.get_by_role("button", name="Roll", exact=True)).to_have_text(re.compile("^Roll(R)?$"))

    begin(page, states["one is best"])
    expect(page.page.get_by_role("button", name="Undo")).to_be_visible()
    page.page.get_by_role("button", name="Undo").click()
    page.page.wait_for_timeout(AFTER_MS)
    assert sent(page) == []


@pytest.mark.day(parts=17, turn=4)
def test_bearing_off_is_done_by_itself_where_one_play_is_the_best(page: Stage, states: dict[str, Shown]) -> None:
    begin(page, states["many are as good"])
    expect(page.page.get_by_role("button", name="Confirm")).to_have_text("Confirm")
    begin(page, states["one is best"])
    expect(page.page.locator(".bt-said")).to_have_text("6/off 5/off")
    expect(page.page.get_by_role("button", name="Confirm")).to_have_text(re.compile("^Plays in [12] …$"))
    wait_for_a_command(page)
    assert sent(page) == [["move", "6/off 5/off"]]


@pytest.mark.day(parts=17, turn=16)
def test_a_player_switches_it_off_and_a_shared_device_does_nothing_by_itself(
    page: Stage, states: dict[str, Shown]
) -> None:
    menu, roll = page.page.locator("#open-menu"), page.page.get_by_role("button", name="Roll", exact=True)
    wish = page.page.get_by_role("checkbox", name="Roll by itself where I cannot double, or on auto no double")
    begin(page, of_keeper(states["turn to roll"]))
    expect(roll).to_have_text(re.compile("^Roll(R)?$"))
    menu.click()
    expect(wish).to_be_disabled()
    expect(page.page.get_by_text("A device that several share does nothing by itself.").first).to_be_visible()

    begin(page, states["turn to roll"])
    menu.click()
    wish.uncheck()
    page.page.locator("#menu [data-close]").click()
    begin(page, states["turn to roll"])
    page.page.wait_for_timeout(AFTER_MS)
    expect(roll).to_have_text(re.compile("^Roll(R)?$"))
    assert sent(page) == []


@pytest.mark.day(parts=17, turn=8)
def test_a_captain_on_auto_no_double_rolls_by_itself_and_may_double_all_the_same(
    page: Stage, states: dict[str, Shown]
) -> None:
    state = states["Captain's window"]
    roll = page.page.get_by_role("button", name="Roll", exact=True)
    begin(page, state)
    page.page.wait_for_timeout(AFTER_MS)
    expect(roll).to_have_text(re.compile("^Roll(R)?$"))
    assert sent(page) == [], "whoever may double decides"
    page.show(with_own(state, auto=True))
    expect(roll).to_have_text(re.compile("^Rolls in [12] …"))
    expect(page.page.get_by_role("button", name=re.compile("^Double to"))).to_be_visible()
    wait_for_a_command(page)
    assert sent(page) == [["roll", ""]]


def confirm_of(page: Stage) -> Locator:
    return page.page.get_by_role("button", name="Confirm", exact=True)


def make_a_quiet_play(page: Stage) -> None:
    """Make 13/11 13/8 by two taps, as at the start of a game with 5-2."""
    for _ in range(2):
        page.page.locator(".bt-cell[data-place='13']").click()


def counting(page: Stage, state: Shown) -> None:
    """Begin a turn, make a quiet play, and see that it counts; a line that comes back brings nothing new."""
    begin(page, state)
    page.show(replace(state, frames=state.frames[:1]))
    make_a_quiet_play(page)
    expect(confirm_of(page)).to_have_text(re.compile("^Plays in [12] …$"))


def with_own(state: Shown, **parts: Any) -> Shown:
    """Return another entry of a state, with other parts of the view for the seat alone."""
    entry = state.frames[-1]
    view = {**entry["view"], "me": {**entry["view"]["me"], **parts}}
    return replace(state, frames=[{**entry, "seq": entry["seq"] + 1, "events": [], "view": view}])


@pytest.mark.day(parts=17, turn=5)
def test_a_quiet_play_is_confirmed_by_itself(page: Stage, states: dict[str, Shown]) -> None:
    counting(page, states["to be played"])
    assert sent(page) == []
    wait_for_a_command(page)
    assert [name for name, _ in sent(page)] == ["move"]


@pytest.mark.day(parts=17, turn=6)
def test_a_tap_on_confirm_while_it_counts_is_the_same_act(page: Stage, states: dict[str, Shown]) -> None:
    counting(page, states["to be played"])
    confirm_of(page).click()
    page.page.wait_for_timeout(AFTER_MS)
    assert [name for name, _ in sent(page)] == ["move"], "once"


@pytest.mark.day(parts=17, turn=7)
def test_a_play_that_nobody_has_touched_or_that_was_made_by_keys_waits(page: Stage, states: dict[str, Shown]) -> None:
    begin(page, states["one play"])
    expect(confirm_of(page)).to_be_enabled()
    page.page.wait_for_timeout(AFTER_MS)
    assert sent(page) == []

    begin(page, states["to be played"])
    cell = page.page.locator(".bt-cell[data-place='13']")
    for target in ("8", "11"):
        cell.focus()
        page.page.keyboard.press("Enter")
        page.page.locator(f".bt-cell[data-place='{target}']").focus()
        page.page.keyboard.press("Enter")
    expect(page.page.locator(".bt-said")).to_have_text(re.compile("^13/11 13/8"))
    page.page.wait_for_timeout(AFTER_MS)
    assert sent(page) == []

    # As a screen reader presses: a click without a pointer.
    begin(page, states["to be played"])
    for place in ("13", "8", "13", "11"):
        page.page.evaluate("place => document.querySelector(`.bt-cell[data-place='${place}']`).click()", place)
    page.page.wait_for_timeout(AFTER_MS)
    assert sent(page) == []


def undo(page: Stage, _state: Shown) -> None:
    page.page.get_by_role("button", name="Undo").click()
    page.page.locator(".bt-cell[data-place='13']").click()


def touch_the_board(page: Stage, _state: Shown) -> None:
    page.page.locator(".bt-cell[data-place='6']").click()


def hear_a_suggestion(page: Stage, state: Shown) -> None:
    page.show(with_own(state, suggestions=[{"seat": 2, "play": "24/22 13/8"}]))


def hear_the_team(page: Stage, state: Shown) -> None:
    page.show(with_own(state, talk=[{"seat": 2, "text": "Wait, 13/11 or 24/22?"}]))


def read_a_notice(page: Stage, _state: Shown) -> None:
    page.page.evaluate(
        "import('games/kit/page/notices.js').then(({ showBanner }) => showBanner('x', { text: 'The house closes.' }))"
    )


def open_a_sheet(page: Stage, _state: Shown) -> None:
    page.page.evaluate("document.getElementById('menu').showModal()")


def have_a_field(page: Stage, _state: Shown) -> None:
    page.page.evaluate(
        "document.querySelector('.bt-dock').append(Object.assign(document.createElement('input'), { id: 'text' }))"
    )
    page.page.evaluate("document.getElementById('text').focus()")


def lose_the_line(page: Stage, state: Shown) -> None:
    page.show(replace(state, frames=state.frames[:1], cut=True))
    page.show(replace(state, frames=state.frames[:1]))


def turn_the_phone_off(page: Stage, _state: Shown) -> None:
    page.page.evaluate(
        """() => {
            for (const hidden of [true, false]) {
                Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }
        }"""
    )


def look_at_another_tab(page: Stage, _state: Shown) -> None:
    page.page.get_by_role("tab", name="Log").click()
    page.page.get_by_role("tab", name="Game").click()


STOPS: tuple[Callable[[Stage, Shown], None], ...] = (
    *(undo, touch_the_board, hear_a_suggestion, hear_the_team, read_a_notice, open_a_sheet, have_a_field),
    *(lose_the_line, turn_the_phone_off, look_at_another_tab),
)


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.__name__)
def test_what_leaves_a_play_to_the_player_does_so_until_they_confirm(
    page: Stage, states: dict[str, Shown], stop: Callable[[Stage, Shown], None]
) -> None:
    counting(page, states["to be played"])
    stop(page, states["to be played"])
    page.page.wait_for_timeout(AFTER_MS)
    assert sent(page) == []
    page.page.evaluate("document.querySelectorAll('dialog[open]').forEach((one) => one.close())")
    expect(confirm_of(page)).to_have_text("Confirm")
    confirm_of(page).click()
    assert [name for name, _ in sent(page)] == ["move"]


@pytest.mark.server
@pytest.mark.day(parts=17, turn=13)
def test_two_pages_of_one_player_confirm_once_and_complain_of_nothing(person: Callable[..., Person]) -> None:
    host, guest = person("Hanna", by_itself=True), person("Kari", by_itself=True)
    set_up(host, "chouette", "money", [guest], start_position=xgid(START, "52"))
    captain = host if host.page.evaluate(IS_ASKED) else guest
    captain.page.get_by_role("button", name="Begin the game").click()
    again = captain.context.new_page()
    again.goto(captain.page.url)
    for page in (captain.page, again):
        expect(page.get_by_text("Play 5-2", exact=True)).to_be_visible()
        expect(page.locator(".bt-confirm")).to_be_visible()
    for _ in range(2):
        for page in (captain.page, again):
            page.bring_to_front()
            page.locator(".bt-cell[data-place='13']").click()
    for page in (captain.page, again):
        page.wait_for_function("() => document.querySelector('chouette-table').now.view.game.last_play")
        assert page.locator("#toasts .error").count() == 0


@pytest.mark.server
@pytest.mark.day(parts=17, turn=2)
def test_two_pages_of_one_player_roll_once_and_complain_of_nothing(person: Callable[..., Person]) -> None:
    host, guest = person("Hanna", by_itself=True), person("Kari", by_itself=True)
    start = xgid({1: 4, 24: -4}, "65")
    set_up(host, "chouette", "match", [guest], match_length=1, start_position=start)
    pages = [host.page, guest.page, guest.context.new_page(), host.context.new_page()]
    for again, one in zip(pages[2:], (guest, host), strict=True):
        again.goto(one.page.url)
    for page in pages:
        expect(page.locator("chouette-table .bt-dock")).to_be_visible()
        page.evaluate(
            """() => {
                window.toasts = [];
                const see = () => toasts.push(document.querySelector("#toasts .error")?.textContent);
                const all = { childList: true, subtree: true };
                new MutationObserver(see).observe(document.getElementById("toasts"), all);
            }"""
        )
    captain = host if host.page.evaluate(IS_ASKED) else guest
    captain.page.get_by_role("button", name="Begin the game").click()
    for page in pages:
        expect(page.get_by_text(re.compile("wins the match")).first).to_be_visible()
        assert page.evaluate("toasts.filter(Boolean)") == []
    told = host.page.evaluate("document.querySelector('chouette-table').now.view.game")
    assert told["last_play"]["play"] in ("1/off(2)", "1/off(4)"), "a double bears off four"
