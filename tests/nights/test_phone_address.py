"""Where links and QR codes lead phones: by this computer's networks, the host's connection, or the host's choice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from games import interfaces
from games.interfaces import NetworkKind
from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.nights import phone_address
from tests.web.pages import browser_of, night_do, night_page

WIFI, VPN, BRIDGE = ("wlan0", "192.168.1.20"), ("wg0", "10.8.0.2"), ("docker0", "172.17.0.1")
Networks = Callable[..., None]


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Networks]:
    """A computer under `serve` whose interfaces and default route a test names."""

    def make(*found: tuple[str, str], default: str = "", host: str = "0.0.0.0") -> None:
        monkeypatch.setattr(interfaces, "read", lambda: (list(found), default))
        interfaces.forget()
        interfaces.listen_at(host)

    settings.PUBLIC_URL = ""
    cache.clear()
    monkeypatch.setattr(interfaces, "_listening", None)
    yield make
    interfaces.forget()


def texts() -> list[str]:
    return [each.text for each in interfaces.addresses()]


def link(client: Client, night: Night, **meta: Any) -> str:
    page = client.get(night_page(night), **meta).content.decode()
    return re.search(r'id="join-url"[^>]*value="http://([^/"]+)', page)[1]


@pytest.mark.parametrize(
    ("name", "address", "kind"),
    [
        ("wlp2s0", "192.168.1.20", NetworkKind.WIFI),
        ("Wi-Fi", "192.168.1.20", NetworkKind.WIFI),
        ("enp3s0", "10.0.0.4", NetworkKind.CABLE),
        ("br0", "192.168.1.20", NetworkKind.CABLE),
        ("eth0", "93.184.216.34", NetworkKind.PUBLIC),
        ("tailscale0", "100.101.102.103", NetworkKind.VPN),
        ("en0", "100.101.102.103", NetworkKind.VPN),
        ("utun3", "10.8.0.2", NetworkKind.VPN),
        ("br-0a1b2c3d4e5f", "172.18.0.1", NetworkKind.BRIDGE),
        ("vEthernet (WSL)", "172.20.0.1", NetworkKind.BRIDGE),
        ("wlan0", "169.254.3.4", NetworkKind.SELF_MADE),
    ],
)
def test_an_address_is_of_the_kind_of_its_interface_and_network(name: str, address: str, kind: NetworkKind) -> None:
    assert interfaces.kind_of(name, address) == kind


def test_the_wifi_is_named_before_a_vpn_with_the_default_route(networks: Networks) -> None:
    networks(("lo", "127.0.0.1"), BRIDGE, VPN, WIFI, default=VPN[1])
    assert texts() == ["192.168.1.20", "10.8.0.2", "172.17.0.1"]


def test_of_two_networks_of_one_kind_that_of_the_default_route_is_first(networks: Networks) -> None:
    networks(("eth0", "10.0.0.4"), ("eth1", "10.0.1.4"), default="10.0.1.4")
    assert texts() == ["10.0.1.4", "10.0.0.4"]


def test_a_hotspot_of_ones_own_without_a_default_route_is_a_network(networks: Networks) -> None:
    networks(("ap0", "10.42.0.1"))
    assert interfaces.for_phones([]) == "10.42.0.1"


def test_a_system_that_tells_nothing_of_its_interfaces_is_asked_for_the_default_route(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> Any:
        raise OSError("address family not supported")

    monkeypatch.setattr(interfaces.ifaddr, "get_adapters", refuse)
    monkeypatch.setattr(interfaces, "_default", lambda: "192.168.1.20")
    assert interfaces.read() == ([("", "192.168.1.20")], "192.168.1.20")


@pytest.mark.django_db
def test_a_link_goes_where_the_hosts_connection_arrived_and_to_no_host_header(
    networks: Networks, night: Night, host: Player, guest: Callable[..., Player]
) -> None:
    networks(WIFI, ("eth0", "10.0.0.4"), VPN, default=VPN[1])
    kari, boss = browser_of(guest("Kari")), browser_of(host)
    assert link(kari, night, SERVER_NAME="127.0.0.1") == WIFI[1]
    assert link(boss, night, SERVER_NAME="10.0.0.4", SERVER_PORT="8000", HTTP_HOST="localhost") == "10.0.0.4:8000"
    assert link(kari, night, SERVER_NAME="127.0.0.1") == "10.0.0.4", "the host's connection counts for everybody"
    tv = Client().get(f"/tv/{night.public_id}/{night.token('tv')}/", SERVER_NAME="127.0.0.1").content.decode()
    assert "10.0.0.4" in tv
    assert link(boss, night, SERVER_NAME=VPN[1]) == WIFI[1], "phones are in no VPN"


@pytest.mark.django_db
def test_links_follow_the_networks_while_the_house_is_open(networks: Networks, night: Night, host: Player) -> None:
    browser = browser_of(host)
    networks()
    assert link(browser, night, SERVER_NAME="127.0.0.1") == "127.0.0.1"
    networks(WIFI)
    assert link(browser, night, SERVER_NAME="127.0.0.1") == WIFI[1]
    networks(("wlan0", "192.168.7.9"))
    assert link(browser, night, SERVER_NAME="127.0.0.1") == "192.168.7.9"


@pytest.mark.django_db
def test_the_host_chooses_an_address_and_is_told_when_it_has_gone(
    networks: Networks, night: Night, host: Player, guest: Callable[..., Player]
) -> None:
    networks(WIFI, VPN)
    browser, member = browser_of(host), browser_of(guest("Kari"))
    assert "10.8.0.2 (VPN" in browser.get(night_page(night)).content.decode()
    browser.post(night_do(night, "phone_address"), {"phone_address": VPN[1]})
    assert link(browser, night, SERVER_NAME=WIFI[1]) == VPN[1]
    assert link(member, night, SERVER_NAME=WIFI[1]) == VPN[1]
    networks(WIFI)
    page = browser.get(night_page(night), SERVER_NAME="127.0.0.1").content.decode()
    assert "does not have" in page and VPN[1] in page
    assert "does not have" not in member.get(night_page(night)).content.decode()
    assert link(browser, night, SERVER_NAME="127.0.0.1") == WIFI[1]
    browser.post(night_do(night, "phone_address"), {"phone_address": ""})
    assert "does not have" not in browser.get(night_page(night)).content.decode()


@pytest.mark.django_db
def test_no_address_of_another_computer_is_chosen(networks: Networks, night: Night, host: Player) -> None:
    networks(WIFI)
    for address in ("192.168.1.99", "evil.example", "127.0.0.1"):
        with pytest.raises(Illegal, match="phone_address"):
            phone_address.choose(night, host, address)


@pytest.mark.django_db
def test_where_the_house_has_a_name_or_one_address_there_is_no_choice(
    networks: Networks, night: Night, host: Player, settings: Any
) -> None:
    networks(WIFI)
    assert 'id="phone-address"' not in browser_of(host).get(night_page(night)).content.decode()
    networks(WIFI, VPN)
    settings.PUBLIC_URL = "https://games.example.org"
    assert 'id="phone-address"' not in browser_of(host).get(night_page(night)).content.decode()


def test_a_server_that_listens_at_one_address_leads_there(networks: Networks) -> None:
    networks(WIFI, ("eth0", "10.0.0.4"), host="10.0.0.4")
    assert interfaces.for_phones([WIFI[1]]) == "10.0.0.4"
    networks(WIFI, host="127.0.0.1")
    assert interfaces.for_phones(["127.0.0.1"]) == ""
