"""What people hear and can make out who see little or nothing: in every state of the gallery."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests.browser.gallery import contrast, laws
from tests.browser.gallery.stage import SCREENS, Stage, by_table
from tests.browser.gallery.states import Shown
from tests.browser.people import LAPTOP, Person
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

BROKEN = re.compile(r"%\(|undefined|null|NaN|\[object")
HEARD = "[...document.querySelector('#polite').children].map((line) => line.textContent)"


@pytest.fixture(scope="module")
def states() -> list[Shown]:
    """All states of all games."""
    return laws.all_states()


@pytest.mark.day(parts=17, turn=13)
def test_in_every_state_a_key_says_how_the_game_stands(chrome: Browser, states: list[Shown]) -> None:
    stage = Stage(chrome, "en")
    for group in share_of_day(by_table(states), 3, every=17):
        stage.open(group[0])
        stage.resize(SCREENS[0])
        for state in group:
            stage.show(state)
            stage.page.evaluate("document.querySelector('#polite').replaceChildren()")
            stage.page.keyboard.press("g")
            stage.page.wait_for_function("document.querySelector('#polite').children.length")
            heard = stage.page.evaluate(HEARD)
            assert len(heard) == 1 and not BROKEN.search(heard[0]), (state.name, heard)
            assert all(word in heard[0] for word in due(state)), (state.name, heard)
    stage.close()
    assert stage.faults == []


def due(state: Shown) -> list[str]:
    """Return what must be heard: the pips and the cubes; the dice, and the mats or points of everybody."""
    view = next(frame["view"] for frame in reversed(state.frames) if "view" in frame)
    if state.game == "chouette":
        game = view["game"]
        if view["phase"] != "playing":
            return ["Game"]
        in_play = sum(cube["result"] is None for cube in game["cubes"])
        return [*(str(pips) for pips in game["pips"] or ()), *(["Cube of"] if in_play else [])]
    dice = view["cup"]["rolled"] if view["turn"] is not None else []
    return [", ".join(str(die) for die in dice), *(f"{view['stock']} beer mat" for _ in [0] if view["stock"])]


@pytest.mark.day(parts=17, turn=12)
def test_text_can_be_read_in_both_themes(chrome: Browser, states: list[Shown]) -> None:
    # The day's tables: `python -m tests.browser.gallery --faults` draws them all.
    groups = share_of_day(by_table(states), 4, every=17)
    faults = contrast.faults(chrome, [state for group in groups for state in group])
    assert faults == [], "\n".join(faults)


@pytest.mark.day(parts=17, turn=15)
@pytest.mark.server
def test_the_pages_of_the_house_can_be_read_in_both_themes(person: Callable[..., Person]) -> None:
    host = person("Hanna", screen=LAPTOP)
    host.host_a_night("Thursday")
    night, join = host.page.url, host.link("j")
    faults = []
    for address in (
        *("/", night, f"{night}results/", join, "/rules/chouette/", "/rules/chicago/"),
        *(f"{night}tables/new/?game=chouette&preset=german", "/house-rules/"),
    ):
        answer = host.page.goto(address if address.startswith("http") else f"{host.url}{address}")
        assert answer and answer.ok, address
        faults += [f"{address}: {fault}" for fault in contrast.on_page(host.page)]
    assert faults == [], "\n".join(faults)
