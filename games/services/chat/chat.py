"""The chat of a table: lines, lines kept back until the game is over, and greetings.

If a game restricts advice (`Rules.may_speak`), a line of a silenced player would reach
everybody at the table. Such lines are kept back, and shown in their order by the transaction that ends
the restriction. Greetings contain no advice and are shown at once.

Lines of chat as rows: shown to everybody, or kept back until a game that restricts advice is over.
"""

from __future__ import annotations

import math
from datetime import timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext, gettext_noop

from games import plugin
from games.kernel.contract import Illegal
from games.models import ChatMessage, KeptLine, Night, Player, Table
from games.services import publication, rate_limit, row_locks
from games.services.nights import membership, night_rights
from games.services.people import players
from games.services.tables import log
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
        "greeting": greeting_key(message.text),
        "at": message.created_at.isoformat(),
    }


_WORDS = {
    "well_played": gettext_noop("Well played!"),
    "ouch": gettext_noop("Ouch!"),
    "cheers": gettext_noop("Cheers!"),
    "good_luck": gettext_noop("Good luck!"),
    "thank_you": gettext_noop("Thank you!"),
    "hello": gettext_noop("Hello!"),
    "back_soon": gettext_noop("Back in a moment."),
}


def greeting_in_language(language: str) -> dict[str, str]:
    """Return the greetings in a language by their keys, most common first."""
    with translation.override(language):
        return {key: gettext(text) for key, text in _WORDS.items()}


def greeting_key(text: str) -> str:
    """Return the key of a greeting in any language, "" for any other line; no space in it is told from another."""
    return _keys().get(_plain(text), "")


@cache
def _keys() -> dict[str, str]:
    said = [greeting_in_language(code) for code, _ in settings.LANGUAGES]
    return {_plain(text): key for each in said for key, text in each.items()}


def _plain(text: str) -> str:
    return " ".join(text.split())


LONGEST = 280
MOST_KEPT = 10
"""The most lines of one player that wait at a table."""
BETWEEN_GREETINGS = timedelta(seconds=5)
"""From one greeting of a player at a table to the next."""


@transaction.atomic
def say(table_id: int, player_id: int, text: str) -> ChatMessage | KeptLine:
    """Add a line to a table's chat; a KeptLine is shown to nobody before the game is over.

    Raises Illegal `no_such_table`, `not_inside`, `night_closed`, `muted`, `chat_empty`, `chat_long`, `chat_kept` (too
    many of the player's lines are kept back already), `too_many` (of all lines, or of greetings: one in five seconds).
    """
    player = row_locks.present(player_id)
    table = log.lock(table_id)
    if not night_rights.is_inside(table.night, player):
        raise Illegal("not_inside")
    if table.night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    if membership.is_muted(table.night, player):
        raise Illegal("muted")
    text = _plain(text)
    if not text or not players.is_plain(text):
        raise Illegal("chat_empty")
    if len(text) > LONGEST:
        raise Illegal("chat_long", longest=LONGEST)
    rate_limit.spend("chat", rate_limit.subject(player, None, ""))
    is_greeting = bool(greeting_key(text))
    if is_greeting:
        _wait_between_greetings(table, player)
    if is_greeting or _may_speak(table, player):
        return show(ChatMessage(table=table, player=player, name=player.nickname, text=text))
    if KeptLine.objects.filter(table=table, player=player).count() >= MOST_KEPT:
        raise Illegal("chat_kept", most=MOST_KEPT)
    return KeptLine.objects.create(table=table, player=player, name=player.nickname, text=text)


def _wait_between_greetings(table: Table, player: Player) -> None:
    """Raise Illegal `too_many` for a greeting that follows another one of the player's too soon."""
    now = timezone.now()
    recent = ChatMessage.objects.filter(
        table=table, player=player, created_at__gt=now - BETWEEN_GREETINGS, created_at__lte=now
    )
    for said_at, text in recent.values_list("created_at", "text"):
        if greeting_key(text):
            rest = said_at + BETWEEN_GREETINGS - now
            raise Illegal("too_many", seconds=max(1, math.ceil(rest.total_seconds())))


def _may_speak(table: Table, player: Player) -> bool:
    """Tell whether everybody may read a player's lines now; the table's row is locked."""
    if not table.is_running:
        return True
    seat = table.seats.filter(player=player).values_list("index", flat=True).first()
    return plugin.game(table.game_id).rules.may_speak(log.state_of(table), seat)
