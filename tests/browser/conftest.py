"""Browser tests: real Chromium against a real daphne server, one context a person.

The tests of a worker share a server, each with nights of its own: preparing a database and
starting a server takes longer than most of the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from pytest_django import DjangoDbBlocker

from tests.browser.people import FLAGS, Person
from tests.server import Server, collected_static


@pytest.fixture(scope="package")
def chrome() -> Iterator[Browser]:
    """One Chromium for all browser tests; its library's event loop ends with them."""
    from tests.conftest import CHROMIUM, require

    require(Path(CHROMIUM).exists(), "Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def open_house(folder: Path, blocker: DjangoDbBlocker, **environment: str) -> Iterator[Server]:
    """Open a house; its logs are proved when it closes."""
    running = Server(folder, **environment)
    running.migrate()
    running.start()
    yield running
    running.stop()
    with blocker.unblock():
        assert "no fault" in running.proved_logs()


@pytest.fixture(scope="package")
def joined_house(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    """The server of most tests: it serves static files as a house does, joined."""
    folder = tmp_path_factory.mktemp("house")
    with open_house(folder, django_db_blocker, COLLECTED_STATIC=str(collected_static())) as running:
        yield running


@pytest.fixture(scope="module")
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[Server]:
    """The server of a module's tests.

    A test that imports one of our modules in a page needs each by itself: its module says `LOOSE_MODULES = True`; one
    that changes what all pages show says `OWN_HOUSE = True`. Both have a server of their own.
    """
    is_loose = getattr(request.module, "LOOSE_MODULES", False)
    if not is_loose and not getattr(request.module, "OWN_HOUSE", False):
        yield request.getfixturevalue("joined_house")
        return
    static = {} if is_loose else {"COLLECTED_STATIC": str(collected_static())}
    with open_house(tmp_path_factory.mktemp("house"), django_db_blocker, **static) as running:
        yield running


@pytest.fixture
def server(house: Server) -> Iterator[Server]:
    """A running server; nothing in it fails while a test runs."""
    if house.process is None:  # a test that failed between stopping and starting it
        house.start()
    before = len(house.output())
    yield house
    said = house.output()[before:]
    assert "Traceback" not in said, said


@pytest.fixture
def person(chrome: Browser, server: Server) -> Iterator[Callable[..., Person]]:
    """Make a person with a browser of their own: person("Kari", phone=True)."""
    people: list[Person] = []

    def make(name: str, **kwargs: object) -> Person:
        people.append(Person(chrome, server.url, name, **kwargs))  # type: ignore[arg-type]
        return people[-1]

    yield make
    for one in people:
        one.close()
    for one in people:
        assert one.faults == [], (one.name, one.faults)
