"""The admin's audit: acts with actor and time, read-only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.base import ReadOnly, RowFilter
from games.models import AuditEntry
from games.services import audit


class ActFilter(admin.SimpleListFilter):
    """A filter by the name of an act."""

    title = _("what")
    parameter_name = "act"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return the acts."""
        return list(audit.words().items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the lines of the act."""
        return queryset.filter(act=self.value()) if self.value() else queryset


class ByFilter(RowFilter):
    """A filter by actor: hosts or staff."""

    title = _("who")
    parameter_name = "by"
    conditions = {
        "staff": (_("the staff"), Q(player__isnull=True)),
        "hosts": (_("hosts"), Q(player__isnull=False)),
    }


@admin.register(AuditEntry)
class AuditAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The audit, the newest act first."""

    help = _("Who did what, when: bans, corrections, closed nights, changed rules.")
    list_display = ("at", "actor_name", "what", "subject", "night")
    list_display_links = ("at",)
    list_select_related = ("night",)
    list_filter = (ByFilter, ActFilter)
    search_fields = ("actor_name", "subject", "night__name")
    date_hierarchy = "at"
    show_full_result_count = False
    fields = readonly_fields = ("at", "actor_name", "what", "subject", "night", "more")

    @admin.display(description=_("what"), ordering="act")
    def what(self, entry: AuditEntry) -> str:
        """Return the name of an act."""
        return str(audit.words().get(entry.act, entry.act))

    @admin.display(description=_("details"))
    def more(self, entry: AuditEntry) -> SafeString | str:
        """Return the remaining details of an entry."""
        rows = [(name, _plain(value)) for name, value in entry.data.items()]
        return format_html_join("", "<div>{}: {}</div>", rows) if rows else "–"


def _plain(value: Any) -> str:
    """Return a value of the details in words."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(each)}" for key, each in value.items())
    return str(value)
