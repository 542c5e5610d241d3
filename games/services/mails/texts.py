"""The texts of mails about dates and seasons, in the reader's language, with links that are signed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Mail, SeriesDate
from games.models.house import facts, zone
from games.ops import mail_settings
from games.services.calendar import answers, feeds
from games.services.calendar.dates import when_text
from games.services.calendar.rights import sees_names
from games.services.mails import links
from games.services.regions import region, written


def message(row: Mail, address: str, connection: Any) -> EmailMessage:
    """Return a mail to an address; `connection` is one of Django's mail backends."""
    language = row.player.language or facts().language or settings.LANGUAGE_CODE
    with translation.override(language), region.by_house(), timezone.override(zone()):
        headers = {"Message-ID": mail_settings.message_id(row.key), "Auto-Submitted": "auto-generated"}
        stop = _stop(row, address)
        if stop:
            headers["List-Unsubscribe"] = f"<{stop}>"
            headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        if row.date is not None:
            subject = _subject(row, row.date)
            body: str = render_to_string("mails/date.txt", _context(row, row.date, address, stop))
        else:
            subject, body = _of_season(row, stop)
        # One line, whatever a name holds.
        subject = " ".join(subject.split())
        sender = mail_settings.sender(facts().name)
        return EmailMessage(subject, body, sender, [address], headers=headers, connection=connection)


def _stop(row: Mail, address: str) -> str:
    """Return the link that ends the mails of the series, "" for a season without one."""
    series = row.date.series if row.date is not None else None
    if row.season is not None:
        series = row.season.series.filter(ended_at=None).first()
    return "" if series is None else _full(reverse("mail_stop", args=[_token(links.STOP, series.pk, row, address)]))


def _full(path: str) -> str:
    return f"{settings.PUBLIC_URL}{path}"


def _of_season(row: Mail, stop: str) -> tuple[str, str]:
    """Return subject and text of the question whether the next season begins."""
    names = {"season": row.name, "day": written.day(row.day)}
    page = reverse("season", args=[row.season.public_id]) if row.season is not None else ""
    # Who is logged in is led on at once.
    page = _full(f"{reverse('account_login')}?next={quote(page)}")
    context = {**names, **notice_links(settings.PUBLIC_URL), "page": page, "stop": stop, "wishes": _full(reverse("me"))}
    subject = _("%(season)s ends on %(day)s: begin the next season?") % names
    return subject, render_to_string("mails/season.txt", context)


def _token(purpose: str, about: int, row: Mail, address: str) -> str:
    return links.token(purpose, about, row.player_id, address)


def _subject(row: Mail, date: SeriesDate) -> str:
    names = {"series": date.series.name, "when": when_text(date)}
    if date.is_cancelled:
        return _("%(series)s: cancelled on %(when)s") % names
    if row.kind == Mail.Kind.CHANGE:
        return _("%(series)s: changed, now %(when)s") % names
    if row.kind == Mail.Kind.PLACE:
        return _("%(series)s: you have a place on %(when)s") % names
    return _("%(series)s: do you come on %(when)s?") % names


def notice_links(base: str) -> dict[str, str]:
    """Return what the foot of a mail leads to: the privacy notice, and the imprint, "" without one."""
    return {"imprint": base + reverse("imprint") if facts().imprint else "", "privacy": base + reverse("privacy")}


def _named(names: Sequence[str], others: int) -> str:
    """Return the names of a date's people and the number of the others as one list; "" where nobody is named."""
    more = [ngettext("%(n)s more", "%(n)s more", others) % {"n": others}] if others else []
    return written.names([*names, *more]) if names else ""


def _context(row: Mail, date: SeriesDate, address: str, stop: str) -> dict[str, Any]:
    token = _token(links.ANSWER, date.pk, row, address)
    page = [date.series.key, date.planned.isoformat()]
    own = answers.of_player(date, row.player)
    people = answers.shown_names(date, row.player, sees=sees_names(date, row.player))
    return {
        "house": facts().name or "Stammtisch",
        "names": _named(*people),
        "date": date,
        "kind": row.kind,
        "when": when_text(date),
        "counts": feeds.counts(date),
        "own": own,
        "ended": date.series.ended_at is not None,
        **notice_links(settings.PUBLIC_URL),
        "page": _full(reverse("series_date", args=page)),
        "links": [(label, _full(reverse("mail_answer", args=[token, says]))) for says, label in answers.Says.choices],
        "stop": stop,
    }
