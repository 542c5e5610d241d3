"""Every control of a table can be pressed in every state, on a phone and on a laptop; pages: test_no_faults.py."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser import controls
from tests.browser.gallery import laws
from tests.browser.gallery.stage import SCREENS, Stage, by_table
from tests.seeds import share_of_day

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

HAND_HELD = [screen for screen in SCREENS if screen.name in ("phone", "laptop")]


def test_every_control_of_a_table_can_be_pressed_in_every_state(chrome: Browser) -> None:
    stage = Stage(chrome, "en")
    found: dict[str, list[str]] = {}
    for group in share_of_day(by_table(laws.all_states()), 12):
        for screen in HAND_HELD:
            stage.open(group[0])
            stage.resize(screen)
            for state in group:
                stage.show(state)
                # Each panel is opened once a table: in its last state.
                look = controls.faults if state is group[-1] else controls.unpressable
                for fault in look(stage.page):
                    found.setdefault(f"{state.game}, {screen.name}: {fault}", []).append(state.name)
    stage.close()
    assert stage.faults == []
    assert found == {}, "\n".join(f"{fault} ({'; '.join(states)})" for fault, states in sorted(found.items()))


@pytest.mark.parametrize(
    ("offence", "why"),
    [
        ("display: none", "is not drawn"),
        ("visibility: hidden", "is not drawn"),
        ("max-inline-size: 4px; padding: 0; overflow: hidden; min-inline-size: 0; border: 0", "has 4 ×"),
        ("position: fixed; inset-block-start: 2000px", "lies outside of the window"),
        ("pointer-events: none", "lies under"),
    ],
)
def test_a_control_that_a_style_hides_is_found(chrome: Browser, offence: str, why: str) -> None:
    page = chrome.new_page()
    page.set_content("<main><p>Text</p><button id='b'>Press</button><div hidden><button>Later</button></div></main>")
    assert controls.unpressable(page) == []
    page.add_style_tag(content=f"#b {{ {offence} }}")
    assert [why in fault for fault in controls.unpressable(page)] == [True]
    page.close()
