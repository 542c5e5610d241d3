"""Where webhooks may lead: two hundred hostile addresses, of which none is connected to."""

from __future__ import annotations

import socket
import threading

import pytest
from django.conf import LazySettings
from hypothesis import given
from hypothesis import strategies as st

from games import refusals
from games.kernel.contract import Illegal
from games.services.webhooks import addresses, posting
from tests.webhooks.conftest import PUBLIC, Server

LOOPBACK = ["127.0.0.1", "127.1.2.3", "127.255.255.254"]
NEVER = [
    *LOOPBACK,
    *("0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.1", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "ff02::1", "fec0::1", "2001:db8::1", "100::1"),
    *("::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", f"::ffff:{PUBLIC}"),
    *("::127.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "::ffff:0:127.0.0.1"),
    *("2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
]
"""What a name may resolve to, and no setting opens."""
PRIVATE = [
    "10.0.0.1",
    "10.255.0.9",
    "172.16.0.1",
    "172.31.255.1",
    "192.168.0.1",
    "192.168.178.20",
    "100.64.0.1",
    "fd00::1",
]
NUMBERS = [
    *(
        "127.0.0.1",
        "127.1",
        "127.0.1",
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "0x7f.0x0.0x0.0x1",
    ),
    *(
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]",
    ),
    *("0", "0.0.0.0", "1.1.1.1", PUBLIC, "10.0.0.1", "3232235777", "0xA9FEA9FE", "169.254.169.254", "127.0.0.1.", "1."),
    *("example.0x7f", "example.1", "127.0.0.0x1", "00000000177.0.0.1", "127.000.000.001", "4294967295", "0x", "999"),
]
ODD = [
    *(
        "user@hooks.example",
        "user:password@hooks.example",
        "hooks.example@127.0.0.1",
        "hooks.example:22",
        "hooks.example:25",
    ),
    *("hooks.example:99999", "hooks.example:x", "hooks.example:-1", "ho oks.example", "hooks.example\\@127.0.0.1", ""),
    *(
        "１２７.0.0.1",
        "127。0。0。1",
        "ⓛocalhost",
        "hooks.exämple",
        "-hooks.example",
        "hooks..example",
        "hooks.example#x@y",
    ),
    *(
        "hooks.example%2f127.0.0.1",
        "%31%32%37.0.0.1",
        "ho\toks.example",
        "hooks.example\r\nHost: x",
        "a" * 254 + ".example",
    ),
]
SCHEMES = [
    *("ftp://hooks.example/", "file:///etc/passwd", "gopher://hooks.example/", "//hooks.example/", "hooks.example"),
    *(
        "javascript:alert(1)",
        "data:text/plain,x",
        "unix:///run/docker.sock",
        "https:/hooks.example",
        "ws://hooks.example/",
    ),
]
HOUSE = [
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "house.example",
    "HOUSE.example.",
    "games.house.example",
]


def hostile() -> list[tuple[str, dict[str, list[list[str]]]]]:
    """Return addresses, and what the resolver says of their names."""
    found: list[tuple[str, dict[str, list[list[str]]]]] = []
    for scheme in ("http", "https"):
        found += [(f"{scheme}://{host}/hook", {}) for host in (*NUMBERS, *ODD, *HOUSE)]
        found += [(f"{scheme}://evil.example/hook", {"evil.example": [[ip]]}) for ip in (*NEVER, *PRIVATE)]
    found += [(address, {}) for address in SCHEMES]
    # A good address beside a bad one, in either order.
    found += [("http://evil.example/", {"evil.example": [[PUBLIC, ip]]}) for ip in LOOPBACK]
    found += [("http://evil.example/", {"evil.example": [[ip, PUBLIC]]}) for ip in LOOPBACK]
    found += [("http://evil.example/", {"evil.example": [[]]}), ("http://evil.example/", {"evil.example": [["x"]]})]
    return found


def test_of_two_hundred_hostile_addresses_none_gets_through(server: Server, settings: LazySettings) -> None:
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "https://house.example", [".games.house.example"]
    cases = hostile()
    assert len(cases) >= 200
    for address, names in cases:
        server.names = names
        with pytest.raises(Illegal) as refused:
            posting.post(address, b"{}", "key", 1, server.network)
        assert refused.value.code.startswith("webhook_"), address
        assert (server.connected, server.got) == ([], []), address


def test_private_networks_are_opened_by_the_admins_setting_alone_and_nothing_else_is(
    server: Server, settings: LazySettings
) -> None:
    for ip in PRIVATE:
        server.names = {"nas.example": [[ip]]}
        settings.WEBHOOKS_PRIVATE = False
        with pytest.raises(Illegal, match="'webhook_private'"):
            posting.post("http://nas.example/", b"{}", "key", 1, server.network)
        settings.WEBHOOKS_PRIVATE = True
        posting.post("http://nas.example/", b"{}", "key", 1, server.network)
    assert server.connected == PRIVATE
    for ip in NEVER:
        server.names = {"evil.example": [[ip]]}
        with pytest.raises(Illegal, match="'webhook_refused'"):
            posting.post("http://evil.example/", b"{}", "key", 1, server.network)
    assert server.connected == PRIVATE


def test_a_name_that_leads_elsewhere_a_moment_later_is_connected_to_where_it_was_checked(server: Server) -> None:
    server.names = {"rebinds.example": [[PUBLIC], ["127.0.0.1"]]}
    posting.post("http://rebinds.example/", b"{}", "key", 1, server.network)
    assert server.connected == [PUBLIC]
    with pytest.raises(Illegal, match="'webhook_refused'"):
        posting.post("http://rebinds.example/", b"{}", "key", 1, server.network)
    assert server.connected == [PUBLIC]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(server: Server, status: int) -> None:
    server.statuses = [status]
    with pytest.raises(Illegal, match="'webhook_status'"):
        posting.post("http://hooks.example/", b"{}", "key", 1, server.network)
    assert len(server.got) == len(server.connected) == 1


def test_this_computers_own_addresses_are_refused_whatever_the_setting(settings: LazySettings) -> None:
    settings.WEBHOOKS_PRIVATE = True
    target = addresses.parse("http://hooks.example/")
    with pytest.raises(Illegal, match="'webhook_refused'"):
        addresses.checked(target, lambda host, port: ["192.168.7.7"], own=["192.168.7.7"])
    assert addresses.checked(target, lambda host, port: ["192.168.7.8"], own=["192.168.7.7"]) == ["192.168.7.8"]
    assert "127.0.0.1" in addresses.own_addresses()


def test_a_refusal_of_a_private_address_names_the_setting() -> None:
    assert "WEBHOOKS_PRIVATE" in refusals.translate("webhook_private", {})


@given(st.text(max_size=60))
def test_any_text_is_an_address_in_parts_or_a_refusal(text: str) -> None:
    for address in (text, f"https://{text}", f"http://{text}/hook"):
        try:
            found = addresses.parse(address)
        except Illegal as refused:
            assert refused.code in ("webhook_address", "webhook_refused")
        else:
            assert found.path.startswith("/")
            assert not set(found.host + found.path) & set("\r\n @")


def test_a_server_that_never_answers_or_says_no_http_is_left(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "SECONDS", 0.2)
    for answer in (b"", b"SSH-2.0-x\r\n", b"HTTP/1.1 abc\r\n", b"x" * 9000):
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]

        def connect(ip: str, port_: int, seconds: float, port: int = port) -> socket.socket:
            return socket.create_connection(("127.0.0.1", port), timeout=seconds)

        served: list[socket.socket] = []

        def serve(
            listener: socket.socket = listener, answer: bytes = answer, served: list[socket.socket] = served
        ) -> None:
            line, _address = listener.accept()
            served.append(line)
            line.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        with pytest.raises(Illegal, match="'webhook_unreachable'"):
            posting.post("http://hooks.example/", b"{}", "key", 1, posting.WaysOut(server.resolve, connect))
        listener.close()
