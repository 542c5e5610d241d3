"""Apprise, an extra for the staff: its connections pass the guard of webhooks, and the house works without it."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import Player, SeriesDate, Webhook
from games.services.people import deletion
from games.services.webhooks import by_apprise, sending, webhooks
from games.services.webhooks.socket_guard import PLAIN_CONNECT, Guard, guarded
from tests.seasons.test_pages import browser
from tests.seasons.world import account
from tests.webhooks.conftest import PUBLIC, Server
from tests.webhooks.test_addresses import LOOPBACK, NEVER, NUMBERS, PRIVATE

SECRET = "jsons://key:word@hooks.example/club"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not by_apprise.is_installed(), reason="the extra `apprise` is not installed"),
]


@pytest.fixture
def staff(olga: Player) -> Player:
    """Olga, who organises the series, as one of the staff."""
    olga.user.is_staff = True
    olga.user.save()
    return olga


def guard_of(server: Server) -> Guard:
    """Return a guard whose connector leads to the test's server, whatever number was checked."""

    def connect(line: socket.socket, address: Any) -> None:
        server.connected.append(address[0])
        PLAIN_CONNECT(line, ("127.0.0.1", server.port))

    return Guard(server.resolve, connect, frozenset())


def sent(server: Server, address: str, text: str = "The night is open") -> str:
    return by_apprise.code_of(address, text, guard_of(server))


def test_a_message_goes_to_the_checked_address_and_calls_nobody(server: Server) -> None:
    assert sent(server, "json://hooks.example/club", "Olga: 3\n@everyone") == ""
    ((path, _head, body),) = server.got
    assert (path, server.connected) == ("/club", [PUBLIC])
    said = json.loads(body)
    assert (said["message"], said["title"]) == ("Olga: 3\n@\u200beveryone", "")
    assert socket.socket.connect is PLAIN_CONNECT, "the guard goes with the sending"


def test_no_hostile_address_is_connected_to_by_apprise(server: Server) -> None:
    """Each as a number in the address, and as what a name leads to; the guard is the webhooks' own."""
    with guarded(guard_of(server)) as guard:
        for host in [number.strip("[]") for number in NUMBERS]:
            with pytest.raises(OSError, match="webhook_"):
                socket.create_connection((host, 80))
        for ip in (*NEVER, *PRIVATE):
            server.names["hooks.example"] = [[ip]]
            with pytest.raises(OSError, match="webhook_"):
                socket.create_connection(("hooks.example", 80))
            with socket.socket() as line, pytest.raises(OSError, match="webhook_"):
                line.connect((ip, 80))
        with socket.socket(type=socket.SOCK_DGRAM) as line, pytest.raises(OSError, match="webhook_refused"):
            line.sendto(b"x", (PUBLIC, 514))
        with socket.socket(socket.AF_UNIX) as line, pytest.raises(OSError, match="webhook_refused"):
            line.connect("/run/any.sock")
    assert server.connected == []
    assert set(guard.refusals) == {"webhook_address", "webhook_refused", "webhook_private"}


def test_what_a_name_leads_to_a_moment_later_is_refused_and_so_are_redirects(server: Server) -> None:
    server.names["hooks.example"] = [[LOOPBACK[0]], [PUBLIC]]
    assert sent(server, "json://hooks.example/") == "webhook_refused"
    assert server.connected == []
    server.statuses += [307, 307]
    for address in ("json://other.example/", "json://other.example/?redirect=yes"):
        assert sent(server, address) == "apprise_failed"
    assert len(server.got) == 2


def test_an_unknown_service_and_a_failure_have_their_codes(server: Server) -> None:
    assert sent(server, "nonsense://hooks.example/") == "apprise_address"
    server.statuses.append(500)
    assert sent(server, "json://hooks.example/") == "apprise_failed"


def test_a_process_of_its_own_sends_and_its_refusal_stands_on_the_page(staff: Player, date: SeriesDate) -> None:
    hook = webhooks.add(date.series, staff, "json://localhost:9/club", "apprise")
    webhooks.test(hook, staff)
    sending.run(timezone.now())
    hook.refresh_from_db()
    assert (hook.fault, hook.sent_at) == ("webhook_refused", None)
    page = browser(staff).get(reverse("series_webhooks", args=[date.series.key])).content.decode()
    assert "banner error" in page


def test_the_staff_alone_sets_it_up_and_its_address_is_shown_to_nobody(staff: Player, date: SeriesDate) -> None:
    page = reverse("series_webhooks", args=[date.series.key])
    added = browser(staff).post(page, {"address": SECRET, "shape": "apprise"})
    assert added.status_code == 302
    assert Webhook.objects.get().shape == "apprise"
    shown = browser(staff).get(page).content.decode()
    assert "jsons://…" in shown and "word" not in shown
    assert "word@" not in json.dumps(deletion.own_data(staff))
    kari = account("Kari")
    date.series.second = kari
    date.series.save()
    assert '"apprise"' not in browser(kari).get(page).content.decode()
    with pytest.raises(Illegal, match="apprise_staff"):
        webhooks.add(date.series, kari, SECRET, "apprise")


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("hooks.example", "apprise_address"),
        ("json://a b", "apprise_address"),
        ("json://" + "x" * 500, "apprise_address"),
        ("syslog://x", "webhook_refused"),
        ("dbus://x", "webhook_refused"),
    ],
)
def test_what_is_no_address_of_a_service_elsewhere_is_refused(
    staff: Player, date: SeriesDate, address: str, code: str
) -> None:
    with pytest.raises(Illegal, match=code):
        webhooks.add(date.series, staff, address, "apprise")


def test_the_house_works_without_it_and_says_how_to_get_it(
    staff: Player, date: SeriesDate, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = webhooks.add(date.series, staff, SECRET, "apprise")
    monkeypatch.setattr(by_apprise, "is_installed", lambda: False)
    page = reverse("series_webhooks", args=[date.series.key])
    shown = browser(staff).get(page).content.decode()
    assert "pip install stammtisch[apprise]" in shown and 'value="apprise"' not in shown
    assert browser(staff).post(page, {"address": SECRET, "shape": "apprise"}).status_code == 400
    webhooks.test(hook, staff)
    sending.run(timezone.now())
    hook.refresh_from_db()
    assert hook.fault == "apprise_missing"
