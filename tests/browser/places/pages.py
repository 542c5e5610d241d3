"""The pages of a house with everybody in it, and its mails, by Django's client: the crawl of `make text-places`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import override_settings
from django.test.utils import setup_test_environment, teardown_test_environment

from games.models import Mail
from games.services.mails import texts
from tests.security.roles.roles import World, address, make_world, rows

ROLES = ("nobody", "waiting", "guest", "host", "screen", "staff")
"""Who reads the pages, in the order in which a guest comes to them."""

_MARKED = re.compile(r"\[[^\[\]<>]*\]")


@dataclass(frozen=True, slots=True)
class SentPage:
    """A page as it was sent: "guest: night", its address, its HTML."""

    name: str
    address: str
    html: str

    @property
    def is_tv(self) -> bool:
        """Whether a big screen shows it."""
        return self.name.startswith("screen: tv")


@contextmanager
def database() -> Iterator[None]:
    """An empty database, for as long as the context is open."""
    setup_test_environment()
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
        teardown_test_environment()


def all_of(
    language: str, names: Collection[str] = (), roles: Sequence[str] = ROLES
) -> tuple[list[SentPage], list[str]]:
    """Return the pages of these names, or all, and the mails; in marks only pages with texts that none before has."""
    speaks = {"IS_PSEUDO": language == settings.PSEUDO_LANGUAGE, "PUBLIC_URL": "https://house.example"}
    with database(), override_settings(**speaks):
        world = make_world()
        return list(_pages(world, language, names, roles)), list(_mails(world, language))


def _pages(world: World, language: str, names: Collection[str], roles: Sequence[str]) -> Iterator[SentPage]:
    seen: set[str] = set()
    is_whole = names or language != settings.PSEUDO_LANGUAGE
    for role in roles:
        browser = world.browser(role)
        cookies = browser.cookies.copy()
        asked = {name: wanted for method, name, wanted in rows().values() if method == "get" and name[:4] != "api_"}
        for name, wanted in asked.items():
            if names and f"{role}: {name}" not in names:
                continue
            cache.clear()
            browser.cookies = cookies.copy()
            where = address(world, name, wanted)
            answer = browser.get(where, headers={"accept-language": language})
            html = answer.content.decode() if answer.get("Content-Type", "").startswith("text/html") else ""
            if "<body" in html and (is_whole or set(_MARKED.findall(html)) - seen):
                seen.update(_MARKED.findall(html))
                yield SentPage(f"{role}: {name}", where, html)


def _mails(world: World, language: str) -> Iterator[str]:
    guest = world.people["guest"]
    guest.language = language
    for kind in Mail.Kind:
        for world.date.is_cancelled in (False, True):
            mail = texts.message(Mail(date=world.date, player=guest, kind=kind), "guest@example.org", None)
            yield from (mail.subject, *mail.body.split("\n\n"))
