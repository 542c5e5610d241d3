"""The admin: to look things up. Play is written by the services alone, so most is read-only."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.models import (
    LogEntry,
    Membership,
    Night,
    NightEvent,
    Player,
    Result,
    ResultLine,
    Seat,
    Table,
)

admin.site.site_header = admin.site.site_title = "Stammtisch"
admin.site.index_title = _("Behind the bar")


class ReadOnly:
    """Nothing is added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


class Inline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """Rows of a parent, to be read."""

    extra = 0
    show_change_link = True


class MembershipInline(Inline):
    """Who is in at a night."""

    model = Membership
    fields = readonly_fields = ("player", "status", "joined_at")


class TableInline(Inline):
    """The tables of a night."""

    model = Table
    fields = ["number", "game_id", "preset", "status", "seq", "started_at", "finished_at"]


class NightEventInline(Inline):
    """What happened at a night."""

    model = NightEvent
    fields = readonly_fields = ("created_at", "type", "data")


class SeatInline(Inline):
    """The seats of a table."""

    model = Seat
    fields = ["index", "name", "player", "bot_level", "accepted_at"]


class ResultLineInline(Inline):
    """The lines of a result."""

    model = ResultLine
    fields = ["seat", "name", "player", "points", "rank", "stats"]


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """People; a nickname may be put right, and a player tied to an account."""

    list_display = ["nickname", "language", "user", "night_count", "created_at"]
    list_select_related = ["user"]
    list_filter = ["language", "created_at"]
    search_fields = ["nickname", "user__username"]
    fields = ["nickname", "language", "user", "created_at"]
    readonly_fields = ["created_at"]
    raw_id_fields = ["user"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: players come in by the door."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: results and logs name them."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Count the nights in the same query."""
        players: QuerySet[Player] = super().get_queryset(request)
        return players.annotate(nights=Count("memberships"))

    @admin.display(description=_("Nights"), ordering="nights")
    def night_count(self, player: Any) -> int:
        """Return at how many nights a player was."""
        return int(player.nights)


@admin.register(Night)
class NightAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Nights with their people, tables and events."""

    list_display = ["name", "host", "status", "code", "created_at", "closed_at"]
    list_select_related = ["host"]
    list_filter = ["status", "created_at"]
    search_fields = ["name", "host__nickname", "public_id", "code"]
    date_hierarchy = "created_at"
    inlines = [MembershipInline, TableInline, NightEventInline]


@admin.register(Table)
class TableAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Tables with their seats, and a way to their log. The dice's secret stays out of sight."""

    list_display = ["__str__", "game_id", "preset", "status", "seq", "log_link", "created_at"]
    list_select_related = ["night"]
    list_filter = ["status", "game_id", "preset", "created_at"]
    search_fields = ["public_id", "night__name", "seats__name"]
    exclude = ["dice_seed", "state"]
    inlines = [SeatInline]

    @admin.display(description=_("Log"))
    def log_link(self, table: Table) -> str:
        """Return a link to the entries of a table's log."""
        url = reverse("admin:games_logentry_changelist")
        return format_html('<a href="{}?table__id__exact={}">{}</a>', url, table.pk, table.seq)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The log: what was asked, what happened, which dice fell. It only ever grows."""

    list_display = ["table", "seq", "seat", "actor", "command_name", "created_at"]
    list_select_related = ["table__night", "actor"]
    list_filter = ["table__game_id", "created_at"]
    search_fields = ["table__public_id", "actor__nickname", "command_id"]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Let the tables' links select one table."""
        return lookup == "table__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("Command"))
    def command_name(self, entry: LogEntry) -> str:
        """Return what was asked."""
        return str(entry.command.get("name", ""))


@admin.register(Result)
class ResultAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Results with a line for each seat."""

    list_display = ["table", "number", "game_id", "preset", "reason", "finished_at"]
    list_select_related = ["table__night"]
    list_filter = ["game_id", "preset", "finished_at"]
    search_fields = ["table__public_id", "table__night__name", "lines__name"]
    date_hierarchy = "finished_at"
    inlines = [ResultLineInline]
