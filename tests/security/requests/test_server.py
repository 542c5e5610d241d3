"""The same promises at a real server: daphne on loopback, asked by hand-written requests."""

import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from games.ops.requests.body_limit import CUT_LINE, LONGEST_BODY
from games.ops.shared_cache import SharedCache
from tests.conftest import require
from tests.server import ROOT, Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("strangers"), PUBLIC_URL="", ALLOWED_HOSTS="*", CLOCK="off")
    found.migrate()
    found.start()
    yield found
    found.stop()


def raw(server: Server, *parts: bytes) -> bytes:
    """Send bytes as they are; return all that comes back until the line closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        try:
            for part in parts:
                line.sendall(part)
            answer = b""
            while chunk := line.recv(65536):
                answer += chunk
        except ConnectionError:
            return b"cut"
        return answer


def head(path: str, *lines: str) -> bytes:
    """Return a POST request up to its body."""
    asked = [f"POST {path} HTTP/1.1", "Host: pub.local", "Connection: close", *lines]
    return "\r\n".join([*asked, "", ""]).encode()


def chunks(count: int, size: int) -> list[bytes]:
    """Return a body in chunks that does not say how long it is."""
    one = f"{size:x}\r\n".encode() + b"x" * size + b"\r\n"
    return [one] * count


def test_a_long_body_is_refused_with_a_page(server):
    told = head("/join/", f"Content-Length: {LONGEST_BODY + 1}")
    answer = raw(server, told, b"x" * (LONGEST_BODY + 1))
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"That is too long." in answer


def test_a_long_body_that_hides_its_length_is_refused_too(server):
    told = head("/api/nights/", "Transfer-Encoding: chunked", "Content-Type: application/json")
    answer = raw(server, told, *chunks(10, 10_000), b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413")
    assert b'"code": "too_long"' in answer


def test_a_body_without_end_is_cut_off(server):
    told = head("/join/", "Transfer-Encoding: chunked")
    answer = raw(server, told, *chunks(8 * CUT_LINE // LONGEST_BODY, LONGEST_BODY))
    assert answer == b"cut" or answer == b""


def test_a_body_of_the_right_size_is_read(server):
    told = head("/join/", "Content-Length: 6")
    assert raw(server, told, b"code=x").startswith(b"HTTP/1.1 403")  # read, and has no token


def ask(server: Server, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers and text of an answer."""
    request = urllib.request.Request(server.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


@pytest.mark.parametrize("path", ["/", "/static/games/base.css", "/static/games/favicon.svg", "/nowhere/", "/api/x/"])
def test_files_and_errors_have_the_headers_as_well(server, path):
    _, headers, _ = ask(server, path)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe-inline" not in headers["Content-Security-Policy"]


def test_without_public_url_links_lead_to_where_the_connection_arrived(server):
    night = server.manage(
        *("shell", "-v", "0", "-c"),
        "from games.services.nights import membership; from games.services.people import players\n"
        "night = membership.host_night(players.new_guest('Hanna'), 'Thursday')\n"
        "print(f'/tv/{night.public_id}/{night.token(\"tv\")}/')",
    ).splitlines()[-1]
    status, _, page = ask(server, night, Host="evil.example:9000")
    assert status == 200
    assert "evil.example" not in page
    assert re.search(rf"127\.0\.0\.1:{server.port}", page)


def manage(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command under the settings of a house in production."""
    known = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "DJANGO_"))}
    return subprocess.run(
        [sys.executable, "manage.py", *args],
        cwd=ROOT,
        env={**known, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


PRODUCTION = {
    "SECRET_KEY": "k" * 20 + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "BEHIND_TLS": "1",
    "ALLOWED_HOSTS": "games.example.org",
    "PUBLIC_URL": "https://games.example.org",
    "CSRF_TRUSTED_ORIGINS": "https://games.example.org",
    "ADMIN_PATH": "back-room",
    "ADMIN_NETWORKS": "127.0.0.1,192.168.7.0/24",
    "EMAIL_URL": "smtps://house:secret@mail.example.org",
}


@pytest.mark.day(parts=17, turn=16)
def test_the_check_for_deployment_is_clean_in_production(tmp_path):
    done = manage(
        *("check", "--deploy", "--fail-level", "WARNING"),
        **PRODUCTION,
        STAMMTISCH_DATA=str(tmp_path),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"PUBLIC_URL": ""}, "games.W2"),
        ({"ALLOWED_HOSTS": "*"}, "games.W3"),
        ({"ADMIN_NETWORKS": "the bar"}, "ADMIN_NETWORKS has 'the bar'"),
    ],
)
@pytest.mark.day(parts=17, turn=4)
def test_the_check_for_deployment_names_what_is_open(tmp_path, change, code):
    done = manage(
        *("check", "--deploy", "--fail-level", "WARNING"),
        **{**PRODUCTION, **change},
        STAMMTISCH_DATA=str(tmp_path),
    )
    assert done.returncode != 0
    assert code in done.stdout + done.stderr


def test_the_admin_is_where_the_setting_says(tmp_path):
    code = "from django.urls import reverse; print(reverse('admin:index'))"
    done = manage("shell", "-v", "0", "-c", code, **PRODUCTION, STAMMTISCH_DATA=str(tmp_path))
    assert done.stdout.split()[-1] == "/back-room/"


def test_processes_that_share_redis_count_together():
    url = os.environ.get("REDIS_URL_TEST", "")
    require(url, "Redis (REDIS_URL_TEST)")
    first, second = (SharedCache(url, {"KEY_PREFIX": f"test-{os.getpid()}"}) for _ in range(2))
    first.delete("tries")
    assert first.add("tries", 0, 60)
    assert not second.add("tries", 0, 60)
    assert (first.incr("tries"), second.incr("tries")) == (1, 2)
    assert first.get("tries") == 2
    first.delete("tries")
