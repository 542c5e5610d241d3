"""The admin's page that gives a backup of the house to a browser, to superusers who confirm password and code again.

While a table is at play the file holds what is sealed there: whoever has a seat at such a table gets none.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone, translation
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from games.admin.base import refusal_text
from games.kernel.contract import Illegal
from games.management.backups import fetching
from games.models import AuditEntry, Seat, Table
from games.models.house import facts
from games.ops import logs, mail_settings
from games.ops.environment import LEAST_BACKUP_KEY
from games.refusals import refusal
from games.services import audit, rate_limit
from games.services.people import players, two_factor
from games.streams import Stream
from games.web.people.two_factor import CodeForm

logger = logging.getLogger(__name__)

ACT = "backup_fetched"
TOLD_FOR = timedelta(days=30)
"""The time for which the front page tells all superusers of a fetched backup."""


def urls(wrap: Callable[..., Any]) -> list[Any]:
    """Return the address below the admin."""
    return [path("backup/", wrap(page), name="backup_fetch")]


def lately() -> list[AuditEntry]:
    """Return the entries of the audit about backups that were fetched lately, the newest first."""
    return list(AuditEntry.objects.filter(act=ACT, at__gt=timezone.now() - TOLD_FOR))


def page(request: HttpRequest) -> HttpResponseBase:
    """Show the form, or answer it with a backup."""
    user: Any = request.user
    if not user.is_superuser:
        raise PermissionDenied
    if request.method != "POST":
        return _shown(request)
    try:
        _check_person(request)
        if _has_seat_at_play(request):
            raise Illegal("seat_at_play")
        key = _key(request)
        made = fetching.make(key)
    except Illegal as why:
        return _shown(request, refusal_text(why), refusal(why.code).status)
    except CommandError as error:
        return _shown(request, str(error), 503)
    is_encrypted = bool(settings.BACKUP_KEY if key is None else key)
    audit.note(ACT, user, encrypted=is_encrypted)
    _tell(user, is_encrypted=is_encrypted)
    disposition = content_disposition_header(as_attachment=True, filename=fetching.name())
    headers = {"Content-Disposition": disposition or "attachment"}
    return Stream(made, content_type="application/octet-stream", headers=headers)


def _shown(request: HttpRequest, error: str = "", status: int = 200) -> HttpResponseBase:
    context = {
        **admin.site.each_context(request),
        "error": error,
        "asks_code": two_factor.is_on(request.user),  # type: ignore[arg-type]  # a superuser is no stranger
        "has_key": bool(settings.BACKUP_KEY),
        "least": LEAST_BACKUP_KEY,
        "is_postgresql": connection.vendor == "postgresql",
        "is_at_play": _at_play().exists(),
        "has_seat": _has_seat_at_play(request),
    }
    return TemplateResponse(request, "admin/fetch.html", context, status=status)


def _check_person(request: HttpRequest) -> None:
    """Raise Illegal `wrong_password`, `wrong_app_code`, `too_many_tries` unless password and code are right."""
    user: Any = request.user
    counted_by = f"account-{user.pk}"
    rate_limit.check("password", counted_by)
    if not user.check_password(request.POST.get("password", "")):
        rate_limit.note("password", counted_by)
        raise Illegal("wrong_password")
    if two_factor.is_on(user) and not CodeForm({"code": request.POST.get("code", "")}, user=user).is_valid():
        rate_limit.note("password", counted_by)
        raise Illegal("wrong_app_code")


def _key(request: HttpRequest) -> str | None:
    """Return the passphrase of the form, "" for none, None for the house's own.

    Raises Illegal `passphrase_short`, `passphrases_differ`, `not_confirmed`.
    """
    text = request.POST.get("key", "")
    if text != request.POST.get("key_again", ""):
        raise Illegal("passphrases_differ")
    if text:
        if len(text) < LEAST_BACKUP_KEY or not text.isprintable():
            raise Illegal("passphrase_short", least=LEAST_BACKUP_KEY)
        return text
    if settings.BACKUP_KEY:
        return None
    if "plain" not in request.POST:
        raise Illegal("not_confirmed")
    return ""


def _at_play() -> Any:
    """Return the tables whose sealed events a backup holds."""
    return Table.objects.filter(status__in=(Table.Status.PLAYING, Table.Status.PAUSED))


def _has_seat_at_play(request: HttpRequest) -> bool:
    """Tell whether somebody has a seat at such a table: by account or browser, or for one without a phone."""
    own: Any = [players.account_player(request.user), getattr(request, "player", None)]  # type: ignore[arg-type]
    keys = {each.pk for each in own if each is not None}
    kept = Q(player__memberships__keeper__in=keys, player__memberships__night=F("table__night"))
    return bool(keys) and Seat.objects.filter(Q(player__in=keys) | kept, table__in=_at_play()).exists()


def _tell(user: Any, *, is_encrypted: bool) -> None:
    """Send all superusers with a confirmed address a mail about it, where the house has a mail server."""
    addresses = EmailAddress.objects.filter(user__is_superuser=True, user__is_active=True, verified=True, primary=True)
    to = list(addresses.values_list("email", flat=True))
    if not to or not mail_settings.has_mail_server():
        return
    with translation.override(facts().language or settings.LANGUAGE_CODE):
        subject = _("A backup of the house was fetched")
        text = _("%(name)s has fetched a backup with passphrase. It holds the whole house: accounts, logs and its key.")
        if not is_encrypted:
            text = _("%(name)s has fetched a backup that anybody can read. It holds the whole house: accounts, logs "
                     "and its key.")  # fmt: skip
        body = text % {"name": audit.name_of(user)} + "\n\n" + _("If you don't know why, ask them.")
    try:
        EmailMessage(subject, body, None, bcc=to).send()
    except (OSError, SMTPException) as error:
        logs.log_event(logger, logging.WARNING, "backup", "mail_failed", error=error)
