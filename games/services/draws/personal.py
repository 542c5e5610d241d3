"""Data of a person in draws: the strengths that hosts keep."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Player, Strength
from games.services.draws import strengths
from games.services.personal_rooms import UNTIL_YOU, WITH_YOU, Kept, Leaver, NoticeRow


def _forget(leaver: Leaver) -> None:
    strengths.forget(leaver.ids)


def _own(player: Player) -> JsonObject:
    return {"strengths": strengths.own(player)}


_SAID = (
    NoticeRow(
        _("How strong a host thinks that you are"),
        {Strength: "host player value"},
        _("so that drawn tables are even"),
        _("that host, and you in your data"),
        UNTIL_YOU,
        WITH_YOU,
        ("strengths",),
    ),
)
KEPT = Kept((Strength,), forget=_forget, join=strengths.join, own=_own, said=_SAID)
