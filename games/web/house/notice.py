"""Imprint, the guide for the blind, and the privacy notice: what the house keeps (`Kept.said`), and what leaves it.

The staff add to the notice on the page of the house; what the house says itself they cannot change.
"""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.models.house import facts
from games.services import personal_rooms
from games.services.people import erasure
from games.web.identity import player_of

ON_DEVICE = (
    (("sessionid", "csrftoken", "messages"), gettext_lazy("Who you are at this house, and that a form is your own.")),
    (
        ("django_language", "theme", "typefaces", "nickname"),
        gettext_lazy("Your language, light or dark, whether the typefaces are here, and a name that you have begun."),
    ),
    (("device", "answer-"), gettext_lazy("Accounts that have logged in here, and your answers for dates.")),
    (("tv", "screen"), gettext_lazy("That this browser is a big screen, and of which night.")),
    ((), gettext_lazy("In the browser's own store: sound on or off, taps that are not sent yet, dice of this device.")),
)
"""Things that the browser keeps for the house: cookies by the beginnings of their names, and why."""


def rows() -> list[personal_rooms.NoticeRow]:
    """Return what the rooms say of their columns, in the rooms' order."""
    return [said for room in personal_rooms.rooms() for said in room.said]


def leaving() -> list[str]:
    """Return sentences on what leaves the house, by its settings."""
    host = getattr(settings, "EMAIL_HOST", "") if settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") else ""
    found = [
        _("Mails to you go through the server %(host)s.") % {"host": host} if host else _("This house sends no mails."),
        _("A messenger that an organiser has connected gets news of nights, with names of people in the leaderboards."),
    ]
    if settings.BACKUP_FOLDER is not None:
        weeks = settings.KEEP_BACKUP_WEEKS + 1
        found.append(
            _("Backups hold what was kept when they were made. The last of them goes after %(weeks)s weeks.")
            % {"weeks": weeks}
        )
    found.append(
        _(
            "Nothing else: no advertising, nobody counts visitors, and pages load nothing from elsewhere. Network "
            "addresses are remembered for an hour at most, against floods; the log has neither names nor addresses."
        )
    )
    return found


@require_http_methods(["GET", "HEAD"])
def privacy(request: HttpRequest) -> HttpResponse:
    """Show the privacy notice, in the reader's language."""
    context = {
        "rows": rows(),
        "has_data": player_of(request) is not None,
        "leaving": leaving(),
        "on_device": [why for _names, why in ON_DEVICE],
        "guest_days": settings.KEEP_GUESTS_DAYS,
        "is_erased": erasure.is_needed_here(),
    }
    return render(request, "house/privacy.html", context)


@require_http_methods(["GET", "HEAD"])
def without_seeing(request: HttpRequest) -> HttpResponse:
    """Show the guide for people who play by keys and speech, in the reader's language."""
    return render(request, "house/without_seeing.html")


@require_http_methods(["GET", "HEAD"])
def imprint(request: HttpRequest) -> HttpResponse:
    """Show the imprint; there is no such page until the staff have written one."""
    if not facts().imprint:
        raise Http404
    return render(request, "house/imprint.html")
