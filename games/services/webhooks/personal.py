"""Data of a person in webhooks: addresses that the person added."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Player, Webhook
from games.services.personal_rooms import NAMELESS, Kept, NoticeRow, time_text
from games.services.webhooks import posting


def _own(player: Player) -> JsonObject:
    return {"webhooks": [_webhook(row) for row in player.webhooks.all()]}


def _webhook(row: Webhook) -> JsonObject:
    return {"address": posting.shown(row.address), "form": row.shape, "since": time_text(row.created_at)}


_SAID = (
    NoticeRow(
        _("Addresses of other services that you told to get news of a night or series"),
        {Webhook: "address added_by"},
        _("so that a messenger tells the others"),
        _("the organisers and the staff"),
        _("until they are removed; those of a night a month after it"),
        NAMELESS,
        ("webhooks",),
    ),
)
KEPT = Kept((Webhook,), own=_own, said=_SAID)
