"""Every page of the site, for a guest and for the staff: no error in the console, no report of the policy."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser import controls, english
from tests.browser.people import PHONE, Person
from tests.languages import TRANSLATED
from tests.seeds import share_of_day
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

SUPERUSER = """
from django.contrib.auth import get_user_model
get_user_model().objects.create_superuser('%s', '', '%s')
"""

MakePerson = Callable[..., Person]
MOST_PAGES = 90
LINKS = "() => [...document.querySelectorAll('a[href]')].map((a) => a.href)"
NO_PAGE = ("/files/", ".json", ".csv", "/file/", "/logout", "/schema", "/export", "/jsi18n")
TOO_WIDE = "() => document.documentElement.scrollWidth > innerWidth"


def kind(path: str) -> str:
    """Return an address without what names a row, so that of each kind of page a few are opened."""
    parts = [part if part.isalpha() and len(part) < 12 else "*" for part in path.strip("/").split("/")]
    return "/".join(parts)


def walk(
    page: Page, start: str, *, skip: tuple[str, ...] = NO_PAGE, look: Callable[[Page], None] = lambda _page: None
) -> list[str]:
    """Open the site's pages by their links, two of each kind, and look at each; return their paths."""
    host, seen, waiting, kinds = urlsplit(start).netloc, set(), [start], {}  # type: ignore[var-annotated]
    walked: list[str] = []
    while waiting and len(walked) < MOST_PAGES:
        address = waiting.pop(0)
        parts = urlsplit(address)
        plain = f"{parts.path}?{parts.query}" if parts.query else parts.path
        kinds[kind(parts.path)] = kinds.get(kind(parts.path), 0) + 1
        if plain in seen or kinds[kind(parts.path)] > 2:
            continue
        seen.add(plain)
        page.goto(address)
        page.wait_for_load_state()
        walked.append(plain)
        look(page)
        for link in page.evaluate(LINKS):
            found = urljoin(address, link)
            if urlsplit(found).netloc == host and not any(word in found for word in skip):
                waiting.append(found)
    return walked


def unpressable(page: Page) -> dict[str, list[str]]:
    """Return what cannot be pressed on a page or in its folds, tabs and sheets, by the page and the screen."""
    found = {}
    for width, height in reversed(controls.SCREENS):
        page.set_viewport_size({"width": width, "height": height})
        if faults := controls.faults(page):
            found[f"{page.url} at {width}"] = faults
    return found


@pytest.mark.day(parts=17, turn=8)
@pytest.mark.parametrize("language", share_of_day(TRANSLATED, 2, every=17))
def test_no_page_of_a_guest_has_a_fault_or_english_or_is_wider_than_the_phone(
    person: MakePerson, server: Server, language: str
) -> None:
    server.manage("demo")
    guest = person("Kari", screen=PHONE, locale=language)
    wide: list[str] = []
    foreign: dict[str, list[str]] = {}
    dead: dict[str, list[str]] = {}

    def look(page: Page) -> None:
        if page.evaluate(TOO_WIDE):
            wide.append(page.url)
        dead.update(unpressable(page))
        if found := english.english(english.texts_of(page), language):
            foreign[page.url] = found

    guest.page.goto(guest.url)
    guest.page.locator(".practice button.go").first.click()
    guest.page.wait_for_url("**/table/**")
    guest.page.goto(guest.url)
    guest.page.fill("#host-name", "Ochsen")
    guest.page.fill("#host-nickname", "Kari")
    guest.page.locator(".host-door .button").click()
    guest.page.wait_for_url("**/night/**")
    walked = walk(guest.page, guest.url, look=look)
    assert len(walked) > 20, walked
    assert guest.faults == []
    assert wide == []
    assert dead == {}
    # The tests' own games have no translations.
    assert {url: texts for url, texts in foreign.items() if "dummygame" not in url and "bluffing" not in url} == {}


@pytest.mark.day(parts=17, turn=4)
def test_no_page_of_the_admin_has_a_fault(person: MakePerson, server: Server) -> None:
    name, password = "chief", "only-for-tests"
    server.manage("shell", "-v", "0", "-c", SUPERUSER % (name, password))
    server.manage("demo")  # rows of each kind, whatever other tests left
    staff = person("Admin", screen=(1366, 768))
    staff.page.goto(f"{staff.url}/admin/")
    staff.page.fill("[name=username], [name=login]", name)
    staff.page.fill("[name=password]", password)
    staff.page.press("[name=password]", "Enter")
    staff.page.wait_for_load_state()
    dead: dict[str, list[str]] = {}
    walked = walk(staff.page, f"{staff.url}/admin/", look=lambda page: dead.update(unpressable(page)))
    assert len(walked) > 10, walked
    # A page that is not open to the staff says so by its status; that is no fault.
    staff.faults = [fault for fault in staff.faults if "status of 403" not in fault]
    assert staff.faults == []
    assert dead == {}, "\n".join(f"{page}: {fault}" for page, faults in dead.items() for fault in faults)
