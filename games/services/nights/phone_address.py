"""The address to which a night's links and QR codes lead phones: found by itself, or chosen by the host.

By itself it is the address at which the host's own connection has arrived, if phones can use it, else the best one of
this computer (games/interfaces.py). A connection's address is the system's word; no header of a browser counts.
"""

from __future__ import annotations

from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import interfaces
from games.kernel.contract import Illegal
from games.models import Night, Player
from games.services.acts import LogLine
from games.services.arguments import Typed
from games.services.nights import membership
from games.services.nights.events import record
from games.services.nights.registry import NIGHT, NightRight

_SECONDS = 24 * 3600


def of(night: Night, arrived: str) -> str:
    """Return the address for a night's links, where a request has arrived at `arrived`; "" where nothing is known."""
    of_host = cache.get(_key(night), "")
    return interfaces.for_phones([of_host, arrived], night.phone_address)


def note_host(night: Night, arrived: str) -> None:
    """Note the address at which the host's connection has arrived."""
    if interfaces.reachable() and cache.get(_key(night)) != arrived:
        cache.set(_key(night), arrived, _SECONDS)


def _key(night: Night) -> str:
    return f"host_arrived:{night.pk}"


def is_gone(night: Night) -> bool:
    """Tell whether this computer has the address no longer that the host chose."""
    return bool(night.phone_address and interfaces.reachable()) and night.phone_address not in choices()


def choices() -> list[str]:
    """Return the addresses among which a host may choose: this computer's, and its name in the LAN."""
    name = interfaces.announced_name()
    return [*(each.text for each in interfaces.reachable()), *([name] if name else [])]


@NIGHT.act(
    "phone_address",
    NightRight.HOST,
    LogLine("phone_address_changed", _("The host said to which address phones go.")),
    label=_("Address for phones"),
    yes=_("Save"),
    done=_("Saved."),
)
@transaction.atomic
def choose(night: Night, host: Player, phone_address: Typed) -> None:
    """Let links lead to one of this computer's addresses; "" for the one that is found by itself.

    Raises `not_host`, `night_closed`, `phone_address`.
    """
    if phone_address and phone_address not in choices():
        raise Illegal("phone_address")
    membership.change(night, host, phone_address=phone_address)
    record(night, "phone_address_changed")
