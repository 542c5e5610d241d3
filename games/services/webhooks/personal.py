"""Data of a person in webhooks: addresses that the person added."""

from __future__ import annotations

from games.kernel.contract import JsonObject
from games.models import Player, Webhook
from games.services.personal_rooms import Kept, time_text
from games.services.webhooks import posting


def _own(player: Player) -> JsonObject:
    return {"webhooks": [_webhook(row) for row in player.webhooks.all()]}


def _webhook(row: Webhook) -> JsonObject:
    return {"address": posting.shown(row.address), "form": row.shape, "since": time_text(row.created_at)}


KEPT = Kept((Webhook,), own=_own)
