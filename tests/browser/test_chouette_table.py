"""The frame of the backgammon table: whose turn, who plays with their cubes, the log, the room."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import chouette.rules as rules
from chouette.rules.choices import awaited
from chouette.rules.events.fold import HANDLERS
from chouette.rules.events.game import TALK_EVENTS
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import CLOSE, JOIN, LEAVE, TIMEOUT, Choice, Command, Event
from tests.browser.people import LAPTOP, PHONE, TV, Person
from tests.chouette.make_logs import log_of
from tests.chouette.sessions import Session, house_rules

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

MakePerson = Callable[..., Person]
SCREENS = {
    "phone": PHONE,
    "short phone": (360, 640),
    "lying phone": (844, 390),
    "tablet": (768, 1024),
    "laptop": LAPTOP,
    "desk": (1600, 960),
}
COMMANDS = 150
NAMES = ["Hanna", "Kari", "Uli", "Ole-Petter", "Brünhilde", "Ada", "Bo", "Cy", "Max", "Dag"]
# Sealed words and answers, what only a side may read, and what the next event says.
SILENT = {
    *("cube_sealed", "answer_sealed", "reply_sealed", "resignation_answer_sealed"),
    *("auto_set", "talked", "play_suggested"),
}
QUIET = {"asks_opened", "batch_closed", "answer_given", "reply_given", "resignation_answer_given"}
LOGS = Path(__file__).parents[1] / "chouette"
BROKEN = re.compile(r"%\(|undefined|null|NaN|\[object")


def seat_with_bots(host: Person, bots: int, preset: str = "german") -> tuple[str, str]:
    """Start a chouette of one person and bots; return the links for guests and big screens."""
    host.host_a_night("Thursday")
    links = host.link("j"), host.link("tv")
    host.page.goto(f"{host.page.url}tables/new/?game=chouette&preset={preset}")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    for count in range(1, bots + 1):
        host.page.locator("#bot-noisy").click()
        expect(host.page.locator("#lobby-seats .is-bot")).to_have_count(count)
    host.accept_the_rules()
    host.tap("Start the game")
    expect(host.page.locator(".bt-mate")).to_have_count(bots + 1)
    return links


def seats(count: int) -> list[dict[str, Any]]:
    """Return the table's seats as the shell hands them on."""
    who = enumerate(NAMES[:count])
    return [{"seat": i, "name": n, "player": i + 1, "bot": "", "presence": "here"} for i, n in who]


def as_json(choice: Choice) -> dict[str, Any]:
    """Return a choice as the browser gets it."""
    shown = {"name": choice.name, "seat": choice.seat, "basis": choice.opened_at}
    return {**shown, "options": list(choice.options), "required": choice.required}


def scene(session: Session, me: int | None) -> dict[str, Any]:
    """Return what the element is told of a session, and whom the rules wait for."""
    mine = rules.choices(session.state, me) if me is not None else ()
    told = {"view": rules.view(session.state, me), "choices": [as_json(c) for c in mine]}
    count = len(session.state.players)
    return {**told, "seats": seats(count), "seat": me, "awaited": list(awaited(session.state))}


def sessions() -> Iterator[tuple[list[dict[str, Any]], list[Event]]]:
    """Play at random under random rules, then under those whose events are rare."""
    for seed in range(30):
        rng = random.Random(seed)
        yield played(Session(rng, house_rules(rng), rng.choice([2, 3, 4, 5])), set())
    giving_up = {"resign", "answer_resignation", "opening_roll"}
    doubling = {"offer", "answer", "reply", "take_back", "answer_take_back"}
    rare: list[tuple[dict[str, Any], int, set[str]]] = [
        ({"automatics": "carry_over"}, 2, giving_up),
        ({"automatics": "box_decides"}, 3, giving_up),
        ({"sole_taker": "extras"}, 4, doubling),
    ]
    for seed in range(24):
        for changes, count, eager in rare:
            options = OPTIONS.values("german", changes)
            yield played(Session(random.Random(seed), options, count), eager)


def kept_events() -> Iterator[Event]:
    """Return the events of the golden sessions: those of long ago have sentences, too."""
    for path in [*LOGS.glob("logs/german.json"), *LOGS.glob("old_logs/*.json")]:
        for kept in json.loads(path.read_text()):
            yield from (event for entry in log_of(kept) for event in entry.events)


def played(session: Session, eager: set[str]) -> tuple[list[dict[str, Any]], list[Event]]:
    """Play a session, mostly with what `eager` names; return scenes on the way and all events."""
    rng = session.rng
    scenes: list[dict[str, Any]] = []
    while not rules.is_over(session.state) and len(session.log) < COMMANDS:
        name = rng.choices(["", JOIN, LEAVE, TIMEOUT], [95, 2, 0 if eager else 1, 2])[0]
        liked = [c for c in session.choices() if c.name in eager]
        if liked and rng.random() < 0.8:
            choice = rng.choice(liked)
            args = rng.choice(choice.options)
            session.give(Command(choice.name, choice.seat, args, choice.opened_at))
        elif not name or not session.house(name):
            session.act()
        if rng.random() < 0.08:
            viewer = rng.choice([None, *range(len(session.state.players))])
            scenes.append(scene(session, viewer))
    session.house(CLOSE)
    return scenes, [event for entry in session.log for event in entry.events]


def test_the_page_waits_for_whom_the_rules_wait_and_every_event_has_a_sentence(
    person: MakePerson,
) -> None:
    host = person("Hanna", screen=LAPTOP)
    seat_with_bots(host, 2)
    known = {*HANDLERS, *TALK_EVENTS, "answer_given", "resignation_answer_given"}
    kinds: dict[str, list[Event]] = {}
    scenes: list[dict[str, Any]] = []
    for more, events in sessions():
        scenes += more
        for event in events:
            kinds.setdefault(event.type, []).append(event)
    met = set(kinds)
    for event in kept_events():
        if event.type not in met:
            kinds.setdefault(event.type, []).append(event)
    assert set(kinds) == known, known ^ set(kinds)

    told = host.page.evaluate(
        """async (scenes) => {
            const { awaited } = await import("chouette/awaited.js");
            const { status } = await import("chouette/status.js");
            return scenes.map(({ view, choices, seats, seat }) =>
                [awaited(view), status({ view, choices, seats, me: seat }).text]);
        }""",
        scenes,
    )
    for one, (waiting, text) in zip(scenes, told, strict=True):
        assert waiting == one["awaited"], one["view"]
        assert text and not BROKEN.search(text), text
        if any(choice["required"] for choice in one["choices"]):
            assert re.search(r"[Yy]ou|asks for the play|wants to settle", text), text

    some = {kind: [e.data for e in [*found[:60], *found[-60:]]] for kind, found in kinds.items()}
    said = host.page.evaluate(
        """async ([kinds, seats]) => {
            const { describe } = await import("chouette/describe.js");
            return Object.entries(kinds).map(([type, all]) =>
                [type, all.map((data) => describe({ type, data }, seats))]);
        }""",
        [some, seats(10)],
    )
    for kind, lines in said:
        sentences = [line for line in lines if line is not None]
        if kind in SILENT | QUIET:
            assert sentences == [], kind
            continue
        assert sentences, kind
        for line in sentences:
            assert line.strip() and not BROKEN.search(line), (kind, line)


def test_a_first_turn_tells_everybody_what_they_are_and_who_is_asked(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    seat_with_bots(host, 3)
    page = host.page
    expect(page.locator(".bt-badge[data-role=box]")).to_have_text("Box")
    expect(page.locator(".bt-badge[data-role=captain]")).to_have_text("Captain")
    expect(page.locator(".bt-mate[data-me] .bt-name")).to_have_text("Hanna")
    expect(page.locator(".bt-dot[data-presence=bot]")).to_have_count(3)
    expect(page.locator(".bt-dot[data-presence=here]")).to_have_count(1)
    expect(page.locator("#turn-text")).to_have_text(re.compile("Opening roll|Your|rolls|play"))
    mine = "document.querySelector('chouette-table').now"
    page.wait_for_function(f"() => {mine}.choices.some((c) => c.required)")
    expect(page.locator("#turnbar")).to_have_attribute("data-kind", "mine")
    expect(page.locator("#turn-text")).to_contain_text(re.compile("[Yy]ou"))
    if page.evaluate(f"{mine}.view.game") is not None:
        expect(page.locator(".bt-groove:visible")).to_have_count(3)
        expect(page.locator(".bt-groove").first).to_have_attribute(
            "aria-label", re.compile("^Cube of .* at 1, in the centre")
        )


def test_nothing_overlaps_and_nothing_scrolls_on_any_screen(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    _, tv_link = seat_with_bots(host, 4)
    screen = person("TV", screen=TV)
    screen.page.goto(tv_link)
    expect(screen.page.locator("chouette-table .bt")).to_be_visible()
    crowds = {count: full_table(count) for count in (2, 5, 10)}
    for count, crowd in crowds.items():
        show(screen, {**crowd, "seat": None, "choices": [], "isTv": True})
        assert faults_of(screen) == [], f"TV, {count} players"
        smallest = screen.page.evaluate(
            "() => Math.min(...[...document.querySelectorAll('.bt-members *, .bt-caption')]"
            ".filter(e => e.checkVisibility() && e.textContent && !e.closest('.bt-groove'))"
            ".map(e => parseFloat(getComputedStyle(e).fontSize)))"
        )
        assert smallest >= 0.03 * TV[1], f"readable from four metres, {count} players"
    for name, (width, height) in SCREENS.items():
        host.page.set_viewport_size({"width": width, "height": height})
        for count, crowd in crowds.items():
            show(host, crowd)
            assert faults_of(host) == [], f"{name}, {count} players"


def full_table(count: int) -> dict[str, Any]:
    """Return a scene of a game with everybody in, at a member's decision or the roller's."""
    changes = {"max_players": 10, "start_position": "start"}
    preset, more = ("money", {}) if count == 2 else ("german", changes)
    session = Session(random.Random(count), OPTIONS.values(preset, more), count)
    while True:
        session.act()
        game = session.state.game
        if game is not None and game.stage == "move" and len(session.log) > 40:
            return scene(session, game.box if game.turn == "box" else game.captain)


def show(one: Person, told: dict[str, Any]) -> None:
    """Show a scene, and nothing of the table that runs behind it."""
    one.page.evaluate(
        """(told) => {
            const table = document.querySelector("chouette-table");
            table.reallyUpdate ??= table.update;
            table.update = () => {};
            table.play = async () => {};
            const usual = { clocks: {}, canAct: true, isTv: false, tableStatus: "playing" };
            const all = { ...usual, lang: "en", ...told };
            table.init(all);
            table.reallyUpdate(all);
        }""",
        told,
    )
    one.page.wait_for_timeout(120)


FAULTS = """() => {
    const faults = [], say = (is, what) => is && faults.push(what);
    const page = document.scrollingElement, one = (name) => document.querySelector(name);
    say(page.scrollHeight > innerHeight || page.scrollWidth > innerWidth, "the page scrolls");
    const isShown = (el) => el?.checkVisibility({ visibilityProperty: true }) && el.offsetHeight;
    const names = [".bt-members", ".bt-fit", ".bt-dock", ".bt-tools", ".bt-talk", ".bt-scores"];
    const boxes = [...names, ".tv-corner"].filter((name) => isShown(one(name)))
        .map((name) => [name, one(name).getBoundingClientRect()]);
    const lies = (p, q) => p.left > q.left - 1 && p.right < q.right + 1
        && p.top > q.top - 1 && p.bottom < q.bottom + 1;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (const [name, box] of boxes) say(!lies(box, screen), `${name} is outside`);
    for (const [a, p] of boxes) for (const [b, q] of boxes) {
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        say(a < b && wide > 1 && high > 1, `${a} lies on ${b}`);
    }
    const board = one(".bt-fit").getBoundingClientRect();
    say(board.width < 0.3 * innerWidth || board.height < 180, "the board is too small");
    const turn = one(".bt-mate[data-turn]").getBoundingClientRect();
    say(!lies(turn, one(".bt-members").getBoundingClientRect()), "whose turn it is is hidden");
    return faults;
}"""


def faults_of(one: Person) -> list[str]:
    """Return parts that are outside of the screen, too small, or on top of each other."""
    found: list[str] = one.page.evaluate(FAULTS)
    return found


def test_sheet_and_talk_are_drawers_on_a_phone_and_columns_on_a_laptop(person: MakePerson) -> None:
    host = person("Hanna")
    seat_with_bots(host, 2)
    page = host.page
    sheet, button = page.locator(".bt-scores"), page.get_by_role("button", name="Sheet", exact=True)
    expect(sheet).to_be_hidden()
    button.click()
    expect(sheet).to_be_visible()
    expect(sheet).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(button).to_be_focused()
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    expect(sheet).to_be_visible()
    expect(button).to_be_hidden()
