"""Many at a backgammon table: between two games all of it is on the screen, and on the TV."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

import chouette.rules as rules
from chouette.board.gnubg_id import position_id
from chouette.rules.options.declaration import OPTIONS
from tests.browser.chouettes import bearing_off
from tests.browser.people import LAPTOP, TV, Person
from tests.browser.test_chouette_table import scene, seat_with_bots, show
from tests.chouette.sessions import Session

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
PHONES = ((390, 844), (360, 640))
HIDDEN = """() => {
    const faults = [], one = (name) => document.querySelector(name).getBoundingClientRect();
    const dock = document.querySelector(".bt-dock");
    const board = one(".bt-fit"), tools = one(".bt-tools");
    if (dock.scrollHeight > dock.clientHeight) faults.push("the dock scrolls");
    if (one(".bt-dock").top < board.bottom - 1) faults.push("the dock lies on the board");
    if (one(".bt-dock").bottom > tools.top + 1) faults.push("the dock lies on the tools");
    if (board.width < 150) faults.push("the board is too small");
    return faults;
}"""


def between_games(count: int, games: int) -> Session:
    """Play a session of many until so many games are over."""
    more = {"max_players": 10, "start_position": position_id(bearing_off(4))}
    session = Session(random.Random(count), OPTIONS.values("german", more), count)
    while session.state.phase == "playing" or len(session.state.sheet) < games:
        session.act()
    return session


def test_between_two_games_everything_said_and_asked_is_on_a_phone(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    seat_with_bots(host, 2)
    for count in (3, 5, 10):
        session = between_games(count, 2)
        box, captain = rules.view(session.state, None)["line"][:2]
        for seat in (box, captain):
            for width, height in PHONES:
                host.page.set_viewport_size({"width": width, "height": height})
                show(host, scene(session, seat))
                assert host.page.evaluate(HIDDEN) == [], (count, seat == box, width)
                if seat == captain:
                    begin = host.page.get_by_role("button", name="Begin the game")
                    expect(begin).to_be_in_viewport(ratio=1)


def test_a_tv_without_room_for_the_sheet_shows_the_last_games_between_two(
    person: MakePerson,
) -> None:
    host = person("Hanna", screen=LAPTOP)
    _, tv_link = seat_with_bots(host, 2)
    screen = person("TV", screen=TV)
    screen.page.goto(tv_link)
    expect(screen.page.locator("chouette-table .bt")).to_be_visible()
    session = between_games(10, 4)
    told = {**scene(session, None), "isTv": True}
    show(screen, told)
    last = [row for row in told["view"]["sheet"] if row["game"]][-3:]
    for place, seat in enumerate(told["view"]["line"]):
        shown = screen.page.locator(".bt-mate").nth(place).locator(".bt-gain").all_inner_texts()
        points = [int(text.replace("−", "-").replace("·", "0")) for text in shown]
        assert points == [row["points"][seat] or 0 for row in last]
    caption = " · ".join(str(row["game"]) for row in last)
    expect(screen.page.locator(".bt-caption")).to_contain_text(caption)
    assert screen.page.locator(".bt-groove").count() == 0
