"""Data of a person in the rolls: sums of dice thrown."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import DiceTally, Player
from games.services.personal_rooms import UNTIL_YOU, WITH_YOU, Kept, Leaver, NoticeRow
from games.services.rolls import dice_figures


def _forget(leaver: Leaver) -> None:
    DiceTally.objects.filter(player=leaver.player).delete()


def _own(player: Player) -> JsonObject:
    rows = DiceTally.objects.filter(player=player).order_by("pk")
    return {"dice": [{"game": row.game_id, "counts": row.counts, "control": row.control} for row in rows]}


_SAID = (
    NoticeRow(
        _("How often you rolled what"),
        {DiceTally: "player game_id counts control"},
        _("for the page of the dice"),
        _("whoever may see your page"),
        UNTIL_YOU,
        WITH_YOU,
        ("dice",),
    ),
)
KEPT = Kept((DiceTally,), forget=_forget, join=dice_figures.join, own=_own, said=_SAID)
