"""Lines of chat as rows: shown to everybody, or kept back until a game that restricts advice is over."""

from __future__ import annotations

from typing import Any

from games import plugin
from games.models import ChatMessage, KeptLine
from games.services import publication
from games.services.chat import greetings
from games.services.tables.decisions import Addition


def show(message: ChatMessage) -> ChatMessage:
    """Store a line and publish it after the commit."""
    message.save()
    publication.publish_later(publication.ChatSaid(message.table_id, message.table.public_id, message_json(message)))
    return message


def follow_log(added: Addition) -> None:
    """Show the lines kept back at a table whose new entry lets everybody speak again."""
    before, after = added.before, added.after
    if is_silence_over(after.game_id, before.state, after.state, is_running=after.is_running):
        release(after.table_id)


def is_silence_over(game_id: str, before: Any, after: Any, *, is_running: bool) -> bool:
    """Tell whether an entry between two states of a game lets everybody speak again."""
    config = plugin.game(game_id)
    was_bound = before is not None and not config.rules.may_speak(before, None)
    return was_bound and (not is_running or config.rules.may_speak(after, None))


def release(table_id: int) -> None:
    """Show the kept back lines of a table, in order; call in the transaction that ends the game."""
    lines = list(KeptLine.objects.filter(table_id=table_id).select_related("table").order_by("pk"))
    for line in lines:
        fields = {"name": line.name, "text": line.text, "created_at": line.said_at}
        show(ChatMessage(table=line.table, player_id=line.player_id, **fields))
    KeptLine.objects.filter(pk__in=[line.pk for line in lines]).delete()


def message_json(message: ChatMessage) -> dict[str, Any]:
    """Return a line of chat as browsers get it; `greeting` is the key of a greeting, else ""."""
    return {
        "id": message.pk,
        "name": message.name,
        "text": message.text,
        "greeting": greetings.key_of(message.text),
        "at": message.created_at.isoformat(),
    }
