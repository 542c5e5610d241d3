"""The walk through all screens: the pages at the door, the tables, other pages; a browser stands at each in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from playwright.sync_api import Browser, BrowserContext, Page, Route

from games.management.translations.places import ScreenShot
from tests.browser.gallery import laws
from tests.browser.gallery.stage import SCREENS, SITE, TEXTS, Screen, Site, Stage, by_table
from tests.browser.people import close_context
from tests.browser.places.pages import SentPage

BY_NAME = {screen.name: screen for screen in SCREENS}
OF_TABLES = ("phone", "laptop", "TV")
AT_TABLES = ("nobody", "waiting", "guest")
"""Who reads pages before the tables: the others read theirs after them."""


def shots(
    browser: Browser, pages: Sequence[SentPage], language: str, wanted: Callable[[ScreenShot], bool]
) -> Iterator[tuple[ScreenShot, Page]]:
    """Yield each wanted shot with the browser's page that shows it."""
    first = [page for page in pages if page.name.partition(":")[0] in AT_TABLES]
    yield from _pages(browser, first, language, wanted)
    yield from _tables(browser, language, wanted)
    yield from _pages(browser, [page for page in pages if page not in first], language, wanted)


def _shot(name: str, screen: Screen) -> ScreenShot:
    return ScreenShot(name, screen.name, screen.width, screen.height)


def _pages(
    browser: Browser, pages: Sequence[SentPage], language: str, wanted: Callable[[ScreenShot], bool]
) -> Iterator[tuple[ScreenShot, Page]]:
    context = browser.new_context(locale=language, has_touch=True, reduced_motion="reduce")
    reader = Reader(context, language)
    for sent in pages:
        screen = BY_NAME["TV" if sent.is_tv else "phone"]
        if wanted(shot := _shot(sent.name, screen)):
            reader.open(sent, screen)
            yield shot, reader.page
    close_context(context)


class Reader:
    """One page of a browser that is sent pages by their addresses, and static files."""

    def __init__(self, context: BrowserContext, language: str) -> None:
        context.add_init_script(path=TEXTS)
        self.page = context.new_page()
        self._site = Site(language)
        self._sent: SentPage | None = None
        context.route("**/*", self._answer)

    def open(self, sent: SentPage, screen: Screen) -> None:
        """Show a page, with all that is folded open."""
        self._sent = sent
        self.page.set_viewport_size({"width": screen.width, "height": screen.height})
        self.page.goto(f"{SITE}{sent.address}", wait_until="load")
        self.page.evaluate("texts.unfold()")

    def _answer(self, route: Route) -> None:
        address = route.request.url.removeprefix(SITE)
        if self._sent is not None and route.request.is_navigation_request():
            route.fulfill(content_type="text/html; charset=utf-8", body=self._sent.html)
            return
        kind, body = self._site.answer(address)
        route.fulfill(status=200 if kind else 404, content_type=kind or "text/plain", body=body)


def _tables(browser: Browser, language: str, wanted: Callable[[ScreenShot], bool]) -> Iterator[tuple[ScreenShot, Page]]:
    stage = Stage(browser, language)
    for group in by_table(laws.all_states()):
        for screen in map(BY_NAME.__getitem__, OF_TABLES):
            named = [(one, _shot(f"{one.game} {one.preset} {one.seats}: {one.name}", screen)) for one in group]
            asked = [(one, shot) for one, shot in named if wanted(shot)]
            if asked:
                stage.open(group[0], is_tv=screen.is_tv)
                stage.resize(screen)
            for state, shot in asked:
                stage.show(state, is_tv=screen.is_tv)
                yield shot, stage.page
    stage.close()
