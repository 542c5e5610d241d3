"""How many taps a game of the chouette takes of all its players, on phones: `python -m tests.bench.bench_taps`.

Four people play a game of the preset `german` on pages of their own, each decision as the bot `net` would make it: they
tap checkers, dice and buttons, as few as it takes: so a Captain switches *Auto no double* on, and doubles all the same.
What the pages do by themselves is no tap; what it would have been is counted too, so that one run tells both, with the
taps a play. `--by-hand` switches it off, `--games 3` plays more of them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import django
from playwright.sync_api import Browser, TimeoutError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from chouette.bot import bots  # noqa: E402
from games.kernel.contract import Choice, JsonObject  # noqa: E402
from tests.browser.chouette.chouettes import can, now  # noqa: E402
from tests.browser.gallery.stage import browser_of  # noqa: E402
from tests.browser.people import Person  # noqa: E402
from tests.browser.tables import set_up  # noqa: E402
from tests.conftest import CHROMIUM  # noqa: E402
from tests.frames import listed  # noqa: E402
from tests.server import Server  # noqa: E402

NAMES = ("Anna", "Bruno", "Carla", "Dieter")
SHORT_MS = 2_000
# Longer than a page counts before it confirms.
LEFT_MS = 6_000
# The fewest taps that make a play: places of the board, or "dice" to play the lower die first; none for the only play.
FEWEST = """async (wanted) => {
  const { Draft } = await import("chouette/board/moving/draft.js");
  const { stepsOf } = await import("chouette/board/moving/steps.js");
  const { viewOf } = await import("chouette/board/state.js");
  const { view, choices } = document.querySelector("chouette-table").now;
  const plays = choices.find(({ name }) => name === "move")?.options.map(({ play }) => play);
  if (!plays) return null;
  const nodes = stepsOf(viewOf(view.game.points, view.game.turn), view.game.dice, plays);
  if (plays.length === 1) return [];
  const draft = new Draft(nodes, ""), key = (at, low) => `${at} ${low}`;
  let front = [{ at: 0, low: false, taps: [] }, { at: 0, low: true, taps: ["dice"] }];
  const seen = new Set();
  for (let length = 0; length < 9; length += 1) {
    const next = [];
    for (const { at, low, taps } of front.sort((a, b) => a.taps.length - b.taps.length)) {
      if (seen.has(key(at, low))) continue;
      seen.add(key(at, low));
      if (nodes[at].play === wanted) return taps;
      draft.made = [{ steps: [], node: at }];
      for (const place of draft.sources) {
        const { node } = draft.quick(place, low);
        next.push({ at: node, low, taps: [...taps, place] });
      }
      if (draft.sources.length === 1) {
        for (const [place, routes] of draft.targets(draft.sources[0]))
          if (routes.length === 1 && !draft.sources.includes(place))
            next.push({ at: routes[0].node, low, taps: [...taps, place] });
      }
    }
    front = next;
  }
  throw new Error(`no taps make ${wanted}`);
}"""
# What an open question of the game is answered with: the button by its words.
ANSWERS = {"answer": {True: "^Take$|^Take[^ a]", False: "^Drop"}, "answer_batch": {True: "^Take", False: "^Drop"}}
REPLIES = {"no": "^No beaver", "beaver": "^Beaver", "drop": "^Drop", "accept": "^Accept", "raccoon": "^Raccoon"}


class Taps:
    """The taps of a table's people, and those that their pages have spared them."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.spared: Counter[str] = Counter()
        self.plays = 0
        self.told: set[tuple[str, int]] = set()

    def spare(self, name: str, basis: int, count: int) -> None:
        """Count what a page is about to do by itself, once."""
        if (name, basis) not in self.told:
            self.told.add((name, basis))
            self.spared[name] += count

    def line(self) -> str:
        """Return the figures of a game."""
        made, spared = self.made.total(), self.spared.total()
        by_play = f"{made / self.plays:.2f} a play, by hand {(made + spared) / self.plays:.2f}"
        return f"{self.plays} plays: {made} taps {dict(self.made)}; spared {dict(self.spared)}; {by_play}"

    def add(self, other: Taps) -> None:
        """Add another game's."""
        self.made += other.made
        self.spared += other.spared
        self.plays += other.plays


def press(person: Person, label: str, taps: Taps, kind: str) -> bool:
    """Press a button if it is there, and count it."""
    button = can(person, label)
    try:
        button.click(timeout=SHORT_MS)
    except TimeoutError:  # the table has moved on
        return False
    taps.made[kind] += 1
    return True


def choose(table: JsonObject) -> tuple[str, JsonObject]:
    """Return what a bot would do of what is open to a seat."""
    choices = [
        Choice(one["name"], one["seat"], one["basis"], tuple(listed(one)), one["required"])
        for one in table["choices"]
        if one["required"] or one["name"] == "cube"
    ]
    return bots.choose(table["view"], choices, bots.NET, seed=1)


def act(person: Person, taps: Taps) -> bool:
    """Do what the table asks of a person; tell whether it was anything."""
    table = now(person)
    names = {one["name"]: one for one in table.get("choices", ()) if one["required"]}
    asked = bool(names) or any(one["name"] == "cube" for one in table.get("choices", ()))
    if not asked or not person.page.evaluate("document.querySelector('chouette-table').now.canAct"):
        return False
    if "next" in names:  # the game is over
        return False
    if "opening_roll" in names or "order_die" in names:
        return press(person, "^Roll|^Throw", taps, "opening")
    name, args = choose(table)
    if name == "move":
        return play(person, args["play"], names[name]["basis"], taps)
    if name == "roll":
        return roll(person, names[name]["basis"], taps)
    if name == "cube":
        return args["double"] and press(person, "^Double", taps, "cube")
    if name == "offer":
        return press(person, "^Double", taps, "cube")
    if name == "reply":
        return press(person, REPLIES[args["reply"]], taps, "answer")
    return press(person, ANSWERS[name][bool(args.get("take", args.get("takes")))], taps, "answer")


def roll(person: Person, basis: int, taps: Taps) -> bool:
    """Roll, or leave it to the page."""
    if person.page.get_by_text("Rolls in").count():
        taps.spare("roll", basis, 1)
        return False
    auto = person.page.locator("[data-act='auto'][aria-pressed='false']")
    if by_itself(person) and auto.count() and not auto.is_disabled():
        return press(person, "^Auto no double", taps, "auto")
    return press(person, "^Roll", taps, "roll")


def by_itself(person: Person) -> bool:
    """Tell whether the person leaves rolls to the page."""
    return bool(person.page.evaluate("localStorage.getItem('stammtisch.chouette.roll') !== '0'"))


def play(person: Person, wanted: str, basis: int, taps: Taps) -> bool:
    """Make a play by taps and confirm it, or leave it to the page."""
    if "cannot" in wanted:
        return False
    page = person.page
    # Before it is looked at whether the page plays: that may be done meanwhile.
    places = page.evaluate(FEWEST, wanted)
    if places is None:
        return False
    if page.get_by_text("Plays in").count():
        taps.spare("play", basis, len(places) + 1)
        return False
    for place in places:
        if place == "dice":
            board = page.locator(".bt-fit").bounding_box()
            assert board is not None
            page.mouse.click(board["x"] + board["width"] * 0.713, board["y"] + board["height"] / 2)
        else:
            page.locator(f".bt-cell[data-place='{place}']").click()
        taps.made["checkers"] += 1
    taps.plays += 1
    return is_left(person, basis, taps) or press(person, "^Confirm", taps, "confirm")


def is_left(person: Person, basis: int, taps: Taps) -> bool:
    """Leave Confirm to the page if it counts down; tell whether it has confirmed."""
    if not person.page.get_by_text("Plays in").count():
        return False
    gone = """basis => document.querySelector("chouette-table").now.choices
        .every((choice) => choice.name !== "move" || choice.basis !== basis)"""
    try:
        person.page.wait_for_function(gone, arg=basis, timeout=LEFT_MS)
    except TimeoutError:  # something has stopped it
        return False
    taps.spare("confirm", basis, 1)
    return True


def game(browser: Browser, server: Server, *, by_itself: bool) -> Taps:
    """Play a game of four and return its taps."""
    people = [Person(browser, server.url, name, by_itself=by_itself) for name in NAMES]
    host, *guests = people
    set_up(host, "chouette", "german", guests)
    taps = Taps()
    while not has_ended(people):
        acts = [act(one, taps) for one in people]
        if not any(acts):
            host.page.wait_for_timeout(100)
    taps.plays += sum(name == "move" or name == "play" for name, _ in taps.told)
    for one in people:
        one.close()
    return taps


def has_ended(people: Sequence[Person]) -> bool:
    """Tell whether the first game is over."""
    view: Any = now(people[0]).get("view") or {"sheet": []}
    return bool(view["sheet"])


def main() -> None:
    """Play and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_taps", description=__doc__)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--by-hand", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, browser_of(CHROMIUM) as browser:
        server = Server(Path(folder))
        server.migrate()
        server.start()
        try:
            all_games = Taps()
            for _ in range(args.games):
                played = game(browser, server, by_itself=not args.by_hand)
                print(played.line(), flush=True)
                all_games.add(played)
            print(f"{args.games} games, {all_games.line()}")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
