"""The Wi-Fi of a night, and of a series whose nights begin with it; passwords are encrypted.

Each holder has a key of its own, outside of the backups (`sealing`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import Night, Player, Series
from games.services import row_locks, sealing
from games.services.acts import LogLine
from games.services.arguments import Typed
from games.services.nights import membership, night_rights
from games.services.nights.events import record
from games.services.nights.registry import NIGHT, NightRight

FOLDER = "wifi-keys"
"""The folder of the keys in the data folder, one a series or night."""
MAKING = timedelta(hours=1)

Holder: TypeAlias = Night | Series


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network for guests' phones; without a name it is none, without a password it is open."""

    name: str = ""
    password: str = ""


def of(holder: Holder) -> Wifi:
    """Return the Wi-Fi of a night or series; none where its password cannot be read (`is_lost`)."""
    if isinstance(holder, Night) and holder.wifi_password:
        # As 1.0.0 wrote it, which may play on beside this version.
        return Wifi(holder.wifi_name, holder.wifi_password)
    if not holder.wifi_sealed:
        return Wifi(holder.wifi_name)
    password = sealing.opened(FOLDER, holder.public_id, bytes(holder.wifi_sealed))
    return Wifi() if password is None else Wifi(holder.wifi_name, password)


def is_lost(holder: Holder) -> bool:
    """Tell whether the password's key is gone, as in a house that was restored from a backup."""
    return bool(holder.wifi_name) and not of(holder).name


def checked(name: str, password: str) -> Wifi:
    """Return a Wi-Fi as somebody typed it; an empty name is none.

    IEEE 802.11: a name has 1 to 32 bytes, a WPA passphrase 8 to 63 ASCII characters, an open network none. Raises
    `wifi_name`, `wifi_password`.
    """
    name = name.strip()
    if len(name.encode("utf-8", "surrogatepass")) > 32 or not name.isprintable():
        raise Illegal("wifi_name")
    is_passphrase = 8 <= len(password) <= 63 and password.isascii() and password.isprintable()
    if password and not (name and is_passphrase):
        raise Illegal("wifi_password")
    return Wifi(name, password)


def said(before: Wifi, name: str | None, password: str | None) -> Wifi:
    """Return the Wi-Fi that a draft says; None is what there was before. Raises as `checked`."""
    return checked(before.name if name is None else name, before.password if password is None else password)


def put(holder: Holder, wifi: Wifi) -> None:
    """Set the fields of a row that is still to be saved; raises `no_wifi_key` if the key cannot be written."""
    is_plain = isinstance(holder, Night) and bool(holder.wifi_password)
    if wifi == of(holder) and not is_lost(holder) and not is_plain:
        return
    holder.wifi_name, holder.wifi_sealed = wifi.name, b""
    if isinstance(holder, Night):
        holder.wifi_password = ""
    if not wifi.password:
        return
    try:
        holder.wifi_sealed = sealing.seal(FOLDER, holder.public_id, wifi.password)
    except OSError:
        raise Illegal("no_wifi_key") from None


@NIGHT.act(
    "wifi",
    NightRight.HOST,
    LogLine("wifi_changed", _("The host said which Wi-Fi phones can use.")),
    label=_("Wi-Fi for guests"),
    yes=_("Save"),
    done=_("Saved."),
)
@transaction.atomic
def set_of_night(night: Night, host: Player, wifi_name: Typed, wifi_password: Typed) -> None:
    """Set the Wi-Fi of a night; an empty name removes it.

    Raises as `checked`, `put`, and `not_host`, `night_closed`.
    """
    wifi = checked(wifi_name, wifi_password)
    night_rights.check_host(row_locks.night(night), host)
    put(night, wifi)
    fields = ("wifi_name", "wifi_sealed", "wifi_password")
    membership.change(night, host, **{field: getattr(night, field) for field in fields})
    record(night, "wifi_changed")


def seal_left(now: datetime) -> int:
    """Seal the passwords that 1.0.0 has left in the database as they are; return how many."""
    found = list(Night.objects.exclude(wifi_password=""))
    for each in found:
        with transaction.atomic():
            night = row_locks.night(each)
            put(night, of(night))
            night.save(update_fields=["wifi_name", "wifi_sealed", "wifi_password"])
    return len(found)


def throw_away(now: datetime) -> int:
    """Delete the keys of closed nights and of series that are gone; return how many.

    That of a series or night in the making is new.
    """
    found = sealing.names(FOLDER, made_before=now - MAKING)
    nights = Night.objects.filter(public_id__in=found).exclude(status=Night.Status.CLOSED)
    kept = {*Series.objects.filter(public_id__in=found).values_list("public_id", flat=True)}
    gone = found - kept - {*nights.values_list("public_id", flat=True)}
    sealing.throw_away(FOLDER, gone)
    return len(gone)
