"""The chat of a table: lines, lines kept back until the game is over, and greetings.

If a game restricts advice (`Rules.may_speak`), a line of a silenced player would reach
everybody at the table. Such lines are kept back, and shown in their order by the transaction that ends
the restriction. Greetings contain no advice and are shown at once.
"""

from __future__ import annotations

from django.db import transaction

from games import plugin
from games.kernel.contract import Illegal
from games.models import ChatMessage, KeptLine, Night, Player, Table
from games.services import rate_limit, row_locks
from games.services.chat import greetings
from games.services.chat.chat_lines import show
from games.services.nights import membership, night_rights
from games.services.people import players
from games.services.tables import log

LONGEST = 280
MOST_KEPT = 10
"""The most lines of one player that wait at a table."""


@transaction.atomic
def say(table_id: int, player_id: int, text: str) -> ChatMessage | KeptLine:
    """Add a line to a table's chat; a KeptLine is shown to nobody before the game is over.

    Raises Illegal `no_such_table`, `not_inside`, `night_closed`, `muted`, `chat_empty`, `chat_long`, `chat_kept` (too
    many of the player's lines are kept back already), `too_many`.
    """
    player = row_locks.present(player_id)
    table = log.lock(table_id)
    if not night_rights.is_inside(table.night, player):
        raise Illegal("not_inside")
    if table.night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    if membership.is_muted(table.night, player):
        raise Illegal("muted")
    text = " ".join(text.split())
    if not text or not players.is_plain(text):
        raise Illegal("chat_empty")
    if len(text) > LONGEST:
        raise Illegal("chat_long", longest=LONGEST)
    rate_limit.spend("chat", rate_limit.subject(player, None, ""))
    if greetings.key_of(text) or _may_speak(table, player):
        return show(ChatMessage(table=table, player=player, name=player.nickname, text=text))
    if KeptLine.objects.filter(table=table, player=player).count() >= MOST_KEPT:
        raise Illegal("chat_kept", most=MOST_KEPT)
    return KeptLine.objects.create(table=table, player=player, name=player.nickname, text=text)


def _may_speak(table: Table, player: Player) -> bool:
    """Tell whether everybody may read a player's lines now; the table's row is locked."""
    if not table.is_running:
        return True
    seat = table.seats.filter(player=player).values_list("index", flat=True).first()
    return plugin.game(table.game_id).rules.may_speak(log.state_of(table), seat)
