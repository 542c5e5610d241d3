"""The backgammon board: what it shows to whom, and that it stands still when it should."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.chouette.boards import (
    NO_PLAY,
    ONE_PLAY,
    START,
    MakePerson,
    cell,
    confirm,
    holds,
    mover,
    now,
    played,
    seated,
    send,
    told,
    tv_link,
    xgid,
)
from tests.browser.people import PHONE, TV
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

TARGET_PX = 44
LAST = "JSON.stringify(document.querySelector('chouette-table').now.view.game.last_play)"


@pytest.mark.day(parts=17, turn=6)
@pytest.mark.parametrize(
    ("points", "roll", "play", "words"),
    [
        (ONE_PLAY, "54", "24/15", "Only play: 24/15"),
        (NO_PLAY, "62", "cannot move", "cannot move"),
    ],
    ids=["forced", "impossible"],
)
def test_forced_and_impossible_plays_are_shown_and_confirmed(
    person: MakePerson, server: Server, points: dict[int, int], roll: str, play: str, words: str
) -> None:
    one = mover(seated(person, xgid(points, roll)))
    expect(one.page.locator(".bt-said")).to_contain_text(words)
    expect(one.page.locator(".bt-arrows.is-only")).to_have_count(int(play != "cannot move"))
    confirm(one).click()
    told(one, play)


@pytest.mark.day(parts=17, turn=5)
def test_each_side_sees_itself_at_the_bottom_with_its_home_at_the_right(person: MakePerson, server: Server) -> None:
    people = seated(person, xgid(START, "31"))
    tv = person("TV", screen=TV)
    tv.page.goto(tv_link(people[0]))
    captain = mover(people)
    box = next(p for p in people if p is not captain)
    holds(captain, 6, "5 light checkers, yours")
    holds(captain, 19, "5 dark checkers, theirs")
    holds(box, 6, "5 dark checkers, yours")
    holds(box, 13, "5 dark checkers, yours")
    expect(cell(tv, 6)).to_have_attribute("aria-label", "Point 6, 5 light checkers, Team")
    for one in (captain, box, tv):
        board = one.page.locator(".bt-grid").bounding_box()
        home = cell(one, 1).bounding_box()
        assert board
        assert home
        assert home["x"] > board["x"] + board["width"] * 0.8
        assert home["y"] > board["y"] + board["height"] * 0.4


@pytest.mark.day(parts=17, turn=15)
def test_a_half_made_play_survives_a_change_of_presence_and_not_a_new_roll(person: MakePerson, server: Server) -> None:
    people = seated(person, xgid(START, "31"))
    one = mover(people)
    other = next(p for p in people if p is not one)
    cell(one, 8).click()
    seat = now(other)["me"]
    other.page.goto("about:blank")
    one.page.wait_for_function(
        """seat => document.querySelector("chouette-table").now.seats
            .find((s) => s.seat === seat).presence !== "here" """,
        arg=seat,
    )
    holds(one, 5, "1 light checker, yours")
    send(one, "move", {"play": "24/23 13/10"})
    played([one], "24/23 13/10")
    holds(one, 5, "empty")
    holds(one, 8, "3 light checkers")


@pytest.mark.day(parts=17, turn=13)
def test_a_member_suggests_a_play_as_arrows_that_the_captain_sees_and_the_box_never(
    person: MakePerson, server: Server
) -> None:
    people = seated(person, xgid(START, "31"), "Hanna Kari Uli", "german")
    captain = mover(people)
    box = next(p for p in people if now(p)["me"] == now(p)["view"]["game"]["box"])
    member = next(p for p in people if p not in (captain, box))
    cell(member, 8).click()
    cell(member, 6).click()
    expect(captain.page.locator(".bt-arrows.is-seat")).to_have_count(0)
    member.page.get_by_role("button", name="Suggest this play").click()
    for one in (captain, member):
        arrows = one.page.locator(f".bt-arrows.is-seat.seat-{now(member)['me']}")
        expect(arrows).to_have_count(1)
        expect(arrows.locator("text").first).to_have_text(member.name[:2])
    holds(captain, 5, "empty")
    expect(box.page.locator(".bt-arrows.is-seat")).to_have_count(0)
    # The Captain's own play takes the arrows' place, and undo brings them back.
    cell(captain, 13).click()
    expect(captain.page.locator(".bt-arrows.is-seat")).to_have_count(0)
    captain.page.get_by_role("button", name="Undo").click()
    expect(captain.page.locator(".bt-arrows.is-seat")).to_have_count(1)
    # A tap on the suggestion's chip makes the whole play; it is the Captain's to confirm.
    captain.page.locator(".bt-whole").click()
    expect(captain.page.locator(".bt-said")).to_have_text("8/5 6/5")
    expect(captain.page.locator(".bt-whole")).to_be_hidden()
    expect(confirm(captain)).to_be_enabled()


@pytest.mark.day(parts=17, turn=12)
def test_board_and_buttons_of_a_play_are_on_a_phone_and_large_enough(person: MakePerson, server: Server) -> None:
    one = mover(seated(person, xgid(START, "31"), screen=PHONE))
    cell(one, 13).tap()
    for selector in (".bt-undo", ".bt-confirm"):
        box = one.page.locator(selector).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= TARGET_PX, selector
        assert box["y"] + box["height"] <= PHONE[1], selector
    board = one.page.locator(".bt-grid").bounding_box()
    assert board
    assert board["width"] >= PHONE[0] * 0.95
    assert board["y"] + board["height"] <= PHONE[1]


@pytest.mark.day(parts=17, turn=14)
def test_what_the_eye_follows_ends_where_the_truth_is(person: MakePerson, server: Server) -> None:
    """A screen in motion and a calm one show the same in the end, and at once after a tap."""
    people = seated(person, xgid(START, "31"))
    mover(people)
    lively, calm = person("TV", screen=TV, calm=False), person("Quiet TV", screen=TV)
    for screen in (lively, calm):
        screen.page.goto(tv_link(people[0]))
        expect(screen.page.locator(".bt-man")).to_have_count(30)
    drawn = """[...document.querySelectorAll(".bt-man")].map((man) =>
        man.dataset.side + man.getAttribute("transform")).sort().join()"""
    for turn in range(6):
        one = mover(people)
        options = next(c for c in now(one)["choices"] if c["name"] == "move")["options"]
        # The play may read as the one before it: whose it is tells them apart.
        before = one.page.evaluate(LAST)
        send(one, "move", options[0])
        one.page.wait_for_function(f"before => {LAST} !== before", arg=before)
        after = one.page.evaluate(LAST)
        for screen in (lively, calm):
            screen.page.wait_for_function(f"after => {LAST} === after", arg=after)
        truth = calm.page.evaluate(drawn)
        if turn % 2:
            lively.page.mouse.click(5, 5)
            assert lively.page.evaluate(drawn) == truth
        else:
            lively.page.wait_for_function(f"truth => {drawn} === truth", arg=truth)


@pytest.mark.day(parts=17, turn=7)
def test_a_checker_from_nowhere_is_there_at_once_while_others_move(person: MakePerson, server: Server) -> None:
    people = seated(person, xgid(START, "31"))
    mover(people)
    lively = person("TV", screen=TV, calm=False)
    lively.page.goto(tv_link(people[0]))
    expect(lively.page.locator(".bt-man")).to_have_count(30)
    shown = lively.page.evaluate("""() => {
        const { checkers, layout, scene } = document.querySelector("chouette-table").board;
        const points = [...scene.points];
        points[6] -= 1;
        points[5] += 3;
        checkers.show({ ...scene, points }, layout, 250);
        const men = [...document.querySelectorAll(".bt-man")];
        return men.map((man) => man.getAttribute("transform"));
    }""")
    assert len(shown) == 32
    assert all(place and "NaN" not in place for place in shown), shown
