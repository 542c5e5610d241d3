"""Talking at a table, for those who know it by its row id."""

from __future__ import annotations

from django.db import transaction

from games import limits
from games.kernel.contract import Illegal
from games.models import ChatMessage, Player, Table
from games.services import tables


@transaction.atomic
def say(table_id: int, player_id: int, text: str) -> ChatMessage:
    """Say a line; raises as `tables.say`, and `no_such_table`, `too_many`."""
    table = Table.objects.select_related("night").filter(pk=table_id).first()
    player = Player.objects.filter(pk=player_id).first()
    if table is None or player is None:
        raise Illegal("no_such_table" if table is None else "not_inside")
    limits.spend("chat", limits.whose(player, None, ""))
    return tables.say(table, player, text)
