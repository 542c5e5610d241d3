"""What a screen reader is told of a table in Firefox and WebKitGTK: the roles and names of Chromium's tree."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.browser.gallery import chicago, chouette
from tests.browser.gallery import stage as gallery_stage
from tests.browser.gallery.stage import SCREENS, browser_of
from tests.browser.gallery.states import Shown, states_of
from tests.conftest import CHROMIUM
from tests.engines.conftest import require_engine
from tests.engines.engines import Engine, engine
from tests.engines.stage import Stage

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]

HEARD = "[data-heard]"
PARTS = {"board": ".shell-game", "dock": "main", "main": ".go", "least": 0}
LEAST = 5
"""Things with a name that every state has."""
MARK = """() => {
  const kinds = "[role=gridcell], [role=tab], [role=status], [role=log], [role=group], button, input, select, section";
  // Firefox's driver sorts the greetings by their keys.
  const LEFT_OUT = "[aria-hidden=true], .bt-d-greets, .ct-greets";
  const all = { visibilityProperty: true, checkVisibilityCSS: true };
  const isHeard = (one) => one.checkVisibility(all) && !one.closest(LEFT_OUT);
  for (const one of document.querySelectorAll("[data-heard]")) one.removeAttribute("data-heard");
  for (const one of document.querySelectorAll(`.shell-game :is(${kinds})`))
    if (isHeard(one)) one.setAttribute("data-heard", "");
  return true;
}"""
STATES = {
    "chouette": (chouette.COURSES, (4, "club"), ("play to choose", "answer asked", "window waits")),
    "chicago": (chicago.COURSES, (6, "classic"), ("thrown once", "another throws")),
}


def found(game: str) -> list[Shown]:
    courses, table, names = STATES[game]
    course = next(one for one in courses if (one.seats, one.preset) == table)
    return states_of(replace(course, wanted=tuple(one for one in course.wanted if one.name in names)))


def in_chromium(states: list[Shown]) -> list[list[tuple[str, str]]]:
    """Return what Chromium's tree has of the states."""
    with browser_of(CHROMIUM) as browser:
        stage = gallery_stage.Stage(browser)
        stage.resize(SCREENS[0])
        stage.open(states[0])
        stage.looks(states, PARTS, is_tv=False)  # what comes later has come
        told = []
        for state in states:
            stage.looks([state], PARTS, is_tv=False)
            stage.page.evaluate(MARK)
            told.append(stage.names(HEARD))
        stage.close()
    return told


def named(told: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what has a name: what has none is read by its contents."""
    return [(role, name) for role, name in told if name]


@pytest.mark.parametrize("engine", [engine("firefox"), engine("webkitgtk")], ids=lambda one: one.name)
@pytest.mark.parametrize("game", STATES)
def test_an_engine_names_what_chromium_names(engine: Engine, game: str) -> None:
    require_engine(engine)
    states = found(game)
    stage = Stage(engine)
    try:
        stage.open(states[0])
        stage.resize(SCREENS[0])
        stage.looks(states, PARTS, is_tv=False)
        for state, names in zip(states, in_chromium(states), strict=True):
            stage.looks([state], PARTS, is_tv=False)
            stage.page.evaluate(MARK)
            assert len(named(names)) > LEAST
            assert named(stage.page.names(HEARD)) == named(names), state.name
    finally:
        stage.close()
