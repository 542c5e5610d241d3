"""Limits on mails that a stranger can cause: sign-up, an added address, a new password.

They hold for each recipient, whatever account, browser or process asks, and are counted in the database. What stands
for an address there is a digest of it. Mails about dates, and what the staff sends, do not come by here.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.models import MailRecipient

PER_HOUR, PER_DAY = 3, 8
CONFIRMATIONS = 3
"""The most mails that ask to confirm an address, one a day."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
KEPT = timedelta(days=30)
"""The time for which is kept how often an address was asked to be confirmed; longer while an account still waits."""
_WITHOUT_DOTS = {"gmail.com", "googlemail.com"}


def normalised(address: str) -> str:
    """Return an address as its mailbox is counted: without upper case, what follows a +, and dots that do not count."""
    name, _at, domain = unicodedata.normalize("NFKC", address).strip().casefold().rpartition("@")
    try:
        domain = domain.rstrip(".").encode("idna").decode("ascii")
    except UnicodeError:
        domain = domain.rstrip(".")
    name = name.partition("+")[0] or name
    if domain in _WITHOUT_DOTS:
        name, domain = name.replace(".", ""), "gmail.com"
    return f"{name}@{domain}"


def _digest(address: str) -> str:
    return salted_hmac("games.mail.recipient", normalised(address), algorithm="sha256").hexdigest()


@transaction.atomic
def count(address: str, *, is_confirmation: bool, now: datetime | None = None) -> float | None:
    """Count a mail to an address; return its time, by which it can be uncounted, None if it may not be sent."""
    now = now or timezone.now()
    MailRecipient.objects.get_or_create(digest=_digest(address), defaults={"last_at": now})
    row = MailRecipient.objects.select_for_update().get(digest=_digest(address))
    # A clock that was set back makes times of the future, which count all the same.
    ages = {at: abs(now.timestamp() - at) for at in row.sent_at}
    sent = [at for at, age in ages.items() if age < DAY.total_seconds()]
    last_hour = [at for at in sent if ages[at] < HOUR.total_seconds()]
    if len(sent) >= PER_DAY or len(last_hour) >= PER_HOUR or (is_confirmation and not _may_ask(row, now)):
        return None
    row.sent_at, row.last_at = [*sent, now.timestamp()], now
    if is_confirmation:
        row.confirmations, row.asked_at = row.confirmations + 1, now
    row.save()
    return now.timestamp()


@transaction.atomic
def uncount(address: str, counted: float, *, is_confirmation: bool) -> None:
    """Take back the count of a mail that could not be sent."""
    row = MailRecipient.objects.select_for_update().filter(digest=_digest(address)).first()
    if row is None or counted not in row.sent_at:
        return
    row.sent_at = [at for at in row.sent_at if at != counted]
    if is_confirmation:
        row.confirmations, row.asked_at = max(0, row.confirmations - 1), None
    row.save()


def _may_ask(row: MailRecipient, now: datetime) -> bool:
    return row.confirmations < CONFIRMATIONS and (row.asked_at is None or abs(now - row.asked_at) >= DAY)


def confirmed(address: str) -> None:
    """Forget how often an address was asked to be confirmed: it has been."""
    MailRecipient.objects.filter(digest=_digest(address)).update(confirmations=0, asked_at=None)


def forget_old(now: datetime) -> int:
    """Delete the rows that limit nothing any more; return their number."""
    waiting = {_digest(each) for each in _unconfirmed()}
    count = MailRecipient.objects.filter(last_at__lt=now - DAY, confirmations=0).delete()[0]
    old = MailRecipient.objects.filter(last_at__lt=now - KEPT).values_list("digest", flat=True)
    gone = [digest for digest in old if digest not in waiting]
    parts = [gone[start : start + 500] for start in range(0, len(gone), 500)]
    return count + sum(MailRecipient.objects.filter(digest__in=part).delete()[0] for part in parts)


def _unconfirmed() -> list[str]:
    return list(EmailAddress.objects.filter(verified=False).values_list("email", flat=True))
