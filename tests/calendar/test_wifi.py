"""The Wi-Fi password of a series: encrypted in the database, in no backup, and gone with the series."""

from __future__ import annotations

import os
import tarfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import reverse
from django.utils import timezone

from games.kernel.contract import Illegal
from games.management.backups import archive
from games.models import Night, Player, Series, SeriesDate
from games.models.night import today
from games.services.calendar import all_series, dates
from games.services.nights import wifi
from games.services.nights.wifi import FOLDER, Wifi
from tests.calendar.conftest import draft
from tests.seasons.test_pages import browser

NETWORK = Wifi("Lamb", "a good password")
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / FOLDER


@pytest.fixture
def made(olga: Player) -> Series:
    return all_series.create(olga, draft(wifi_name=NETWORK.name, wifi_password=NETWORK.password))


def test_the_database_and_a_backup_hold_no_password_that_can_be_read(made: Series, folder: Path) -> None:
    (key,) = folder.iterdir()
    assert key.stat().st_mode & 0o077 == 0
    row = str(Series.objects.values().get(pk=made.pk)) + str(bytes(made.wifi_sealed))
    assert NETWORK.password not in row
    assert wifi.of(made) == NETWORK
    (folder.parent / "secret_key").write_text("x")
    with tarfile.open(archive._packed(folder.parent, [])) as tar:
        assert set(tar.getnames()) == {"secret_key", "backup.json"}, "a backup takes no key of a series"


def test_a_restored_house_opens_nights_without_the_wifi_and_asks_for_it_again(
    made: Series, olga: Player, folder: Path
) -> None:
    for key in folder.iterdir():
        key.unlink()
    date = made.dates.first()
    SeriesDate.objects.filter(pk=date.pk).update(day=today())
    date.refresh_from_db()
    night = dates.open_night(date, olga, "192.0.2.7")
    assert wifi.of(night) == Wifi(), "no code of an open network that is none"
    change = browser(olga).get(reverse("series_change", args=[made.key]))
    assert f"The password of the Wi-Fi {NETWORK.name} can" in change.content.decode()
    assert (change.context["typed"]["wifi_name"], change.context["typed"]["wifi_password"]) == ("", "")
    all_series.change(made, olga, draft(wifi_name=NETWORK.name, wifi_password="another password"))
    made.refresh_from_db()
    assert wifi.of(made) == Wifi(NETWORK.name, "another password")


def test_a_change_of_something_else_keeps_the_wifi_and_an_empty_password_makes_it_open(
    made: Series, olga: Player
) -> None:
    all_series.change(made, olga, draft(name="Another name"))
    made.refresh_from_db()
    assert wifi.of(made) == NETWORK
    all_series.change(made, olga, draft(wifi_name=NETWORK.name, wifi_password=""))
    made.refresh_from_db()
    assert (wifi.of(made), bytes(made.wifi_sealed)) == (Wifi(NETWORK.name), b"")


def test_a_full_disk_is_told_and_no_series_is_made(olga: Player, folder: Path) -> None:
    folder.write_text("a file in the way")
    with pytest.raises(Illegal, match="no_wifi_key"):
        all_series.create(olga, draft(wifi_name=NETWORK.name, wifi_password=NETWORK.password))
    assert not Series.objects.exists()


def test_the_key_goes_with_the_series_and_one_of_a_series_in_the_making_stays(made: Series, folder: Path) -> None:
    now = timezone.now()
    assert wifi.throw_away(now + timedelta(days=1)) == 0
    made.delete()
    assert wifi.throw_away(now) == 0
    (key,) = folder.iterdir()
    old = (now - timedelta(hours=2)).timestamp()
    os.utime(key, (old, old))
    assert wifi.throw_away(now) == 1
    assert list(folder.iterdir()) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.day(parts=12, turn=5)
def test_an_older_house_has_its_passwords_sealed_and_gets_them_back_when_it_goes_back(folder: Path) -> None:
    before = ("games", "0057_drawn_rounds")
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        MigrationExecutor(connection).migrate([before])
        older = MigrationExecutor(connection).loader.project_state(before).apps
        old, night = (older.get_model("games", name) for name in ("Series", "Night"))
        days = {"weekday": 3, "first_day": today(), "start": "19:30"}
        secret = {"wifi_name": NETWORK.name, "wifi_password": NETWORK.password}
        old.objects.create(name="Club", public_id="one", **secret, **days)
        old.objects.create(name="Open", wifi_name="Open", public_id="two", key="k", feed_key="f", **days)
        host = older.get_model("games", "Player").objects.create(nickname="Olga")
        fields = {"name": "Tonight", "host": host, "public_id": "three", "day": today()}
        night.objects.create(**secret, **fields)
        MigrationExecutor(connection).migrate(latest)
        assert wifi.of(Night.objects.get()) == NETWORK
        assert wifi.seal_left(timezone.now()) == 1
        assert sorted(path.name for path in folder.iterdir()) == ["one.key", "three.key"]
        assert [wifi.of(each) for each in Series.objects.order_by("pk")] == [NETWORK, Wifi("Open")]
        assert wifi.of(Night.objects.get()) == NETWORK
        MigrationExecutor(connection).migrate([before])
        found = list(old.objects.order_by("pk").values_list("wifi_name", "wifi_password"))
        assert found == [(NETWORK.name, NETWORK.password), ("Open", "")]
        assert night.objects.get().wifi_password == NETWORK.password
        night.objects.all().delete()
        host.delete()
        old.objects.all().delete()
    finally:
        MigrationExecutor(connection).migrate(latest)
