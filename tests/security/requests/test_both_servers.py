"""Promises that hold at real servers, daphne and uvicorn: what only their stack and their own answers can break."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.security.floods.figures import NIGHT
from tests.security.floods.servers import KINDS, Answer, asked, sent, started, told
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(240)]
CSRF = "a" * 32


@pytest.fixture(scope="module", params=KINDS)
def server(request: Any, tmp_path_factory: Any) -> Iterator[Server]:
    """Return a server of each kind."""
    found = started(request.param, tmp_path_factory.mktemp("both"))
    yield found
    found.stop()


def posted(server: Server, path: str, cookie: str, body: str) -> Answer:
    """Post JSON as a page of the house does."""
    head = [
        f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Connection: close",
        "Content-Type: application/json", f"Content-Length: {len(body)}", f"X-CSRFToken: {CSRF}",
        f"Origin: {server.url}", f"Cookie: csrftoken={CSRF}; {cookie}",
    ]  # fmt: skip
    return sent(server, "\r\n".join([*head, "", body]).encode())


@pytest.mark.parametrize("body", ['{"a":' * 990 + "1" + "}" * 990, '{"a":' * 1200 + "1" + "}" * 1200, "[" * 8000])
def test_a_running_server_refuses_deep_json_of_a_session_with_a_code(server: Server, body: str) -> None:
    cookie = told(server, NIGHT)["cookie"]
    for path in ("/api/nights/", "/api/tables/nowhere/commands/"):
        answer = posted(server, path, cookie, body)
        assert (answer.status, json.loads(answer.body)["code"]) == (400, "too_deep"), answer.all
    assert "Traceback" not in server.output()


def test_every_answer_of_a_running_server_has_a_policy(server: Server) -> None:
    """Monitors, files, refusals before Django, and pages with a policy of their own."""
    answers = {path: asked(server, path) for path in ("/", "/healthz", "/readyz", "/metrics", "/nowhere/", "/static/x")}
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', answers["/"].body)
    answers |= {path: asked(server, path) for path in files[:6]}
    answers["no path"] = sent(server, b"GET ftp://else/ HTTP/1.1\r\nHost: else\r\nConnection: close\r\n\r\n")
    assert files and answers["/healthz"].status == 200
    for path, answer in answers.items():
        policies = re.findall(r"(?i)^content-security-policy: (.*)$", answer.head.replace("\r", ""), re.M)
        assert len(policies) == 1, (path, answer.head)
        assert "frame-ancestors 'none'" in policies[0]
        assert ("script-src 'self'" in policies[0]) == (path in ("/", "/nowhere/")) or path.startswith("/static/")
