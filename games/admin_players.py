"""The admin's players: found, looked at, and put right by acts of the services."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from games.admin_base import ReadOnly, counted, game_title, link, list_link, may, unit_label
from games.admin_merge import MERGE, Merging
from games.admin_player_acts import ACTS
from games.admin_results import of_player
from games.models import AuditEntry, Membership, Player, ResultLine
from games.row_ids import row_id

STATES: dict[str, tuple[Any, Q]] = {
    "here": (_("in use"), Q(merged_into=None, deleted_at=None)),
    "banned": (_("banned"), Q(banned_at__isnull=False, merged_into=None)),
    "joined": (_("joined to another"), Q(merged_into__isnull=False)),
    "deleted": (_("deleted"), Q(deleted_at__isnull=False)),
}


class StateFilter(admin.SimpleListFilter):
    """Choose who is still somebody, who is banned, who is gone."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return the states."""
        return [(key, label) for key, (label, _rows) in STATES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the players in the state."""
        found = STATES.get(self.value() or "")
        return queryset.filter(found[1]) if found else queryset


class AccountFilter(admin.SimpleListFilter):
    """Choose guests, or players with an account."""

    title = _("account")
    parameter_name = "account"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Return both."""
        return [("yes", _("with an account")), ("no", _("guests"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the players that were asked for."""
        if self.value() is None:
            return queryset
        return queryset.filter(user__isnull=self.value() == "no")


@admin.register(Player)
class PlayerAdmin(ReadOnly, Merging):
    """People, with or without an account."""

    help = _("Everybody who was ever here. Rename, ban, join somebody who was here twice, delete.")
    list_display = ("nickname", "id", "account", "state", "night_count", "created_at")
    list_select_related = ("user",)
    list_filter = (StateFilter, AccountFilter, "created_at")
    search_fields = ("nickname", "user__username", "user__email")
    search_help_text = _("Nickname, account, e-mail address or number")
    ordering = ("-pk",)
    show_full_result_count = False
    list_per_page = 50
    fields = readonly_fields = (
        "nickname", "id", "state", "account", "language", "created_at", "night_count", "results",
        "sums", "ban", "others",
    )  # fmt: skip
    acts = ACTS
    actions = ("merge",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        """Count the nights in the same query."""
        rows: QuerySet[Player] = super().get_queryset(request)
        inside = Membership.objects.filter(status=Membership.Status.IN)
        return rows.annotate(nights_in=counted(inside, "player"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find a player by number, too."""
        found, is_double = super().get_search_results(request, queryset, search_term)
        if (wanted := row_id(search_term)) is not None:
            found = found | queryset.filter(pk=wanted)
        return found, is_double

    def is_open(self, act: str, row: Any) -> bool:
        """Offer what makes sense: nothing for who is gone, a ban or its end."""
        if not row.is_somebody:
            return False
        return act not in ("ban", "lift") or (act == "lift") == (row.banned_at is not None)

    def tools(self, request: HttpRequest, row: Any) -> list[tuple[str, Any]]:
        """Add the way to join a player to another one."""
        found = super().tools(request, row)
        if row.is_somebody and may(request, "change", Player):
            found.insert(1, (self.ask_address("merge", [row.pk]), MERGE.title))
        return found

    @admin.action(description=MERGE.title, permissions=["act"])
    def merge(self, request: HttpRequest, rows: QuerySet[Player]) -> HttpResponse | None:
        """Lead to the page that joins two players."""
        ids = list(rows.values_list("pk", flat=True)[:3])
        if len(ids) != 2:
            self.message_user(request, _("Choose the two players."), messages.ERROR)
            return None
        return redirect(self.ask_address("merge", ids))

    @admin.display(description=_("account"), ordering="user__username")
    def account(self, player: Player) -> str:
        """Return the account's name."""
        return str(player.user) if player.user else "–"

    @admin.display(description=_("state"))
    def state(self, player: Player) -> SafeString | str:
        """Return whether somebody is banned or gone."""
        if player.merged_into_id is not None:
            return link("player", player.merged_into_id, _("joined to another"))
        if player.deleted_at is not None:
            return _now("deleted")
        if player.banned_at is None:
            return "–"
        return format_html('<span class="tag bad">{}</span>', _("banned"))

    @admin.display(description=_("nights"), ordering="nights_in")
    def night_count(self, player: Any) -> SafeString | int:
        """Return at how many nights a player is or was, as a link to them."""
        query = f"memberships__player__id__exact={player.pk}"
        return list_link("night", query, player.nights_in) if player.nights_in else 0

    @admin.display(description=_("results"))
    def results(self, player: Player) -> SafeString | int:
        """Return how many results a player has, as a link to them."""
        count = ResultLine.objects.filter(player=player).count()
        return of_player(player.pk, count) if count else 0

    @admin.display(description=_("sums"))
    def sums(self, player: Player) -> SafeString | str:
        """Return what the player's results add up to."""
        rows = player.tallies.filter(venue=None)
        lines = [(game_title(t.game_id), f"{t.points:+d}", unit_label(t.game_id, t.unit), t.played) for t in rows]
        return format_html_join("", "<div>{}: {} {} ({})</div>", lines) if lines else "–"

    @admin.display(description=_("ban"))
    def ban(self, player: Player) -> SafeString | str:
        """Return when, by whom and why somebody was banned."""
        acts = AuditEntry.objects.filter(act__in=("player_banned", "ban_lifted"))
        rows = [
            (f"{entry.at:%Y-%m-%d}", entry.actor_name, entry.data.get("reason") or "–")
            if entry.act == "player_banned"
            else (f"{entry.at:%Y-%m-%d}", entry.actor_name, _now("The ban is lifted."))
            for entry in acts.filter(data__player=player.pk)
        ]
        return format_html_join("", "<div>{}, {}: {}</div>", rows) if rows else "–"

    @admin.display(description=_("joined to this player"))
    def others(self, player: Player) -> SafeString | str:
        """Return who was joined to a player."""
        rows = [(link("player", row.pk, row.nickname),) for row in player.merged.all()]
        return format_html_join(", ", "{}", rows) if rows else "–"
