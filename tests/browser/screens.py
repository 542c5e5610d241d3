"""A big screen without a server: the page's own shell and element, fed with what a session told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Browser, Page, Route, WebSocketRoute

from chouette.rules import rules
from games.kernel.contract import Event
from games.services.chat import chat
from games.web.assets import catalogues
from games.web.assets.import_map import import_map, style_sheets
from games.web.assets.joined_modules import big_screen_sheets
from tests.browser.people import close_context
from tests.chouette.sessions import Session

SITE = "http://screen.test"
NAMES = ["Hanna", "Kari", "Uli", "Ole-Petter", "Brünhilde", "Ada", "Bo", "Cy", "Max", "Dag"]
PAGE = """<!doctype html><html lang="{lang}" class="tv-page table-page"{theme}><head>
<title>TV</title>{sheets}<script type="importmap">{modules}</script><script src="/texts.js"></script></head>
<body><main id="main" class="bare shell-main">{shell}{corner}</main>
<script id="config" type="application/json">{config}</script><script id="first" type="application/json">null</script>
<script type="module" src="/static/games/shell/table.js"></script></body></html>"""
CORNER = """<section class="tv-corner"><div class="qr-box"><svg viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg></div>
<p><b class="tv-code">PM7KQ</b></p></section>"""


def people(count: int) -> list[dict[str, Any]]:
    """Return the seats of a table object."""
    some = {"bot": "", "gone": False, "accepted": True}
    return [{"seat": i, "name": name, "player": i + 1, **some} for i, name in enumerate(NAMES[:count])]


def table_of(count: int, status: str = "playing") -> dict[str, Any]:
    """Return the table object of a chouette."""
    return {"status": status, "seats": people(count), "corrections": [], "broken_off": False}


@dataclass
class Screen:
    """A page that shows a table; what it is told comes from here."""

    page: Page
    line: list[WebSocketRoute]
    lang: str = "en"
    seq: int = 0

    def send(self, frame: dict[str, Any]) -> None:
        """Send a frame to the page."""
        self.line[-1].send(json.dumps(frame))

    def welcome(self, view: Any, count: int, seq: int) -> None:
        """Greet the page and show it the whole state."""
        self.seq = seq
        self.greet(count, seq)
        self.send({"type": "state", "seq": seq, "view": view, "choices": [], "clocks": {}})
        self.page.wait_for_selector(".bt-tv-now")

    def greet(self, count: int, seq: int) -> None:
        """Greet the page: the log stands at `seq`."""
        you = {"player": None, "name": "", "seat": None, "host": False, "tv": True}
        words = chat.greeting_in_language(self.lang)
        about: dict[str, Any] = {"chat": [], "greetings": words, "presence": {}, "clocks": {}}
        self.send({"type": "welcome", "protocol": 1, "you": you, "table": table_of(count), "seq": seq, **about})

    def entry(self, events: tuple[Event, ...], view: Any, **more: Any) -> None:
        """Tell one entry of the log, as it happens."""
        self.seq += 1
        told = [{"type": event.type, "data": event.data, "v": event.v} for event in events]
        frame = {"type": "entry", "seq": self.seq, "events": told, "view": view, "choices": [], "clocks": {}}
        own = [event for event in events if not event.type.startswith("table.")]
        if rules.headlines is not None and (found := rules.headlines(own, view)):
            frame["headlines"] = [one.to_json() for one in found]
        self.send({**frame, **more})

    def act(self, session: Session, more: str = "") -> None:
        """Let a session go on by one entry, and tell it; `more` is an act of the house."""
        before = len(session.log)
        if more:
            assert session.house(more)
        else:
            session.act()
        for entry in session.log[before:]:
            self.entry(entry.events, rules.view(session.state, None))


@contextmanager
def big_screen(
    chrome: Browser, size: tuple[int, int] = (1920, 1080), lang: str = "en", *, dark: bool = False, calm: bool = True
) -> Iterator[Screen]:
    """Open the big screen of a chouette; the socket is the test's."""
    width, height = size
    context = chrome.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
    )
    page, line = context.new_page(), list[WebSocketRoute]()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    context.route("**/*", lambda route: _answer(route, lang))
    page.route_web_socket("**/ws/**", lambda socket: _connected(socket, line))
    page.goto(f"{SITE}/")
    page.wait_for_selector("chouette-table", state="attached")
    while not line:
        page.wait_for_timeout(20)
    yield Screen(page, line, lang)
    close_context(context)
    assert faults == []


def _connected(socket: WebSocketRoute, line: list[WebSocketRoute]) -> None:
    line.append(socket)
    socket.on_message(lambda _: None)


def _answer(route: Route, lang: str) -> None:
    """Serve the page, its texts and the static files."""
    path = route.request.url.removeprefix(SITE).split("?")[0]
    if path == "/":
        route.fulfill(content_type="text/html", body=_page(lang))
    elif path == "/texts.js":
        route.fulfill(content_type="text/javascript", body=catalogues.texts(lang, "chouette"))
    elif path.startswith("/static/"):
        file = finders.find(path.removeprefix("/static/"))
        assert file, path
        route.fulfill(path=Path(str(file)))
    else:
        route.fulfill(status=200, content_type="application/json", body="{}")


def _page(lang: str) -> str:
    house = [f"games/{name}.css" for name in ("tokens", "base", "parts")]
    names = [*house, *style_sheets("chouette"), *big_screen_sheets("chouette"), "games/tv.css"]
    sheets = "".join(f'<link rel="stylesheet" href="/static/{name}">' for name in names)
    config = {"table": "t", "tv": True, "scripts": [], "module": "chouette/table.js", "element": "chouette-table"}
    urls = {"socket": "/ws/table/t/", "results": "/", "night": "/"}
    with translation.override(lang):
        shell = render_to_string("tables/parts/table_shell.html", {"is_tv": True})
    return PAGE.format(
        lang=lang,
        theme="",
        sheets=sheets,
        modules=json.dumps(import_map()),
        shell=shell,
        corner=CORNER,
        config=json.dumps({**config, "urls": urls}),
    )
