"""The Wi-Fi for guests: its code stands beside the night's, for members and screens, until the end of the night."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import Night
from games.services import sealing
from games.services.nights import membership, wifi
from games.web import links
from tests.web.pages import browser_of, night_do, night_page

pytestmark = pytest.mark.django_db


def test_the_hosts_wifi_is_a_qr_code_on_the_page_of_the_night_and_on_the_tv(night, host, guest):
    browser, member = browser_of(host), browser_of(guest("Kari"))
    browser.post(night_do(night, "wifi"), {"wifi_name": "Pub; guests", "wifi_password": 'a "b": c,d'})
    for client in (browser, member):
        page = client.get(night_page(night)).content.decode()
        assert "Pub; guests" in page and page.count('class="qr"') == 2
    screen = Client().get(f"/tv/{night.public_id}/{night.token('tv')}/").content.decode()
    assert "Pub; guests" in screen
    assert "The host said which Wi-Fi" in browser.get(night_page(night)).content.decode()


@pytest.mark.parametrize("password", ["short", "x" * 64, "pässword1", "tab\tbed12"])
def test_a_password_that_no_phone_would_take_is_refused_with_a_sentence(night, host, password):
    browser = browser_of(host)
    answer = browser.post(night_do(night, "wifi"), {"wifi_name": "Pub", "wifi_password": password}, follow=True)
    assert "8 to 63" in answer.content.decode()
    night.refresh_from_db()
    assert (night.wifi_name, bytes(night.wifi_sealed)) == ("", b"")


@pytest.mark.parametrize("name", ["ö" * 17, "line\nbreak"])
def test_a_name_that_is_none_is_refused(night, host, name):
    with pytest.raises(Illegal, match="wifi_name"):
        wifi.set_of_night(night, host, name, "")


def test_only_the_host_says_which_and_strangers_see_nothing_of_it(night, host, guest):
    kari = guest("Kari")
    with pytest.raises(Illegal, match="not_host"):
        wifi.set_of_night(night, kari, "Evil twin", "")
    wifi.set_of_night(night, host, "Pub", "password123")
    assert b"Pub" not in Client().get("/").content
    assert Client().get(night_page(night)).status_code == 403


def test_the_password_goes_with_the_end_of_the_night(night, host):
    wifi.set_of_night(night, host, "Pub", "password123")
    membership.close(night, host)
    night.refresh_from_db()
    assert (night.wifi_name, bytes(night.wifi_sealed)) == ("", b"")


def test_an_open_network_has_a_code_and_none_has_no_code(night):
    assert links.wifi_qr(night) == ""
    night.wifi_name = "Open"
    assert "<svg" in links.wifi_qr(night)


def test_the_database_holds_no_password_that_can_be_read(night, host):
    wifi.set_of_night(night, host, "Pub", "password123")
    assert wifi.of(night) == wifi.Wifi("Pub", "password123")
    assert b"password123" not in bytes(night.wifi_sealed)
    assert "password123" not in str(Night.objects.values().get(pk=night.pk))


def test_a_restored_night_has_no_code_of_a_wifi_and_asks_the_host_for_it_again(night, host, guest):
    wifi.set_of_night(night, host, "Pub", "password123")
    sealing.throw_away(wifi.FOLDER, [night.public_id])
    assert links.wifi_qr(night) == "", "no code of an open network that is none"
    assert "The password of the Wi-Fi Pub can" in browser_of(host).get(night_page(night)).content.decode()
    assert "The password of" not in browser_of(guest("Kari")).get(night_page(night)).content.decode()
    wifi.set_of_night(night, host, "Pub", "password456")
    assert wifi.of(night).password == "password456"


def test_the_key_goes_after_the_night(night, host):
    wifi.set_of_night(night, host, "Pub", "password123")
    later = timezone.now() + timedelta(days=1)
    wifi.throw_away(later)
    assert wifi.of(night).password == "password123"
    membership.close(night, host)
    assert wifi.throw_away(later) == 1
    assert night.public_id not in sealing.names(wifi.FOLDER)


def test_a_key_that_can_not_be_written_is_told_and_nothing_is_kept(night, host, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    (tmp_path / wifi.FOLDER).write_text("a file in the way")
    with pytest.raises(Illegal, match="no_wifi_key"):
        wifi.set_of_night(night, host, "Pub", "password123")
    assert not Night.objects.exclude(wifi_name="").exists()


def test_a_password_of_the_version_before_is_read_and_then_sealed(night, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    wifi.set_of_night(night, night.host, "Pub", "sealed before")
    # As 1.0.0 writes it, which knows of nothing sealed.
    Night.objects.update(wifi_name="Pub", wifi_password="of tonight")
    for left in (1, 0):
        assert wifi.of(Night.objects.get()) == wifi.Wifi("Pub", "of tonight")
        assert wifi.seal_left(timezone.now()) == left
        assert Night.objects.get().wifi_password == ""
    Night.objects.update(wifi_password="of tonight")
    night = Night.objects.get()
    wifi.set_of_night(night, night.host, "Pub", "")
    assert wifi.of(Night.objects.get()) == wifi.Wifi("Pub")
    Night.objects.update(wifi_password="of tonight")
    membership.close(Night.objects.get(), night.host)
    assert Night.objects.get().wifi_password == ""
