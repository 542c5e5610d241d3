"""The chat of a table: lines, lines kept back until the game is over, and greetings.

Where a game binds advice (`GameConfig.may_speak`), words of those who may not speak now would
reach everybody at the table. They are kept back, and shown in the order in which they were
said by the transaction that ends the game. Greetings say nothing about it and go through.
"""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from games import plugin
from games.kernel.contract import Illegal
from games.models import ChatMessage, KeptLine, Player, Table
from games.services import rate_limit
from games.services.nights import membership
from games.services.people import players
from games.services.tables import log
from games.services.tables.chat_lines import show

LONGEST = 280
MOST_KEPT = 10
"""Lines of one player that wait at a table."""

_GREETINGS = (
    gettext_noop("Hello!"),
    gettext_noop("Good luck!"),
    gettext_noop("Well played!"),
    gettext_noop("Thank you!"),
    gettext_noop("Cheers!"),
    gettext_noop("Back in a moment."),
)


def greetings(language: str) -> list[str]:
    """Return the greetings in a language."""
    with translation.override(language):
        return [gettext(text) for text in _GREETINGS]


@cache
def _all_greetings() -> frozenset[str]:
    return frozenset(text for code, _ in settings.LANGUAGES for text in greetings(code))


@transaction.atomic
def say(table_id: int, player_id: int, text: str) -> ChatMessage | KeptLine:
    """Say a line at a table; a KeptLine is told to nobody before the game is over.

    Raises Illegal `no_such_table`, `not_inside`, `chat_empty`, `chat_long`, `chat_kept` (too
    many lines of theirs are kept back already), `too_many`.
    """
    table = log.lock(table_id)
    player = Player.objects.filter(pk=player_id).first()
    if player is None or not membership.is_inside(table.night, player):
        raise Illegal("not_inside")
    text = " ".join(text.split())
    if not text or not players.is_plain(text):
        raise Illegal("chat_empty")
    if len(text) > LONGEST:
        raise Illegal("chat_long", longest=LONGEST)
    rate_limit.spend("chat", rate_limit.subject(player, None, ""))
    if text in _all_greetings() or _may_speak(table, player):
        return show(ChatMessage(table=table, player=player, name=player.nickname, text=text))
    if KeptLine.objects.filter(table=table, player=player).count() >= MOST_KEPT:
        raise Illegal("chat_kept", most=MOST_KEPT)
    return KeptLine.objects.create(table=table, player=player, name=player.nickname, text=text)


def _may_speak(table: Table, player: Player) -> bool:
    """Tell whether a player's words may be read by all now; the table's row is locked."""
    if not table.is_running:
        return True
    seat = table.seats.filter(player=player).values_list("index", flat=True).first()
    return plugin.game(table.game_id).may_speak(log.state_of(table), seat)
