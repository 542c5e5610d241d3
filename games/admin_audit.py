"""The admin's audit: who did what, when. It is read and never written by hand."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin_base import ReadOnly
from games.models import AuditEntry

# Code of an act → what it is called. A code that is missing here is shown as it is.
ACTS: dict[str, Any] = {
    "night_kicked": _("showed somebody the door"),
    "night_closed": _("closed the night"),
    "night_locked": _("locked the night"),
    "night_unlocked": _("opened the night again"),
    "night_code_rotated": _("made a new room code"),
    "night_admission_changed": _("changed who may come in"),
    "night_host_changed": _("handed the night over"),
    "night_move_approved": _("let a guest go on, on another phone"),
    "night_move_agreed": _("approved a guest's other phone, with other hosts to be asked"),
    "claim_confirmed": _("confirmed a history"),
    "claim_agreed": _("confirmed a history, with other hosts to be asked"),
    "claim_owned": _("confirmed their own history"),
    "claim_disowned": _("refused somebody who claimed their history"),
    "claim_refused": _("refused a history"),
    "table_kick": _("took somebody off a seat"),
    "table_substitute": _("gave a seat to somebody else"),
    "table_forfeit": _("took a seat out of the game"),
    "table_close": _("ended a table with its result"),
    "table_end": _("broke a table off"),
    "table_archived": _("archived a table"),
    "table_restored": _("took a table out of the archive"),
    "result_corrected": _("corrected a result"),
    "correction_proposed": _("proposed a correction"),
    "correction_agreed": _("agreed to a correction"),
    "correction_refused": _("refused a correction"),
    "player_banned": _("banned a player"),
    "ban_lifted": _("lifted a ban"),
    "player_renamed": _("renamed a player"),
    "players_merged": _("joined two players to one"),
    "player_deleted": _("deleted a player's data"),
    "tallies_rebuilt": _("counted a player's sums anew"),
    "venue_added": _("added a venue"),
    "venue_renamed": _("renamed a venue"),
    "rules_created": _("made house rules"),
    "rules_changed": _("changed house rules"),
    "rules_archived": _("archived house rules"),
    "rules_restored": _("took house rules into use again"),
    "rules_made_default": _("made house rules the default"),
    "rules_not_default": _("made house rules no longer the default"),
    "policy_changed": _("changed what hosts may play"),
    "token_created": _("made an API token"),
    "token_revoked": _("revoked an API token"),
}


class ActFilter(admin.SimpleListFilter):
    """Choose an act by its name."""

    title = _("what")
    parameter_name = "act"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return the acts."""
        return list(ACTS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the lines of the act."""
        return queryset.filter(act=self.value()) if self.value() else queryset


class ByFilter(admin.SimpleListFilter):
    """Choose what hosts did, or the staff."""

    title = _("who")
    parameter_name = "by"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return whose acts there are."""
        return [("staff", _("the staff")), ("hosts", _("hosts"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the lines of whom was asked for."""
        if self.value() is None:
            return queryset
        return queryset.filter(player__isnull=self.value() == "staff")


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
        return str(ACTS.get(entry.act, entry.act))

    @admin.display(description=_("details"))
    def more(self, entry: AuditEntry) -> SafeString | str:
        """Return the rest of what was written down."""
        rows = [(name, _plain(value)) for name, value in entry.data.items()]
        return format_html_join("", "<div>{}: {}</div>", rows) if rows else "–"


def _plain(value: Any) -> str:
    """Return a value of the details in words."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(each)}" for key, each in value.items())
    return str(value)
