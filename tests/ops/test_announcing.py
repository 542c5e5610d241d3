"""The house's name in the LAN: one for each house, kept over restarts, and withdrawn at the end; without multicast."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from games import addresses, interfaces
from games.management import announcing, lan
from games.models import Night, Player
from games.ops import environment
from tests.web.pages import browser_of, night_do, night_page

HERE, THERE = "192.168.1.20", "192.168.1.30"


class Lan:
    """A network in which everybody hears everybody: name → addresses."""

    def __init__(self) -> None:
        self.names: dict[str, tuple[str, ...]] = {}


class Card:
    """A house's connection to a fake network, in place of `announcing.Mdns`."""

    def __init__(self, network: Lan) -> None:
        self.network, self.own = network, ""

    def is_taken(self, name: str, addresses: Sequence[str]) -> bool:
        return name in self.network.names

    def announce(self, name: str, addresses: Sequence[str], port: int) -> None:
        self.own, self.network.names[name] = name, tuple(addresses)

    def withdraw(self) -> None:
        self.network.names.pop(self.own, None)


class House:
    """A house with a data folder of its own; `settings.DATA_DIR` is that of whoever is asked."""

    def __init__(self, settings: Any, folder: Path, network: Lan) -> None:
        self.settings, self.folder, self.network = settings, folder, network
        folder.mkdir()
        self.start()

    def start(self) -> None:
        self.announcer = announcing.Announcer(Card(self.network), "stammtisch", 8000)

    def renew(self, *found: str) -> str:
        self.settings.DATA_DIR = self.folder
        return self.announcer.renew(found)

    def end(self) -> None:
        self.settings.DATA_DIR = self.folder
        self.announcer.end()


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(interfaces, "SECONDS", 0.0)
    monkeypatch.setattr(interfaces, "_listening", None)
    yield
    interfaces.forget()


def test_a_second_house_in_the_lan_gets_another_name_and_each_keeps_its_own(settings: Any, tmp_path: Path) -> None:
    network = Lan()
    first, second = (House(settings, tmp_path / name, network) for name in ("first", "second"))
    assert first.renew(HERE) == "stammtisch.local"
    assert second.renew(THERE) == "stammtisch-2.local"
    assert network.names == {"stammtisch.local": (HERE,), "stammtisch-2.local": (THERE,)}
    first.end()
    second.end()
    assert network.names == {}
    # Another day the other one is opened first.
    second.start()
    first.start()
    assert second.renew(THERE) == "stammtisch-2.local"
    assert first.renew(HERE) == "stammtisch.local"


def test_an_announcement_follows_the_addresses_and_is_not_repeated(settings: Any, tmp_path: Path) -> None:
    network = Lan()
    house = House(settings, tmp_path / "one", network)
    assert house.renew() == "" and network.names == {}
    assert house.renew(HERE) == "stammtisch.local"
    assert house.renew(HERE) == ""
    assert house.renew(THERE) == "stammtisch.local"
    assert network.names == {"stammtisch.local": (THERE,)}
    assert house.renew() == "" and network.names == {} and interfaces.announced_name() == ""


def test_a_network_without_multicast_keeps_nobody_from_playing(
    settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(settings, tmp_path / "one", Lan())

    def refuse(*_: Any) -> bool:
        raise OSError("no multicast here")

    monkeypatch.setattr(Card, "is_taken", refuse)
    assert house.renew(HERE) == ""
    assert "component=announcing event=failed" in caplog.text
    assert interfaces.announced_name() == ""


def test_the_announced_name_is_a_host_of_the_house_and_no_other_is(settings: Any, tmp_path: Path) -> None:
    settings.ALLOWED_HOSTS = []
    house = House(settings, tmp_path / "one", Lan())
    assert not addresses.is_ours("stammtisch.local:8000", HERE)
    house.renew(HERE)
    assert addresses.is_ours("stammtisch.local:8000", HERE)
    assert not addresses.is_ours("stammtisch-2.local:8000", HERE)
    house.end()
    assert not addresses.is_ours("stammtisch.local:8000", HERE)


@pytest.mark.django_db
def test_the_name_stands_beside_the_number_and_can_be_chosen_for_the_codes(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, night: Night, host: Player
) -> None:
    settings.PUBLIC_URL = ""
    monkeypatch.setattr(interfaces, "read", lambda: ([("wlan0", HERE)], HERE))
    interfaces.forget()
    interfaces.listen_at("")
    House(settings, tmp_path / "one", Lan()).renew(HERE)
    browser = browser_of(host)
    asked = {"SERVER_NAME": HERE, "SERVER_PORT": "8000"}
    page = browser.get(night_page(night), **asked).content.decode()
    assert "<b>stammtisch.local:8000</b>" in page
    assert f'value="http://{HERE}:8000/j/' in page
    screen = Client().get(f"/tv/{night.public_id}/{night.token('tv')}/", **asked).content.decode()
    assert "stammtisch.local:8000" in screen.replace("<wbr>", "")
    browser.post(night_do(night, "phone_address"), {"phone_address": "stammtisch.local"})
    assert re.search(
        r'value="http://stammtisch\.local:8000/j/', browser.get(night_page(night), **asked).content.decode()
    )


def test_the_watch_announces_where_phones_are_and_says_so(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR, network = tmp_path, Lan()
    monkeypatch.setattr(interfaces, "SECONDS", 0.0)
    interfaces.listen_at("")
    told: list[tuple[str, str]] = []
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(interfaces, "read", lambda: (found, ""))
    announcer = announcing.Announcer(Card(network), "stammtisch", 8000)
    watch = lan.Watch(8000, lambda words, url: told.append((words, url)), announcer)
    watch.look()
    assert told == []
    # A Raspberry Pi is on before its Wi-Fi is; a VPN is no place for phones.
    found += [("wg0", "10.8.0.2"), ("wlan0", HERE)]
    watch.look()
    watch.look()
    assert [url for _, url in told] == [f"http://{HERE}:8000", "http://stammtisch.local:8000"]
    assert network.names == {"stammtisch.local": (HERE,)}
    found[1] = ("wlan0", THERE)
    watch.look()
    assert network.names == {"stammtisch.local": (THERE,)}


@pytest.mark.parametrize(("text", "name"), [("Pub", "pub"), ("zum-adler.local", "zum-adler"), ("off", "")])
def test_another_name_or_none_is_a_setting(text: str, name: str) -> None:
    assert environment.lan_name(text) == name


@pytest.mark.parametrize("text", ["zum adler", "-x", "a" * 41, "wirtshaus.example"])
def test_what_is_no_name_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(environment.Unusable, match="LAN_NAME"):
        environment.lan_name(text)


def test_no_test_sends_multicast(settings: Any) -> None:
    assert settings.LAN_NAME == ""
    assert os.environ["LAN_NAME"] == "off", "servers that tests start have it from here"
