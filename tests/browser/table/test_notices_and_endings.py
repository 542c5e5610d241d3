"""Notices squeeze nothing, many cubes are chosen in the seats, and an ending is an event (tests/browser/gallery)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.gallery import chicago
from tests.browser.gallery.chouette import COURSES
from tests.browser.gallery.stage import SCREENS, Screen, Stage
from tests.browser.gallery.states import Shown, states_of
from tests.languages import EVERY

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

SMALL = [screen for screen in SCREENS if screen.name in ("phone", "small phone", "lying phone", "laptop")]
HAND_HELD = [*SMALL, *(screen for screen in SCREENS if screen.name in ("tablet", "desk"))]
TARGET_PX, STRIP_PX, NAME_PX = 44, 32, 28
NOTICE = """async () => {
    const { showBanner } = await import("games/kit/page/notices.js");
    window.saved = 0;
    showBanner("dice", {
        text: "Your phone was here and was not asked for throw 7.", kind: "stop",
        buttons: [{ label: "Save the proof", act: () => { window.saved += 1; } }, { label: "Close", act: () => {} }],
    });
}"""
# What of an element is not seen: cut off by the window or by something that scrolls or clips.
UNSEEN = """el => {
    const box = el.getBoundingClientRect(), lost = [];
    for (let e = el.parentElement; e; e = e.parentElement) {
        const edge = e.getBoundingClientRect(), { display, overflowY } = getComputedStyle(e);
        const clips = display !== "contents" && /(auto|scroll|hidden|clip)/.test(overflowY);
        if (clips && (box.top < edge.top - 1 || box.bottom > edge.bottom + 1)) lost.push(e.className || e.tagName);
    }
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const hit = document.elementFromPoint(x, y);
    return hit && (el.contains(hit) || hit.contains(el)) ? lost : [...lost, `under ${hit?.className}`];
}"""

# Of each tag of a seat, whether its word has no room.
LOST_WORDS = """() => [...document.querySelectorAll(".ct-badge")].filter((tag) => tag.checkVisibility()).map((tag) => {
    const range = document.createRange();
    range.selectNodeContents(tag);
    return range.getBoundingClientRect().top > tag.getBoundingClientRect().bottom - 2;
})"""


def course_of(seats: int, preset: str) -> dict[str, Shown]:
    """Return the states of a course of backgammon by name."""
    course = next(one for one in COURSES if (one.seats, one.preset) == (seats, preset))
    return {state.name: state for state in states_of(course)}


@pytest.fixture(scope="module")
def four() -> dict[str, Shown]:
    """The states of a chouette of four."""
    return course_of(4, "club")


@pytest.fixture(scope="module")
def ten() -> dict[str, Shown]:
    """The states of a chouette of ten."""
    return course_of(10, "german")


@pytest.fixture(scope="module")
def money() -> dict[str, Shown]:
    """The states of a game for two."""
    return course_of(2, "money")


@pytest.fixture
def stage(chrome: Browser) -> Iterator[Stage]:
    """A table's page."""
    stage = Stage(chrome, "en")
    yield stage
    stage.close()
    assert stage.faults == []


def dock(page: Page) -> Locator:
    return page.locator(".bt-dock")


def height(target: Locator) -> float:
    box = target.bounding_box()
    assert box is not None
    return box["height"]


@pytest.mark.parametrize("screen", SMALL, ids=lambda screen: screen.name)
def test_a_notice_is_a_low_strip_and_its_buttons_stand_in_the_sheet_that_it_opens(
    stage: Stage, four: dict[str, Shown], screen: Screen
) -> None:
    stage.open(four["play to choose"])
    stage.resize(screen)
    stage.show(four["play to choose"])
    before = dock(stage.page).bounding_box(), stage.page.locator(".bt-fit").bounding_box()
    stage.page.evaluate(NOTICE)
    strip = stage.page.get_by_role("button", name="Your phone was here")
    expect(strip).to_be_visible()
    assert height(strip.locator("span")) <= STRIP_PX
    assert height(strip) >= TARGET_PX
    assert (dock(stage.page).bounding_box(), stage.page.locator(".bt-fit").bounding_box()) == before
    save = stage.page.get_by_role("button", name="Save the proof")
    expect(save).to_be_hidden()
    strip.click()
    save.click()
    assert stage.page.evaluate("window.saved") == 1
    stage.page.evaluate("async () => (await import('games/kit/page/notices.js')).clearBanner('dice')")
    for gone in (save, strip):
        expect(gone).to_be_hidden()


@pytest.mark.parametrize("screen", SMALL, ids=lambda screen: screen.name)
@pytest.mark.parametrize("name", ["between games", "doubled, 3 cubes", "over", "settlement proposed"])
def test_a_question_or_result_and_its_buttons_are_whole_with_a_notice_present(
    stage: Stage, four: dict[str, Shown], screen: Screen, name: str
) -> None:
    stage.open(four[name])
    stage.resize(screen)
    stage.show(four[name])
    expect(dock(stage.page).locator(".bt-d-title").first).to_be_visible()
    stage.page.evaluate(NOTICE)
    expect(stage.page.locator("#strip")).to_be_visible()
    stage.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    parts = stage.page.locator(".bt-d-panels .bt-d-title, .bt-rank, .bt-dock button, #after :is(button, a)")
    shown = [one for one in parts.all() if one.is_visible()]
    assert len(shown) > 1
    assert [(one.inner_text(), lost) for one in shown if (lost := one.evaluate(UNSEEN))] == []


@pytest.mark.parametrize("seats", [2, 5])
def test_the_six_ends_of_a_game_at_a_real_board_are_whole_on_a_short_phone(stage: Stage, seats: int) -> None:
    state = course_of(seats, "match" if seats == 2 else "wood")["game on the board"]
    stage.open(state)
    stage.resize(SCREENS[1])
    stage.show(state)
    dock(stage.page).get_by_role("button", name="The game is over").click()
    ends = stage.page.locator("[data-act^='ends ']")
    expect(ends).to_have_count(6)
    buttons = [*ends.all(), dock(stage.page).get_by_role("button", name="Play on")]
    assert [(one.inner_text(), lost) for one in buttons if (lost := one.evaluate(UNSEEN))] == []


@pytest.mark.parametrize("screen", HAND_HELD, ids=lambda screen: screen.name)
@pytest.mark.parametrize(("name", "count"), [("doubled, 9 cubes", 9), ("box may double", 2)])
def test_many_cubes_are_doubled_and_answered_in_the_seats(
    stage: Stage, ten: dict[str, Shown], screen: Screen, name: str, count: int
) -> None:
    stage.open(ten[name])
    stage.resize(screen)
    stage.show(ten[name])
    taps = stage.page.locator(".bt-mate-tap:visible")
    expect(taps.first).to_be_visible()
    assert taps.count() >= count
    for tap in taps.all():
        box = tap.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= TARGET_PX - 0.5, (screen.name, box)
        assert tap.evaluate(UNSEEN) == [], tap.get_attribute("aria-label")
    expect(dock(stage.page).locator(".bt-d-rows")).to_have_count(0)


def test_the_box_doubles_the_seats_that_it_taps(stage: Stage, ten: dict[str, Shown]) -> None:
    stage.open(ten["box may double"])
    stage.resize(SCREENS[1])
    stage.show(ten["box may double"])
    stage.page.evaluate(
        """() => {
            window.sent = [];
            document.querySelector("chouette-table").addEventListener("command", (e) => sent.push(e.detail.args));
        }"""
    )
    seats = stage.page.locator(".bt-mate-tap:visible")
    expect(seats.first).to_have_attribute("aria-pressed", "false")
    seats.first.click()
    expect(seats.first).to_have_attribute("aria-pressed", "true")
    expect(dock(stage.page)).to_contain_text("House rule: ")
    for seat in seats.all()[1:]:
        seat.click()
    dock(stage.page).get_by_role("button", name="Double all").click()
    assert [len(args["cubes"]) for args in stage.page.evaluate("window.sent")] == [2]


@pytest.mark.parametrize("screen", SMALL, ids=lambda screen: screen.name)
def test_an_ending_is_a_card_with_a_large_name_above_its_buttons(
    stage: Stage, money: dict[str, Shown], screen: Screen
) -> None:
    stage.open(money["between games"])
    stage.resize(screen)
    stage.show(money["between games"])
    name = dock(stage.page).locator("[data-kind=result] .bt-d-name")
    expect(name).to_be_visible()
    size = name.evaluate("el => parseFloat(getComputedStyle(el).fontSize)")
    assert NAME_PX <= size <= 32
    after = dock(stage.page).locator(".bt-d-buttons button").last
    box, below = name.bounding_box(), after.bounding_box()
    assert box is not None and below is not None and box["y"] + box["height"] <= below["y"] + 1


def test_the_points_of_a_game_travel_to_their_tiles(chrome: Browser, money: dict[str, Shown]) -> None:
    stage = Stage(chrome, "en", calm=False)
    stage.open(money["play to choose"])
    stage.resize(SCREENS[0])
    stage.show(money["play to choose"])
    # What an ending adds to the table is seen by its being added: it is gone when the points have arrived.
    stage.page.evaluate(
        """() => {
            window.gains = [];
            new MutationObserver((all) => {
                for (const { addedNodes } of all)
                    for (const one of addedNodes) if (one.matches?.(".bt-gain")) gains.push(one.textContent);
            }).observe(document.querySelector(".bt"), { childList: true });
        }"""
    )
    expect(stage.page.locator(".bt-sheet")).to_be_attached()
    stage.show(money["between games"])
    stage.page.wait_for_function("window.gains.length === 2")
    expect(stage.page.locator(".bt-gain")).to_have_count(0)
    stage.close()
    assert stage.faults == []


# The seats' names that lie under what can be seen of the strip.
UNDER_THE_STRIP = """() => {
    const strip = document.querySelector("#strip > span").getBoundingClientRect();
    const names = [...document.querySelectorAll(".bt-name, .ct-name")].filter((name) => name.checkVisibility());
    const isUnder = ({ left, right, top, bottom }) =>
        top < strip.bottom - 1 && bottom > strip.top + 1 && left < strip.right && right > strip.left;
    const under = names.filter((name) => isUnder(name.getBoundingClientRect()));
    return names.length ? under.map((name) => name.textContent) : ["no names"];
}"""


@pytest.mark.parametrize("screen", SMALL, ids=lambda screen: screen.name)
def test_a_notice_covers_no_seat_and_moves_nothing_else(stage: Stage, screen: Screen) -> None:
    for course, part in ((COURSES[1], ".bt-fit"), (COURSES[-1], ".bt-fit"), (chicago.COURSES[-1], ".ct-table")):
        (state,) = states_of(replace(course, wanted=course.wanted[:1]))
        stage.open(state)
        stage.resize(screen)
        stage.show(state)
        before = stage.page.locator(part).bounding_box()
        stage.page.evaluate(NOTICE)
        expect(stage.page.locator("#strip")).to_be_visible()
        assert stage.page.evaluate(UNDER_THE_STRIP) == [], (state.game, screen.name)
        assert stage.page.locator(part).bounding_box() == before


@pytest.mark.parametrize(
    ("tapped", "name", "sentence"),
    [
        (".bt-mate[data-role=box] .bt-badge", "play to choose", "The Box plays alone against all others"),
        (".bt-mate[data-role=captain] .bt-badge", "play to choose", "The Captain rolls and moves for the Team"),
        (".bt-mate[data-role=member] .bt-badge", "play to choose", "A member is of the Team against the Box"),
        (".bt-cube", "play to choose", "A cube says what the game counts"),
        (".bt-d-title", "beavered", "Beaver: who takes a double doubles again at once"),
        (".bt-d-title", "raccooned", "Raccoon: who was beavered doubles once more"),
    ],
)
def test_a_tap_on_a_word_of_the_table_says_what_it_means(
    stage: Stage, four: dict[str, Shown], tapped: str, name: str, sentence: str
) -> None:
    stage.open(four[name])
    stage.resize(SCREENS[0])
    stage.show(four[name])
    stage.page.locator(tapped).first.click()
    expect(stage.page.locator("#toasts")).to_contain_text(sentence)


def test_whoever_rolls_after_takes_reads_so_where_the_question_stands(stage: Stage, four: dict[str, Shown]) -> None:
    """The last play stands for good then, and is not told any more."""
    stage.open(four["turn to roll"])
    stage.resize(SCREENS[0])
    stage.show(four["turn to roll"])
    expect(stage.page.locator(".bt-dock")).to_contain_text("Roll")
    view = four["turn to roll"].frames[-1]["view"]
    said = stage.page.locator(".bt-said" if view["game"]["last_play"] else ".bt-d-title")
    assert view["game"]["stage"] == "roll"
    expect(said).to_be_visible()
    expect(said).not_to_be_empty()


def test_nothing_leads_to_a_result_that_is_shown_already(stage: Stage) -> None:
    course = next(one for one in chicago.COURSES if (one.seats, one.preset) == (4, "bavarian"))
    wanted = tuple(one for one in course.wanted if one.name == "over")
    (state,) = states_of(replace(course, wanted=wanted))
    stage.open(state)
    stage.resize(SCREENS[0])
    stage.show(state)
    again = stage.page.locator(".ct-resultbtn")
    expect(stage.page.locator(".ct-outcome")).to_be_visible()
    expect(again).to_be_hidden()
    stage.page.locator(".ct-outcome .ct-close").click()
    again.click()
    expect(stage.page.locator(".ct-outcome")).to_be_visible()


@pytest.mark.parametrize("language", EVERY)
def test_a_tag_of_four_on_a_phone_has_its_word(chrome: Browser, language: str) -> None:
    course = next(one for one in chicago.COURSES if (one.seats, one.preset) == (2, "bavarian"))
    wanted = tuple(one for one in course.wanted if one.name == "before the first throw")
    (state,) = states_of(replace(course, seats=4, wanted=wanted))
    page = Stage(chrome, language)
    page.resize(SCREENS[0])
    page.open(state)
    page.show(state)
    tags = page.page.evaluate(LOST_WORDS)
    page.close()
    assert tags == [False]
