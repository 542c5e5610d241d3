"""The laws of a table's screen hold in every state on every screen (tests/browser/gallery)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import chicago, chouette, laws
from tests.browser.gallery.laws import Fault
from tests.browser.gallery.stage import SCREENS, Screen, Stage, by_table
from tests.browser.gallery.states import states_of
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

HELD = {"chouette": laws.LAWS, "chicago": laws.LAWS}
"""The laws that hold for a game: `python -m tests.browser.gallery --faults` lists what breaks the others."""


# The seats whose points have a cube or a mark over them, or leave the tile.
COVERED_POINTS = """() => [...document.querySelectorAll(".bt-mate")].filter((tile) => {
    const points = tile.querySelector(".bt-total").getBoundingClientRect(), edge = tile.getBoundingClientRect();
    if (!points.width || points.right > edge.right + 1) return true;
    return [...tile.querySelectorAll(".bt-cube, .bt-mark")].some((one) => {
        const box = one.getBoundingClientRect();
        return box.width && box.right > points.left + 1 && box.left < points.right - 1
            && box.bottom > points.top + 3 && box.top < points.bottom - 3;
    });
}).map((tile) => tile.textContent)"""


@pytest.fixture(scope="module")
def faults(chrome: Browser) -> list[Fault]:
    """The faults of the states: each day a sixth of the tables on a phone, and a sixteenth on each other screen."""
    groups = by_table(laws.all_states())
    phone, *others = SCREENS
    found = laws.faults(chrome, [state for group in share_of_day(groups, 6) for state in group], [phone])
    for turn, screen in enumerate(others):
        states = [state for group in share_of_day(groups, 2 * len(others), turn) for state in group]
        found += laws.faults(chrome, states, [screen])
    return found


@pytest.mark.parametrize(("game", "law"), [(game, law) for game, held in HELD.items() for law in held])
def test_a_law_holds_in_every_state_on_every_screen(faults: list[Fault], game: str, law: str) -> None:
    broken = [str(fault) for fault in faults if (fault.game, fault.law) == (game, law)]
    assert broken == [], "\n".join(broken)


@pytest.mark.parametrize(
    ("law", "style", "said"),
    [
        ("tag is cut", ".ct-badge { flex-wrap: nowrap !important; }", "fein raus"),
        ("tag is cut", ".ct-badge { padding: 0 !important; inline-size: 2px !important; }", "ct-badge"),
        ("tag is cut", ".ct-has { position: relative; left: 40px; }", "ct-result"),
        ("texts meet", ".ct-outcome > .ct-deciding { margin-block-end: -2em !important; }", "ct-rank"),
        ("texts meet", ".ct-reason { translate: 0 1.6em; }", "ct-reason"),
        ("name is cut", ".ct-name { text-overflow: clip !important; }", "Friederike"),
        ("name is cut", ".ct-who { max-inline-size: 12px; }", "Friederike"),
    ],
)
def test_a_law_of_seats_finds_what_breaks_it(chrome: Browser, law: str, style: str, said: str) -> None:
    """Planted offences on a narrow phone with twelve seats in two rows."""
    course = next(one for one in chicago.COURSES if (one.seats, one.preset) == (12, "bavarian"))
    wanted = tuple(one for one in course.wanted if one.name in ("last of the round", "over"))
    states, small = states_of(replace(course, wanted=wanted)), SCREENS[1]
    broken = [fault for fault in laws.faults(chrome, states, [small], style=style) if fault.law == law]
    assert any(said in fault.what for fault in broken), broken


@pytest.mark.parametrize(
    ("game", "state", "law", "style", "said"),
    [
        (
            "chicago",
            "thrown once",
            "piece is small",
            ".ct-felt.ct-felt.ct-felt { --size: 12vh }",
            "die",
        ),
        ("chicago", "thrown once", "piece is small", ".ct-table { inline-size: 50% !important }", "felt"),
        ("chicago", "thrown once", "die is covered", ".ct-seats { --card-h: 60vh }", "die-body"),
        ("chicago", "round ended", "headline on the board", ".ct-card { grid-area: table !important }", "ct-card"),
        ("chicago", "thrown once", "text is small", ".ct-rule { font-size: 2.8vh !important }", "ct-rule"),
        (
            "chouette",
            "answer asked",
            "headline on the board",
            ".headlines { grid-area: board !important }",
            "section",
        ),
        ("chouette", "between games", "tag is cut", ".bt-mate { min-block-size: 16vh !important }", "bt-total"),
        ("chouette", "answer asked", "piece is small", ".headline-rise b { block-size: 6vh !important }", "cube"),
    ],
)
def test_a_law_of_the_big_screen_finds_what_breaks_it(
    chrome: Browser, game: str, state: str, law: str, style: str, said: str
) -> None:
    """Planted offences; without them nothing breaks the law."""
    names = {"chicago": (2, "bavarian"), "chouette": (4, "club")}
    courses = [*chicago.COURSES, *chouette.COURSES]
    course = next(one for one in courses if one.game == game and (one.seats, one.preset) == names[game])
    states = states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name == state)))
    found = {
        name: [fault.what for fault in laws.faults(chrome, states, [SCREENS[-1]], style=planted) if fault.law == law]
        for name, planted in (("as it is", ""), ("planted", style))
    }
    assert found["as it is"] == []
    assert any(said in what for what in found["planted"]), found


def test_a_result_that_has_to_be_scrolled_to_breaks_a_law(chrome: Browser) -> None:
    """Planted: a chouette of ten on a narrow phone, whose card had no room for all of them."""
    course = next(one for one in chouette.COURSES if one.seats == 10)
    wanted = tuple(one for one in course.wanted if one.name == "between games")
    style = ".bt-d-panel[data-kind=result] .bt-rank { line-height: 2.2 !important; }"
    found = {}
    for name, planted in (("as it is", ""), ("planted", style)):
        broken = laws.faults(chrome, states_of(replace(course, wanted=wanted)), [SCREENS[1]], style=planted)
        found[name] = [fault.what for fault in broken if fault.law == "text is cut"]
    assert found["as it is"] == []
    assert any("bt-d-panels" in what for what in found["planted"]), found


def test_letters_that_are_set_apart_are_measured(chrome: Browser) -> None:
    """Planted: a reader whose own style sheet sets letters so far apart that buttons have no room for their words."""
    course = next(one for one in chouette.COURSES if (one.seats, one.preset) == (4, "club"))
    states = states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name == "answer asked")))
    apart = next(screen for screen in SCREENS if screen.apart)
    found = {far: laws.faults(chrome, states, [replace(apart, apart=far)]) for far in (apart.apart, 0.5)}
    assert found[apart.apart] == []
    assert {fault.law for fault in found[0.5]} & {"text is cut", "texts meet", "name is cut", "tag is cut"}, found


@pytest.mark.parametrize("screen", SCREENS[:2], ids=lambda one: one.name)
def test_ten_in_two_rows_show_points_of_three_digits_beside_their_cubes(chrome: Browser, screen: Screen) -> None:
    course = next(one for one in chouette.COURSES if one.seats == 10)
    wanted = tuple(one for one in course.wanted if one.name in ("cube window", "sealed answers"))
    page = Stage(chrome)
    page.resize(screen)
    for state in states_of(replace(course, wanted=wanted)):
        view = state.frames[-1]["view"]
        view["totals"] = [-128 if seat % 2 else 112 for seat in range(len(view["totals"]))]
        page.open(state)
        page.show(state)
        assert page.page.evaluate(COVERED_POINTS) == []
    page.close()


def test_every_law_is_measured_for_every_game() -> None:
    assert set(HELD) == set(laws.PARTS) == {course.game for course in laws.COURSES}
    assert {law for held in HELD.values() for law in held} <= set(laws.LAWS)
