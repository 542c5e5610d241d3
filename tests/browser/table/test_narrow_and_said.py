"""What has least room is whole, and who has answered or has come reads what holds for them (tests/browser/gallery)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from games.kernel.contract import JOIN, Choice, Command
from tests.browser.gallery import chicago, chouette, laws
from tests.browser.gallery.stage import SCREENS, Screen, Stage
from tests.browser.gallery.states import Course, Look, Picks, Shown, Wanted, answer, states_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PHONE, SMALL = SCREENS[0], SCREENS[1]
BIG = next(screen for screen in SCREENS if screen.is_tv)
FIVE = next(course for course in chouette.COURSES if (course.seats, course.preset) == (5, "club"))
FOUR_ROUND_THE_CUP = [course for course in chicago.COURSES if course.seats == 4]
INK = """(element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { font } = getComputedStyle(element), pen = new OffscreenCanvas(9, 9).getContext("2d");
    pen.font = font;
    const { fontBoundingBoxAscent, actualBoundingBoxAscent } = pen.measureText(element.textContent);
    const top = range.getClientRects()[0].top + fontBoundingBoxAscent - actualBoundingBoxAscent;
    return top - element.getBoundingClientRect().top;
}"""
"""How far the highest ink of a text's first line is below the edge of what clips it, in px."""
HIDDEN = "(element) => element.scrollHeight - element.clientHeight"
"""How much of an element's content is reached by scrolling alone, in px."""


@pytest.fixture
def stage(chrome: Browser) -> Iterator[Stage]:
    """A table's page in German."""
    stage = Stage(chrome, "de")
    yield stage
    stage.close()
    assert stage.faults == []


def only(course: Course, *names: str) -> list[Shown]:
    """Return the states of a course with these names."""
    return states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name in names)))


def show(stage: Stage, state: Shown, screen: Screen) -> None:
    """Show a state on a screen."""
    stage.open(state, is_tv=screen.is_tv)
    stage.resize(screen)
    stage.show(state, is_tv=screen.is_tv)


def beavering(usual: Picks) -> Picks:
    """Return how people play where every member beavers."""

    def pick(look: Look, choices: list[Choice], rng: random.Random) -> Command | None:
        asked = next((one for one in choices if one.name == "answer"), None)
        return (asked and answer(asked, beaver=True)) or usual(look, choices, rng)

    return pick


def joining(usual: Picks) -> Picks:
    """Return how people play where somebody comes in the first game."""

    def pick(look: Look, choices: list[Choice], rng: random.Random) -> Command | None:
        if look.seats == 4 and look.game and look.game["stage"] == "move":
            return Command(JOIN, None, {"seat": 4})
        return usual(look, choices, rng)

    return pick


def test_who_beavers_is_told_so_while_others_are_still_to_answer(stage: Stage) -> None:
    def beavers(look: Look) -> tuple[int] | None:
        asked = look.game.get("answered", []) if look.game.get("stage") == "answers" else []
        seats = [look.game["cubes"][cube]["member"] for cube in asked]
        own = ((seat, look.rules.view(look.state, seat)["me"]["given"]) for seat in seats)
        return next(((seat,) for seat, given in own if given and given[0]["beavers"]), None)

    course = Course("chouette", 4, "club", (Wanted("beavers", beavers),), picks=beavering(chouette.picks()))
    show(stage, states_of(course)[0], PHONE)
    expect(stage.page.locator(".bt-d-title")).to_have_text("Du sagst Beaver; verdeckt, bis alle geantwortet haben.")


def test_to_answer_several_doubles_the_main_place_has_what_can_be_done(stage: Stage) -> None:
    show(stage, only(FIVE, "doubled, 4 cubes")[0], SMALL)

    def shown() -> list[tuple[str, bool]]:
        buttons = stage.page.locator(".bt-dock > .bt-d-buttons button").all()
        return [(one.inner_text().split("\n")[0], "go" in str(one.get_attribute("class")).split()) for one in buttons]

    assert shown() == [("Bei allen passen", False), ("Alle annehmen", True)]
    seats = stage.page.locator(".bt-mate-tap:visible")
    for _ in range(2):
        seats.first.click()
    assert shown() == [("Bei allen passen", False), ("Die anderen annehmen", True)]
    for seat in seats.all()[1:]:
        seat.click()
    assert [label for label, is_main in shown() if is_main] == ["3 annehmen, 1 passen"]


def test_who_comes_in_a_running_game_reads_from_when_they_play(stage: Stage) -> None:
    comes = Wanted(
        "comes", lambda look: (4,) if look.seats > 4 and look.game and look.view["phase"] == "playing" else None
    )
    course = Course("chouette", 4, "german", (comes,), picks=joining(chouette.picks()))
    show(stage, states_of(course)[0], PHONE)
    expect(stage.page.locator(".bt-d-title")).to_have_text("Du spielst ab dem nächsten Spiel mit.")


@pytest.mark.parametrize("screen", [PHONE, SMALL], ids=lambda screen: screen.name)
def test_the_result_of_five_is_whole_on_a_phone(stage: Stage, screen: Screen) -> None:
    show(stage, only(FIVE, "between games")[0], screen)
    assert stage.page.locator(".bt-d-panels").evaluate(HIDDEN) <= 1


def test_a_long_word_makes_the_main_button_no_higher(stage: Stage) -> None:
    show(stage, only(FIVE, "opening half rolled")[0], SMALL)
    box = stage.page.locator(".bt-d-buttons > .go").bounding_box()
    assert box is not None
    assert box["height"] == pytest.approx(56, abs=1)


@pytest.mark.parametrize("screen", [PHONE, SMALL, BIG], ids=lambda screen: screen.name)
@pytest.mark.parametrize("course", FOUR_ROUND_THE_CUP, ids=lambda course: course.preset)
def test_the_end_of_a_round_and_of_a_game_is_whole(stage: Stage, course: Course, screen: Screen) -> None:
    for state in only(course, "round ended", "over"):
        show(stage, state, screen)
        card = stage.page.locator(".ct-card:visible")
        assert card.evaluate(HIDDEN) <= 1, state.name


@pytest.mark.parametrize("which", ["#turn-text", ".toast"])
def test_the_ring_of_a_capital_letter_in_the_bar_is_seen(stage: Stage, which: str) -> None:
    show(stage, only(FIVE, "between games")[0], PHONE)
    text = "Åpningskast: venter på Brünhilde-Uta og Ole, som er her"
    stage.page.evaluate(
        """([which, text]) => {
            if (which === ".toast")
                document.getElementById("toasts").innerHTML = '<p class="toast info"></p>';
            document.querySelector(which).textContent = text;
        }""",
        [which, text],
    )
    assert stage.page.locator(which).evaluate(INK) >= 0


def test_what_a_page_was_to_tell_passes_in_the_bar_and_pushes_no_board(stage: Stage) -> None:
    state = only(FIVE, "between games")[0]
    show(stage, state, PHONE)
    before = stage.page.locator(".bt-fit").bounding_box()
    late = "Das Spiel hat begonnen."
    opened, end = '<div id="messages"', "</div>"
    head, _, tail = stage._site.html.partition(opened)
    attributes, _, rest = tail.partition(">")
    stage._site.html = (
        f'{head}{opened}{attributes}><p class="banner error"><span>{late}</span></p>{end}{rest.partition(end)[2]}'
    )
    stage.page.reload()
    stage.page.wait_for_function("window.gallery?.isReady()")
    stage.show(state)
    expect(stage.page.locator("#polite")).to_contain_text(late)
    expect(stage.page.locator("#messages > *")).to_have_count(0)
    assert stage.page.locator(".bt-fit").bounding_box() == before


def test_a_cube_that_does_not_fit_its_seat_is_found(chrome: Browser) -> None:
    """A planted offence: a wide pill in a row of five."""
    style = ".bt-mates .bt-badge { min-inline-size: 2.75rem !important; }"
    states = only(FIVE, "opening half rolled")
    found = [fault for fault in laws.faults(chrome, states, [SMALL], style=style) if fault.law == "tag is cut"]
    assert any("bt-cube" in fault.what for fault in found), found
