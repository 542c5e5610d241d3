"""Data of a person in chat: lines said at tables, and lines kept back."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import ChatMessage, KeptLine, Player
from games.services.personal_rooms import TABLE, WITH_YOU, Kept, Leaver, NoticeRow, Traces, days_of, time_text


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


_SAID = (
    NoticeRow(
        _("What you write at a table"),
        {
            ChatMessage: "table player name text created_at",
            KeptLine: "table player name text said_at",
        },
        _("so that you can talk; what must wait until the game is over is kept back"),
        TABLE,
        days_of("KEEP_CHAT_DAYS"),
        WITH_YOU,
        (
            "chat",
            "chat_kept_back",
        ),
    ),
)
KEPT = Kept((ChatMessage, KeptLine), forget=_forget, own=_own, traces=_traces, said=_SAID)
