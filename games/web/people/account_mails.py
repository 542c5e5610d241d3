"""Mails about accounts to an address that somebody has typed: one text a mail, as often as its recipient is to get any.

Who asks learns nothing from it: the pages say the same for every address.
"""

from __future__ import annotations

import logging
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.ops import logs
from games.services.mails import recipients
from games.services.people import accounts
from games.web import links

logger = logging.getLogger(__name__)

MOST_NAMED = 10
"""The most accounts that a mail names."""
_NOT_TAKEN = (SMTPResponseException, SMTPRecipientsRefused, ConnectionRefusedError)
"""After any other error the mail may have arrived all the same."""


def send(adapter: Any, request: HttpRequest, address: str, asked_for: EmailAddress | None = None) -> None:
    """Send an address the mail about its accounts, if it may get one; `asked_for` is named first.

    A confirmed address gets the names of all accounts that have it, each with a link to a new password; one that
    nobody has confirmed gets a link for each, to confirm it; one without an account reads so.
    """
    rows = accounts.addresses(address)
    rows.sort(key=lambda row: (not row.verified, row != asked_for))
    is_confirmed = any(row.verified for row in rows)
    is_confirmation = bool(rows) and not is_confirmed
    counted = recipients.count(address, is_confirmation=is_confirmation)
    if counted is None:
        return
    if is_confirmation:
        template, links_of = "email_confirmation", _confirming
    else:
        template, links_of = ("accounts" if rows else "unknown_account"), new_password
    base = links.base_url(request)
    named = [(row.user.get_username(), base + links_of(row)) for row in rows[:MOST_NAMED]]
    try:
        adapter.send_mail(f"account/email/{template}", address, {"accounts": named})
    except (OSError, SMTPException) as error:
        if isinstance(error, _NOT_TAKEN):
            recipients.uncount(address, counted, is_confirmation=is_confirmation)
        # No text of the server's: it repeats addresses.
        logs.log_event(logger, logging.WARNING, "account_mail", "failed", text=type(error).__name__)
        messages.error(request, _("The mail could not be sent. Try again later."))


def _confirming(row: EmailAddress) -> str:
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(row).key])


def new_password(row: EmailAddress) -> str:
    """Return the path of a link to a new password of the account of an address."""
    user: AbstractBaseUser = row.user
    return reverse(
        "account_reset_password_from_key", args=[user_pk_to_url_str(user), default_token_generator.make_token(user)]
    )
