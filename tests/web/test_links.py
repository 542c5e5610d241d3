"""No link leads to a wall: everybody follows every link that a page shows to them, and gets somewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.cache import cache
from django.http import HttpResponseBase
from django.test import Client

from games.services.tables import log
from tests.seeds import share_of_day
from tests.web.everything import Everything, make_everything
from tests.web.pages import read

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "invited", "fresh", "guest", "regular", "organiser", "host", "staff")
GOOD = {200, 204, 304, 410}
"""What a link may lead to: 410 of what has ended tells the way on."""
APART = ("/static/", "/admin/", "/api/")
"""What is not walked through: of the admin and the API their own tests know, and only its first page is asked for."""


@pytest.fixture
def everything(db: None) -> Everything:
    return make_everything()


def links_of(text: str, where: str) -> Iterator[str]:
    """Yield the addresses of the house that a page links, and those that it shows as text to be passed on."""
    for tag in read(text).tags:
        found = tag.attrs.get("href") if tag.name == "a" else None
        if tag.name == "input" and "readonly" in tag.attrs:
            found = tag.attrs.get("value") if "//" in tag.attrs.get("value", "") else None
        if tag.name == "img":
            found = tag.attrs.get("src")
        if not found:
            continue
        parts = urlsplit(urljoin(f"http://testserver{where}", found))
        if parts.scheme in ("http", "https") and parts.hostname == "testserver":
            yield parts.path + (f"?{parts.query}" if parts.query else "")


def asked(browser: Client, where: str, cookies: object) -> HttpResponseBase:
    """Return the answer to a link; what the house remembers of looking is as it was before."""
    browser.cookies = cookies.copy()  # type: ignore[attr-defined]
    cache.clear()
    log.forget_all()
    return browser.get(where, follow=True)


def walls(role: str, everything: Everything) -> list[str]:
    """Walk from the given links through all that is linked; return the links that lead to a wall."""
    browser = everything.browsers[role]
    cookies = browser.cookies.copy()
    shown_by = dict.fromkeys(everything.given[role], "a link that was given")
    ways, found = deque(shown_by), []
    while ways:
        where = ways.popleft()
        answer = asked(browser, where, cookies)
        if answer.status_code not in GOOD:
            found.append(f"{role}: {shown_by[where]} → {where} → {answer.status_code}")
        is_page = answer.get("Content-Type", "").startswith("text/html") and not answer.streaming
        if not is_page or where.startswith(APART):
            continue
        ended_at = answer.request["PATH_INFO"]
        if answer.status_code == 410:
            assert 'href="/"' in answer.content.decode(), f"{where} ends without a way on"
        for link in links_of(answer.content.decode(), ended_at):
            if link not in shown_by and not link.startswith("/static/"):
                shown_by[link] = where
                ways.append(link)
    assert len(shown_by) > 15, shown_by
    return found


@pytest.mark.parametrize("role", share_of_day(ROLES, 4))
def test_no_link_that_a_page_shows_leads_to_a_wall(role: str, everything: Everything) -> None:
    found = walls(role, everything)
    assert found == [], "\n" + "\n".join(found)
