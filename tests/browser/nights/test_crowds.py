"""Many at a backgammon table: between two games all of it is on the screen."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from chouette.board.gnubg_id import position_id
from chouette.rules import rules
from chouette.rules.options.declaration import OPTIONS
from tests.browser.chouette.chouettes import bearing_off
from tests.browser.chouette.test_chouette_table import LEAVING, scene, seat_with_bots, show
from tests.browser.people import LAPTOP, Person
from tests.chouette.sessions import Session

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
PHONES = ((390, 844), (360, 640))
BUTTONS = {"pause": "Next", "between": "Begin the game"}
"""What the next Captain presses in the pause and after it."""
HIDDEN = """() => {
    const faults = [], one = (name) => document.querySelector(name).getBoundingClientRect();
    const dock = document.querySelector(".bt-dock");
    const board = one(".bt-fit"), tabs = one(".bt .tabs");
    if (dock.scrollHeight > dock.clientHeight) faults.push("the dock scrolls");
    if (one(".bt-dock").top < board.bottom - 1) faults.push("the dock lies on the board");
    if (one(".bt-dock").bottom > tabs.top + 1) faults.push("the dock lies on the tabs");
    if (board.width < 150) faults.push("the board is too small");
    return faults;
}"""


def between_games(count: int, games: int, phase: str) -> Session:
    """Play a session of many until so many games are over: to the pause, or to what follows on it."""
    more = {"max_players": 10, "start_position": position_id(bearing_off(4))}
    session = Session(random.Random(count), OPTIONS.values("german", more), count)
    while session.state.phase != phase or len(session.state.sheet) < games:
        session.act(without=LEAVING)
    return session


@pytest.mark.day(parts=17, turn=3)
def test_between_two_games_everything_said_and_asked_is_on_a_phone(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    seat_with_bots(host, 2)
    for count in (3, 5, 10):
        for phase, name in BUTTONS.items():
            session = between_games(count, 2, phase)
            box, captain = rules.view(session.state, None)["line"][:2]
            for seat in (box, captain):
                for width, height in PHONES:
                    host.page.set_viewport_size({"width": width, "height": height})
                    show(host, scene(session, seat))
                    assert host.page.evaluate(HIDDEN) == [], (count, phase, seat == box, width)
                    if seat == captain:
                        expect(host.page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
