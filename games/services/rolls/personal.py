"""Data of a person in the rolls: sums of dice thrown."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.models import DiceTally
from games.services.personal_rooms import UNTIL_YOU, WITH_YOU, Kept, Leaver, NoticeRow
from games.services.rolls import dice_figures


def _forget(leaver: Leaver) -> None:
    DiceTally.objects.filter(player=leaver.player).delete()


_SAID = (
    NoticeRow(
        _("How often you rolled what"),
        {DiceTally: "player game_id counts control"},
        _("for the page of the dice"),
        _("whoever may see your page"),
        UNTIL_YOU,
        WITH_YOU,
    ),
)
KEPT = Kept((DiceTally,), forget=_forget, join=dice_figures.join, said=_SAID)
