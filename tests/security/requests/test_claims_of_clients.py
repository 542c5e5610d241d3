"""What a client claims of itself in headers and targets reaches nothing: under both servers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.security.floods.servers import KINDS, asked, form, line, opened, started, told
from tests.seeds import share_of_day
from tests.server import Server

pytestmark = [pytest.mark.server, pytest.mark.timeout(240)]

EVIL = "evil.example"
STAFF = "192.0.2.7"
CLAIMS = {
    "Daphne-Root-Path": f"@{EVIL}",
    "Script-Name": f"//{EVIL}",
    "X-Script-Name": f"//{EVIL}",
    "X-Forwarded-Prefix": f"//{EVIL}",
    "X-Forwarded-Host": EVIL,
    "X-Forwarded-Server": EVIL,
    "X-Host": EVIL,
    "X-Original-Host": EVIL,
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Scheme": "https",
    "X-Forwarded-Ssl": "on",
    "X-Url-Scheme": "https",
    "Front-End-Https": "on",
    "X-Forwarded-Port": "6666",
    "X-Forwarded-For": STAFF,
    "X-Real-IP": STAFF,
    "X-Client-IP": STAFF,
    "True-Client-IP": STAFF,
    "CF-Connecting-IP": STAFF,
    "Forwarded": f"for={STAFF};host={EVIL};proto=https",
    "X-Original-URL": "/admin/",
    "X-Rewrite-URL": "/admin/",
    "X_Forwarded_For": STAFF,
    "X-HTTP-Method-Override": "DELETE",
}
# Header values that a server would decode by itself, and stumble over.
BROKEN = {"Daphne-Root-Path": "\xe4%ff%0d%0a"}
HOUSE = """
import json
from django.contrib.auth.models import User
from allauth.account.models import EmailAddress
from games.services.nights import membership
from games.services.people import players
for n in range(40):
    user = User.objects.create_user(f"user{n}", f"user{n}@example.org", "battery staple 7")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
hanna = players.new_guest("Hanna")
night = membership.host_night(hanna, "Thursday")
for n in range(3):
    membership.host_night(hanna, "Night")
from games.ops.session_keys import SessionStore
session = SessionStore(); session["player_id"] = hanna.pk; session.create()
print(json.dumps({
    "tv": f"/tv/{night.public_id}/{night.token('tv')}/", "night": f"/night/{night.public_id}/",
    "socket": f"/ws/night/{night.public_id}/", "cookie": f"sessionid={session.session_key}",
}))
"""


@pytest.fixture(scope="module", params=share_of_day(list(KINDS), 2))
def server(request, tmp_path_factory) -> Iterator[Server]:
    found = started(
        request.param, tmp_path_factory.mktemp("claims"), PUBLIC_URL="", ADMIN_NETWORKS=STAFF, EMAIL_URL="console:"
    )
    yield found
    found.stop()


@pytest.fixture(scope="module")
def house(server) -> dict:
    return told(server, HOUSE)


def mails(server: Server, since: int) -> list[str]:
    return re.findall(r"(?s)Content-Type: text/plain.*?-{20}", server.output()[since:])


@pytest.mark.parametrize("email", ["user{n}@example.org", "nobody{n}@example.org"])
def test_no_header_changes_where_a_mail_leads(server, house, email):
    """A known address gets a link for a new password, an unknown one an invitation to sign up."""
    before, own = len(server.output()), f"http://127.0.0.1:{server.port}/account/"
    for number, names in enumerate((["Daphne-Root-Path"], ["X-Forwarded-Host"], ["Script-Name"], list(CLAIMS))):
        lines = [f"{name}: {CLAIMS[name]}" for name in names]
        answer = form(server, "/account/password/reset/", f"email={email.format(n=number)}", *lines)
        assert answer.status == 302, (names, answer.head)
        assert EVIL not in answer.all
    found = mails(server, before)
    assert len(found) == 4
    for mail in found:
        assert EVIL not in mail
        for link in re.findall(r"https?://\S+", mail):
            assert link.startswith(own), link


@pytest.mark.parametrize("name", CLAIMS)
def test_no_header_changes_a_link_a_qr_code_or_a_redirect(server, house, name):
    plain = asked(server, house["tv"])
    assert plain.status == 200
    claimed = asked(server, house["tv"], f"{name}: {CLAIMS[name]}")
    drawn, plainly = (re.findall(r"<svg.*?</svg>|https?://[^\s\"<]+", page.body) for page in (claimed, plain))
    assert drawn == plainly
    assert EVIL not in claimed.all
    onward = asked(server, "/join/", f"{name}: {CLAIMS[name]}")
    assert re.search(r"(?im)^location: (\S+)", onward.head)[1] == "/"
    bare = asked(server, house["night"].rstrip("/"), f"{name}: {CLAIMS[name]}")
    assert re.search(r"(?im)^location: (\S+)", bare.head)[1] == house["night"]


@pytest.mark.parametrize("name", CLAIMS)
def test_no_header_changes_a_link_of_the_api(server, house, name):
    page = asked(server, "/api/nights/?page_size=1", f"{name}: {CLAIMS[name]}", f"Cookie: {house['cookie']}")
    assert page.status == 200, page.all
    assert EVIL not in page.all
    links = re.findall(r"https?://[^\s\"]+", page.body)
    assert links
    for link in links:
        assert link.startswith(f"http://127.0.0.1:{server.port}/"), link


@pytest.mark.parametrize("name", CLAIMS)
def test_no_header_changes_whose_address_it_is(server, house, name):
    assert asked(server, "/admin/login/", f"{name}: {CLAIMS[name]}").status == 404


@pytest.mark.parametrize("name", CLAIMS)
def test_no_header_opens_a_socket_to_a_foreign_page(server, house, name):
    found = line(server, house["socket"], house["cookie"], f"{name}: {CLAIMS[name]}", host=EVIL)
    assert opened(found) == 403
    found.close()


def test_a_value_that_cannot_be_decoded_is_no_fault_of_ours(server, house):
    for name, value in BROKEN.items():
        assert asked(server, "/", f"{name}: {value}").status in (200, 400)
    assert "Traceback" not in server.output()


@pytest.mark.parametrize("target", [f"http://{EVIL}", f"https://{EVIL}:8000", f"http://user@{EVIL}", f"ftp://{EVIL}"])
def test_a_target_that_names_another_house_is_refused(server, house, target):
    for path in (house["tv"], house["night"].rstrip("/")):
        answer = asked(server, f"{target}{path}")
        assert EVIL not in answer.all
        assert answer.status == 400


def test_a_target_that_names_the_house_is_served(server, house):
    assert asked(server, f"{server.url}{house['tv']}").status == 200


@pytest.mark.parametrize("target", ["*", f"{EVIL}:443", f"//{EVIL}/join", "/\\evil.example/.."])
def test_a_target_that_is_no_path_leads_nowhere(server, house, target):
    answer = asked(server, target)
    assert answer.status in (400, 404)
    assert f"ocation: //{EVIL}" not in answer.head and f"ocation: http://{EVIL}" not in answer.head


@pytest.mark.parametrize("path", ["tv", "night", "/", "/metrics", "/admin/login/", "/api/games/"])
def test_a_foreign_host_reaches_nothing(server, house, path):
    """A page of elsewhere whose name was made to lead here would read it all."""
    path = house.get(path, path)
    for host in (EVIL, f"{EVIL}:{server.port}", f"127.0.0.1.{EVIL}", f"localhost.{EVIL}", "192.168.255.9"):
        answer = asked(server, path, host=host)
        assert answer.status in (400, 403, 404), (path, host)
        assert EVIL not in answer.all
    doubled = asked(server, path, f"Host: {EVIL}")
    assert doubled.status in (400, 403, 404)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:{port}", "LOCALHOST", "[::1]:{port}"])
def test_the_houses_own_names_are_answered(server, house, host):
    assert asked(server, "/", host=host.format(port=server.port)).status == 200
    assert asked(server, "/metrics", host=host.format(port=server.port)).status == 200


def test_monitors_may_ask_for_life_and_readiness_under_any_name(server, house):
    assert asked(server, "/healthz", host=EVIL).status == 200
    assert asked(server, "/readyz", host=EVIL).status in (200, 503)


@pytest.mark.parametrize("kind", KINDS)
def test_a_proxy_that_is_named_tells_address_and_scheme(kind, tmp_path):
    server = started(kind, tmp_path, PUBLIC_URL="https://games.example.org", BEHIND_TLS="1", ADMIN_NETWORKS=STAFF)
    try:
        secure = ("X-Forwarded-Proto: https", f"X-Forwarded-For: 10.9.9.9, {STAFF}")
        ours = {"host": "games.example.org"}
        assert asked(server, "/admin/login/", *secure, **ours).status in (200, 302)
        forged = (secure[0], f"X-Forwarded-For: {STAFF}, 198.51.100.9")
        assert asked(server, "/admin/login/", *forged, **ours).status == 404
        plain = asked(server, "/rules/", f"X-Forwarded-Host: {EVIL}", **ours)
        assert re.search(r"(?im)^location: (\S+)", plain.head)[1] == "https://games.example.org/rules/"
        assert asked(server, "/rules/", *secure, host=EVIL).status in (301, 400)
        assert EVIL not in asked(server, "/rules/", host=EVIL).all
        strict = re.search(r"(?im)^strict-transport-security: (.*)", asked(server, "/rules/", *secure, **ours).head)
        assert strict is not None and strict[1].strip() == "max-age=31536000"
    finally:
        server.stop()
