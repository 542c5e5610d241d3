"""The admin's venues and nights."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.admin.base import (
    Downloads,
    Inline,
    NeverDeleted,
    ReadOnly,
    RowAct,
    checked,
    counted,
    list_link,
    without_signs,
)
from games.models import Membership, Night, Result, Table, Venue
from games.services import form_ids
from games.services.history import exports, past_games
from games.services.history.past_games import PastGame, PastLine
from games.services.house_rules.cards import game_title, preset_label
from games.services.nights import membership, venues
from games.services.nights.registry import NIGHT
from games.services.people import name_order
from games.services.regions import written
from games.services.sharing import links
from games.web.nights import events

MOST_EVENTS = 200


class VenueForm(forms.ModelForm):  # type: ignore[type-arg]
    """A venue's name, and the accounts that enter evenings held there."""

    class Meta:
        """The fields."""

        model = Venue
        fields = ("name", "hosts")
        help_texts: ClassVar = {
            "hosts": _(
                "They alone enter past games of evenings held there without the house; nobody named: any account."
            )
        }

    def clean_name(self) -> str:
        """Return the name; raises ValidationError with the services' code."""
        instance = self.instance if self.instance.pk else None
        return checked(venues.clean_name, self.cleaned_data["name"], instance)


@admin.register(Venue)
class VenueAdmin(NeverDeleted, admin.ModelAdmin):  # type: ignore[type-arg]
    """Venues are added and renamed, but never deleted: nights were held there."""

    help = _("The places that hosts choose from. Add one, or give one another name.")
    form = VenueForm
    list_display = ("name", "night_count", "created_at")
    search_fields = ("name",)
    filter_horizontal = ("hosts",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Venue]:
        """Count the nights of each venue in the same query."""
        rows: QuerySet[Venue] = super().get_queryset(request)
        return rows.annotate(nights_held=counted(Night.objects.all(), "venue"))

    @admin.display(description=_("nights"), ordering="nights_held")
    def night_count(self, venue: Any) -> SafeString | int:
        """Return the number of nights at a venue, as a link to them."""
        if not venue.nights_held:
            return 0
        return list_link("night", f"venue__id__exact={venue.pk}", venue.nights_held)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save by the services."""
        name = form.cleaned_data["name"]
        user: Any = request.user
        if change:
            venues.rename(Venue.objects.get(pk=obj.pk), name, user)
        else:
            obj.pk = venues.add(name, user).pk

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the hosts by the services."""
        user: Any = request.user
        venues.set_hosts(Venue.objects.get(pk=form.instance.pk), form.cleaned_data["hosts"], user)


class MembershipInline(Inline):
    """The members of a night."""

    model = Membership
    fields = readonly_fields = ("player", "status", "keeper", "joined_at", "gone_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        """Load the people and the night with the members."""
        rows: QuerySet[Membership] = super().get_queryset(request)
        return rows.select_related("player", "keeper", "night")


class TableInline(Inline):
    """The tables of a night."""

    model = Table
    fields = readonly_fields = ("number", "game", "variant", "status", "seq", "archived_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """Load the tables without their states."""
        rows: QuerySet[Table] = super().get_queryset(request)
        return rows.select_related("night").defer("state").order_by("number")

    @admin.display(description=_("game"))
    def game(self, table: Table) -> str:
        """Return the game's title."""
        return game_title(table.game_id)

    @admin.display(description=_("variant"))
    def variant(self, table: Table) -> str:
        """Return the variant's name."""
        return preset_label(table.game_id, table.preset)


class PastGameForm(forms.Form):
    """The variant, the time and the points of a past game; a player with an empty field had no part."""

    variant = forms.ChoiceField(label=_("Variant"), required=False)
    medium = forms.ChoiceField(label=_("Where it was played"), required=False)
    at = forms.DateTimeField(
        label=_("When it ended"), required=False, help_text=_("Left empty: now, or at the end of the night.")
    )

    def __init__(self, night: Night, data: Any = None) -> None:
        super().__init__(data)
        variant = cast(forms.ChoiceField, self.fields["variant"])
        variant.choices = [
            (f"{game.game_id}:{preset.id}", written.labelled(game.title, preset_label(game.game_id, preset.id)))
            for game in plugin.all_games().values()
            for preset in game.options.presets
        ]
        media = {medium: label for game in plugin.all_games().values() for medium, label in game.media.items()}
        cast(forms.ChoiceField, self.fields["medium"]).choices = [("", _("as usual without a screen")), *media.items()]
        members = night.memberships.exclude(status=Membership.Status.WAITING).select_related("player")
        for row in members.order_by(name_order.order("player__nickname"), "pk"):
            self.fields[f"points_{row.player_id}"] = forms.IntegerField(
                label=without_signs(row.player.nickname),
                required=False,
                error_messages={"invalid": _("This is a whole number.")},
            )
        self.fields["form_id"] = forms.CharField(widget=forms.HiddenInput, initial=form_ids.new, required=False)

    def clean(self) -> dict[str, Any]:
        """Gather the values into one `PastGame`."""
        found = super().clean() or {}
        game_id, _colon, preset = found.get("variant", "").partition(":")
        points = {name: n for name, n in found.items() if name.startswith("points_") and n is not None}
        lines = [PastLine(int(name.removeprefix("points_")), n) for name, n in points.items()]
        past_game = PastGame(game_id, preset, lines, found.get("at"), found.get("medium", ""))
        return {**found, "past_game": past_game, "form_id": found.get("form_id") or None}


class NewHostForm(forms.Form):
    """The member who hosts the night from now on."""

    def __init__(self, night: Night, data: Any = None) -> None:
        super().__init__(data)
        inside = night.memberships.filter(status=Membership.Status.IN, keeper=None, player__banned_at=None)
        others = inside.exclude(player=night.host_id).select_related("player")
        choices = [(str(each.player_id), each.player.displayed_name) for each in others]
        self.fields["player"] = forms.ChoiceField(label=_("New host"), choices=choices)


def _give_host(night: Night, user: Any, data: dict[str, Any]) -> None:
    membership.give_host(night, night.host, int(data["player"]), user)


def _close(night: Night, user: Any, data: dict[str, Any]) -> None:
    membership.close(night, night.host, user)


@admin.register(Night)
class NightAdmin(ReadOnly, Downloads):
    """Nights with their people, tables and events."""

    help = _("Every evening with its people, tables, results and files. Close a forgotten one.")
    list_display = (
        "name", "day", "venue", "host", "status", "people", "table_count", "created_at", "closed_at",
    )  # fmt: skip
    list_select_related = ("host", "venue")
    list_filter = ("status", "venue", "is_past", "day")
    search_fields = ("name", "host__nickname", "public_id", "code")
    date_hierarchy = "day"
    show_full_result_count = False
    list_per_page = 50
    inlines = (TableInline, MembershipInline)
    fields = readonly_fields = (
        "name", "day", "is_past", "venue", "host", "status", "code", "created_at", "closed_at", "results",
        "admit_by_hand", "cap", "happened",
    )  # fmt: skip
    file_route = "games_night_file"
    acts = {
        "close": RowAct(
            title=NIGHT["close"].label,
            button=_("Close it"),
            help=_(
                "The room code opens nothing any more, and tables that still play are broken off "
                "without a result. Results so far stay. A closed night can't be opened again."
            ),
            do=_close,
            done=_("The night is closed."),
            is_grave=True,
        ),
        "give_host": RowAct(
            title=_("Hand the night over"),
            button=_("Hand it over"),
            help=_("Another guest who is in, with a phone, hosts the night from now on, in place of one who has gone."),
            do=_give_host,
            done=_("The night has another host."),
            form=lambda rows, data: NewHostForm(rows[0], data),
            fields={"": "player"},
            many=False,
        ),
        "share": RowAct(
            title=_("Open the results to outsiders"),
            button=_("Make a link"),
            help=_(
                "Whoever has the link, which the night's page of results then shows, reads points and listed names."
            ),
            do=lambda night, user, _data: links.open_night(night, night.host, user),
            done=_("Whoever has the link reads the results."),
        ),
        "past_game": RowAct(
            title=_("Enter a past game"),
            button=_("Enter the game"),
            help=_(
                "A game of the night that was played without the server, with the points of everybody who had a part. "
                "It stands in the sheet at once, and counts for each of them who agrees."
            ),
            do=lambda night, user, data: past_games.enter(night, user, data["past_game"], data["form_id"]),
            done=_("The game is in the sheet."),
            form=lambda rows, data: PastGameForm(rows[0], data),
            fields={"not_in_night": "at", "": "variant"},
            many=False,
        ),
    }

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow links that select a player's nights."""
        return lookup == "memberships__player__id__exact" or super().lookup_allowed(lookup, value, request)

    def is_open(self, act: str, row: Any) -> bool:
        """Offer closing and another host for nights that are not closed; past games for any night except practice.

        A share link is offered for those, too, where none is open.
        """
        if act == "past_game":
            return not row.is_practice
        if act == "share":
            return not row.is_practice and links.of_night(row) is None
        if act == "give_host" and row.is_practice:
            return False
        return bool(row.status != Night.Status.CLOSED)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Night]:
        """Count members and tables in the same query."""
        rows: QuerySet[Night] = super().get_queryset(request)
        inside = Membership.objects.filter(status=Membership.Status.IN)
        return rows.annotate(people_in=counted(inside, "night"), tables_in=counted(Table.objects.all(), "night"))

    @admin.display(description=_("people"), ordering="people_in")
    def people(self, night: Any) -> int:
        """Return the number of members."""
        return int(night.people_in)

    @admin.display(description=_("tables"), ordering="tables_in")
    def table_count(self, night: Any) -> SafeString | int:
        """Return the number of tables, as a link to them."""
        return list_link("table", f"night={night.pk}", night.tables_in) if night.tables_in else 0

    @admin.display(description=_("results"))
    def results(self, night: Night) -> SafeString | int:
        """Return the number of results, as a link to them."""
        count = Result.objects.filter(table__night=night).count()
        return list_link("result", f"night={night.pk}", count) if count else 0

    @admin.display(description=_("what happened"))
    def happened(self, night: Night) -> SafeString:
        """Return the night's events in words, the newest first."""
        lines = events.feed(night.events.all()[:MOST_EVENTS])
        rows = [(localize(localtime(line["at"])), line["text"]) for line in lines]
        return format_html_join("", "<div>{} – {}</div>", rows)

    def files_of(self, row: Any) -> list[tuple[str, Any]]:
        """Return the files that every night has."""
        return [(exports.RESULTS, _("Results as CSV")), (exports.EVERYTHING, _("All files"))]

    def file_of(self, row: Any, name: str) -> exports.File:
        """Return a file of a night; raises Illegal `no_such_file`."""
        return exports.night_file(row, name)
