"""A person at a browser: what they see and tap, in words of the evening."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Browser, BrowserContext, expect

# Chromium's address bar loads two pages of its own for every new context, which nobody sees here and which cost most
# of the processor time of a person; after each page it starts a process for another site, which nobody visits. The
# rest is the list of the library, which a second switch of the name replaces.
_FEATURES_OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(_FEATURES_OFF)}",
]
_BROKEN_LINE = re.compile(
    r"WebSocket|htmx:(sendError|sendAbort|afterRequest)|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|status of 50"
)
# How long something may take on a machine that is busy with other work.
PATIENCE_MS = 45_000
PHONE, SMALL_PHONE, LAPTOP, TV = (390, 844), (360, 640), (1280, 800), (1920, 1080)

CLOSED_WITHIN = 30.0
NOTHING_BY_ITSELF = """try {
  for (const name of ["roll", "bear_off", "confirm"]) localStorage.setItem(`stammtisch.chouette.${name}`, "0");
} catch { /* a page that has no store of its own */ }"""
"""Switches off what a table of backgammon does by itself."""


def close_context(context: BrowserContext) -> None:
    """Close a browser context; one that does not answer is left to the end of the browser.

    Chromium now and then never answers when a page is on its way to another address, and the library would wait for
    ever: one such page would hold up all tests after it.
    """
    closing = asyncio.wait_for(context._impl_obj.close(reason=None), CLOSED_WITHIN)
    with suppress(TimeoutError):
        context._sync(closing)


class Person:
    """One browser context. `faults` collects page errors and blocked resources."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str,
        *,
        screen: tuple[int, int] = PHONE,
        locale: str = "en-GB",
        dark: bool = False,
        calm: bool = True,
        by_itself: bool = False,
    ) -> None:
        self.name, self.url, self.locale, self.faults = name, url, locale, []
        self.context = browser.new_context(
            viewport={"width": screen[0], "height": screen[1]},
            locale=locale,
            color_scheme="dark" if dark else "light",
            has_touch=screen in (PHONE, SMALL_PHONE),
            reduced_motion="reduce" if calm else "no-preference",
        )
        # A test presses itself what a player may leave to the page.
        self.context.add_init_script("" if by_itself else NOTHING_BY_ITSELF)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._heard)
        self.page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)

    faults: list[str]

    def _heard(self, message: object) -> None:
        text = getattr(message, "text", "")
        # A line that breaks is reported by the browser itself, and is what some tests do.
        if getattr(message, "type", "") == "error" and not _BROKEN_LINE.search(text):
            self.faults.append(text)

    @property
    def language(self) -> str:
        """The language that this browser asks for."""
        return self.locale.partition("-")[0]

    def close(self) -> None:
        """Close the browser context."""
        close_context(self.context)

    def tap(self, name: str | re.Pattern[str], role: str = "button") -> None:
        """Tap a button (or a link) by its name."""
        self.page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]

    def open_more(self) -> None:
        """Open the fold behind which a page keeps what few need at first; one that is open stays so."""
        fold = self.page.locator("details.card.more").first
        if fold.get_attribute("open") is None:
            fold.locator("> summary").click()

    def read_the_notices(self) -> None:
        """Tap the strip below a table's bar: the sheet has the notices and their buttons."""
        self.page.locator("#strip").click()

    def host_a_night(self, night: str, *, by_hand: bool = False) -> None:
        """Open a night from the front page; without the page itself where a test is about other things."""
        if by_hand:
            self.page.goto(self.url)
            self.page.get_by_label("Name of the night").fill(night)
            self.page.get_by_label("Your nickname").fill(self.name)
            self.tap("Open the night")
        else:
            self.page.goto(self._filled_in(self.url, "/host/", name=night, nickname=self.name))
        expect(self.page.get_by_role("heading", name=night, exact=True)).to_be_visible()

    def link(self, kind: str) -> str:
        """Return the link for guests (`j`) or for the big screen (`tv`) on the night's page, as soon as it is there."""
        shape = rf"http[^\"'\s<]*/{kind}/[a-z0-9]+/[a-z0-9]+/"
        found = self.page.wait_for_function("shape => document.documentElement.outerHTML.match(shape)?.[0]", arg=shape)
        return str(found.json_value())

    def join(self, link: str, *, by_hand: bool = False) -> None:
        """Follow a link (as the QR code does), say a name, tap once; or send the form without looking at it."""
        if by_hand:
            self.page.goto(link)
            self.page.locator("#nickname").fill(self.name)
            self.page.locator("#join-form button.go").click()
            self.page.wait_for_url(re.compile(r"/(table|night)/"))
        else:
            self.page.goto(self.come_in(link))

    def come_in(self, link: str) -> str:
        """Say a name at a link without looking at a page; return where it leads."""
        return self._filled_in(link, link, nickname=self.name)

    def ask(self, path: str, **body: object) -> Any:
        """Ask the house's API in this browser's name: with a body a change, without one what there is."""
        web, address = self.context.request, urljoin(self.url, f"/api/{path}")
        tokens = [cookie["value"] for cookie in self.context.cookies() if cookie["name"] == "csrftoken"]
        headers = {"Referer": address, "X-CSRFToken": tokens[0]}
        answer = web.post(address, data=body, headers=headers) if body else web.get(address)
        assert answer.ok, (path, answer.status, answer.text()[:2000])
        return answer.json()

    def _filled_in(self, page: str, action: str, **fields: str) -> str:
        """Send a form as the page would; return the address that it leads to."""
        web = self.context.request
        language = {"Accept-Language": self.locale}
        token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', web.get(page, headers=language).text())[0]
        form = {"csrfmiddlewaretoken": token, **fields}
        sent = web.post(urljoin(page, action), form=form, headers={"Referer": page, **language}, max_redirects=0)
        assert sent.status == 302, (sent.status, sent.text()[:2000])
        return urljoin(page, sent.headers["location"])

    def accept_the_rules(self) -> None:
        """Accept the rules card in the waiting room."""
        button = self.page.get_by_role("button", name="I accept")
        button.click()
        expect(button).to_be_hidden()

    def sleep(self) -> None:
        """Put the phone to sleep: the page is frozen and the line is cut."""
        self._lifecycle("frozen")
        self.context.set_offline(True)

    def wake(self) -> None:
        """Wake the phone: the page runs again, with the line it had."""
        self.context.set_offline(False)
        self._lifecycle("active")

    def _lifecycle(self, state: str) -> None:
        session = self.context.new_cdp_session(self.page)
        session.send("Page.setWebLifecycleState", {"state": state})
        session.detach()
