"""Settings of mail: what they lack is said at the start and by the doctor."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from email.utils import parseaddr, quote

from django.conf import settings
from django.utils.translation import gettext as _

_NOBODYS = ("localhost", "local", "localdomain", "invalid")
"""Last parts of domains that no mail server on the internet knows."""


def has_mail_server() -> bool:
    """Tell whether a mail server is set; `EMAIL_URL=console:` is none."""
    return "smtp" in settings.EMAIL_BACKEND


def is_printed() -> bool:
    """Tell whether mails are printed in the log alone."""
    return "console" in settings.EMAIL_BACKEND


def sender_domain() -> str:
    """Return the domain of EMAIL_FROM in ASCII, "localhost" where it has none."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2].lower().strip(".")
    try:
        return domain.encode("idna").decode("ascii") or "localhost"
    except UnicodeError:
        return "localhost"


def sender(house: str) -> str:
    """Return EMAIL_FROM with the house's name before it, where it has no name of its own."""
    name, address = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return f'"{quote(house)}" <{address}>' if house and address and not name else settings.DEFAULT_FROM_EMAIL


def new_key() -> str:
    """Return what is unique of a Message-ID: 22 characters, 128 bits."""
    return secrets.token_urlsafe(16)


def message_id(key: str = "") -> str:
    """Return a Message-ID below the sender's domain, whatever this computer is called; the same for the same key."""
    return f"<{key or new_key()}@{sender_domain()}>"


def faults() -> Iterator[tuple[str, str]]:
    """Yield what prevents mails from going out or arriving, each with its remedy; nothing without a mail server."""
    if not has_mail_server():
        return
    if not settings.PUBLIC_URL:
        text = _("EMAIL_URL sends mail, and PUBLIC_URL is missing: no mail about a date is sent.")
        yield text, _("Set PUBLIC_URL to where the house is reached from home, such as https://games.example.org.")
    domain = sender_domain()
    if "." not in domain or domain.rpartition(".")[2] in _NOBODYS:
        text = _("EMAIL_URL sends mail, and EMAIL_FROM is missing or no address of the internet: %(sender)s.")
        remedy = _("Set EMAIL_FROM to an address that the mail server lets you send from; other mails are thrown away.")
        yield text % {"sender": settings.DEFAULT_FROM_EMAIL}, remedy
