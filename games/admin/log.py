"""The admin's logs of tables: every step in order, with hidden events marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.base import ReadOnly, link, without_signs
from games.admin.house_rules import GameFilter
from games.models import LogEntry, Table
from games.services.house_rules.cards import game_title
from games.services.logs import event_texts
from games.services.tables import throws

LONGEST_DETAIL = 160


class LogGameFilter(GameFilter):
    """A filter by the game of the log's table."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the entries of the game."""
        return queryset.filter(table__game_id=self.value()) if self.value() else queryset


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The log: commands, events and dice. It only ever grows.

    Hidden events and dice are shown only when the game is over: staff may sit at the table, too.
    """

    help = _("What was asked and what happened at the tables, step by step, for a dispute.")
    list_display = ("seq", "at", "table_link", "who", "command_words", "happened")
    list_select_related = ("table__night", "actor")
    list_filter = (LogGameFilter, "created_at")
    search_fields = ("table__public_id", "actor__nickname", "command_id")
    ordering = ("-created_at", "-pk")
    show_full_result_count = False
    fields = readonly_fields = (
        "table_link", "seq", "created_at", "who", "command_words", "happened", "fell", "command_id",
    )  # fmt: skip

    class Media:
        """The style of the list."""

        css = {"all": ["games/admin_acts.css"]}

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """Load the seats with the entries, and no states."""
        rows: QuerySet[LogEntry] = super().get_queryset(request)
        return rows.defer("table__state").prefetch_related("table__seats")

    def get_list_display(self, request: HttpRequest) -> Any:
        """Leave out the column of the table in the log of one table."""
        is_one = "table__id__exact" in request.GET
        return [name for name in self.list_display if not (is_one and name == "table_link")]

    def get_ordering(self, request: HttpRequest) -> Any:
        """Order the log of one table from its beginning, else the newest entry first."""
        is_one = "table__id__exact" in request.GET
        return ["seq"] if is_one else ["-created_at", "-pk"]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow links that select one table."""
        return lookup == "table__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("when"), ordering="created_at")
    def at(self, entry: LogEntry) -> str:
        """Return the time to the second."""
        at = localtime(entry.created_at)
        return f"{localize(at)}:{at:%S}"

    @admin.display(description=_("table"))
    def table_link(self, entry: LogEntry) -> SafeString:
        """Return a link to the table."""
        table = entry.table
        text = f"{game_title(table.game_id)} {table.number}, {table.night}"
        return link("table", table.pk, text)

    @admin.display(description=_("who"))
    def who(self, entry: LogEntry) -> str:
        """Return the name at the seat that sent the command; else the player, or the house."""
        names = _names_then(entry)
        if entry.seat is not None and entry.seat in names:
            return without_signs(names[entry.seat])
        return entry.actor.nickname if entry.actor else gettext("the house")

    @admin.display(description=_("asked"))
    def command_words(self, entry: LogEntry) -> str:
        """Return the command's name, with its arguments unless they or the entry's events may be hidden."""
        args = entry.command.get("args", {})
        name = str(entry.command.get("name", ""))
        may_hide = name == throws.THROW or any("audience" in event for event in entry.events)
        is_hidden = may_hide and not _is_over(entry)
        return name if is_hidden or not args else f"{name} ({_short(args)})"

    @admin.display(description=_("what happened"))
    def happened(self, entry: LogEntry) -> SafeString:
        """Return the events as a list, in words where they have any; hidden ones are marked."""
        is_over, table = _is_over(entry), entry.table
        shown = [event if is_over or "audience" not in event else {"type": event["type"]} for event in entry.events]
        names = {seat: without_signs(name) for seat, name in _names_then(entry).items()}
        texts = map(without_signs, event_texts.texts(table.game_id, table.options, shown, names))
        lines = [
            (format_html('<span class="words">{}</span>', text) if text else "", _event_line(event, is_over))
            for text, event in zip(texts, entry.events, strict=True)
        ]
        return format_html('<ul class="events">{}</ul>', format_html_join("", "<li>{}{}</li>", lines))

    @admin.display(description=_("dice"))
    def fell(self, entry: LogEntry) -> str:
        """Return the dice drawn, once the game is over and they can help no player."""
        if not _is_over(entry):
            return gettext("shown when the game is over")
        return " ".join(map(str, entry.dice)) or "–"


def _is_over(entry: LogEntry) -> bool:
    return entry.table.status == Table.Status.FINISHED


def _event_line(event: Mapping[str, Any], is_over: bool) -> SafeString:
    """Return an event on one line."""
    is_hidden = "audience" in event
    mark = format_html(' <span class="tag">{}</span>', _("hidden")) if is_hidden else ""
    detail = _short(event["data"]) if is_over or not is_hidden else ""
    return format_html('<code>{}</code>{} <span class="quiet">{}</span>', event["type"], mark, detail)


def _short(data: Mapping[str, Any]) -> str:
    """Return an object's values on one line, cut after 160 characters."""
    text = without_signs(", ".join(f"{key}: {value}" for key, value in data.items()))
    return text if len(text) <= LONGEST_DETAIL else f"{text[:LONGEST_DETAIL]}…"


def _names_then(entry: LogEntry) -> dict[int, str]:
    """Return the names by seat at an entry: today's, where a seat has changed hands since those of that time."""
    names = {seat.index: seat.name for seat in entry.table.seats.all()}
    if not hasattr(entry.table, "hand_overs"):
        rows = LogEntry.objects.filter(table_id=entry.table_id, command__name="table.substitute", seq__gt=0)
        entry.table.hand_overs = list(rows.order_by("-seq").values_list("seq", "events"))  # type: ignore[attr-defined]
    for seq, events in entry.table.hand_overs:  # type: ignore[attr-defined]
        for event in events:
            if seq > entry.seq and event["type"] == "table.substituted":
                names[event["data"]["seat"]] = event["data"]["before"]
    return names
