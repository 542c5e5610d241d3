"""The browser crashes, or the battery is empty, while the house is away: what was kept on the device is there."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, expect

from tests.browser.away.test_going_on import LOST, PREPARED, chouette, kept, open_sheet, press, tell
from tests.browser.people import FLAGS, Person
from tests.conftest import CHROMIUM
from tests.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(300)]


class Profile:
    """A profile of Chromium in a folder, which outlives the browser that has it open."""

    def __init__(self, chromium: BrowserType, folder: Path) -> None:
        self.chromium, self.folder = chromium, folder

    def new_context(self, **settings: Any) -> BrowserContext:
        """Start the browser."""
        self.settings = settings
        self.context = self.chromium.launch_persistent_context(
            self.folder, executable_path=CHROMIUM, args=FLAGS, **settings
        )
        return self.context

    def start_again(self, one: Person) -> None:
        """Start the browser with a page of its own for a person."""
        one.context = self.new_context(**self.settings)
        one.page = one.context.new_page()

    def kill(self) -> None:
        """End the browser at once, as an empty battery does."""
        with self.context.expect_event("close"):
            lock = (self.folder / "SingletonLock").readlink()
            os.kill(int(lock.name.rsplit("-", 1)[1]), signal.SIGKILL)


def test_games_are_there_after_the_browser_was_killed(chrome: Browser, server: Server, tmp_path: Path) -> None:
    profile = Profile(chrome.browser_type, tmp_path / "profile")

    def person(name: str, **settings: Any) -> Person:
        return Person(profile, server.url, name, **settings)  # type: ignore[arg-type]

    host = chouette(person)
    address = host.page.url
    # A browser that ends as usual has its cookies on the disk, as each has some time later.
    host.close()
    profile.start_again(host)
    host.page.goto(address)
    host.page.wait_for_function(PREPARED)
    server.stop(signal.SIGKILL)
    expect(host.page.locator(".played-notice")).to_be_visible(timeout=LOST)
    sheet = open_sheet(host)
    tell(sheet, "Team", "plain")
    expect(sheet.locator(".played-games li")).to_have_count(1)
    (listed,) = kept(host.page)
    profile.kill()
    server.start()
    profile.start_again(host)
    host.page.goto(address)
    shown = host.page.get_by_role("dialog", name="Games played without the house")
    expect(shown.locator(".played-games li")).to_have_count(1, timeout=LOST)
    assert kept(host.page) == [listed]
    press(shown, "Hand over")
    expect(shown).to_be_hidden()
    table = address.rstrip("/").rsplit("/", 1)[1]
    assert [row["without_house"] for row in host.ask(f"tables/{table}/")["state"]["view"]["sheet"]] == [True]
    host.close()
