"""What the staff may do about players, each act by its service, after a page that asks."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.admin_acts import Asked
from games.admin_base import checked
from games.models import Player
from games.services import audit, bans, deletion, people, tallies


class BanForm(forms.Form):
    """Why somebody is banned."""

    reason = forms.CharField(label=_("Why"), required=False, help_text=_("Only the staff reads it, in the audit."))

    def clean_reason(self) -> str:
        """Return the reason; refused with the services' code."""
        return checked(audit.reason, self.cleaned_data["reason"])


class RenameForm(forms.Form):
    """Another nickname."""

    nickname = forms.CharField(label=_("Nickname"), required=False)

    def clean_nickname(self) -> str:
        """Return the nickname; refused with the services' code."""
        return checked(people.clean_nickname, self.cleaned_data["nickname"])


class SureForm(forms.Form):
    """A tick that says: I mean it."""

    sure = forms.BooleanField(label=_("Yes, delete it for good"), required=False)

    def clean_sure(self) -> bool:
        """Refuse without the tick."""
        if not self.cleaned_data["sure"]:
            raise ValidationError(_("Tick the box first."), code="not_confirmed")
        return True


def _rebuild(player: Player, user: Any, data: dict[str, Any]) -> None:
    tallies.rebuild([player.pk])
    audit.note("tallies_rebuilt", user, player.nickname, player=player.pk)


ACTS: dict[str, Asked] = {
    "rename": Asked(
        title=_("Rename"),
        button=_("Rename"),
        help=_("Seats and results keep the name that was played under."),
        do=lambda player, user, data: people.rename(player, data["nickname"], user),
        done=_("Renamed."),
        form=lambda rows, data: RenameForm(data, initial={"nickname": rows[0].nickname}),
        fields={"": "nickname"},
        many=False,
    ),
    "ban": Asked(
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
    "lift": Asked(
        title=_("Lift the ban"),
        button=_("Lift the ban"),
        help=_("They may come again; nights that they were put out of stay shut."),
        do=lambda player, user, _data: bans.lift(player, user),
        done=_("The ban is lifted."),
    ),
    "rebuild": Asked(
        title=_("Count sums anew"),
        button=_("Count anew"),
        help=_("Works out what leaderboards show of a player from the results, which stay."),
        do=_rebuild,
        done=_("Counted anew."),
    ),
    "delete": Asked(
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
