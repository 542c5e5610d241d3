"""What `make play` opens, in a browser: files as they are collected, settings as they are."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import LAPTOP, Person
from tests.server import ROOT, free_port

pytestmark = [pytest.mark.browser, pytest.mark.server, pytest.mark.timeout(600)]
TESTS_OWN = ("DJANGO_SETTINGS_MODULE", "SECRET_KEY", "PUBLIC_URL", "DEBUG")


@pytest.fixture
def played_house(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The address of a house that `manage.py play` has opened, and the code of its night."""
    port = free_port()
    kept = {name: value for name, value in os.environ.items() if name not in TESTS_OWN}
    own = {"STAMMTISCH_DATA": str(tmp_path), "HOST": "127.0.0.1", "PORT": str(port)}
    with (tmp_path / "play.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "play"],
            cwd=ROOT,
            env={**kept, **own, "DJANGO_SETTINGS_MODULE": "games.settings"},
            stdout=log,
            stderr=log,
        )
        try:
            _wait(port, process, tmp_path / "play.log")
            said = (tmp_path / "play.log").read_text()
            yield f"http://127.0.0.1:{port}", re.findall(r"room code (\w+)", said)[0]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def _wait(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(log.read_text())


@pytest.mark.day(parts=17, turn=8)
@pytest.mark.parametrize("game", ["chicago", "chouette"])
def test_a_guest_walks_in_and_sees_the_bots_of_the_demo_play(
    chrome: Browser, played_house: tuple[str, str], game: str
) -> None:
    url, code = played_house
    kari = Person(chrome, url, "Kari", screen=LAPTOP)
    kari.page.goto(url)
    kari.page.locator("input[name=code]").fill(code)
    kari.page.locator("input[name=code]").press("Enter")
    kari.page.locator("#nickname").fill("Kari")
    kari.page.locator("#join-form button.go").click()
    expect(kari.page.get_by_role("heading", name="Stammtisch").first).to_be_visible()
    links = kari.page.locator("a[href^='/table/']")
    expect(links.first).to_be_visible()
    for path in {link.get_attribute("href") for link in links.all()}:
        kari.page.goto(url + str(path))
        if kari.page.locator(f"{game}-table").count():
            break
    table = kari.page.locator(f"{game}-table")
    expect(table).to_contain_text("Ada")
    assert len(table.inner_text()) > 100
    kari.close()
    assert kari.faults == []
