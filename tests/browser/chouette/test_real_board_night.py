"""Eight at a real board, four games and the settlement: with one scorekeeper's phone, and with four phones."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.chouette.boards import MakePerson
from tests.browser.chouette.chouettes import TAKE
from tests.browser.chouette.wood import TOLD, RealBoard, counted, view
from tests.browser.people import TV, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

RULES = {"max_players": 8, "line_order": "by_hand", "automatics": "limit", "beavers": True}
HANNA, KARI, BO, ULI, EVA, OLE, PIA, MAX, NILS = range(9)
NAMES = ("Hanna", "Kari", "Bo", "Uli", "Eva", "Ole", "Pia", "Max")
MOST_TAPS, MOST_OF_A_MEMBER = 52, 8
"""Of four games with all that happens in them: an act is its button, and its seat where that one is not asked."""


def with_an_automatic_a_beaver_and_a_take_back(board: RealBoard) -> None:
    """A double that came before the tie was told goes back; then a tie, a double to all, a beaver and two drops."""
    board.enter(HANNA, "The game begins")
    board.enter(HANNA, "Double all")
    board.enter(HANNA, "Take back")
    board.enter(HANNA, "A tie")
    board.enter(HANNA, "Double all", taps=2)
    answers = {KARI: TAKE, BO: "^Drop", ULI: "^Beaver", EVA: TAKE, OLE: TAKE, PIA: "^Drop", MAX: TAKE}
    for tv in board.watching:
        expect(tv.page.locator(".bt-wood-row .bt-cube:visible")).to_have_count(7)
        expect(tv.page.locator("#turn-text")).to_contain_text("Take or drop?")
    board.answer(answers)
    board.enter(HANNA, "^Accept")
    board.ends(KARI, HANNA, "team", 1)


def with_somebody_who_leaves_in_the_middle(board: RealBoard) -> None:
    """Captain and one more double, the Box drops both; one leaves, and the Box beats the stand-in."""
    board.enter(KARI, "The game begins")
    board.enter(BO, "^Double to 2")
    board.enter(EVA, "^Double to 2")
    board.enter(KARI, "^Drop all")
    leave(board, PIA)
    board.ends(KARI, ULI, "box", 1)


def with_a_gammon(board: RealBoard) -> None:
    """One cube is taken: the gammon counts on it alone."""
    board.enter(BO, "The game begins")
    board.enter(ULI, "^Double to 2")
    board.enter(BO, TAKE)
    board.ends(BO, ULI, "box", 2)


def plain(board: RealBoard) -> None:
    """Nobody doubles, the Team wins."""
    board.enter(EVA, "The game begins")
    board.ends(BO, EVA, "team", 1)


def leave(board: RealBoard, seat: int) -> None:
    """Let a person without a phone leave, at the device that keeps the seat."""
    one = board.shown(seat)
    before = one.page.evaluate(TOLD)
    one.tap("Menu")
    one.page.locator("#leave").click()
    one.page.locator("#confirm-yes").click()
    board.seen(one, before)


def bring(board: RealBoard, host: Person, name: str) -> None:
    """Add a person without a phone to the table that runs."""
    before = host.page.evaluate(TOLD)
    host.tap("Menu")
    form = host.page.locator("#menu-person form")
    form.get_by_label("Their name").fill(name)
    with host.page.expect_event("domcontentloaded"):
        form.get_by_role("button", name="Add").click()
    board.seen(host, before)


def totals(board: RealBoard) -> list[int]:
    """Return the totals that all pages show."""
    (found,) = {tuple(view(page)["totals"]) for page in board.pages}
    return list(found)


def evening(board: RealBoard, tv: Person) -> None:
    """Four games: one leaves after the first, one comes, one leaves in the middle of the second."""
    host = board.devices[HANNA]
    with_an_automatic_a_beaver_and_a_take_back(board)
    assert totals(board) == [-20, 4, -2, 8, 4, 4, -2, 4]
    leave(board, MAX)
    bring(board, host, "Nils")
    board.devices[NILS] = host
    assert view(host)["line"] == [KARI, BO, ULI, EVA, OLE, PIA, HANNA, NILS]

    with_somebody_who_leaves_in_the_middle(board)
    assert totals(board) == [-21, 7, -1, 7, 5, 3, -3, 4, -1]
    assert view(host)["line"] == [BO, ULI, EVA, OLE, HANNA, NILS, KARI]

    with_a_gammon(board)
    assert totals(board) == [-22, 6, 8, 3, 4, 2, -3, 4, -2]
    assert view(host)["line"][:2] == [BO, EVA]
    plain(board)
    assert totals(board) == [-21, 7, 2, 4, 5, 3, -3, 4, -1]
    expect(tv.page.locator(".bt-tv-games")).to_contain_text("4.")
    close(board, host)


def close(board: RealBoard, host: Person) -> None:
    """Close the table: it says who has won the evening, and the night who pays whom."""
    host.tap("Menu")
    host.tap("Close the table")
    host.page.locator("#confirm-yes").click()
    for one in {*board.devices.values()}:
        one.page.wait_for_function("() => document.querySelector('chouette-table').now?.view.phase === 'over'")
        expect(one.page.locator(".bt-dock .bt-rank").first).to_contain_text("+7")
    assert not any(one.faults for one in board.pages)


def big_screen(person: MakePerson, address: str) -> Person:
    tv = person("TV", screen=TV)
    tv.page.goto(address)
    expect(tv.page.locator("chouette-table .bt-wood-row").first).to_be_visible()
    return tv


@pytest.mark.day(parts=17, turn=10)
def test_eight_at_a_real_board_with_one_scorekeepers_phone_and_the_big_screen(person: MakePerson) -> None:
    host = person("Hanna")
    taps = counted(host)
    screen = set_up(host, "chouette", "wood", without_phone=NAMES[1:], **RULES)
    tv = big_screen(person, screen)
    evening(RealBoard(dict.fromkeys(range(8), host), [tv]), tv)
    assert len(taps) <= MOST_TAPS
    expect(host.page.locator("dialog.hand")).to_be_hidden()


@pytest.mark.day(parts=17, turn=2)
def test_eight_at_a_real_board_of_whom_four_have_phones(person: MakePerson) -> None:
    people = [person(name) for name in NAMES[:4]]
    taps = [counted(one) for one in people]
    screen = set_up(people[0], "chouette", "wood", people[1:], NAMES[4:], **RULES)
    tv = big_screen(person, screen)
    evening(RealBoard({**dict(enumerate(people)), **dict.fromkeys(range(4, 8), people[0])}, [tv]), tv)
    assert max(len(one) for one in taps[1:]) <= MOST_OF_A_MEMBER
