"""Data of a person in chat: lines said at tables, and lines kept back."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef

from games.kernel.contract import JsonObject
from games.models import ChatMessage, KeptLine, Player
from games.services.personal_rooms import Kept, Leaver, Traces, time_text


def _forget(leaver: Leaver) -> None:
    ChatMessage.objects.filter(player=leaver.player).delete()
    KeptLine.objects.filter(player=leaver.player).delete()


def _own(player: Player) -> JsonObject:
    said = ChatMessage.objects.filter(player=player).select_related("table").order_by("pk")
    kept_back = player.kept_lines.select_related("table")
    return {
        "chat": [_line(row.table.public_id, time_text(row.created_at), row.text) for row in said],
        "chat_kept_back": [_line(row.table.public_id, time_text(row.said_at), row.text) for row in kept_back],
    }


def _line(table: str, at: str | None, text: str) -> JsonObject:
    return {"table": table, "at": at, "text": text}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the lines that a guest wrote."""
    return (ChatMessage.objects.filter(player=guest), KeptLine.objects.filter(player=guest))


KEPT = Kept((ChatMessage, KeptLine), forget=_forget, own=_own, traces=_traces)
