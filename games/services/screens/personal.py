"""Data of a person in screens: those that the person took in, and what the person let them show."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Player, Screen, ScreenShow
from games.services.personal_rooms import UNTIL_YOU, WITH_YOU, YOU_AND_STAFF, Kept, Leaver, NoticeRow, time_text


def _forget(leaver: Leaver) -> None:
    """Take away the person's own screens, and the person's name from those of the staff."""
    Screen.objects.filter(taken_by=leaver.player, is_staffs=False).delete()
    for screen in Screen.objects.exclude(name=""):
        if leaver.is_named_in(screen.name):
            Screen.objects.filter(pk=screen.pk).update(name="")
    Screen.objects.filter(taken_by=leaver.player).update(taken_by=None)
    ScreenShow.objects.filter(by=leaver.player).update(by=None)


def _own(player: Player) -> JsonObject:
    rows = Screen.objects.filter(taken_by=player).order_by("pk")
    return {"screens": [{"name": row.name, "taken_in_at": time_text(row.taken_at)} for row in rows]}


_SAID = (
    NoticeRow(
        _("Big screens that you took in, and what you let them show"),
        {
            Screen: "name origin taken_by",
            ScreenShow: "by",
        },
        _("so that you can take them away again"),
        YOU_AND_STAFF,
        UNTIL_YOU,
        WITH_YOU,
        ("screens",),
    ),
)
KEPT = Kept((Screen, ScreenShow), forget=_forget, own=_own, said=_SAID)
