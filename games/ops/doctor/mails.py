"""The doctor's findings of mail and webhooks: settings, the mail server, what was given up; and a test mail."""

from __future__ import annotations

from collections.abc import Iterator
from smtplib import SMTPException

from django.core import mail
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.ops import mail_settings
from games.ops.doctor.findings import Finding, good, look, wrong
from games.services import deliveries


def mails() -> Iterator[Finding]:
    """Check that mails can go out and arrive: the settings are there, and the mail server accepts a connection."""
    topic = _("mail")
    if not mail_settings.has_mail_server():
        yield good(topic, _("No mail server is set: mails are printed in the log. Accounts work without."))
        return
    faults = [wrong(topic, text, remedy) for text, remedy in mail_settings.faults()]
    yield from faults
    try:
        with mail.get_connection():
            if not faults:
                yield good(topic, _("The mail server lets the house in; send yourself a test to see it arrive."))
    except (OSError, SMTPException) as error:
        yield _no_mail(error)


def send_test(address: str) -> Finding:
    """Send a test mail to an address; return the finding."""
    headers = {"Message-ID": mail_settings.message_id()}
    test = mail.EmailMessage(
        _("A test from Stammtisch"), _("Mails of this house arrive."), to=[address], headers=headers
    )
    try:
        test.send()
    except (OSError, SMTPException, ValueError) as error:
        return _no_mail(error)
    if mail_settings.is_printed():
        return look(_("mail"), _("The test is in the log alone: no mail server is set (EMAIL_URL)."))
    return good(_("mail"), _("A test was sent to %(address)s.") % {"address": address})


def _no_mail(error: Exception) -> Finding:
    text = _("No mail can be sent: %(error)s") % {"error": " ".join(str(error).split())}
    return wrong(_("mail"), text, _("EMAIL_URL has scheme, user, password, host and port of the mail server."))


def given_up() -> Iterator[Finding]:
    """Yield how many mails and messages to webhooks were given up."""
    if count := len(deliveries.given_up()):
        text = ngettext(
            "%(n)d mail or message to a webhook was given up in the last weeks.",
            "%(n)d mails and messages to webhooks were given up in the last weeks.",
            count,
        )
        yield look(
            _("deliveries"), text % {"n": count}, _("The page “Background tasks” of the admin says which and why.")
        )


CHECKS = (mails, given_up)
