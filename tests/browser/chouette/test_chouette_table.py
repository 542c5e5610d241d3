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

from chouette.rules import rules
from chouette.rules.choices import awaited
from chouette.rules.events.fold import EVENTS
from chouette.rules.options.declaration import OPTIONS
from games.kernel.contract import CLOSE, JOIN, LEAVE, TIMEOUT, Command, Event
from tests.browser.people import LAPTOP, PHONE, TV, Person
from tests.chouette.make_logs import log_of
from tests.chouette.sessions import Session, house_rules

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]
LOOSE_MODULES = True

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
QUIET = {
    *("asks_opened", "window_closed", "ring_ended", "wait_ended", "batch_closed", "lots_drawn"),
    *("pause_began", "went_on", "pause_ended", "closing_announced"),
    *("clock_set", "clock_pressed"),
    *("answer_given", "reply_given", "resignation_answer_given", "act_noted"),
}
LOGS = Path(__file__).parents[2] / "chouette"
BROKEN = re.compile(r"%\(|undefined|null|NaN|\[object")


def seat_with_bots(host: Person, bots: int, preset: str = "german") -> tuple[str, str]:
    """Start a chouette of one person and bots; return the links for guests and big screens."""
    host.host_a_night("Thursday")
    links = host.link("j"), host.link("tv")
    host.page.goto(f"{host.page.url}tables/new/?game=chouette&preset={preset}")
    host.tap("Open the table")
    host.page.wait_for_url(re.compile(r"/table/[a-z0-9]+/$"))
    host.open_more()
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


def scene(session: Session, me: int | None) -> dict[str, Any]:
    """Return what the element is told of a session, and whom the rules wait for."""
    mine = rules.choices(session.state, me) if me is not None else ()
    told = {"view": rules.view(session.state, me), "choices": [rules.sent(session.state, c) for c in mine]}
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
    for seed in range(12):
        options = OPTIONS.values("wood", {"beavers": seed % 2 == 0, "line_order": ("typed", "die")[seed % 2]})
        yield played(Session(random.Random(seed), options, 3), {"double", "withdraw_double"} if seed % 3 else set())
    for seed in range(24):
        for changes, count, eager in rare:
            options = OPTIONS.values("german", changes)
            yield played(Session(random.Random(seed), options, count), eager)


GONE = set(EVENTS.gone)
"""Kinds that stand in old logs alone and changed nothing that is shown: the window's closing has the sentence."""


OLDER = {"settlement_proposed"}
"""Kinds that have a sentence in older logs alone: now another event before them tells it."""


def kept_events() -> Iterator[Event]:
    """Return the events of the golden sessions: those of long ago have sentences, too."""
    for path in [*LOGS.glob("logs/*.json"), *LOGS.glob("old_logs/*.json")]:
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


@pytest.mark.day(parts=17, turn=10)
def test_the_page_waits_for_whom_the_rules_wait_and_every_event_has_a_sentence(
    person: MakePerson,
) -> None:
    host = person("Hanna", screen=LAPTOP)
    seat_with_bots(host, 2)
    known = {*EVENTS.kinds, *GONE}
    kinds: dict[str, list[Event]] = {}
    scenes: list[dict[str, Any]] = []
    for more, events in sessions():
        scenes += more
        for event in events:
            kinds.setdefault(event.type, []).append(event)
    met = set(kinds) - OLDER
    for event in kept_events():
        if event.type not in met:
            kinds.setdefault(event.type, []).append(event)
    assert set(kinds) == known, known ^ set(kinds)

    told = host.page.evaluate(
        """async (scenes) => {
            const { turnOf } = await import("games/kit/words.js");
            return scenes.map(({ view, choices, seats, seat }) =>
                [view.waiting_for, turnOf({ view, choices, seats, me: seat }).text]);
        }""",
        scenes,
    )
    for one, (waiting, text) in zip(scenes, told, strict=True):
        game = one["view"]["game"] or {}
        is_ringing = (game.get("window") or {}).get("ring") and not game["resignation"]
        if one["view"]["phase"] == "playing" and is_ringing:
            # Nobody is shown who has spoken: the ring waits for all whom it asks.
            assert waiting == sorted(game["window"]["asked"]) and set(one["awaited"]) <= set(waiting)
        elif one["view"]["phase"] == "playing" and game["stage"] == "wood" and not game["resignation"]:
            assert waiting == [], "a game on a real board takes its time"
        else:
            assert waiting == one["awaited"], one["view"]
        assert text and not BROKEN.search(text), text
        if any(choice["required"] for choice in one["choices"]):
            assert re.search(
                r"[Yy]ou|anybody double|in a moment|on the board|asks for the play|wants to settle", text
            ), text

    some = {kind: [e.data for e in [*found[:60], *found[-60:]]] for kind, found in kinds.items()}
    said = host.page.evaluate(
        """async ([kinds, seats]) => {
            const { lineOf } = await import("games/kit/page/sentences.js");
            return Object.entries(kinds).map(([type, all]) => [type, all.map((data) => lineOf({ type, data }, seats))]);
        }""",
        [some, seats(10)],
    )
    for kind, lines in said:
        sentences = [line for line in lines if line]
        if kind in SILENT | QUIET | GONE:
            assert sentences == [], kind
            continue
        assert sentences, kind
        for line in sentences:
            assert line.strip() and not BROKEN.search(line), (kind, line)


@pytest.mark.day(parts=17, turn=10)
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
    # A moment: bots play on. A member whom the ring reaches may double, and who does nothing is asked nothing.
    page.wait_for_function(
        f"""() => {{
            const text = document.getElementById("turn-text").textContent;
            const isMine = document.getElementById("turnbar").dataset.kind === "mine";
            return {mine}.choices.some((c) => c.required)
                && (isMine ? /you/i.test(text) : text === "Does anybody double?");
        }}"""
    )
    # Every cube in play lies in its groove; bots may have settled some of the three. Seats are drawn a frame later.
    shown = page.wait_for_function(
        f"""() => {{
            const cubes = {mine}.view.game?.cubes ?? [];
            const grooves = [...document.querySelectorAll(".bt-groove")].filter((groove) => groove.checkVisibility());
            const open = cubes.filter((cube) => cube.result === null);
            const labels = grooves.map((groove) => groove.ariaLabel);
            return labels.length === open.length && {{ cubes: cubes.length, labels }};
        }}"""
    ).json_value()
    assert shown["cubes"] in (0, 3)
    for label in shown["labels"]:
        assert re.match("Cube of .* at [1248]", label), label


@pytest.mark.day(parts=17, turn=8)
def test_the_board_has_one_size_and_place_and_nothing_lies_on_it(person: MakePerson) -> None:
    host = person("Hanna", screen=LAPTOP)
    _, tv_link = seat_with_bots(host, 4)
    screen = person("TV", screen=TV)
    screen.page.goto(tv_link)
    expect(screen.page.locator("chouette-table .bt")).to_be_visible()
    crowds = {count: full_table(count) for count in (2, 5, 6, 10)}
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
        boards = []
        for count, crowd in crowds.items():
            for told in (crowd, {**crowd, "choices": []}, {**crowd, "seat": None, "choices": []}, closed(count)):
                show(host, told)
                assert faults_of(host) == [], f"{name}, {count} players"
                boards.append(host.page.evaluate(BOARD))
            for tab in ("team", "sheet", "log", "chat", "play"):
                host.page.evaluate("tab => document.querySelector('chouette-table').tabs.select(tab)", tab)
                assert faults_of(host) == [], f"{name}, {count} players, {tab}"
                boards.append(host.page.evaluate(BOARD))
        assert all(board == boards[0] for board in boards), name
        assert boards[0]["point"] >= POINTS.get(name, 23), name
    laptop = {"width": 1366, "height": 768}
    host.page.set_viewport_size(laptop)
    show(host, crowds[5])
    assert host.page.evaluate(BOARD)["width"] >= 760


LEAVING = {"leave_after"}
NO_PAUSE = {"pause_between": 0, "grace_seconds": 0}


def closed(count: int) -> dict[str, Any]:
    """Return a scene of a table that the host has closed after a game or two."""
    session = Session(
        random.Random(count), OPTIONS.values("money" if count == 2 else "german", NO_PAUSE), min(count, 8)
    )
    while not session.state.sheet:
        session.act(without=LEAVING)
    session.house(CLOSE)
    while not rules.is_over(session.state):
        session.act()
    return {**scene(session, 0), "tableStatus": "finished"}


def full_table(count: int) -> dict[str, Any]:
    """Return a scene of a game with everybody in, at the roller's decision."""
    changes = {"max_players": 10, "start_position": "start", **NO_PAUSE}
    preset, more = ("money", NO_PAUSE) if count == 2 else ("german", changes)
    session = Session(random.Random(count), OPTIONS.values(preset, more), count)
    while True:
        session.act(without=LEAVING)
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


# The least width of a point in px; a phone held upright has the board as wide as itself.
POINTS = {"phone": 26, "short phone": 23, "lying phone": 26}
BOARD = """() => {
    const { x, y, width, height } = document.querySelector(".bt-fit").getBoundingClientRect();
    return { x, y, width, height, point: width * 40 / 584 };
}"""
FAULTS = """() => {
    const faults = [], say = (is, what) => is && faults.push(what);
    const page = document.scrollingElement, one = (name) => document.querySelector(name);
    say(page.scrollHeight > innerHeight || page.scrollWidth > innerWidth, "the page scrolls");
    const isShown = (el) => el?.checkVisibility({ visibilityProperty: true }) && el.offsetHeight;
    const names = ["#turnbar", ".bt-members", ".bt-fit", ".bt-dock", ".bt .tabs", ".bt-talk", ".bt-scores", ".bt-log"];
    const boxes = [...names, ".bt-chat", ".bt-notices", ".tv-corner"].filter((name) => isShown(one(name)))
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
    const isTv = one(".tv-page") !== null;
    say(!isTv && Math.round(one("#turnbar").offsetHeight) !== 48, "the bar is not 48 px high");
    // On a tall phone a strip of 32 px over the seats is theirs while it says nothing.
    const strip = innerHeight < 748 ? 0 : 32;
    say(!isTv && innerWidth < 600 && one(".bt-members").offsetHeight > 92 + strip, "the seats are too high");
    const board = one(".bt-fit").getBoundingClientRect();
    say(board.width < 0.3 * innerWidth || board.height < 180, "the board is too small");
    for (const mate of document.querySelectorAll(".bt-mate"))
        say(!lies(mate.getBoundingClientRect(), one(".bt-members").getBoundingClientRect()), "a seat is hidden");
    for (const button of document.querySelectorAll("#turnbar :is(button, a), .bt-side :is(button, summary)")) {
        const { width, height } = button.getBoundingClientRect();
        say(isShown(button) && Math.min(width, height) < 43.9, `${button.textContent} is too small`);
    }
    return faults;
}"""


def faults_of(one: Person) -> list[str]:
    """Return parts that are outside of the screen, too small, or on top of each other."""
    found: list[str] = one.page.evaluate(FAULTS)
    return found


@pytest.mark.day(parts=17, turn=8)
def test_sheet_and_team_are_tabs_on_a_phone_and_always_seen_on_a_laptop(person: MakePerson) -> None:
    host = person("Hanna")
    seat_with_bots(host, 2)
    page = host.page
    show(host, full_table(3))
    dock, sheet = page.locator(".bt-dock"), page.locator(".bt-sheet")
    tab = page.get_by_role("tab", name="Sheet", exact=True)
    expect(sheet).to_be_hidden()
    tab.click()
    expect(sheet).to_be_visible()
    expect(dock).to_be_hidden()
    expect(tab).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Log")).to_be_focused()
    expect(page.locator("#log")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dock).to_be_visible()
    page.get_by_role("button", name="Chat", exact=True).click()
    expect(page.locator("#chat-text")).to_be_visible()
    expect(dock).to_be_hidden()
    page.get_by_role("button", name="Chat", exact=True).click()
    expect(dock).to_be_visible()
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    for part in (dock, sheet, page.locator(".bt-team")):
        expect(part).to_be_visible()
    page.get_by_role("tab", name="Log").click()
    expect(page.locator("#log")).to_be_visible()
    expect(sheet).to_be_hidden()
    expect(dock).to_be_visible()
