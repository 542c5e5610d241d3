"""The admin's tables: display, log check, archive."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import localize
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import plugin
from games.admin.base import (
    Downloads,
    Inline,
    NewestNightsFilter,
    PresetFilter,
    ReadOnly,
    RowAct,
    RowFilter,
    link,
    list_link,
    may,
    without_signs,
)
from games.admin.house_rules import GameFilter
from games.kernel.contract import Illegal
from games.management import log_check
from games.models import Membership, Night, ResultLine, Seat, Table
from games.services.history import corrections, exports
from games.services.house_rules.cards import game_title, preset_label
from games.services.logs import archive, replays
from games.services.regions import written
from games.services.staff import table_acts, waiting
from games.services.tables import log
from games.web import labels


class SeatInline(Inline):
    """The seats of a table."""

    model = Seat
    fields = readonly_fields = ("index", "displayed_name", "player", "keeper", "bot_level", "accepted_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Load the players with the seats."""
        rows: QuerySet[Seat] = super().get_queryset(request)
        return rows.select_related("player", "table__night", "table__scorekeeper")

    @admin.display(description=_("acts for them"))
    def keeper(self, seat: Seat) -> str:
        """Return the name of the keeper of a person without a phone."""
        member = seat.table.night.memberships.filter(player=seat.player_id, keeper__isnull=False).first()
        keeper = member and (seat.table.scorekeeper or member.keeper)
        return keeper.displayed_name if keeper else "–"

    @admin.display(description=_("name"))
    def displayed_name(self, seat: Seat) -> str:
        """Return the name on the seat."""
        return without_signs(seat.name)


class ArchiveFilter(RowFilter):
    """A filter by archive: tables in lists, or archived ones."""

    title = _("archive")
    parameter_name = "archived"
    conditions = {
        "no": (_("in use"), Q(archived_at__isnull=True)),
        "yes": (_("archived"), Q(archived_at__isnull=False)),
    }


def _check(table: Table, user: Any, data: dict[str, Any]) -> None:
    """Check a table while it is locked against writes; raises Illegal `log_faults`."""
    with transaction.atomic():
        found = log_check.faults(log.lock(table.pk))
    if found:
        raise Illegal("log_faults", faults="; ".join(found))


class AnswerForm(forms.Form):
    """One of a table's corrections that wait, and the answer to it."""

    def __init__(self, table: Table, data: Any = None) -> None:
        super().__init__(data)
        self.fields["correction"] = forms.ChoiceField(label=_("Correction"), choices=_waiting(table))
        answers = [("yes", _("Agree")), ("no", _("Refuse"))]
        self.fields["answer"] = forms.ChoiceField(label=_("Answer"), choices=answers)


def _waiting(table: Table) -> list[tuple[str, str]]:
    """Return the id of each correction that waits, with its moves of points and its reason."""
    found = []
    for each in table.corrections:
        lines = ResultLine.objects.filter(result_id=each["result"], seat__in=each["points"])
        names = {str(line.seat): without_signs(line.name) for line in lines}
        moves = ", ".join(f"{names.get(seat, seat)} {labels.signed(n)}" for seat, n in each["points"].items())
        found.append((each["id"], f"{moves}: {each['reason']}"))
    return found


def _answer(table: Table, user: Any, data: dict[str, Any]) -> None:
    corrections.answer(table.pk, data["correction"], user, agrees=data["answer"] == "yes")


class StandInForm(forms.Form):
    """A seat of a table, shown with its person, and its new player: a bot, or a guest of the night."""

    def __init__(self, table: Table, data: Any = None) -> None:
        super().__init__(data)
        self.fields["seat"] = forms.ChoiceField(label=_("Seat"), choices=_seats_to_give(table))
        self.fields["who"] = forms.ChoiceField(label=_("Who takes it"), choices=_stand_ins(table))


def _seats_to_give(table: Table) -> list[tuple[str, str]]:
    """Return the seats, each with its sitter in the value: who sits there by then may be another."""
    seats = table.seats.order_by("index")
    return [(f"{seat.index}:{seat.player_id or ''}", f"{seat.index + 1}: {without_signs(seat.name)}") for seat in seats]


def _stand_ins(table: Table) -> list[tuple[str, str]]:
    """Return the bots of the game, and the members with a phone who have no seat at the table."""
    game = plugin.all_games().get(table.game_id)
    levels = game.offered_levels.items() if game and game.takes_bots(table.options) else ()
    bots = [(f"bot:{level}", written.labelled(gettext("bot"), label)) for level, label in levels]
    inside = table.night.memberships.filter(status=Membership.Status.IN, keeper=None)
    free = inside.exclude(player__in=table.seats.exclude(player=None).values("player")).select_related("player")
    return [*bots, *((f"player:{each.player_id}", each.player.displayed_name) for each in free)]


def _stand_in(table: Table, user: Any, data: dict[str, Any]) -> None:
    index, _colon, sitter = data["seat"].partition(":")
    kind, _colon, who = data["who"].partition(":")
    seat = (int(index), int(sitter) if sitter else None)
    if kind == "bot":
        table_acts.put_bot(table, user, *seat, who)
    else:
        table_acts.put_member(table, user, *seat, int(who))


class EndForm(forms.Form):
    """The way in which a table ends."""

    how = forms.ChoiceField(
        label=_("How"),
        choices=[
            ("result", _("With the result so far, if the game allows it")),
            ("broken_off", _("Broken off, without a result")),
        ],
    )


def _end(table: Table, user: Any, data: dict[str, Any]) -> None:
    table_acts.end(table, user, with_result=data["how"] == "result")


ACTS = {
    "pause": RowAct(
        title=_("Pause"),
        button=_("Pause"),
        help=_("The clocks stop, and nobody can play until the host or the staff lets the table go on."),
        do=lambda table, user, _data: table_acts.pause(table, user),
        done=_("The table is paused."),
    ),
    "resume": RowAct(
        title=_("Let it go on"),
        button=_("Let it go on"),
        help=_("The clocks run with the time that was left."),
        do=lambda table, user, _data: table_acts.resume(table, user),
        done=_("The table goes on."),
    ),
    "stand_in": RowAct(
        title=_("Stand-in"),
        button=_("Give the seat"),
        help=_(
            "A bot or another guest of the night takes a seat as it is. The staff itself plays nobody's turn: a guest "
            "plays on the own phone, and accepts the rules there."
        ),
        do=_stand_in,
        done=_("The seat is given."),
        form=lambda rows, data: StandInForm(rows[0], data),
        fields={"other_sitter": "seat", "seat_gone": "seat", "": "who"},
        many=False,
    ),
    "end": RowAct(
        title=_("End this table"),
        button=_("End it"),
        help=_("This table alone ends; the night and its other tables go on. It can't be begun again."),
        do=_end,
        done=_("The table has ended."),
        form=lambda _rows, data: EndForm(data),
        fields={"": "how"},
        is_grave=True,
        many=False,
    ),
    "answer": RowAct(
        title=_("Answer a correction"),
        button=_("Answer"),
        help=_("The staff answers a correction that waits for people, in place of all of them."),
        do=_answer,
        done=_("The correction is answered."),
        form=lambda rows, data: AnswerForm(rows[0], data),
        fields={"": "correction"},
        many=False,
    ),
    "check": RowAct(
        title=_("Check log and state"),
        button=_("Check"),
        help=_("Plays the log again and compares: state, seats, dice, results. Changes nothing."),
        do=_check,
        done=_("All is well: log, state, seats, dice and results tell the same story."),
        right="view",
    ),
    "archive": RowAct(
        title=_("Archive"),
        button=_("Archive"),
        help=_(
            "An archived table is in no list of its night any more. Its results, log and files "
            "stay, and it can be taken out of the archive again."
        ),
        do=lambda table, user, _data: archive.archive(table, user),
        done=_("The table is archived."),
    ),
    "restore": RowAct(
        title=_("Take out of the archive"),
        button=_("Take it out"),
        help=_("The table is in the lists of its night again."),
        do=lambda table, user, _data: archive.restore(table, user),
        done=_("The table is in its night's lists again."),
    ),
}


@admin.register(Table)
class TableAdmin(ReadOnly, Downloads):
    """Tables with their seats, and a link to their log. The secret of the dice is not shown."""

    help = _("Every table: for whom it waits, its seats, its log, its files. Unstick one, check it, put it away.")
    list_display = ("name", "night_link", "variant", "status", "people", "log_link", "created_at")
    list_select_related = ("night",)
    list_filter = ("status", GameFilter, PresetFilter, ArchiveFilter, NewestNightsFilter, "created_at")
    search_fields = ("public_id", "night__name", "seats__name")
    ordering = ("-created_at", "-pk")
    show_full_result_count = False
    list_per_page = 50
    inlines = (SeatInline,)
    fields = readonly_fields = (
        "game", "variant", "rules_by_name", "night_link", "number", "status", "waits_for", "waits_since", "last_entry",
        "scorekeeper", "created_at",
        "started_at", "finished_at", "archived_at", "log_link", "results", "public_id",
    )  # fmt: skip
    acts = ACTS
    file_route = "games_table_file"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        """Load the seats with the tables; states only for the page of one, from which follows for whom it waits."""
        rows: QuerySet[Table] = super().get_queryset(request).prefetch_related("seats")
        is_one = request.resolver_match is not None and "object_id" in request.resolver_match.kwargs
        return rows.select_related("night") if is_one else rows.defer("state", "options", "clocks")

    def is_open(self, act: str, row: Any) -> bool:
        """Offer what fits: acts on a running game, answers to corrections that wait, the archive once it is over."""
        if act == "answer":
            return bool(row.corrections)
        if act in {"pause", "resume", "stand_in", "end"}:
            paused = row.status == Table.Status.PAUSED
            return bool(row.is_running and {"pause": not paused, "resume": paused}.get(act, True))
        if act == "archive":
            return archive.is_over(row) and row.archived_at is None
        return act == "check" or row.archived_at is not None

    def row_name(self, row: Any) -> str:
        """Return game, number and night."""
        return f"{game_title(row.game_id)} {row.number}, {row.night}"

    @admin.display(description=_("table"), ordering="number")
    def name(self, table: Table) -> str:
        """Return game and number, with a mark if the table is archived."""
        name = f"{game_title(table.game_id)} {table.number}"
        return f"{name} ({gettext('archived')})" if table.archived_at else name

    @admin.display(description=_("night"), ordering="night__name")
    def night_link(self, table: Table) -> SafeString:
        """Return a link to the night."""
        return link("night", table.night_id, table.night)

    @admin.display(description=_("game"))
    def game(self, table: Table) -> str:
        """Return the game's title."""
        return game_title(table.game_id)

    @admin.display(description=_("variant"), ordering="preset")
    def variant(self, table: Table) -> str:
        """Return the variant's name."""
        return preset_label(table.game_id, table.preset)

    @admin.display(description=_("house rules"))
    def rules_by_name(self, table: Table) -> str:
        """Return the name and version of the rule set that the table was opened with."""
        if not table.house_rules_name:
            return "–"
        return f"{table.house_rules_name} ({table.house_rules_version})"

    @admin.display(description=_("seats"))
    def people(self, table: Table) -> str:
        """Return the names at the seats."""
        return without_signs(written.names(seat.name for seat in table.seats.all())) or "–"

    @admin.display(description=_("log"), ordering="seq")
    def log_link(self, table: Table) -> SafeString:
        """Return a link to the entries of a table's log."""
        return list_link("logentry", f"table__id__exact={table.pk}", table.seq)

    def _waits(self, table: Table) -> waiting.TableWait | None:
        """Return the people that a running table waits for, looked up once for a page."""
        if not hasattr(table, "waits"):
            table.waits = waiting.of_table(table) if table.is_running else None  # type: ignore[attr-defined]
        return table.waits  # type: ignore[attr-defined, no-any-return]

    @admin.display(description=_("waits for"))
    def waits_for(self, table: Table) -> str:
        """Return the names of the seats that the game waits for."""
        if table.status == Table.Status.PAUSED:
            return gettext("the host: it is paused")
        if (found := self._waits(table)) is None:
            return "–"
        names = without_signs(written.names(found.names)) or "–"
        return gettext("the phone of %(names)s, for dice") % {"names": names} if found.is_for_device else names

    @admin.display(description=_("since"))
    def waits_since(self, table: Table) -> str:
        """Return the time since which a running table waits."""
        found = self._waits(table)
        return f"{localize(localtime(found.since))} ({timesince(found.since)})" if found and found.since else "–"

    @admin.display(description=_("last entry"))
    def last_entry(self, table: Table) -> str:
        """Return number, time and command of a running table's last entry."""
        found = self._waits(table)
        if found is None or found.last is None:
            return "–"
        return f"{found.last.seq}, {localize(localtime(found.last.created_at))}: {found.last.command.get('name', '')}"

    @admin.display(description=_("results"))
    def results(self, table: Table) -> SafeString | int:
        """Return the number of results, as a link to them."""
        count = table.results.count()
        return list_link("result", f"table__id__exact={table.pk}", count) if count else 0

    def files_of(self, row: Any) -> list[tuple[str, Any]]:
        """Return the names of the table's files."""
        return [(name, name) for name in exports.table_names(row)]

    def file_of(self, row: Any, name: str) -> exports.File:
        """Return a file of a table; raises Illegal `not_finished`, `no_such_file`."""
        return exports.table_file(row, name)

    def tools(self, request: HttpRequest, row: Any) -> list[tuple[str, Any]]:
        """Add another host for the night, and the replay for staff whose player is a member of the night."""
        found = super().tools(request, row)
        if row.is_running and may(request, "change", Night):
            address = reverse("admin:games_night_ask", args=["give_host"])
            found.append((f"{address}?ids={row.night_id}", _("Hand the night over")))
        inside = row.night.memberships.filter(player__user=request.user.pk, status=Membership.Status.IN)
        if inside.exists() and replays.games_of(row):
            found.append((reverse("replay", args=[row.public_id]), _("Replay")))
        return found
