"""The admin's share links: which results and standings are open to outsiders; closed and renewed by the staff."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.admin.base import Acts, ReadOnly, RowAct, RowFilter
from games.models import ShareLink
from games.services.sharing import links


class OpenFilter(RowFilter):
    """A filter by whether a link is open."""

    title = _("status")
    parameter_name = "status"
    conditions = {"open": (_("open"), Q(closed_at=None)), "closed": (_("closed"), Q(closed_at__isnull=False))}


@admin.register(ShareLink)
class ShareLinkAdmin(ReadOnly, Acts):
    """Share links without their keys: only those who opened them see these."""

    help = _("Results of nights and standings of seasons that are open to outsiders by a link.")
    list_display = ("about", "opened_at", "closed_at")
    list_filter = (OpenFilter, "opened_at")
    list_select_related = ("night", "season")
    search_fields = ("night__name", "season__name")
    fields = readonly_fields = ("about", "night", "season", "opened_at", "closed_at")
    acts = {
        "close": RowAct(
            title=_("Close the link"),
            button=_("Close it"),
            help=_("It shows nothing any more. Who may opens another one, with another address."),
            do=lambda link, user, _data: links.close_by_staff(link, user),
            done=_("The link is closed: it shows nothing any more."),
        ),
        "renew": RowAct(
            title=_("Give it another address"),
            button=_("Renew it"),
            help=_("The old link shows nothing any more; the new one is on the page of the results or the standing."),
            do=lambda link, user, _data: links.renew_by_staff(link, user),
            done=_("The link is a new one; the old one shows nothing any more."),
        ),
    }

    @admin.display(description=_("what is shared"))
    def about(self, link: ShareLink) -> str:
        """Return what a link shows, in words."""
        return str(link.night or link.season or "–")

    def is_open(self, act: str, row: ShareLink) -> bool:
        """Tell whether a link can be closed or renewed: while it is open, and of something that is there."""
        return row.closed_at is None and (row.night_id is not None or row.season_id is not None)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ShareLink]:
        """Read the nights and seasons with the links."""
        rows: QuerySet[ShareLink] = super().get_queryset(request)
        return rows.select_related("night__host", "season")
