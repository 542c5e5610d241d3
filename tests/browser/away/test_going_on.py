"""People go on while their house is out of reach: games told by taps, kept on the device, shown, copied, saved."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from games.kernel.contract import JsonObject
from games.kernel.figures.game_forms import MOST_ROUNDS
from tests.browser.people import LAPTOP, PHONE, Person
from tests.browser.tables import set_up

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]

MakePerson = Callable[..., Person]
LOST = 20_000
"""Milliseconds in which a page has found out that its house is away, and says so."""
READY = ":not([data-deaf]):not([disabled])"
GO_ON = "Go on without the house"
PREPARED = "() => document.querySelector('#played') !== null"
ROOM = 2_000_000
FULL = """async () => {
  const database = await new Promise((done) => {
    const asked = indexedDB.open("other", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("parts", { autoIncrement: true });
    asked.onsuccess = () => done(asked.result);
  });
  for (let size = 65536; size >= 16;) {
    const work = database.transaction("parts", "readwrite");
    work.objectStore("parts").put(crypto.getRandomValues(new Uint8Array(size)));
    const isKept = await new Promise((done) => {
      work.oncomplete = () => done(true);
      work.onabort = () => done(false);
    });
    if (!isKept) size /= 4;
  }
  database.close();
}"""
"""Fill what is left of the disk, with ever smaller parts."""
LENGTHENED = """(rounds) => new Promise((done) => {
  indexedDB.open("stammtisch-played", 1).onsuccess = ({ target }) => {
    const work = target.result.transaction("lists", "readwrite"), store = work.objectStore("lists");
    store.openCursor().onsuccess = (event) => {
      const { value } = event.target.result, [game] = value.games;
      game.game.rounds = Array.from({ length: rounds }, () => game.game.rounds[0]);
      event.target.result.update(value);
    };
    work.oncomplete = () => { target.result.close(); dispatchEvent(new Event("pageshow")); done(true); };
  };
})"""


def chouette(person: MakePerson, **rules: object) -> Person:
    """Return the host of a chouette of four at a real board, at a phone; the others have none."""
    host = person("Hanna", screen=PHONE)
    set_up(host, "chouette", "wood", without_phone=("Bo", "Cy", "Dag"), line_order="by_hand", **rules)
    return host


def lose(one: Person) -> None:
    """Take the house out of a page's reach once it has loaded what it needs then, until it offers to go on."""
    one.page.wait_for_function(PREPARED)
    one.context.set_offline(True)
    expect(one.page.locator(".played-notice")).to_be_visible(timeout=LOST)


def press(within: Locator, name: str | re.Pattern[str]) -> None:
    """Press a button that has been there for a moment."""
    within.get_by_role("button", name=name, exact=True).and_(within.page.locator(f"button{READY}")).first.click()


def choose(sheet: Locator, field: str, label: str) -> None:
    """Tap a chip of a field of the game or the round."""
    sheet.locator(f".played-form > [data-field={field}]").get_by_role("button", name=label, exact=True).click()


def open_sheet(one: Person) -> Locator:
    press(one.page.locator(".played-notice"), GO_ON)
    sheet = one.page.get_by_role("dialog", name="Without the house")
    expect(sheet).to_be_visible()
    return sheet


def kept(page: Page) -> Any:
    """Return the lists that the device keeps."""
    return page.evaluate("""() => new Promise((done) => {
      indexedDB.open("stammtisch-played", 1).onsuccess = ({ target }) => {
        const all = target.result.transaction("lists").objectStore("lists").getAll();
        all.onsuccess = () => { target.result.close(); done(all.result); };
      };
    })""")


def tell(sheet: Locator, winner: str, level: str) -> None:
    choose(sheet, "winner", winner)
    choose(sheet, "level", level)
    press(sheet, "Keep it")


def test_a_chouette_goes_on_by_results_and_the_list_is_there_after_a_crash(person: MakePerson) -> None:
    host = chouette(person)
    lose(host)
    sheet = open_sheet(host)
    expect(sheet.get_by_role("button", name="Keep it", exact=True)).to_be_disabled()
    press(sheet, "Cube: all 1")
    bo = sheet.locator(".played-member[data-seat='1']")
    bo.get_by_role("button", name="Cube: more").click()
    bo.get_by_text("More about Bo").click()
    tell(sheet, "Team", "plain")
    expect(sheet.locator(".played-games li")).to_contain_text("Winner: Team")
    expect(sheet.locator(".played-standing")).to_contain_text(re.compile(r"Hanna\s*−\d"))
    press(sheet, "Next game")
    tell(sheet, "Box", "gammon")
    expect(sheet.locator(".played-games li")).to_have_count(2)
    (listed,) = kept(host.page)
    assert [one["number"] for one in listed["games"]] == [1, 2]
    assert listed["games"][0]["game"]["game"]["winner"] == "team"
    assert host.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    # The browser crashes; the house is back when the page can be opened again.
    host.context.set_offline(False)
    address = host.page.url
    host.page.close(run_before_unload=False)
    host.page = host.context.new_page()
    host.page.goto(address)
    shown = host.page.get_by_role("dialog", name="Games played without the house")
    expect(shown.locator(".played-games li")).to_have_count(2, timeout=LOST)
    press(shown, "As text or picture")
    expect(host.page.get_by_role("dialog", name="Without the house").locator(".played-games li")).to_have_count(2)
    assert kept(host.page) == [listed]


def test_the_list_is_marked_text_and_a_picture_and_a_game_is_told_otherwise(person: MakePerson) -> None:
    host = chouette(person)
    lose(host)
    sheet = open_sheet(host)
    tell(sheet, "Team", "plain")
    press(sheet, "As text")
    marked = host.page.evaluate("getSelection().toString() || document.activeElement.value")
    assert "Winner: Team · Level: plain" in marked and "Counted on this device:" in marked
    with host.page.expect_download() as saved:
        sheet.get_by_role("link", name="As a picture").click()
    assert saved.value.suggested_filename == "stammtisch.png"
    press(sheet, "Change game 1")
    tell_otherwise = sheet.get_by_role("button", name="Keep the change")
    choose(sheet, "level", "backgammon")
    tell_otherwise.click()
    expect(sheet.locator(".played-games li")).to_contain_text("Level: backgammon")
    press(sheet, "Change game 1")
    press(sheet, "Drop this game")
    expect(sheet.locator(".played-games li")).to_have_count(0)


class Disk:
    """What Chromium gives a person's browser of the disk: little, from before anything was kept.

    It looks anew how much room there is only now and then.
    """

    def __init__(self, one: Person) -> None:
        self.one, self.session = one, one.context.new_cdp_session(one.page)
        self._set(quotaSize=ROOM)

    def _set(self, **size: int) -> None:
        self.session.send("Storage.overrideQuotaForOrigin", {"origin": self.one.url, **size})

    def fill_up(self) -> None:
        """Leave no room."""
        self.one.page.evaluate(FULL)

    def free(self) -> None:
        """Give as much room as usual."""
        self._set()


def test_a_full_device_says_so_and_what_was_typed_stays(person: MakePerson) -> None:
    disks: list[Disk] = []

    def with_little_room(name: str, **more: Any) -> Person:
        one = person(name, **more)
        disks.append(Disk(one))
        return one

    host = chouette(with_little_room)
    (disk,) = disks
    lose(host)
    sheet = open_sheet(host)
    disk.fill_up()
    tell(sheet, "Team", "gammon")
    expect(sheet.get_by_role("alert")).to_contain_text("no room left")
    expect(sheet.get_by_role("alert")).to_be_in_viewport(ratio=1)
    pressed = sheet.locator(".played-form > .played-field [aria-pressed=true]")
    expect(pressed).to_have_text(["Hanna", "Team", "gammon"])
    disk.free()
    press(sheet, "Keep it")
    expect(sheet.locator(".played-games li")).to_have_count(1)


def test_leaving_a_page_that_keeps_games_is_asked_about_while_the_house_is_away(person: MakePerson) -> None:
    host = chouette(person)
    lose(host)
    sheet = open_sheet(host)
    tell(sheet, "Box", "plain")
    expect(sheet.locator(".played-games li")).to_have_count(1)
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    host.page.on("dialog", stay)
    host.page.evaluate("location.reload()")
    host.page.wait_for_timeout(500)
    assert asked == ["beforeunload"]
    expect(sheet.locator(".played-games li")).to_have_count(1)
    host.page.remove_listener("dialog", stay)


def test_chicago_goes_on_round_by_round_in_one_entry(person: MakePerson) -> None:
    host = cup(person)
    lose(host)
    sheet = open_sheet(host)
    choose(sheet, "high", "Bo")
    choose(sheet, "low", "Cy")
    press(sheet, "Keep it")
    expect(sheet.locator(".played-standing")).to_contain_text(re.compile(r"Cy\s*1 beer mat"))
    press(sheet, "Next round")
    choose(sheet, "low", "Hanna")
    press(sheet, "Keep it")
    expect(sheet.locator(".played-games li")).to_have_count(1)
    (listed,) = kept(host.page)
    assert listed["games"][0]["game"] == {"rounds": [{"high": 1, "low": 2}, {"low": 0}]}
    press(sheet, "Take the last round back")
    expect(sheet.locator(".played-standing")).to_contain_text(re.compile(r"Hanna\s*0"))
    (listed,) = kept(host.page)
    assert listed["games"][0]["game"] == {"rounds": [{"high": 1, "low": 2}]}


def cup(person: MakePerson, preset: str = "tschigg") -> Person:
    """Return the host of a Chicago of three with real dice, at a phone; the others have none."""
    host = person("Hanna", screen=PHONE)
    set_up(host, "chicago", preset, without_phone=("Bo", "Cy"), dice="typed", entry="result")
    return host


def tell_round(page: Page, low: str, count: int) -> None:
    """Tell the next round in a page, after which the list has so many rounds, of all its games."""
    sheet = page.get_by_role("dialog", name="Without the house")
    if not sheet.is_visible():
        press(page.locator(".played-notice"), GO_ON)
    if not sheet.locator(".played-entry").is_visible():
        press(sheet, "Next round")
    choose(sheet, "low", low)
    press(sheet, "Keep it")
    expect(sheet.locator(".played-games p:not(.played-moved)")).to_have_count(count)


def rounds(page: Page) -> list[list[JsonObject]]:
    """Return the rounds of each game that the device keeps."""
    return [game["game"]["rounds"] for listed in kept(page) for game in listed["games"]]


def test_two_tabs_keep_rounds_in_the_order_in_which_they_were_played(person: MakePerson) -> None:
    host = cup(person)
    other = host.context.new_page()
    other.goto(host.page.url)
    other.wait_for_function(PREPARED)
    lose(host)
    expect(other.locator(".played-notice")).to_be_visible(timeout=LOST)
    lows = ("Bo", "Cy", "Bo", "Bo")
    for count, (page, low) in enumerate(zip((host.page, other, host.page, host.page), lows, strict=True), start=1):
        tell_round(page, low, count)
    assert rounds(host.page) == [[{"low": 1}], [{"low": 2}], [{"low": 1}, {"low": 1}]]


def test_the_last_round_alone_is_taken_back_also_when_the_house_was_there_meanwhile(person: MakePerson) -> None:
    host = cup(person)
    lose(host)
    for count, low in enumerate(("Bo", "Cy", "Hanna"), start=1):
        tell_round(host.page, low, count)
    host.context.set_offline(False)
    expect(host.page.locator(".played-notice")).to_be_hidden(timeout=LOST)
    host.context.set_offline(True)
    expect(host.page.locator(".played-notice")).to_be_visible(timeout=LOST)
    sheet = host.page.get_by_role("dialog", name="Without the house")
    press(sheet, "Take the last round back")
    expect(sheet.locator(".played-games p:not(.played-moved)")).to_have_count(2)
    assert rounds(host.page) == [[{"low": 1}, {"low": 2}]]


def test_a_list_of_rounds_goes_on_in_another_game_where_one_has_all_that_it_may_have(person: MakePerson) -> None:
    host = cup(person, "classic")
    lose(host)
    tell_round(host.page, "Bo", 1)
    host.page.evaluate(LENGTHENED, MOST_ROUNDS)
    tell_round(host.page, "Cy", MOST_ROUNDS + 1)
    assert [len(game) for game in rounds(host.page)] == [MOST_ROUNDS, 1]


def begin_unheard(person: MakePerson) -> tuple[Person, Locator]:
    """Begin a game, which does not reach the house, and lose the house; return the sheet that asks about it."""
    host = chouette(person)
    host.page.wait_for_function(PREPARED)
    host.page.evaluate("() => { window.send = WebSocket.prototype.send; WebSocket.prototype.send = () => {}; }")
    host.page.evaluate("document.querySelector('chouette-table').command('begin_game', {})")
    lose(host)
    sheet = open_sheet(host)
    expect(sheet.locator(".played-under-way")).to_contain_text("has not reached the house")
    return host, sheet


def test_what_was_sent_and_not_answered_is_kept_or_dropped_by_one_tap(person: MakePerson) -> None:
    host, sheet = begin_unheard(person)
    press(sheet, "Drop it")
    expect(sheet.locator(".played-under-way")).to_be_hidden()
    host.context.set_offline(False)
    host.page.reload()
    expect(host.page.locator("chouette-table")).to_be_visible()
    host.page.wait_for_timeout(1000)
    assert host.page.evaluate("document.querySelector('chouette-table').now.view.phase") == "between"


def test_what_is_kept_for_the_house_comes_before_the_games_of_the_list(person: MakePerson) -> None:
    host, sheet = begin_unheard(person)
    press(sheet, "Keep it for the house")
    expect(sheet.locator(".played-under-way")).to_be_hidden()
    tell(sheet, "Team", "plain")
    expect(sheet.locator(".played-games li")).to_have_count(1)
    press(sheet, "Close")
    host.page.evaluate("() => { WebSocket.prototype.send = window.send; }")
    host.context.set_offline(False)
    handed = host.page.get_by_role("dialog", name="Games played without the house")
    press(handed, "Hand over")
    expect(handed).to_be_hidden()
    view = host.ask(f"tables/{host.page.url.rstrip('/').rsplit('/', 1)[1]}/")["state"]["view"]
    assert [row["without_house"] for row in view["sheet"]] == [True]
    assert (view["phase"], kept(host.page)[0]["games"]) == ("between", [])


def choose_a_result(person: MakePerson) -> tuple[Person, Locator]:
    """Choose what the dice of the host came to, without sending it, lose the house; return what the sheet asks."""
    host = cup(person)
    table = f"tables/{host.page.url.rstrip('/').rsplit('/', 1)[1]}/"
    while (turn := host.ask(table)["state"]["view"]["turn"]) != 0:
        choices = host.ask(f"{table}?seat={turn}")["state"]["choices"]
        found = next(one for one in choices if one["name"] == "enter_result")
        sent = {"name": found["name"], "args": found["options"][0], "basis": found["basis"], "seat": turn}
        host.ask(f"{table}commands/", id=f"turn-of-{turn}", **sent)
    host.page.locator(f".ct-counts button{READY}").first.click()
    host.page.locator(f".ct-grid button{READY}").last.click()
    expect(host.page.locator(".ct-enter")).to_contain_text("stands")
    lose(host)
    return host, open_sheet(host).locator(".played-under-way")


def test_a_result_that_was_chosen_and_not_sent_is_dropped_by_one_tap(person: MakePerson) -> None:
    host, asked = choose_a_result(person)
    expect(asked).to_contain_text("has not reached the house")
    press(asked, "Drop it")
    expect(asked).to_be_hidden()
    expect(host.page.locator(".ct-grid [aria-pressed=true]")).to_have_count(0)


def test_a_result_that_was_chosen_and_not_sent_is_kept_by_one_tap_and_stands_when_the_house_is_back(
    person: MakePerson,
) -> None:
    host, asked = choose_a_result(person)
    press(asked, "Keep it for the house")
    expect(asked).to_be_hidden()
    sheet = host.page.get_by_role("dialog", name="Without the house")
    press(sheet, "Close")
    press(host.page.locator(".played-notice"), GO_ON)
    expect(sheet).to_be_visible()
    expect(asked).to_be_hidden()
    press(sheet, "Close")
    host.context.set_offline(False)
    enter = host.page.locator(f".ct-enter{READY}")
    expect(enter).to_contain_text("stands", timeout=LOST)
    enter.click()
    host.page.wait_for_function("() => document.querySelector('chicago-table').now.view.turn !== 0")


def test_the_letters_of_a_sheet_are_there_before_the_house_is_away(person: MakePerson) -> None:
    host = chouette(person)
    host.page.wait_for_function(
        """() => {
          const there = [...document.fonts].filter(({ status }) => status === "loaded").map(({ family }) => family);
          return ["Open Sans", "Vollkorn", "JetBrains Mono"].every((one) => there.some((name) => name.includes(one)));
        }"""
    )


def test_nothing_of_the_form_moves_under_a_finger(person: MakePerson) -> None:
    host = chouette(lambda name, **more: person(name, locale="de-DE", **more))
    lose(host)
    # Going on has the room of what cannot be entered now.
    expect(host.page.locator(".bt-dock").get_by_role("button")).to_have_count(0)
    host.page.locator(f".played-notice button{READY}").click()
    form = host.page.locator("#played .played-form")
    # What is folded away has no place.
    places = "(form) => [...form.querySelectorAll('.played-field:not(details *)')].map((one) => one.offsetTop)"
    before = form.evaluate(places)
    for css in (
        ":scope > [data-field=winner] [data-value=team]",
        ".played-all",
        "[data-seat='2'] .played-steps button >> nth=1",
    ):
        form.locator(css).click()
    expect(form.locator("[data-seat='2'] output").first).to_have_text("2")
    assert form.evaluate(places) == before


def test_a_table_on_the_screen_waits_and_says_why(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", screen=PHONE)
    set_up(host, "chicago", "classic", [guest])
    guest.page.wait_for_load_state("load")
    guest.context.set_offline(True)
    expect(guest.page.locator("#strip")).to_contain_text("Out of reach since", timeout=LOST)
    expect(guest.page.locator("#strip")).to_contain_text("The game waits for the house")
    assert guest.page.locator(".played-notice").count() == 0
    loaded = guest.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert not [name for name in loaded if "played" in name]


def test_who_does_not_enter_for_the_table_reads_who_does(person: MakePerson) -> None:
    host, guest = person("Hanna", screen=LAPTOP), person("Kari", screen=PHONE)
    set_up(host, "chouette", "wood", [guest], ("Bo", "Cy"), line_order="by_hand")
    table = host.page.url.rstrip("/").rsplit("/", 1)[1]
    player = host.ask(f"tables/{table}/")["table"]["seats"][0]["player"]
    host.ask(f"tables/{table}/scorekeeper/", player=player)
    lose(guest)
    notice = guest.page.locator(".played-notice")
    expect(notice).to_contain_text("Hanna can go on without the house.")
    expect(notice.get_by_role("button")).to_have_count(0)
