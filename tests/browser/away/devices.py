"""Devices of players: tabs, a clock and storage of their own, in Chromium or in another browser's engine.

In Chromium tabs are tabs, and the clock is driven with all timers. The drivers of the other engines have one page:
their tabs are frames of it, of which one is seen, and only the time of day is driven. A database that has no room is
made in the page.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

from playwright.sync_api import Browser, BrowserContext, Error, ViewportSize
from playwright.sync_api import Page as ChromiumsPage

from tests.browser.people import NOTHING_BY_ITSELF, PHONE, close_context
from tests.engines.drivers.lines import PLAIN_PAGE
from tests.engines.engines import Engine
from tests.engines.page import LOOKS_AGAIN, PATIENCE, EngineError, Page, draw
from tests.engines.people import Guest

ASK = """async (path, body) => {
  const field = document.querySelector("[name=csrfmiddlewaretoken]");
  const headers = { "Content-Type": "application/json", "X-CSRFToken": field?.value ?? "" };
  const answer = await fetch(`/api/${path}`, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
  return [answer.status, await answer.text()];
}"""
KEPT = """() => new Promise((done, failed) => {
  const asked = indexedDB.open("stammtisch-played", 1);
  asked.onerror = () => failed(asked.error);
  asked.onsuccess = () => {
    const all = asked.result.transaction("lists").objectStore("lists").getAll();
    all.onsuccess = () => { asked.result.close(); done(all.result); };
  };
})"""
_FILL_UP = """(isFull) => {
  const { prototype } = IDBObjectStore;
  window.realPut ??= prototype.put;
  prototype.put = isFull ? () => { throw new window.DOMException("", "QuotaExceededError"); } : window.realPut;
}"""
PREPARED = "() => document.querySelector('#played') !== null"
BROKEN_LINE = ("WebSocket", "ws://", "Failed to fetch", "NetworkError", "Load failed", "access control checks")


class Tab(Guest):
    """A tab of a device; `page` does what it is asked."""

    page: Any

    def __init__(self, page: Any, house: str, name: str) -> None:
        self.house, self.name, self.page = house, name, page

    def ask(self, path: str, **body: object) -> Any:
        """Ask the house's API in this tab's name: with a body a change, without one what there is."""
        status, text = self.page.evaluate(ASK, path, body or None)
        assert status < 300, (path, status, text[:2000])
        return json.loads(text)

    def come(self, url: str, game: str) -> None:
        """Open a table, and wait until all is there that it needs without the house."""
        self.open(url)
        self.at_the_table(game)
        self.page.wait_for(PREPARED)

    def reload(self, game: str) -> None:
        """Load the page anew by hand."""
        self.come(self.address, game)

    def kept(self) -> list[Any]:
        """Return the lists that the device keeps."""
        found: list[Any] = self.page.evaluate(KEPT)
        return [one for one in found if one["games"]]


class Device(Protocol):
    """A player's device: one profile of a browser."""

    def open_tab(self) -> Tab:
        """Open a tab."""

    def close_tab(self, tab: Tab) -> None:
        """Close a tab without asking, as a phone does that throws it away."""

    def pass_time(self, seconds: float) -> None:
        """Let time pass."""

    def set_back(self, seconds: float) -> None:
        """Set the device's clock back, or forth for less than 0; no time passes."""

    def fill_up(self, *, is_full: bool) -> None:
        """Leave the browser no room on its disk, or free it."""

    def faults(self) -> list[str]:
        """Return the errors of scripts that nobody has caught."""

    def close(self) -> None:
        """End it."""


def is_fault(said: str) -> bool:
    """Tell whether an error is one of a script: a house that is away breaks lines."""
    return not any(part in said for part in BROKEN_LINE)


class ChromiumPage:
    """A page of Chromium that is asked as those of other engines are."""

    engine = SimpleNamespace(name="chromium")

    def __init__(self, page: ChromiumsPage) -> None:
        self.real = page
        self._faults: list[str] = []
        page.on("pageerror", lambda error: self._faults.append(f"{error} {error.stack}"))
        page.set_default_timeout(PATIENCE * 1000)

    def open(self, url: str) -> None:
        self.real.goto(url)

    def evaluate(self, script: str, *args: Any) -> Any:
        try:
            return self.real.evaluate(f"(args) => ({script})(...args)", list(args))
        except Error as error:
            raise EngineError(str(error)) from None

    def tap(self, x: float, y: float) -> None:
        self.real.touchscreen.tap(x, y)

    def type(self, text: str) -> None:
        self.real.keyboard.type(text)

    def picture(self, path: Path) -> None:
        self.real.screenshot(path=path)

    def picture_of(self, what: str) -> None:
        draw(self.picture, f"{self.engine.name} {what}")

    def faults(self) -> list[str]:
        return [one for one in self._faults if is_fault(one)]

    def wait_for(self, script: str, *args: Any, seconds: float = PATIENCE) -> Any:
        return waited(self.evaluate, script, args, seconds)


def waited(evaluate: Callable[..., Any], script: str, args: tuple[Any, ...], seconds: float) -> Any:
    """Call a function of a page until what it returns is true, and return that; raises EngineError."""
    until, said = time.monotonic() + seconds, "it is not so"
    while time.monotonic() < until:
        try:
            if found := evaluate(script, *args):
                return found
        except EngineError as error:
            said = str(error)
        time.sleep(LOOKS_AGAIN)
    shown = evaluate("() => `${location} ${document.body.innerText}`")
    raise EngineError(f"{args or script}: {said}: {str(shown)[:1500]}")


class ChromiumDevice:
    """A profile of Chromium whose clock stands in for the device's."""

    def __init__(self, browser: Browser, house: str, name: str, size: tuple[int, int] = PHONE) -> None:
        self.house, self.name = house, name
        viewport: ViewportSize = {"width": size[0], "height": size[1]}
        self.context: BrowserContext = browser.new_context(
            viewport=viewport, has_touch=True, locale="en-GB", reduced_motion="reduce"
        )
        self.context.add_init_script(NOTHING_BY_ITSELF)
        self.context.clock.install()
        self.pages: list[ChromiumPage] = []

    def open_tab(self) -> Tab:
        self.pages.append(ChromiumPage(self.context.new_page()))
        return Tab(self.pages[-1], self.house, self.name)

    def close_tab(self, tab: Tab) -> None:
        tab.page.real.close(run_before_unload=False)

    def pass_time(self, seconds: float) -> None:
        self.context.clock.fast_forward(round(seconds * 1000))

    def set_back(self, seconds: float) -> None:
        shown = next(one for one in self.pages if not one.real.is_closed())
        self.context.clock.set_system_time(shown.evaluate("() => Date.now()") / 1000 - seconds)

    def fill_up(self, *, is_full: bool) -> None:
        for page in self.pages:
            if not page.real.is_closed():
                page.evaluate(_FILL_UP, is_full)

    def faults(self) -> list[str]:
        return [fault for page in self.pages for fault in page.faults()]

    def close(self) -> None:
        close_context(self.context)


_FRAME = """(name) => {
  const frame = document.createElement("iframe");
  frame.id = name;
  Object.assign(document.body.style, { margin: "0", overflow: "hidden" });
  Object.assign(frame.style, { position: "fixed", inset: "0", width: "100%", height: "100%", border: "0" });
  document.body.append(frame);
  return true;
}"""
_TO = """async (name, url) => {
  const frame = document.getElementById(name);
  const loaded = new Promise((done) => frame.addEventListener("load", () => done(true), { once: true }));
  frame.src = url;
  return loaded;
}"""
_INSIDE = """(name, ...args) => {
  const frame = document.getElementById(name);
  for (const one of document.querySelectorAll("body > iframe")) one.style.zIndex = one === frame ? "99999" : "99998";
  return ((window, { document, location, indexedDB, IDBObjectStore, getComputedStyle, requestAnimationFrame,
    setTimeout, localStorage, Date, Event, fetch, addEventListener, dispatchEvent }) =>
    (%s)(...args))(frame.contentWindow, frame.contentWindow);
}"""
_SET_CLOCK = """(ms) => {
  const Real = window.realDate ??= window.Date;
  window.Date = class extends Real {
    constructor(...given) { if (given.length) super(...given); else super(Real.now() + ms); }
    static now() { return Real.now() + ms; }
  };
}"""


class FramedTab:
    """A tab that is a frame of the one page that an engine's driver has."""

    def __init__(self, device: EngineDevice, name: str) -> None:
        self.device, self.name, self.engine = device, name, device.page.engine
        device.page.evaluate(_FRAME, name)

    def open(self, url: str) -> None:
        self.device.page.evaluate(_TO, self.name, url)
        self.evaluate(_SET_CLOCK, self.device.clock * 1000)

    def evaluate(self, script: str, *args: Any) -> Any:
        return self.device.page.evaluate(_INSIDE % script, self.name, *args)

    def tap(self, x: float, y: float) -> None:
        self.device.page.tap(x, y)

    def type(self, text: str) -> None:
        # WebKit's driver gives keys to the frame that it was switched to last, which is the one around the tabs.
        self.evaluate("() => { window.focus(); document.activeElement.focus(); }")
        self.device.page.type(text)

    def picture(self, path: Path) -> None:
        self.device.page.picture(path)

    def picture_of(self, what: str) -> None:
        draw(self.picture, f"{self.engine.name} {what}")

    def faults(self) -> list[str]:
        return []

    def wait_for(self, script: str, *args: Any, seconds: float = PATIENCE) -> Any:
        return waited(self.evaluate, script, args, seconds)


class EngineDevice:
    """A device whose browser is another engine: no timers are driven, only the time of day is."""

    def __init__(self, engine: Engine, house: str, name: str, size: tuple[int, int] = PHONE) -> None:
        self.house, self.name, self.clock = house, name, 0.0
        self.page = Page(engine, size)
        self.page.open(f"{house}{PLAIN_PAGE}")
        self.tabs: list[FramedTab] = []
        self.count = 0
        self._heard: list[str] = []

    def open_tab(self) -> Tab:
        self.count += 1
        self.tabs.append(FramedTab(self, f"tab{self.count}"))
        return Tab(self.tabs[-1], self.house, self.name)

    def close_tab(self, tab: Tab) -> None:
        self._listen(tab.page)
        self.tabs.remove(tab.page)
        self.page.evaluate("(name) => { document.getElementById(name).remove(); }", tab.page.name)

    def pass_time(self, seconds: float) -> None:
        self.set_back(-seconds)

    def set_back(self, seconds: float) -> None:
        self.clock -= seconds
        for tab in self.tabs:
            tab.evaluate(_SET_CLOCK, self.clock * 1000)

    def fill_up(self, *, is_full: bool) -> None:
        for tab in self.tabs:
            tab.evaluate(_FILL_UP, is_full)

    def _listen(self, tab: FramedTab) -> None:
        self._heard += tab.evaluate("() => window.faultsHeard ?? []")

    def faults(self) -> list[str]:
        for tab in self.tabs:
            self._listen(tab)
        return [one for one in (*self.page.faults(), *dict.fromkeys(self._heard)) if is_fault(one)]

    def close(self) -> None:
        self.page.close()
