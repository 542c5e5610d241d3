"""Bank details of a payee for one night: IBAN and name, encrypted, read by those who owe them alone.

The key is the night's own: a file in the data folder that `backup` does not copy, deleted with the details a day after
the end of the night. So a backup holds nothing that anybody can read. Nothing of them is logged, exported or audited.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.models import BankDetails, Night, Player
from games.services import publication, row_locks, sealing
from games.services.arguments import Typed
from games.services.payments import accounts
from games.services.payments.accounts import Account
from games.services.payments.registry import ACTS, OwedRight
from games.services.people import players

FOLDER = "payment-keys"
"""The folder of the keys in the data folder."""
KEPT = timedelta(days=1)
"""The time after the end of a night for which details are kept."""
LONGEST_NAME = 70
"""The longest name that the code for a bank's app takes."""
_TOWN = re.compile(r"\d{4} \S.{0,34}")
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")


@dataclass(frozen=True, slots=True)
class Details:
    """A name on an account, and its IBAN without spaces; `street` and `town` are the address of a Swiss QR-bill."""

    name: str
    iban: str
    street: str = ""
    town: str = ""

    @property
    def grouped(self) -> str:
        """Return the IBAN in groups of four."""
        return " ".join(self.iban[start : start + 4] for start in range(0, len(self.iban), 4))


def checked(name: str, iban: str, street: str = "", town: str = "") -> Details:
    """Return details as they are kept; an address has a town with its postcode, such as "8001 Zürich".

    Raises Illegal `bad_iban` (by its check digits), `bad_account_name`, `bad_account_address`.
    """
    name, iban = " ".join(name.split()), "".join(iban.split()).upper()
    if not iban.isascii() or not _IBAN.fullmatch(iban) or _rest(iban) != 1:
        raise Illegal("bad_iban")
    if not 0 < len(name) <= LONGEST_NAME or not players.is_plain(name):
        raise Illegal("bad_account_name", longest=LONGEST_NAME)
    street, town = (" ".join(line.split()) for line in (street, town))
    is_plain = players.is_plain(street) and players.is_plain(town) and len(street) <= LONGEST_NAME
    if not is_plain or ((street or town) and not _TOWN.fullmatch(town)):
        raise Illegal("bad_account_address")
    return Details(name, iban, street, town)


def _rest(iban: str) -> int:
    """Return the rest of ISO 7064 MOD 97-10: 1 for a right IBAN."""
    return int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97


@transaction.atomic
def enter(night: Night, player: Player, name: str, iban: str, address: tuple[str, str] = ("", "")) -> None:
    """Keep a payee's details for a night, in place of earlier ones; `address` is street and town.

    Raises Illegal `nobody_owes_you`, `night_long_over`, `gone_player`, as `checked`, and `no_key` if the night's key
    cannot be written, as on a full disk.
    """
    details = checked(name, iban, *address)
    player = row_locks.person(player)
    row_locks.night(night)
    if is_over(night, timezone.now()):
        raise Illegal("night_long_over")
    if not is_payee(accounts.accounts(night), player):
        raise Illegal("nobody_owes_you")
    text = json.dumps([details.name, details.iban, details.street, details.town])
    try:
        sealed = sealing.seal(FOLDER, night.public_id, text)
    except OSError:
        raise Illegal("no_key") from None
    BankDetails.objects.update_or_create(night=night, player=player, defaults={"sealed": sealed})
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))


@ACTS.act(
    "details",
    OwedRight.MEMBER,
    done=_("Kept for this night. Only those who owe you money can read it."),
    label=_("Get it by bank transfer"),
    yes=_("Keep for this night"),
)
def enter_typed(night: Night, player: Player, *, account_name: Typed, iban: Typed, street: Typed, town: Typed) -> None:
    """Keep a payee's details as they are typed; raises as `enter`."""
    enter(night, player, account_name, iban, (street, town))


@ACTS.act("forget_details", OwedRight.MEMBER, done=_("Thrown away."), label=_("Throw them away"))
@transaction.atomic
def forget(night: Night, player: Player) -> None:
    """Throw a payee's details of a night away."""
    row_locks.night(night)
    BankDetails.objects.filter(night=night, player=player).delete()


def is_payee(found: list[Account], player: Player) -> bool:
    """Tell whether a payment to a player is planned and not booked."""
    rows = [each for account in found if account.is_money for each in account.unbooked]
    return any(each.payee is not None and each.payee.pk == player.pk for each in rows)


def has_entered(night: Night, player: Player) -> bool:
    """Tell whether a player's details are kept for a night."""
    return BankDetails.objects.filter(night=night, player=player).exists()


def for_payer(night: Night, found: list[Account], payer: Player) -> dict[int, Details]:
    """Return the bank details, by payee, of the payments of a player at a night that are not booked."""
    rows = [each for account in found if account.is_money for each in account.unbooked]
    owed = [each.payee.pk for each in rows if each.payer == payer and each.payee is not None]
    if not owed or is_over(night, timezone.now()):
        return {}
    kept = BankDetails.objects.filter(night=night, player__in=owed)
    opened = {row.player_id: _opened(night, bytes(row.sealed)) for row in kept}
    return {player_id: details for player_id, details in opened.items() if details is not None}


def _opened(night: Night, sealed: bytes) -> Details | None:
    """Return details; None where the key is gone or another, as in a house that was restored from a backup."""
    text = sealing.opened(FOLDER, night.public_id, sealed)
    return None if text is None else Details(*json.loads(text))


def is_over(night: Night, now: datetime) -> bool:
    """Tell whether a night ended so long ago that details are no longer kept."""
    return night.closed_at is not None and night.closed_at < now - KEPT


def throw_away(now: datetime) -> int:
    """Delete the details and keys of nights that ended a day ago, and keys of nights that are gone; return how many."""
    over = Night.objects.filter(closed_at__lt=now - KEPT)
    count, _by_model = BankDetails.objects.filter(night__in=over).delete()
    found = sealing.names(FOLDER)
    kept = Night.objects.filter(public_id__in=found).exclude(pk__in=over)
    sealing.throw_away(FOLDER, found - set(kept.values_list("public_id", flat=True)))
    return count
