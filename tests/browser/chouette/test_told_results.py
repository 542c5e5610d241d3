"""A match on a real board that was over goes on when its wrong result is put right, from the sheet of a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.chouette import chouettes
from tests.browser.chouette.boards import MakePerson
from tests.browser.chouette.wood import press, view

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]


@pytest.mark.day(parts=17, turn=8)
def test_a_wrong_result_that_ended_a_match_is_corrected_from_its_sheet(person: MakePerson) -> None:
    host, guest = person("Anna"), person("Bruno")
    host.host_a_night("Thursday")
    link = host.link("j")
    chouettes.open_table(host, "match", board="wood", match_length="3")
    guest.join(link)
    chouettes.start(host, [guest])
    box, captain = chouettes.line([host, guest])
    press(captain, "The game begins")
    press(captain, "The game is over")
    side = "box" if box is host else "team"
    captain.page.locator(f"[data-act='ends {side} 3']").click()
    press(box, "That is right")
    for one in (host, guest):
        expect(one.page.locator("chouette-table .bt-d-panel[data-great]")).to_contain_text("match")

    host.page.get_by_role("tab", name="Sheet").click()
    host.page.get_by_role("button", name="Correct a result").click()
    host.page.wait_for_url("**/results/")
    host.page.get_by_text("The whole score sheet").click()
    host.page.get_by_role("link", name="Correct", exact=True).first.click()
    host.page.get_by_label("Bruno").check()
    host.page.get_by_label("Level").select_option("gammon")
    host.page.get_by_label("Cube").select_option("1")
    host.page.get_by_label("Reason").fill("It was Bruno's gammon")
    host.tap("Write the correction")
    host.page.wait_for_url("**/results/")
    guest.page.wait_for_function("() => document.querySelector('chouette-table').now?.view.phase === 'between'")
    seat = chouettes.now(guest)["me"]
    assert view(guest)["score"][seat] == 2 and view(guest)["ended"] is None
    press(guest, "The game begins")
    expect(guest.page.locator("chouette-table .bt-wood")).to_be_visible()
    guest.page.wait_for_function("() => document.querySelector('chouette-table').now?.view.crawford === true")
