"""The admin's players: search, display, acts of the services, and merging."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import localize
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.admin.base import (
    Acts,
    ReadOnly,
    RowAct,
    RowFilter,
    checked,
    counted,
    link,
    list_link,
    may,
    refusal_text,
    unit_label,
)
from games.admin.results import of_player
from games.kernel.contract import Illegal
from games.models import AuditEntry, Membership, Player, ResultLine
from games.row_ids import row_id
from games.services import audit
from games.services.history import night_tallies, tallies
from games.services.house_rules.cards import game_title
from games.services.people import bans, deletion, merging, players, two_people
from games.web import labels
from games.web.people import kept_sheet


class BanForm(forms.Form):
    """The reason of a ban."""

    reason = forms.CharField(label=_("Why"), required=False, help_text=_("Only the staff reads it, in the audit."))

    def clean_reason(self) -> str:
        """Return the reason; raises ValidationError with the services' code."""
        return checked(audit.reason, self.cleaned_data["reason"])


class RenameForm(forms.Form):
    """A new nickname."""

    nickname = forms.CharField(label=_("Nickname"), required=False)

    def clean_nickname(self) -> str:
        """Return the nickname; raises ValidationError with the services' code."""
        return checked(players.clean_nickname, self.cleaned_data["nickname"])


class SureForm(forms.Form):
    """A checkbox that confirms the act."""

    sure = forms.BooleanField(label=_("Yes, delete it for good"), required=False)

    def clean_sure(self) -> bool:
        """Return True; raises ValidationError without the tick."""
        if not self.cleaned_data["sure"]:
            raise ValidationError(_("Tick the box first."), code="not_confirmed")
        return True


def _rebuild(player: Player, user: Any, data: dict[str, Any]) -> None:
    tallies.rebuild([player.pk])
    night_tallies.rebuild([player.pk])
    audit.note("tallies_rebuilt", user, player.nickname, player=player.pk)


ACTS: dict[str, RowAct] = {
    "rename": RowAct(
        title=_("Rename"),
        button=_("Rename"),
        help=_("Seats and results keep the name that was played under."),
        do=lambda player, user, data: players.rename(player, data["nickname"], user),
        done=_("Renamed."),
        form=lambda rows, data: RenameForm(data, initial={"nickname": rows[0].nickname}),
        fields={"": "nickname"},
        many=False,
    ),
    "ban": RowAct(
        title=_("Ban"),
        button=_("Ban"),
        help=_(
            "Who is banned leaves every open night and seat at once and comes into no other. "
            "Their results stay. A ban can be lifted."
        ),
        do=lambda player, user, data: bans.ban(player, user, data["reason"]),
        done=_("Banned."),
        form=lambda _rows, data: BanForm(data),
        is_grave=True,
    ),
    "lift": RowAct(
        title=_("Lift the ban"),
        button=_("Lift the ban"),
        help=_("They may come again; nights that they were put out of stay shut."),
        do=lambda player, user, _data: bans.lift(player, user),
        done=_("The ban is lifted."),
    ),
    "rebuild": RowAct(
        title=_("Count sums anew"),
        button=_("Count anew"),
        help=_("Works out what leaderboards show of a player from the results, which stay."),
        do=_rebuild,
        done=_("Counted anew."),
    ),
    "sheet": RowAct(
        title=_("What the house keeps of them"),
        button=_("Show the sheet"),
        help=_("For somebody without a phone who asks: a sheet for paper. That you read it is noted in the audit."),
        do=lambda player, user, _data: audit.note("player_sheet", user, player.nickname, player=player.pk),
        done=_("It is noted in the audit."),
        many=False,
        answer=kept_sheet.page,
    ),
    "delete": RowAct(
        title=_("Delete their data"),
        button=_("Delete"),
        help=_(
            "Deletes account, chat and name, wherever it is kept. Results stay, under “Deleted "
            "player”, so that everybody else's sums stay right. This can't be undone."
        ),
        do=lambda player, user, _data: deletion.delete(player, user),
        done=_("The data are deleted."),
        form=lambda _rows, data: SureForm(data),
        right="delete",
        is_grave=True,
    ),
}


MERGE = RowAct(
    title=_("Join two players to one"),
    button=_("Join them"),
    help=_(
        "For somebody who was here twice. Seats, results, nights, chat, an account and a ban go "
        "to the one who stays; old links to the other lead there. This can't be undone."
    ),
    do=lambda *_args: None,
    done=_("They are one player now."),
    is_grave=True,
)
CHOOSE = replace(MERGE, button=_("Show both"), is_grave=False)


class OtherForm(forms.Form):
    """The number of the other player."""

    other = forms.CharField(
        label=_("Number of the other player"),
        required=False,
        help_text=_("It is in the list of players, and on the other one's page."),
    )

    def __init__(self, player: Player, data: Any = None) -> None:
        super().__init__(data)
        self.player = player

    def clean_other(self) -> int:
        """Return the id of the other player; raises ValidationError with a code."""
        raw = self.cleaned_data["other"].strip()
        other = players.current_player(row_id(raw))
        if other is None:
            raise ValidationError(_("There is no player with this number."), code="no_such_player")
        if other.pk == self.player.pk:
            raise ValidationError(refusal_text(Illegal("same_player")), code="same_player")
        return other.pk


class KeepForm(forms.Form):
    """The choice of the player that remains, and a tick where both were somewhere at the same time."""

    keep = forms.ChoiceField(label=_("Who stays?"), widget=forms.RadioSelect, required=False, choices=())
    sure = forms.BooleanField(label=_("They are one person all the same"), required=False)

    def __init__(self, rows: list[Player], occasions: list[two_people.Occasion], data: Any = None) -> None:
        super().__init__(data)
        field: Any = self.fields["keep"]
        field.choices = [(str(row.pk), f"{row.nickname} ({row.pk})") for row in rows]
        if not occasions:
            del self.fields["sure"]
            return
        told = "; ".join(f"{localize(each.day)}: {each.text}" for each in occasions)
        self.fields["sure"].help_text = f"{told}."

    def clean_keep(self) -> int:
        """Return the id of the player that remains; raises ValidationError with a code."""
        if not self.cleaned_data["keep"]:
            raise ValidationError(gettext("Choose who stays."), code="not_chosen")
        return int(self.cleaned_data["keep"])

    clean_sure = SureForm.clean_sure


class Merging(Acts):
    """The pages that merge two players."""

    def act_view(self, request: HttpRequest, key: str) -> HttpResponse:
        """Show the confirmation page of an act; merging has pages of its own."""
        if key != "merge":
            return super().act_view(request, key)
        if not may(request, "change", Player):
            raise PermissionDenied
        ids = [found for i in request.GET.get("ids", "").split(",")[:3] if (found := row_id(i)) is not None]
        rows = list(Player.objects.select_related("user").filter(pk__in=ids).order_by("pk"))
        if len(rows) == 1:
            return self._choose(request, rows[0])
        if len(rows) == 2:
            return self._confirm_merge(request, rows)
        raise Http404

    def _choose(self, request: HttpRequest, player: Player) -> HttpResponse:
        """Ask for the other player."""
        form = OtherForm(player, request.POST if request.method == "POST" else None)
        if form.is_valid():
            return redirect(self.act_address("merge", [player.pk, form.cleaned_data["other"]]))
        return self._page(request, CHOOSE, [player], form)

    def _confirm_merge(self, request: HttpRequest, rows: list[Player]) -> HttpResponse:
        """Show both players and the refusal, if any; a POST merges them."""
        sent = request.POST if request.method == "POST" else None
        form = KeepForm(rows, two_people.occasions(rows[0], rows[1]), sent)
        if form.is_valid():
            target = next(row for row in rows if row.pk == form.cleaned_data["keep"])
            source = next(row for row in rows if row.pk != target.pk)
            try:
                merging.merge(source, target, request.user)  # type: ignore[arg-type]
            except Illegal as refusal:
                form.add_error("keep", ValidationError(refusal_text(refusal), code=refusal.code))
            else:
                self.message_user(request, MERGE.done, messages.SUCCESS)
                return redirect("admin:games_player_change", target.pk)
        return self._both(request, rows, form)

    def _both(self, request: HttpRequest, rows: list[Player], form: forms.Form) -> HttpResponse:
        """Return the page that shows both players."""
        own = {"title": MERGE.title, "opts": self.opts, "act": MERGE, "form": form}
        context = {**self.admin_site.each_context(request), **own, "media": self.media}
        context |= {"table": _side_by_side(rows), "refused": _refused(rows)}
        if context["refused"] and request.method != "POST":
            context["form"] = forms.Form()
        status = 400 if form.errors else 200
        return render(request, "admin/games/acts/ask.html", context, status=status)


def _refused(rows: list[Player]) -> dict[str, str] | None:
    """Return why two players cannot be merged, in either direction; None if they can."""
    try:
        merging.check(rows[0], rows[1])
    except Illegal as refusal:
        return {"code": refusal.code, "text": refusal_text(refusal)}
    return None


def _side_by_side(rows: list[Player]) -> dict[str, Any]:
    """Return a table of both players' data, which merging would move."""
    sums = [two_people.summary(row) for row in rows]
    return {
        "head": [_("What goes along"), *(f"{row.nickname} ({row.pk})" for row in rows)],
        "rows": [
            [_("account"), *(row.user or "–" for row in rows)],
            [_("first came"), *(localize(row.created_at.date()) for row in rows)],
            [_("nights"), *(len(each.nights) for each in sums)],
            [
                _("last night"),
                *((f"{each.nights[0]}, {localize(each.nights[0].day)}" if each.nights else "–") for each in sums),
            ],
            [_("tables"), *(each.tables for each in sums)],
            [_("matches"), *(each.matches for each in sums)],
            [_("results"), *(each.results for each in sums)],
            [_("tournaments"), *(each.tournaments for each in sums)],
            [_("banned"), *(_("yes") if row.banned_at else _("no") for row in rows)],
        ],
    }


class StateFilter(RowFilter):
    """A filter by state: in use, banned, merged, or deleted."""

    title = _("state")
    parameter_name = "state"
    conditions = {
        "here": (_("in use"), Q(merged_into=None, deleted_at=None)),
        "banned": (_("banned"), Q(banned_at__isnull=False, merged_into=None)),
        "joined": (_("joined to another"), Q(merged_into__isnull=False)),
        "deleted": (_("deleted"), Q(deleted_at__isnull=False)),
    }


class AccountFilter(RowFilter):
    """A filter by account: guests, or players with an account."""

    title = _("account")
    parameter_name = "account"
    conditions = {
        "yes": (_("with an account"), Q(user__isnull=False)),
        "no": (_("guests"), Q(user__isnull=True)),
    }


@admin.register(Player)
class PlayerAdmin(ReadOnly, Merging):
    """People, with or without an account."""

    help = _("Everybody who was ever here. Rename, ban, join somebody who was here twice, delete.")
    list_display = ("name", "id", "account", "state", "night_count", "created_at")
    list_select_related = ("user",)
    list_filter = (StateFilter, AccountFilter, "created_at")
    search_fields = ("nickname", "user__username", "user__email")
    search_help_text = _("Nickname, account, e-mail address or number")
    ordering = ("-pk",)
    show_full_result_count = False
    list_per_page = 50
    fields = readonly_fields = (
        "name", "id", "state", "account", "language", "created_at", "night_count", "results",
        "sums", "ban", "others",
    )  # fmt: skip
    acts = ACTS
    actions = ("merge",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Count the nights of each player in the same query."""
        rows: QuerySet[Player] = super().get_queryset(request)
        inside = Membership.objects.filter(status=Membership.Status.IN)
        return rows.annotate(nights_in=counted(inside, "player"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search by the player's number, too."""
        found, is_double = super().get_search_results(request, queryset, search_term)
        if (player_id := row_id(search_term)) is not None:
            found = found | queryset.filter(pk=player_id)
        return found, is_double

    def is_open(self, act: str, row: Any) -> bool:
        """Offer no acts for a merged or deleted player; of ban and lift, only the one that applies."""
        if not row.is_somebody:
            return False
        return act not in ("ban", "lift") or (act == "lift") == (row.banned_at is not None)

    def tools(self, request: HttpRequest, row: Any) -> list[tuple[str, Any]]:
        """Add the link to merging."""
        found = super().tools(request, row)
        if row.is_somebody and may(request, "change", Player):
            found.insert(1, (self.act_address("merge", [row.pk]), MERGE.title))
        return found

    @admin.action(description=MERGE.title, permissions=["act"])
    def merge(self, request: HttpRequest, rows: QuerySet[Player]) -> HttpResponse | None:
        """Redirect to the page that merges two players."""
        ids = list(rows.values_list("pk", flat=True)[:3])
        if len(ids) != 2:
            self.message_user(request, _("Choose the two players."), messages.ERROR)
            return None
        return redirect(self.act_address("merge", ids))

    @admin.display(description=_("nickname"), ordering="nickname")
    def name(self, player: Player) -> str:
        """Return the nickname; a deleted player's is told in the reader's language."""
        return player.displayed_name

    @admin.display(description=_("account"), ordering="user__username")
    def account(self, player: Player) -> str:
        """Return the account's name."""
        return str(player.user) if player.user else "–"

    @admin.display(description=_("state"))
    def state(self, player: Player) -> SafeString | str:
        """Return the player's state: merged (a link), deleted, banned, or "–"."""
        if player.merged_into_id is not None:
            return link("player", player.merged_into_id, _("joined to another"))
        if player.deleted_at is not None:
            return gettext("deleted")
        if player.banned_at is None:
            return "–"
        return format_html('<span class="tag bad">{}</span>', _("banned"))

    @admin.display(description=_("nights"), ordering="nights_in")
    def night_count(self, player: Any) -> SafeString | int:
        """Return the number of nights that a player is or was in, as a link to them."""
        query = f"memberships__player__id__exact={player.pk}"
        return list_link("night", query, player.nights_in) if player.nights_in else 0

    @admin.display(description=_("results"))
    def results(self, player: Player) -> SafeString | int:
        """Return the number of a player's results, as a link to them."""
        count = ResultLine.objects.filter(player=player).count()
        return of_player(player.pk, count) if count else 0

    @admin.display(description=_("sums"))
    def sums(self, player: Player) -> SafeString | str:
        """Return the sums of the player's results."""
        rows = player.tallies.filter(venue=None)
        lines = [
            (game_title(t.game_id), labels.signed(t.points), unit_label(t.game_id, t.unit), t.played) for t in rows
        ]
        return format_html_join("", "<div>{}: {} {} ({})</div>", lines) if lines else "–"

    @admin.display(description=_("ban"))
    def ban(self, player: Player) -> SafeString | str:
        """Return the bans: date, actor, reason."""
        acts = AuditEntry.objects.filter(act__in=("player_banned", "ban_lifted"))
        rows = [
            (f"{entry.at:%Y-%m-%d}", entry.actor_name, entry.data.get("reason") or "–")
            if entry.act == "player_banned"
            else (f"{entry.at:%Y-%m-%d}", entry.actor_name, gettext("The ban is lifted."))
            for entry in acts.filter(data__player=player.pk)
        ]
        return format_html_join("", "<div>{}, {}: {}</div>", rows) if rows else "–"

    @admin.display(description=_("joined to this player"))
    def others(self, player: Player) -> SafeString | str:
        """Return the players that were merged into this one."""
        rows = [(link("player", row.pk, row.nickname),) for row in player.merged.all()]
        return format_html_join(", ", "{}", rows) if rows else "–"
