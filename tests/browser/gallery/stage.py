"""The page of a table without a server: templates and static files from here, frames from a list."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.shortcuts import render
from django.test import RequestFactory
from django.utils import translation
from playwright.sync_api import Browser, Page, Playwright, Route, sync_playwright

from games import plugin
from games.models import Night, Seat, Table
from games.services.chat import chat
from games.services.house_rules.cards import table_card
from games.web import links
from games.web.assets import catalogues
from games.web.context import typefaces
from games.web.tables import page
from tests.browser.gallery.states import Shown
from tests.browser.people import FLAGS, NOTHING_BY_ITSELF, close_context

SITE = "http://gallery.test"
FEED = Path(__file__).with_name("feed.js")
LAWS = Path(__file__).with_name("laws.js")
TEXTS = Path(__file__).parents[1] / "places" / "texts.js"
SET_APART = """apart => {
  const found = document.querySelector("#apart") ?? document.createElement("style");
  found.id = "apart";
  found.textContent = apart ? `body, button, input, select, textarea { letter-spacing: ${apart}em }` : "";
  document.head.append(found);
}"""
"""Sets letters apart as a reader's own style sheet does: by rules that each of the page's own goes before."""


@dataclass(frozen=True)
class Screen:
    """A size that the states are shown in; on a big screen the page is the TV's.

    `text` is the browser's text size, `apart` the ems by which its reader's own style sheet sets letters apart.
    """

    name: str
    width: int
    height: int
    is_tv: bool = False
    is_dark: bool = False
    text: int = 16
    apart: float = 0


SCREENS = (
    Screen("phone", 390, 844),
    Screen("small phone", 360, 640),
    Screen("lying phone", 844, 390),
    Screen("tablet", 820, 1180),
    Screen("laptop", 1366, 768),
    Screen("phone with large text", 390, 844, text=32),
    Screen("small phone with large text", 360, 640, text=32),
    Screen("laptop with large text", 1366, 768, text=32),
    Screen("small phone with letters apart", 360, 640, apart=0.02),
    Screen("desk", 1920, 1080),
    Screen("small TV", 1280, 720, is_tv=True, is_dark=True),
    Screen("TV", 1920, 1080, is_tv=True),
)


@contextmanager
def browser_of(chromium: str) -> Iterator[Browser]:
    """A Chromium of one's own."""
    with sync_playwright() as playwright:
        browser = launch(playwright, chromium)
        yield browser
        browser.close()


def launch(playwright: Playwright, chromium: str) -> Browser:
    """Start Chromium as all browser tests do."""
    return playwright.chromium.launch(executable_path=chromium, args=FLAGS)


class Stage:
    """One page that shows the states of one table after another, on any screen, in one language."""

    def __init__(self, browser: Browser, language: str = "de", *, calm: bool = True, by_itself: bool = False) -> None:
        self.language = language
        self.context = browser.new_context(
            locale=language, has_touch=True, reduced_motion="reduce" if calm else "no-preference"
        )
        self.context.add_init_script(path=FEED)
        self.context.add_init_script(path=LAWS)
        self.context.add_init_script(path=TEXTS)
        self.context.add_init_script("" if by_itself else NOTHING_BY_ITSELF)
        self.context.route("**/*", self._answer)
        self.page: Page = self.context.new_page()
        self._devtools = self.context.new_cdp_session(self.page)
        self.faults: list[str] = []
        self._apart = 0.0
        self.page.on("pageerror", lambda error: self.faults.append(f"{error}\n{error.stack}"))
        self._site = Site(language)

    def close(self) -> None:
        """Close the browser context."""
        close_context(self.context)

    def open(self, state: Shown, *, is_tv: bool = False) -> None:
        """Load the page of a state's table."""
        self._site.show(state, is_tv=is_tv)
        self.page.goto(f"{SITE}/")
        self.page.wait_for_function("window.gallery?.isReady()")
        self.page.evaluate(SET_APART, self._apart)

    def resize(self, screen: Screen) -> None:
        """Give the window a screen's size, theme, text size and the room between its letters."""
        self.page.set_viewport_size({"width": screen.width, "height": screen.height})
        self.page.emulate_media(color_scheme="dark" if screen.is_dark else "light")
        self._devtools.send("Page.setFontSizes", {"fontSizes": {"standard": screen.text}})
        self._apart = screen.apart
        if self.page.url.startswith(SITE):
            self.page.evaluate(SET_APART, screen.apart)

    def show(self, state: Shown, *, is_tv: bool = False) -> None:
        """Show a state; returns when it stands."""
        self.page.evaluate("told => gallery.show(told)", told(state, self.language, is_tv=is_tv))

    def looks(self, states: Sequence[Shown], parts: dict[str, Any], *, is_tv: bool) -> list[Any]:
        """Show states one after another and return what is wrong in each, and where its parts are (laws.js)."""
        given = [[told(state, self.language, is_tv=is_tv) for state in states], parts, is_tv]
        found: list[Any] = self.page.evaluate("([states, parts, isTv]) => laws.all(states, parts, isTv)", given)
        return found

    def names(self, css: str) -> list[tuple[str, str]]:
        """Return role and name of elements in the accessibility tree, the roles as ARIA writes them."""
        root = self._devtools.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        found = self._devtools.send("DOM.querySelectorAll", {"nodeId": root, "selector": css})["nodeIds"]
        told = []
        for node in found:
            about = {"nodeId": node, "fetchRelatives": False}
            [heard] = self._devtools.send("Accessibility.getPartialAXTree", about)["nodes"]
            told.append((heard["role"]["value"].lower(), heard.get("name", {}).get("value", "")))
        return told

    def add_style(self, style: str) -> None:
        """Lay rules over the page's own."""
        self.page.add_style_tag(content=style)

    def _answer(self, route: Route) -> None:
        kind, body = self._site.answer(route.request.url.removeprefix(SITE))
        route.fulfill(status=200 if kind else 404, content_type=kind or "text/plain", body=body)


class Site:
    """What a table's page asks for, in a language: itself, its texts and the static files."""

    def __init__(self, language: str) -> None:
        self.language, self.html = language, ""
        self._kept: dict[str, tuple[str, bytes]] = {}

    def show(self, state: Shown, *, is_tv: bool = False) -> None:
        """Let the page be that of a state's table."""
        self.html = page_html(state, self.language, is_tv=is_tv)

    def answer(self, address: str) -> tuple[str, bytes]:
        """Return the kind and the content of an address without its host; no kind where there is nothing."""
        path = address.partition("?")[0]
        if path == "/":
            return "text/html; charset=utf-8", self.html.encode()
        if path not in self._kept:
            self._kept[path] = self._file(path)
        return self._kept[path]

    def _file(self, path: str) -> tuple[str, bytes]:
        if path.startswith("/jsi18n/"):
            return "text/javascript", catalogues.texts(self.language, path.split("/")[2])
        file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        if file is None:
            return "", b""
        return mimetypes.guess_type(path)[0] or "application/octet-stream", Path(str(file)).read_bytes()


def told(state: Shown, language: str = "de", *, is_tv: bool = False) -> dict[str, Any]:
    """Return what the page's feed is told of a state, with the house's greetings in a language."""
    words = {"greetings": chat.greeting_in_language(language)}
    frames = [{**one, **words} if "greetings" in one else one for one in (state.screen if is_tv else state.frames)]
    return {"name": state.name, "frames": frames, "cut": state.cut}


def page_html(state: Shown, language: str, *, is_tv: bool) -> str:
    """Return the table's page, or the big screen's, in a language."""
    # There is no database here: the house is one that nobody has described.
    with translation.override(language), mock.patch("games.models.house._row", dict):
        template = "tables/tv.html" if is_tv else "tables/table.html"
        return render(_request(), template, _context(state, is_tv=is_tv)).content.decode()


def _context(state: Shown, *, is_tv: bool) -> dict[str, Any]:
    """Return the context of the page, in the active language."""
    night = Night(public_id="night0000000", name="Donnerstag im Ochsen", code="KR7QF")
    table = Table(
        public_id="gallery00000", night=night, number=1, game_id=state.game, preset=state.preset, status="playing"
    )
    table.options = state.options
    seat = None if is_tv else Seat(table=table, index=0)
    context: dict[str, Any] = {
        "table": table,
        "night": night,
        "game": plugin.game(state.game),
        "config": page.config(table, seat.player if seat else None, seat, is_host=False, is_tv=is_tv),
        "first": None,
        "is_tv": is_tv,
        "is_host": False,
    }
    if is_tv:
        url = f"{SITE}/j/night0000000/0/"
        context |= {"mode": "play", "is_open": True, "qr": links.qr_svg(url), "live_url": "/", "shown": ""}
    else:
        context |= {"seat": seat, "card": table_card(table), "takes_in": False}
    return context


def _request() -> HttpRequest:
    """Return a guest's request as the middlewares leave it; its cookie says that the device has the typefaces."""
    request: Any = RequestFactory().get("/")
    request.COOKIES["typefaces"] = typefaces()
    request.session, request.user, request.csp_nonce = {}, AnonymousUser(), "gallery"
    return request  # type: ignore[no-any-return]


def by_table(states: Sequence[Shown]) -> list[list[Shown]]:
    """Return the states in groups that one page can show: of one game, house rules and number of seats."""
    groups: dict[tuple[str, int, str], list[Shown]] = {}
    for state in states:
        groups.setdefault((state.game, state.seats, str(state.options)), []).append(state)
    return list(groups.values())
