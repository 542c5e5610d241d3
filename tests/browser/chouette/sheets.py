"""Backgammon at the browser: games in a moment, the score sheet as shown, the Team's panel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.chouette.boards import now, seated, tv_link, xgid
from tests.browser.evening import LOOKS_AGAIN_MS
from tests.browser.people import TV, Person
from tests.frames import listed

MakePerson = Callable[..., Person]
Told = Callable[[Any], bool]
# The Captain has to play 3-1 in the middle of a game.
MIDDLE = xgid({24: 1, 13: 4, 8: 3, 6: 5, 5: 2, 1: -2, 12: -5, 17: -3, 19: -5}, "31")
# The Captain rolls and bears off the last two checkers.
LAST_CHECKERS = xgid({1: 2, 24: -2}, "00")
IS_OPEN = """name => {
    const { now } = document.querySelector("chouette-table");
    return now.canAct && now.choices.some((choice) => choice.name === name);
}"""
HAS_ROWS = """games => {
    const { now } = document.querySelector("chouette-table");
    return now.view.sheet.length >= games;
}"""
SEND = """([name, args]) => {
    const table = document.querySelector("chouette-table");
    const { basis } = table.now.choices.find((choice) => choice.name === name);
    table.dispatchEvent(new CustomEvent("command", { detail: { name, args, basis } }));
}"""
# Only on what was seen: meanwhile the game may have ended, and the next one must not begin.
ACT = """([doubles, seen]) => {
    const table = document.querySelector("chouette-table");
    const open = table.now.choices.map((choice) => [choice.name, choice.basis]);
    if (JSON.stringify(open) !== JSON.stringify(seen)) return false;
    const due = table.now.canAct ? table.now.choices.filter((choice) => choice.required) : [];
    const { name, basis, options, sets } = due.find((choice) => choice.name === "roll") ?? due[0] ?? {};
    if (!name) return false;
    const args = {
        cube: () => options.find((option) => option.double === doubles),
        answer_batch: () => ({ take: sets.of }),
    }[name]?.() ?? options.at(-1);
    table.dispatchEvent(new CustomEvent("command", { detail: { name, args, basis } }));
    return true;
}"""


def sit_down(person: MakePerson, position: str, names: str, preset: str) -> list[Person]:
    """Seat people at a table of its own position, and wait until all of them see it."""
    people = seated(person, position, names, preset)
    for one in people:
        wait_until(one, "() => document.querySelector('chouette-table').now")
    return people


def wait_until(one: Person, so: str, *args: str) -> None:
    """Wait until a function of the page says so; the page's policy lets nothing else poll."""
    for _ in range(400):
        if one.page.evaluate(so, *args):
            return
        one.page.wait_for_timeout(50)
    raise AssertionError(f"never for {one.name}: {so}")


def send(one: Person, name: str, args: Any) -> None:
    """Answer a choice as the element would, as soon as it is open."""
    wait_until(one, IS_OPEN, name)
    one.page.evaluate(SEND, [name, args])


def options(one: Person, name: str) -> Any:
    """Return what somebody may answer to a choice, as soon as it is open."""
    wait_until(one, IS_OPEN, name)
    return listed(next(c for c in now(one)["choices"] if c["name"] == name))


def by_line(people: Sequence[Person]) -> list[Person]:
    """Return the people in the order of the line: Box, Captain, next."""
    return [people[seat] for seat in now(people[0])["view"]["line"]]


def act_until(people: Sequence[Person], told: Told, doublers: Sequence[Person] = ()) -> None:
    """Let everybody do what is due until all see that it is so: some double, the Box takes."""
    for _ in range(3000):
        looks = [now(one) for one in people]
        seen = [told(look["view"]) for look in looks]
        if all(seen):
            return
        if not any(seen):
            both = zip(people, looks, strict=True)
            any(_act(one, look, one in doublers) for one, look in both)  # the first who can
        people[0].page.wait_for_timeout(LOOKS_AGAIN_MS)
    raise AssertionError("the game stands still")


def _act(one: Person, look: Any, doubles: bool) -> bool:
    """Let somebody do what is due on what their page has just shown; tell whether they did."""
    seen = [[choice["name"], choice["basis"]] for choice in look["choices"]]
    return bool(one.page.evaluate(ACT, [doubles, seen]))


def begin(people: Sequence[Person]) -> list[Person]:
    """Let the Captain begin the game; return the people in the line's order when all see it."""
    line = by_line(people)
    send(line[1], "start_study", {})
    for one in people:
        wait_until(one, "() => document.querySelector('chouette-table').now.view.game")
    return line


def play_a_game(people: Sequence[Person], doublers: Sequence[Person] = ()) -> None:
    """Let the next game be played, which the Captain wins."""
    games = len(now(people[0])["view"]["sheet"]) + 1
    act_until(people, lambda view: len(view["sheet"]) == games, doublers)
    for one in people:  # a page may be a moment behind the others
        one.page.wait_for_function(HAS_ROWS, arg=games)


def sheet_of(one: Person) -> Locator:
    """Return somebody's score sheet, opened where it is a tab."""
    return _open(one, "sheet", ".bt-sheet")


def team_of(one: Person) -> Locator:
    """Return somebody's panel of the Team, opened where it is a tab."""
    return _open(one, "team", ".bt-team")


def game_of(one: Person) -> Locator:
    """Return somebody's dock, opened where it is a tab."""
    return _open(one, "play", ".bt-dock")


def _open(one: Person, name: str, panel: str) -> Locator:
    """Return a panel, seen: its module may come after the board, and its tab with it."""
    tab, found = one.page.locator(f".bt .tabs [data-tab={name}]"), one.page.locator(panel)
    expect(found.or_(tab).filter(visible=True).first).to_be_visible()
    if tab.is_visible() and tab.get_attribute("aria-selected") == "false":
        tab.click()
    expect(found).to_be_visible()
    return found


def number(text: str) -> int:
    """Return a signed number as the sheet writes it."""
    return int(text.replace("−", "-"))


def rows_of(sheet: Locator, count: int) -> list[list[tuple[int, int, bool]]]:
    """Return the rows as shown, once there are so many: (total, points, is the Box) for each column.

    The sheet is drawn a frame after the board.
    """
    expect(sheet.locator(".bt-sheet-row")).to_have_count(count)
    found = sheet.locator(".bt-sheet-row").evaluate_all(
        """rows => rows.map(row => [...row.querySelectorAll("td")].map(cell => [
            cell.querySelector("b").textContent,
            cell.querySelector("small")?.textContent ?? "0",
            cell.dataset.box === "yes" && cell.textContent.includes("Box")]))"""
    )
    return [[(number(t), number(p), box) for t, p, box in row] for row in found]


def big_screen(person: MakePerson, host: Person) -> Person:
    """Open the big screen of the host's night; its line stands."""
    screen = person("TV", screen=TV)
    heard: list[object] = []

    def note(frame: object) -> None:
        heard.append(frame)

    screen.page.on("websocket", lambda line: line.on("framereceived", note))
    screen.page.goto(tv_link(host))
    expect(screen.page.locator("chouette-table")).to_be_visible()
    for _ in range(600):
        if heard:
            break
        screen.page.wait_for_timeout(50)
    assert heard, "the line of the big screen does not stand"
    return screen
