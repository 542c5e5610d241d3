"""The house itself: what its staff say of it, its logo, and the password that was printed at the first start."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from games.kernel.contract import Illegal
from games.models import House, Night, Table
from games.models.house import LIMITS, ONLY, facts, forget, limits
from games.services import audit
from games.services.hosting import demo
from games.services.people import players
from games.services.regions import countries
from games.services.storage import pictures

LONGEST_NAME, LONGEST_PRICE, LONGEST_AMOUNT, LONGEST_TEXT = 60, 120, 9, 4000
TEXTS = ("contact", "imprint", "notice_addition")
"""The descriptions that have several lines."""
AMOUNTS = ("most_a_point", "most_a_night")
_AMOUNT = re.compile(r"([0-9]{0,6})(?:[.,]([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class HouseDescription:
    """A description of the house by its staff; "" is not said.

    `most_a_point` and `most_a_night` are typed amounts of any currency, such as "0.50".
    """

    name: str = ""
    country: str = ""
    time_zone: str = ""
    language: str = ""
    price: str = ""
    contact: str = ""
    imprint: str = ""
    notice_addition: str = ""
    points_worth: str = House.Worth.ANYTHING.value
    most_a_point: str = ""
    most_a_night: str = ""


def is_asked(user: Any) -> bool:
    """Tell whether an account is asked about the house at its login: an admin's, until one has answered."""
    return bool(user.is_superuser) and (not facts().is_answered or has_printed_password(user))


def answers() -> HouseDescription:
    """Return what is known of the house, as the form shows it."""
    known = facts()
    now = limits()
    said = {each.name: getattr(known, each.name) for each in fields(HouseDescription) if each.name not in LIMITS}
    most = {name: typed_amount(getattr(now, name)) for name in AMOUNTS}
    return HouseDescription(**said, points_worth=now.points_worth, **most)


def typed_amount(hundredths: int) -> str:
    """Return an amount as it is typed: "0.50"; "" for none."""
    return f"{hundredths // 100}.{hundredths % 100:02}" if hundredths else ""


def read_amount(typed: str) -> int:
    """Return a typed amount in hundredths, with a decimal point or comma, 0 for ""; raises Illegal `bad_amount`."""
    found = _AMOUNT.fullmatch(typed.strip())
    if found is None:
        raise Illegal("bad_amount")
    return int(found[1] or 0) * 100 + int((found[2] or "").ljust(2, "0"))


def check(given: HouseDescription) -> Mapping[str, Illegal]:
    """Return the refusals of answers by field; what the environment fixes is not looked at."""
    found: dict[str, Illegal] = {}
    if not _is_line(given.name, LONGEST_NAME):
        found["name"] = Illegal("house_name", longest=LONGEST_NAME)
    if not _is_line(given.price, LONGEST_PRICE):
        found["price"] = Illegal("house_price", longest=LONGEST_PRICE)
    for name in TEXTS:
        if not _is_text(getattr(given, name)):
            found[name] = Illegal("house_text", longest=LONGEST_TEXT)
    if given.country and given.country not in countries.countries():
        found["country"] = Illegal("no_such_country")
    if given.time_zone and not countries.is_zone(given.time_zone):
        found["time_zone"] = Illegal("no_such_time_zone")
    if given.language and given.language not in dict(settings.LANGUAGES):
        found["language"] = Illegal("no_such_language")
    if given.points_worth not in House.Worth.values:
        found["points_worth"] = Illegal("no_such_worth")
    for name in AMOUNTS:
        try:
            read_amount(getattr(given, name))
        except Illegal as refusal:
            found[name] = refusal
    return {name: refusal for name, refusal in found.items() if name not in settings.HOUSE_FIXED}


def _is_line(text: str, longest: int) -> bool:
    return len(text) <= longest and players.is_plain(text)


def _is_text(text: str) -> bool:
    return len(text) <= LONGEST_TEXT and all(players.is_plain(line) for line in text.split("\n"))


def answer(given: HouseDescription, by: AbstractBaseUser) -> None:
    """Keep what the staff say of the house; raises Illegal as `check`. What the environment fixes stays as it was."""
    for refusal in check(given).values():
        raise refusal
    values: dict[str, Any] = {each.name: getattr(given, each.name) for each in fields(HouseDescription)}
    values |= {name: read_amount(values[name]) for name in AMOUNTS}
    values = {name: value for name, value in values.items() if name not in settings.HOUSE_FIXED}
    _write("house_described", by, answered_at=timezone.now(), **values)


def check_logo(data: bytes) -> None:
    """Raise Illegal `logo_kind` or `logo_size` for a picture that can be no logo."""
    pictures.read(data)


def set_logo(data: bytes, by: AbstractBaseUser) -> None:
    """Keep a picture as the house's logo; raises Illegal `logo_kind`, `logo_size`."""
    picture = pictures.read(data)
    digest = hashlib.sha256(picture.data).hexdigest()[:32]
    _write("logo_changed", by, logo=picture.data, logo_type=picture.media_type, logo_digest=digest)


def remove_logo(by: AbstractBaseUser) -> None:
    """Let the house have no logo of its own."""
    _write("logo_removed", by, logo=None, logo_type="", logo_digest="")


def logo(digest: str) -> tuple[bytes, str]:
    """Return the logo's bytes and media type; raises Illegal `not_found` for another digest than the present one's."""
    row = House.objects.filter(pk=ONLY, logo_digest=digest).first() if digest else None
    if row is None or row.logo is None:
        raise Illegal("not_found")
    return bytes(row.logo), row.logo_type


@transaction.atomic
def _write(act: str, by: AbstractBaseUser, **values: Any) -> None:
    House.objects.update_or_create(pk=ONLY, defaults=values)
    audit.note(act, by, values.get("name", ""))
    forget()
    # Who has read in between has read what was before.
    transaction.on_commit(forget)


def is_empty() -> bool:
    """Tell whether the house is new: it has no nights but the demo's and those of people who practise."""
    return not Night.objects.filter(is_practice=False).exclude(pk__in=demo.nights().values("pk")).exists()


def is_first_evening(user: Any) -> bool:
    """Tell whether an account is an admin's of a house at which no table was opened yet but the demo's."""
    if not getattr(user, "is_superuser", False):
        return False
    of_guests = Table.objects.filter(night__is_practice=False).exclude(night__in=demo.nights().values("pk"))
    return not of_guests.exists()


def is_first_admin(user: Any) -> bool:
    """Tell whether an account is the house's first one with all rights."""
    accounts = get_user_model().objects.filter(is_superuser=True, is_active=True).order_by("pk")
    return bool(user.is_authenticated) and accounts.values_list("pk", flat=True).first() == user.pk


def note_printed_password(user: AbstractBaseUser) -> None:
    """Note that an account's password was printed, and is to be replaced at its login."""
    House.objects.update_or_create(pk=ONLY, defaults={"printed_password": user.password})


def has_printed_password(user: AbstractBaseUser) -> bool:
    """Tell whether an account has still the password that was printed."""
    printed = House.objects.filter(pk=ONLY).values_list("printed_password", flat=True).first()
    return bool(printed) and printed == user.password
