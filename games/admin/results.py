"""The admin's results: read-only, and corrected by new rows with a reason.

The admin's share links: which results and standings are open to outsiders; closed and renewed by the staff.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.admin.base import (
    Acts,
    Inline,
    NewestNightsFilter,
    PresetFilter,
    ReadOnly,
    RowAct,
    RowFilter,
    link,
    list_link,
    unit_label,
    without_signs,
)
from games.admin.house_rules import GameFilter
from games.models import Result, ResultLine, ShareLink
from games.services import form_ids
from games.services.history import consent, corrections, winner_corrections
from games.services.house_rules.cards import game_title, preset_label
from games.services.regions import written
from games.services.sharing import links
from games.web import labels


class UnitFilter(admin.SimpleListFilter):
    """A filter by unit."""

    title = _("unit")
    parameter_name = "unit"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the units of all games."""
        found: dict[str, str] = {}
        for game in plugin.all_games().values():
            found |= {unit: str(label) for unit, label in game.units.items()}
        return list(found.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the results in the unit."""
        return queryset.filter(unit=self.value()) if self.value() else queryset


class ResultNightFilter(NewestNightsFilter):
    """A filter by the night of results."""

    field = "table__night"


class ResultLineInline(Inline):
    """The lines of a result."""

    model = ResultLine
    fields = readonly_fields = ("displayed_name", "player", "points", "rank", "consent")
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[ResultLine]:
        """Load the players with the lines."""
        rows: QuerySet[ResultLine] = super().get_queryset(request)
        return rows.select_related("player")

    @admin.display(description=_("name"))
    def displayed_name(self, line: ResultLine) -> str:
        """Return the name at the time of the game."""
        return without_signs(line.name)


class CorrectForm(forms.Form):
    """Points for each seat of a result, and the reason. Empty fields change nothing.

    Of a result that is told anew (told_results.py): who won and how, and the reason.
    """

    reason = forms.CharField(label=_("Why"), required=False, help_text=_("Everybody can read it beside the result."))

    def __init__(self, result: Result, data: Any = None) -> None:
        super().__init__(data)
        self.fields["form_id"] = forms.CharField(widget=forms.HiddenInput, initial=form_ids.new, required=False)
        self.told = winner_corrections.takes(result)
        if self.told:
            self._add_told(result)
        else:
            self._add_points(result)
        self.order_fields([*(name for name in self.fields if name != "reason"), "reason"])

    def _add_told(self, result: Result) -> None:
        """Add a field for the winner, and one for each figure of how the game was won."""
        names = {str(line.seat): without_signs(line.name) for line in result.lines.order_by("seat")}
        fields = {field.id: (field.label, field.words) for field in plugin.game(result.game_id).told_fields}
        for name, (label, words) in {"winner": (_("Who won?"), names), **fields}.items():
            self.fields[f"told_{name}"] = forms.TypedChoiceField(
                label=label, choices=[("", ""), *words.items()], coerce=int
            )

    def _add_points(self, result: Result) -> None:
        """Add a field for the points of each seat."""
        for line in result.lines.order_by("seat"):
            self.fields[f"points_{line.seat}"] = forms.IntegerField(
                label=gettext("%(name)s: points more (or less, with a minus)") % {"name": without_signs(line.name)},
                help_text=gettext("It was %(points)s.") % {"points": line.points},
                required=False,
                error_messages={"invalid": _("This is a whole number.")},
            )

    def told_result(self) -> dict[str, int] | None:
        """Return the chosen result, None where points are corrected."""
        found = {name: n for name, n in self.cleaned_data.items() if name.startswith("told_")}
        return {name.removeprefix("told_"): n for name, n in found.items()} if self.told else None

    def points(self) -> dict[int, int]:
        """Return the filled-in points by seat."""
        found = {name: n for name, n in self.cleaned_data.items() if name.startswith("points_")}
        return {int(name.removeprefix("points_")): n for name, n in found.items() if n is not None}

    def clean(self) -> dict[str, Any]:
        """Gather the points into one dictionary."""
        found = super().clean() or {}
        return {**found, "points": self.points(), "told": self.told_result(), "form_id": found.get("form_id") or None}


CORRECT = RowAct(
    title=_("Correct"),
    button=_("Correct it"),
    help=_(
        "The result itself stays as it was played. A new row says who gets more or less, and why; "
        "sums and leaderboards count it from now on."
    ),
    do=lambda result, user, data: corrections.correct(
        result, user, data["points"], data["reason"], data["form_id"], told=data["told"]
    ),
    done=_("The correction is written down."),
    form=lambda rows, data: CorrectForm(rows[0], data),
    # Points that do not add up concern no single seat: the refusal shows at the first one.
    fields={"no_reason": "reason", "bad_points": "points_0", "not_zero": "points_0"},
    many=False,
)


AGREE = RowAct(
    title=_("Agree for people without a phone"),
    button=_("Agree"),
    help=_(
        "This past game then counts for those of its people who have no phone. Whoever has one is asked there and "
        "answers alone."
    ),
    do=lambda result, user, _data: consent.answer(result.pk, user, agrees=True),
    done=_("The game counts for them."),
)
REFUSE = RowAct(
    title=_("Refuse for people without a phone"),
    button=_("Refuse"),
    help=_("This past game stays in the sheet and counts for none of its people who have no phone."),
    do=lambda result, user, _data: consent.answer(result.pk, user, agrees=False),
    done=_("The game does not count for them."),
)


@admin.register(Result)
class ResultAdmin(ReadOnly, Acts):
    """Results with a line for each seat."""

    help = _("What every game was worth. A wrong one is corrected by a new row with a reason.")
    list_display = (
        "finished_at", "played", "night", "who_got_what", "is_correction",
    )  # fmt: skip
    list_select_related = ("table__night__venue",)
    list_filter = (
        GameFilter, PresetFilter, UnitFilter, "is_correction", ("table__night__venue",
        admin.RelatedOnlyFieldListFilter), ResultNightFilter, "finished_at",
    )  # fmt: skip
    search_fields = ("table__public_id", "table__night__name", "lines__name")
    search_help_text = _("Names of players or of a night")
    date_hierarchy = "finished_at"
    ordering = ("-finished_at", "-pk")
    show_full_result_count = False
    list_per_page = 50
    inlines = (ResultLineInline,)
    fields = readonly_fields = (
        "game", "variant", "night", "table_link", "number", "finished_at", "ending", "counted_in",
        "is_correction", "corrects_link", "note", "written_by", "corrected",
    )  # fmt: skip
    acts = {"correct": CORRECT, "agree": AGREE, "refuse": REFUSE}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Result]:
        """Load the lines with the results."""
        rows: QuerySet[Result] = super().get_queryset(request)
        return rows.defer("table__state", "table__options").prefetch_related("lines")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search names by subqueries: the rows of a join would have to be made distinct."""
        for word in search_term.split():
            lines = ResultLine.objects.filter(name__icontains=word).values("result")
            by_night = Q(table__night__name__icontains=word) | Q(table__public_id=word)
            queryset = queryset.filter(by_night | Q(pk__in=lines))
        return queryset, False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow links that select the results of a player or a table."""
        own = {"lines__player__id__exact", "table__id__exact"}
        return lookup in own or super().lookup_allowed(lookup, value, request)

    def row_name(self, row: Any) -> str:
        """Return the game, table and night of a result, and its number at the table."""
        table = f"{game_title(row.game_id)} {row.table.number}, {row.table.night}"
        return f"{table}: {row.number}"

    def is_open(self, act: str, row: Any) -> bool:
        """Offer corrections of games, not of corrections; answers for past games that wait for one."""
        if act in ("agree", "refuse"):
            return row.is_entered and any(line.consent == ResultLine.Consent.ASKED for line in row.lines.all())
        return not row.is_correction

    @admin.display(description=_("game"), ordering="game_id")
    def played(self, result: Result) -> str:
        """Return game and variant."""
        return written.labelled(self.game(result), self.variant(result))

    @admin.display(description=_("game"), ordering="game_id")
    def game(self, result: Result) -> str:
        """Return the game's title."""
        return game_title(result.game_id)

    @admin.display(description=_("variant"), ordering="preset")
    def variant(self, result: Result) -> str:
        """Return the variant's name."""
        return preset_label(result.game_id, result.preset)

    @admin.display(description=_("night"))
    def night(self, result: Result) -> SafeString:
        """Return a link to the night."""
        return link("night", result.table.night_id, result.table.night)

    @admin.display(description=_("written by"))
    def written_by(self, result: Result) -> str:
        """Return the name of the author of a correction or past game."""
        return result.by_name

    @admin.display(description=_("table"))
    def table_link(self, result: Result) -> SafeString:
        """Return a link to the table."""
        return link("table", result.table_id, result.table.number)

    @admin.display(description=_("who got what"))
    def who_got_what(self, result: Result) -> str:
        """Return names and points, the best first, and the unit."""
        lines = ", ".join(f"{line.name} {labels.signed(line.points)}" for line in result.lines.all())
        return f"{without_signs(lines)} ({self.counted_in(result)})"

    @admin.display(description=_("unit"), ordering="unit")
    def counted_in(self, result: Result) -> str:
        """Return the label of the unit."""
        return unit_label(result.game_id, result.unit)

    @admin.display(description=_("how it ended"))
    def ending(self, result: Result) -> str:
        """Return the game's reason for its end."""
        return result.reason.replace("_", " ")

    @admin.display(description=_("corrects"))
    def corrects_link(self, result: Result) -> SafeString | str:
        """Return a link to the result that this one corrects."""
        if result.corrects_id is None:
            return "–"
        return link("result", result.corrects_id, result.corrects)

    @admin.display(description=_("corrected by rows"))
    def corrected(self, result: Result) -> SafeString | str:
        """Return the corrections of a result, with their reasons."""
        rows = [(link("result", row.pk, row.note), row.by_name) for row in result.corrections.all()]
        return format_html_join("", "<div>{} ({})</div>", rows) if rows else "–"


def of_player(player_id: int, text: object) -> SafeString:
    """Return a link to a player's results."""
    return list_link("result", f"lines__player__id__exact={player_id}", text)


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
