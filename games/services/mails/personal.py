"""Data of a person in mails: mails sent, and series that send none."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Mail, MailStop, Player
from games.services.mails import wishes
from games.services.personal_rooms import BY_ITSELF, STAFF, Kept, Leaver, NoticeRow, time_text


def _forget(leaver: Leaver) -> None:
    wishes.forget(leaver.player)


def _own(player: Player) -> JsonObject:
    return {
        "mails": [_mail(row) for row in player.mails.select_related("date__series", "season")],
        "mails_stopped": [row.series.name for row in player.mail_stops.select_related("series")],
    }


def _mail(row: Mail) -> JsonObject:
    about = {"series" if row.season is None else "season": row.name, "day": row.day.isoformat()}
    return {**about, "kind": row.kind, "sent_at": time_text(row.sent_at)}


_SAID = (
    NoticeRow(
        _("Which mails about dates you got, without text and address, and of which series you want none"),
        {
            Mail: "due_at claimed_at sent_at tries lost ended fault date season player kind number key",
            MailStop: "series player created_at",
        },
        _("so that you get each once, and none that you do not want"),
        STAFF,
        _("a month after the date; a no as long as the series"),
        BY_ITSELF,
        (
            "mails",
            "mails_stopped",
        ),
    ),
)
KEPT = Kept((Mail, MailStop), forget=_forget, join=wishes.join, own=_own, said=_SAID)
