"""Positions that a player keeps to study them again: private to them, and asked in their quiz once an engine spoke."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import QuerySet

from games import plugin
from games.kernel.contract import Illegal
from games.models import KeptPosition, Player
from games.models.brought import LONGEST_NAME
from games.services import row_locks
from games.services.grades import questions
from games.services.people import players

MOST_POSITIONS = 200
"""So many positions of a player are kept."""


def of(owner: Player, game_id: str = "") -> QuerySet[KeptPosition]:
    """Return the positions of a player, of one game if it is named, the newest first."""
    found = KeptPosition.objects.filter(owner=owner).order_by("-kept_at", "-pk")
    return found.filter(game_id=game_id) if game_id else found


@transaction.atomic
def keep(owner: Player, game_id: str, name: str, pasted: str) -> KeptPosition:
    """Keep a position under a name; one that is there gets the new name.

    Raises Illegal `no_such_game`, `position_name`, `too_many_positions`, and OptionErrors for a text without a
    position.
    """
    game = plugin.all_games().get(game_id)
    if game is None or game.study is None:
        raise Illegal("no_such_game")
    title = " ".join(name.split())
    if not 0 < len(title) <= LONGEST_NAME or not players.is_plain(title):
        raise Illegal("position_name", longest=LONGEST_NAME)
    position = game.study.position_of(game.options, pasted)
    # One request of a player at a time: two at once would both see room for the last one.
    owner = row_locks.present(owner)
    known = of(owner, game_id).filter(position=position).first()
    if known is None and of(owner).count() >= MOST_POSITIONS:
        raise Illegal("too_many_positions", most=MOST_POSITIONS)
    found = known or KeptPosition(owner=owner, game_id=game_id, position=position, kept_at=datetime.now(UTC))
    found.name = title
    found.save()
    return found


def delete(owner: Player, public_id: str) -> KeptPosition:
    """Delete a position of a player's, and return it; raises Illegal `no_such_position`, for those of others too."""
    found = KeptPosition.objects.filter(owner=owner, public_id=public_id).first()
    if found is None:
        raise Illegal("no_such_position")
    KeptPosition.objects.filter(pk=found.pk).delete()
    return found


def answer_one(engines: Mapping[str, plugin.GradingEngine]) -> bool:
    """Keep an engine's answer with the position that has waited longest for one; tell whether there was one."""
    found = KeptPosition.objects.filter(answer__isnull=True, game_id__in=engines).order_by("kept_at", "pk").first()
    if found is None:
        return False
    answer = questions.answer_of(found.game_id, found.position, engines[found.game_id])
    KeptPosition.objects.filter(pk=found.pk).update(answer=answer)
    return True
