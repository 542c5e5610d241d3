"""The gallery's page in another engine: the same page and feed, over HTTP, as only Chromium lets a test answer."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from tests.browser.gallery.stage import FEED, LAWS, Screen, Site, told
from tests.browser.gallery.states import Shown
from tests.browser.people import NOTHING_BY_ITSELF
from tests.engines.drivers.lines import PLAIN_PAGE
from tests.engines.engines import Engine
from tests.engines.page import Page

_FAULTS = """window.stageFaults = [];
addEventListener("error", ({ message, filename, lineno }) => stageFaults.push(`${message} (${filename}:${lineno})`));
addEventListener("unhandledrejection", ({ reason }) => stageFaults.push(`${reason} ${reason?.stack}`));"""
_FIRST = "\n".join(
    (_FAULTS, NOTHING_BY_ITSELF, FEED.read_text(encoding="utf-8"), LAWS.read_text(encoding="utf-8"))
).encode()
# As in a house that is served: Safari 16.0 has no import map.
_BARE = re.compile(r"""((?:\bfrom|\bimport) ?\(?)"((?:games|chicago|chouette)/[^"]+\.js)\"""")
# As for whoever wants less motion: WPE has no setting for it.
_CALM = {b"(prefers-reduced-motion: reduce)": b"all", b"(prefers-reduced-motion: no-preference)": b"not all"}
# What nobody sees is measured as ever, and painted not at all, which takes most of the time.
_UNSEEN = "(isUnseen) => { if (frameElement) frameElement.style.visibility = isUnseen ? 'hidden' : ''; }"
_STYLE = "(text) => { document.head.append(Object.assign(document.createElement('style'), { textContent: text })); }"


class Stage:
    """One page of an engine that shows the states of one table after another, on any screen, in German."""

    def __init__(self, engine: Engine) -> None:
        self._site = Site("de")
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self._site))
        self._thread = Thread(target=self._server.serve_forever)
        self._thread.start()
        self.faults: list[str] = []
        self.page = Page(engine, (390, 844))

    def close(self) -> None:
        """End the browser and the server."""
        self._keep_faults()
        self.page.close()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _keep_faults(self) -> None:
        self.faults += self.page.evaluate("() => window.stageFaults ?? []")

    def open(self, state: Shown, *, is_tv: bool = False) -> None:
        """Load the page of a state's table, the feed and the laws before anything of its own."""
        if self._site.html:
            self._keep_faults()
        self._site.show(state, is_tv=is_tv)
        self._site.html = self._site.html.replace("<head>", '<head><script src="/first.js"></script>', 1)
        self.page.open(f"http://127.0.0.1:{self._server.server_port}/")
        self.page.wait_for("() => window.gallery?.isReady()")

    def resize(self, screen: Screen) -> None:
        """Give the page a screen's size; theme and text size are the engine's own."""
        self.page.resize(screen.width, screen.height)

    def add_style(self, style: str) -> None:
        """Lay rules over the page's own."""
        self.page.evaluate(_STYLE, style)

    def looks(self, states: list[Shown], parts: dict[str, Any], *, is_tv: bool) -> list[Any]:
        """Show states one after another and return what is wrong in each (laws.js).

        Each is asked for by itself: what a driver waits for is over within a minute.
        """
        found = []
        self.page.evaluate(_UNSEEN, "SHOTS" not in os.environ)
        for state in states:
            script = "(state, parts, isTv) => laws.all([state], parts, isTv)"
            found.append(self.page.evaluate(script, told(state, is_tv=is_tv), parts, is_tv)[0])
            about = (state.game, str(state.seats), state.preset, state.name, "tv" if is_tv else "phone")
            self.page.picture_of("-".join(about))
        self.page.evaluate(_UNSEEN, False)
        return found


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Answers(BaseHTTPRequestHandler):
        """Serves a site, beside it what runs before anything of the page, and a plain page."""

        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer by the path."""
            own = {"/first.js": ("text/javascript", _FIRST), PLAIN_PAGE: ("text/html", b"<!doctype html><body>")}
            kind, body = own.get(self.path) or site.answer(self.path)
            if kind == "text/javascript":
                body = _BARE.sub(r'\1"/static/\2"', body.decode()).encode()
            if kind in ("text/javascript", "text/css"):
                for asked, answer in _CALM.items():
                    body = body.replace(asked, answer)
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # A page that goes on to the next state no longer asks for what it has begun to load.
            with suppress(ConnectionError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Answers
