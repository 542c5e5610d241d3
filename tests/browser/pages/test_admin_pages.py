"""The admin's pages: every text can be read in both themes, and all that can be pressed has a name."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.gallery import contrast, names
from tests.browser.pages.test_house_rules import log_in
from tests.browser.people import LAPTOP, Person
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]

PLANTED = """<body style="background:#fff"><p style="color:#bbb">faint</p><button>Go</button>
<button><svg></svg></button>
<a href="/x"><span aria-hidden="true">+</span></a><input aria-label="Name"></body>"""


def faults(page: Page) -> list[str]:
    """Return what cannot be read and what has no name, on a page as it stands."""
    return [*contrast.on_page(page), *names.unnamed(page)]


def lists_of(page: Page) -> list[str]:
    """Return the addresses of the lists on the front page."""
    return [str(link.get_attribute("href")) for link in page.locator(".front li > a:not(.addlink)").all()]


def pages_of(page: Page) -> list[str]:
    """Return the addresses of a list's form for a new row, and of its first row's page."""
    links = page.locator(".object-tools .addlink, #result_list tbody tr:first-child th a").all()
    return [link.evaluate("link => link.href") for link in links]


@pytest.mark.day(parts=17, turn=6)
def test_pages_of_the_admin_can_be_read_and_everything_has_a_name(
    person: Callable[..., Person], server: Server
) -> None:
    host, bar = person("Hanna", screen=LAPTOP), person("bar", screen=LAPTOP)
    host.host_a_night("Thursday")
    bar.page.goto(f"{server.url}/admin/login/")
    found = [f"login: {fault}" for fault in faults(bar.page)]
    log_in(bar, server, "/admin/")
    found += [f"front: {fault}" for fault in faults(bar.page)]
    lists = lists_of(bar.page)
    assert len(lists) > 10
    others = [f"{server.url}/admin/{path}" for path in ("doctor/", "password_change/")]
    others.append(f"{server.url}/admin/games/houserules/add/?game=chicago&preset=classic")
    for address in lists:
        bar.page.goto(f"{server.url}{address}")
        found += [f"{address}: {fault}" for fault in faults(bar.page)]
        others += pages_of(bar.page)
    for address in others:
        answer = bar.page.goto(address)
        assert answer and answer.ok, address
        found += [f"{address.removeprefix(server.url)}: {fault}" for fault in faults(bar.page)]
    assert found == [], "\n".join(found)


def test_planted_faults_are_found(chrome: Browser) -> None:
    page = chrome.new_page()
    page.set_content(PLANTED)
    found = faults(page)
    page.close()
    assert len([fault for fault in found if "faint" in fault]) == 2, "in both themes"
    assert [re.split(r"\W", fault)[0] for fault in found if "faint" not in fault] == ["button", "link"]
