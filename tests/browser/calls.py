"""Evenings that a big screen calls aloud: played at random, told to the caller's own modules in a time of its own.

`python -m tests.browser.calls 1000` plays so many, in German, and prints what was called, and what breaks a rule: six
calls a minute, none that begins later than 1.5 s after it happened, none twice, never two at once, nothing that a
spectator may not read.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()

from django.contrib.staticfiles import finders
from django.utils import translation
from playwright.sync_api import Browser, Page, Route

from games import plugin
from games.kernel.contract import Event, JsonObject
from games.services.logs import event_texts
from games.web.assets.import_map import import_map
from tests.browser.gallery import chicago, chouette
from tests.browser.gallery.stage import browser_of
from tests.browser.gallery.states import NAMES, Course, session
from tests.conftest import CHROMIUM

SITE = "http://calls.test"
LANGUAGE = "de"
FALSE = Path(__file__).with_name("calls.js")
CALLER = "/static/games/pages/tv_calls.js"
PAGE = """<!doctype html><html lang="de"><script type="importmap">%s</script><script>
  window.gettext = (text) => text;
  window.ngettext = (one, many, count) => (count === 1 ? one : many);
  window.django = { pluralidx: (count) => (count === 1 ? 0 : 1), sentences: null };
</script><body><button id="tv-bell"></button><p id="tv-calls"></p></body>"""
EACH = 50
"""The evenings after which the command tells how far it is."""
MINUTE, MOST, LATEST = 60_000, 6, 1500
PACES = (300, 1200, 2500, 6000)
"""The mean milliseconds between two entries: bots among themselves, quick hands, friends, people who talk."""


@dataclass
class Evening:
    """An evening: its entries as a big screen is told them, each with the milliseconds since the beginning."""

    course: Course
    entries: list[JsonObject] = field(default_factory=list)

    @property
    def hidden(self) -> Iterator[str]:
        """Yield the lines of calls that tell of an event that no spectator reads."""
        for entry in self.entries:
            open_events = [json.dumps([one["type"], one["data"]]) for one in entry["events"]]
            for name, data in (line for made in entry["headlines"] for line in made.get("calls", ())):
                types = {one["type"] for one in entry["events"]}
                is_open = any(all(json.dumps(value) in told for value in data.values()) for told in open_events)
                if name in types and not is_open:
                    yield f"{name} {data}"


@dataclass(frozen=True)
class Heard:
    """What was offered to the caller, and what it said: text, beginning, end."""

    offered: list[JsonObject]
    said: list[JsonObject]

    @property
    def faults(self) -> Iterator[str]:
        """Yield what breaks a rule."""
        at: dict[str, list[float]] = {one["text"]: [] for one in self.offered}
        for one in self.offered:
            at[one["text"]].append(one["at"])
        last = -1.0
        begun: list[float] = []
        for call in self.said:
            fitting = [when for when in at[call["text"]] if 0 <= call["begun"] - when <= LATEST]
            if not fitting:
                yield f"late, or twice: {call['text']}"
            else:
                at[call["text"]].remove(fitting[0])
            if call["begun"] < last:
                yield f"over another: {call['text']}"
            last = call["ended"]
            begun = [*(when for when in begun if call["begun"] - when < MINUTE), call["begun"]]
            if len(begun) > MOST:
                yield f"the {len(begun)}th in a minute: {call['text']}"


def played(seed: int, course: Course | None = None) -> Evening:
    """Return a random evening of a course, or of any game of the house."""
    rng = random.Random(seed)
    course = course or rng.choice([*chouette.COURSES, *chicago.COURSES])
    rules, made = plugin.game(course.game).rules, Evening(course)
    at, seq, pace = 0.0, 1, rng.choice(PACES)
    assert rules.headlines is not None
    for look in session(course, rng.randrange(10**6)):
        at, seq = at + rng.expovariate(1 / pace), seq + 1
        events = [Event(one.type, one.data) for one in look.events if one.is_for(None)]
        found = rules.headlines(events, look.view) if events else ()
        told = [{"type": one.type, "data": one.data} for one in events]
        entry = {"at": at, "seq": seed * 10_000 + seq, "events": told, "headlines": [one.to_json() for one in found]}
        made.entries.append(entry)
    return made


class Caller:
    """The caller of a big screen on a page without a server; `changed` are texts put in place of others in modules."""

    def __init__(self, browser: Browser, changed: Mapping[str, str] | None = None) -> None:
        self._changed = changed or {}
        self.page: Page = browser.new_page(locale=LANGUAGE)
        self.page.add_init_script(path=FALSE)
        self.page.route("**/*", self._answer)
        self.page.goto(f"{SITE}/")
        self.page.evaluate(f'import("{CALLER}").then(() => true)')

    def hear(self, evening: Evening) -> Heard:
        """Tell the caller an evening and return what it said."""
        game, seats = evening.course.game, [{"seat": seat, "name": name} for seat, name in enumerate(NAMES)]
        with translation.override(LANGUAGE):
            self.page.evaluate("told => { django.sentences = told; }", event_texts.sentences_of(game))
        options = plugin.game(game).rules.options().values(evening.course.preset, evening.course.changes)
        calling = [one for one in evening.entries if any(made.get("calls") for made in one["headlines"])]
        found = self.page.evaluate("([all, seats, rules]) => evening(all, seats, rules)", [calling, seats, options])
        return Heard(found["offered"], found["said"])

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        if path == "/":
            route.fulfill(content_type="text/html", body=PAGE % json.dumps(import_map()))
            return
        file = finders.find(path.removeprefix("/static/").partition("?")[0])
        text = Path(str(file)).read_text() if file else ""
        for before, after in self._changed.items():
            text = text.replace(before, after)
        route.fulfill(content_type="text/javascript", body=text)


def main() -> None:
    """Play as many evenings as the command says."""
    count, offered, said, faults = int(sys.argv[1]), 0, 0, 0
    with browser_of(CHROMIUM) as browser:
        caller = Caller(browser)
        for seed in range(count):
            evening = played(seed)
            heard = caller.hear(evening)
            offered, said = offered + len(heard.offered), said + len(heard.said)
            for fault in [*heard.faults, *evening.hidden]:
                faults += 1
                print(f"evening {seed}: {fault}", flush=True)
            if (seed + 1) % EACH == 0 or seed + 1 == count:
                print(f"{seed + 1} evenings: {offered} calls offered, {said} made, {faults} faults", flush=True)
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
