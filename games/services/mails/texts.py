"""The texts of mails about dates, in the reader's language, with links that are signed."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games.models import Mail
from games.models.house import facts, zone
from games.ops import mail_settings
from games.services.calendar import answers, feeds
from games.services.calendar.dates import when_text
from games.services.calendar.rights import sees_names
from games.services.mails import links


def message(row: Mail, address: str, connection: Any) -> EmailMessage:
    """Return a mail to an address; `connection` is one of Django's mail backends."""
    language = row.player.language or facts().language or settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(zone()):
        stop = settings.PUBLIC_URL + reverse("mail_stop", args=[_token(links.STOP, row.date.series_id, row, address)])
        headers = {
            "Message-ID": mail_settings.message_id(row.key),
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        body = render_to_string("mails/date.txt", _context(row, address) | {"stop": stop})
        # One line, whatever a name holds.
        subject = " ".join(_subject(row).split())
        sender = mail_settings.sender(facts().name)
        return EmailMessage(subject, body, sender, [address], headers=headers, connection=connection)


def _token(purpose: str, about: int, row: Mail, address: str) -> str:
    return links.token(purpose, about, row.player_id, address)


def _subject(row: Mail) -> str:
    names = {"series": row.date.series.name, "when": when_text(row.date)}
    if row.date.is_cancelled:
        return _("%(series)s: cancelled on %(when)s") % names
    if row.kind == Mail.Kind.CHANGE:
        return _("%(series)s: changed, now %(when)s") % names
    if row.kind == Mail.Kind.PLACE:
        return _("%(series)s: you have a place on %(when)s") % names
    return _("%(series)s: do you come on %(when)s?") % names


def _context(row: Mail, address: str) -> dict[str, Any]:
    date, token = row.date, _token(links.ANSWER, row.date_id, row, address)
    page = [date.series.key, date.planned.isoformat()]
    own = answers.of_player(date, row.player)
    names, others = answers.shown_names(date, row.player, sees=sees_names(date.series, row.player))
    return {
        "house": facts().name or "Stammtisch",
        "names": names,
        "others": others,
        "date": date,
        "kind": row.kind,
        "when": when_text(date),
        "counts": feeds.counts(date),
        "own": own,
        "ended": date.series.ended_at is not None,
        "page": settings.PUBLIC_URL + reverse("series_date", args=page),
        "links": [
            (label, settings.PUBLIC_URL + reverse("mail_answer", args=[token, says]))
            for says, label in answers.Says.choices
        ],
    }
