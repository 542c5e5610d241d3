"""A full disk: forms say so with a sentence, and whoever sends traffic here is told."""

from __future__ import annotations

import http.client
import json
import re
import time
import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest

from tests.faults.disk.storage import full_disk
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(180)]


class Browser:
    """A browser as simple as can be: cookies, and the tokens of forms."""

    def __init__(self, server: Server) -> None:
        self.server, self.cookies = server, {}

    def ask(self, method: str, path: str, **fields: str) -> tuple[int, dict[str, str], str]:
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items()), "Accept-Language": "de"}
        headers["Origin"] = self.server.url
        if fields:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        line.request(method, path, urllib.parse.urlencode(fields), headers)
        answer = line.getresponse()
        text = answer.read().decode()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
        line.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text

    def post(self, path: str, **fields: str) -> tuple[int, dict[str, str], str]:
        return self.ask("POST", path, csrfmiddlewaretoken=self.cookies["csrftoken"], **fields)


def ready(server: Server) -> dict[str, Any]:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    line.request("GET", "/readyz")
    return json.loads(line.getresponse().read())


def until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.2)


def test_forms_answer_503_with_a_sentence_and_the_house_is_not_ready(frail_laptop):
    server = frail_laptop.servers[0]
    browser = Browser(server)
    assert browser.ask("GET", "/")[0] == 200
    status, _, _ = browser.post("/host/", nickname="Hanna", name="Thursday")
    assert status == 302
    night = re.search(r"/night/[\w-]+/", browser.ask("GET", "/")[2])[0]
    until(lambda: ready(server)["ready"])
    with full_disk(frail_laptop):
        stranger = Browser(server)
        stranger.ask("GET", "/")
        forms = [
            browser.post(f"{night}do/lock/", table=""),
            browser.post("/me/", nickname="Hanne"),
            browser.post("/host/", nickname="Hanna", name="Friday"),
            stranger.post("/host/", nickname="Kari", name="Friday"),
        ]
        for status, headers, text in forms:
            assert status == 503, text
            assert headers["retry-after"] == "5"
            assert "content-security-policy" in headers
            assert "Bitte versuch es gleich noch einmal" in text
        until(lambda: not ready(server)["database"])
        assert ready(server)["ready"] is False
        # What is only read is there.
        assert browser.ask("GET", night)[0] == 200
    until(lambda: ready(server)["ready"])
    assert browser.post("/me/", nickname="Hanne")[0] == 302
    assert "Hanne" in browser.ask("GET", night)[2]
