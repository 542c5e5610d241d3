"""The Wi-Fi of a series, with which its nights begin; its password is encrypted, with a key outside of the backups."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from games.kernel.contract import Illegal
from games.models import Night, Series
from games.services import sealing
from games.services.nights.membership import checked_wifi

FOLDER = "wifi-keys"
"""The folder of the keys in the data folder, one a series."""
MAKING = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network for guests' phones; without a name it is none, without a password it is open."""

    name: str = ""
    password: str = ""


def of_series(series: Series) -> Wifi:
    """Return the Wi-Fi of a series; none where its password cannot be read (`is_lost`)."""
    if not series.wifi_sealed:
        return Wifi(series.wifi_name)
    password = sealing.opened(FOLDER, series.public_id, bytes(series.wifi_sealed))
    return Wifi() if password is None else Wifi(series.wifi_name, password)


def of_night(night: Night) -> Wifi:
    """Return the Wi-Fi of a night."""
    return Wifi(night.wifi_name, night.wifi_password)


def is_lost(series: Series) -> bool:
    """Tell whether the password's key is gone, as in a house that was restored from a backup."""
    return bool(series.wifi_name) and not of_series(series).name


def said(before: Wifi, name: str | None, password: str | None) -> Wifi:
    """Return the Wi-Fi that a draft says; None is what there was before. Raises `wifi_name`, `wifi_password`."""
    checked = checked_wifi(
        before.name if name is None else name,
        before.password if password is None else password,
    )
    return Wifi(checked["wifi_name"], checked["wifi_password"])


def put(series: Series, wifi: Wifi) -> None:
    """Set the fields of a series that is still to be saved; raises `no_wifi_key` if the key cannot be written."""
    if wifi == of_series(series) and not is_lost(series):
        return
    series.wifi_name, series.wifi_sealed = wifi.name, b""
    if not wifi.password:
        return
    try:
        series.wifi_sealed = sealing.seal(FOLDER, series.public_id, wifi.password)
    except OSError:
        raise Illegal("no_wifi_key") from None


def begin(series: Series, night: Night) -> None:
    """Give a night that was opened on a date the Wi-Fi of its series."""
    wifi = of_series(series)
    if wifi.name:
        night.wifi_name, night.wifi_password = wifi.name, wifi.password
        night.save(update_fields=["wifi_name", "wifi_password"])


def throw_away(now: datetime) -> int:
    """Delete the keys of series that are gone; return how many. That of a series in the making is new."""
    found = sealing.names(FOLDER, made_before=now - MAKING)
    gone = found - set(Series.objects.filter(public_id__in=found).values_list("public_id", flat=True))
    sealing.throw_away(FOLDER, gone)
    return len(gone)
