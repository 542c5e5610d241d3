"""Browser tests: real Chromium against a real daphne server, one context a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.people import FLAGS, Person
from tests.server import Server


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    """One Chromium for all browser tests."""
    from tests.conftest import CHROMIUM, require

    require(Path(CHROMIUM).exists(), "Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A fresh server with an empty data folder."""
    running = Server(tmp_path)
    running.manage("migrate", "--verbosity", "0")
    running.start()
    yield running
    running.stop()
    report = running.manage("check_logs")
    assert "Traceback" not in running.output(), running.output()
    assert report


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
