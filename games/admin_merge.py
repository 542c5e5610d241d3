"""Joining two players in the admin: choose the other one, look at both, then say who stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import localize
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from games.admin_acts import Acts, Asked
from games.admin_base import may, told
from games.kernel.contract import Illegal
from games.models import Player
from games.row_ids import row_id
from games.services import merging, people

MERGE = Asked(
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
        """Return the id of a player who can be joined; refused with a code."""
        raw = self.cleaned_data["other"].strip()
        other = people.present(row_id(raw))
        if other is None:
            raise ValidationError(_("There is no player with this number."), code="no_such_player")
        if other.pk == self.player.pk:
            raise ValidationError(told(Illegal("same_player")), code="same_player")
        return other.pk


class KeepForm(forms.Form):
    """Who stays."""

    keep = forms.ChoiceField(label=_("Who stays?"), widget=forms.RadioSelect, required=False, choices=())

    def __init__(self, rows: list[Player], data: Any = None) -> None:
        # Whoever has an account, or else came first, is the likelier one to stay.
        first = min(rows, key=lambda row: (row.user_id is None, row.pk))
        super().__init__(data, initial={"keep": str(first.pk)})
        field: Any = self.fields["keep"]
        field.choices = [(str(row.pk), f"{row.nickname} ({row.pk})") for row in rows]

    def clean_keep(self) -> int:
        """Return the id of who stays; refused with a code."""
        if not self.cleaned_data["keep"]:
            raise ValidationError(_now("Choose who stays."), code="not_chosen")
        return int(self.cleaned_data["keep"])


class Merging(Acts):
    """The pages that join two players."""

    def ask_view(self, request: HttpRequest, act: str) -> HttpResponse:
        """Ask before an act; joining has pages of its own."""
        if act != "merge":
            return super().ask_view(request, act)
        if not may(request, "change", Player):
            raise PermissionDenied
        ids = [found for i in request.GET.get("ids", "").split(",")[:3] if (found := row_id(i)) is not None]
        rows = list(Player.objects.select_related("user").filter(pk__in=ids).order_by("pk"))
        if len(rows) == 1:
            return self._choose(request, rows[0])
        if len(rows) == 2:
            return self._ask(request, rows)
        raise Http404

    def _choose(self, request: HttpRequest, player: Player) -> HttpResponse:
        """Ask for the other one."""
        form = OtherForm(player, request.POST if request.method == "POST" else None)
        if form.is_valid():
            return redirect(self.ask_address("merge", [player.pk, form.cleaned_data["other"]]))
        return self._page(request, CHOOSE, [player], form)

    def _ask(self, request: HttpRequest, rows: list[Player]) -> HttpResponse:
        """Show both and what refuses; a POST joins them."""
        form = KeepForm(rows, request.POST if request.method == "POST" else None)
        if form.is_valid():
            target = next(row for row in rows if row.pk == form.cleaned_data["keep"])
            source = next(row for row in rows if row.pk != target.pk)
            try:
                merging.merge(source, target, request.user)  # type: ignore[arg-type]
            except Illegal as refusal:
                form.add_error("keep", ValidationError(told(refusal), code=refusal.code))
            else:
                self.message_user(request, MERGE.done, messages.SUCCESS)
                return redirect("admin:games_player_change", target.pk)
        return self._both(request, rows, form)

    def _both(self, request: HttpRequest, rows: list[Player], form: forms.Form) -> HttpResponse:
        """Return the page that shows both."""
        own = {"title": MERGE.title, "opts": self.opts, "asked": MERGE, "form": form}
        context = {**self.admin_site.each_context(request), **own, "media": self.media}
        context |= {"table": _side_by_side(rows), "refused": _refused(rows)}
        if context["refused"] and request.method != "POST":
            context["form"] = forms.Form()
        status = 400 if form.errors else 200
        return render(request, "admin/games/acts/ask.html", context, status=status)


def _refused(rows: list[Player]) -> dict[str, str] | None:
    """Return why two players can't be joined, in either direction; None where they can."""
    try:
        merging.check(rows[0], rows[1])
    except Illegal as refusal:
        return {"code": refusal.code, "text": told(refusal)}
    return None


def _side_by_side(rows: list[Player]) -> dict[str, Any]:
    """Return what each has, and would bring along."""
    sums = [merging.summary(row) for row in rows]
    return {
        "head": [_("What goes along"), *(f"{row.nickname} ({row.pk})" for row in rows)],
        "rows": [
            [_("account"), *(row.user or "–" for row in rows)],
            [_("first came"), *(localize(row.created_at.date()) for row in rows)],
            [_("nights"), *(len(each.nights) for each in sums)],
            [_("last night"), *((each.nights[0] if each.nights else "–") for each in sums)],
            [_("tables"), *(each.tables for each in sums)],
            [_("results"), *(each.results for each in sums)],
            [_("banned"), *(_("yes") if row.banned_at else _("no") for row in rows)],
        ],
    }
