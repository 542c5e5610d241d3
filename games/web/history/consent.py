"""The questions to people in past games: whether these shall count for them."""

from __future__ import annotations

from typing import Any

from games import plugin
from games.models import Night, Player
from games.services.history import consent
from games.web.labels import rules_label


def questions(player: Player | None) -> list[dict[str, Any]]:
    """Return the past games that a player is asked about, for the front door and the player's own page."""
    return [] if player is None else [_question(each, player) for each in consent.questions(player)]


def questions_at(night: Night, player: Player) -> list[dict[str, Any]]:
    """Return the past games of a night that wait for anybody, for a player who entered them or is asked."""
    found = (_question(consent.question(result, player), player) for result in consent.waiting(night))
    return [each for each in found if each["may_answer"] or each["is_author"]]


def _question(question: consent.ConsentQuestion, player: Player) -> dict[str, Any]:
    result = question.result
    own = [line for line in question.lines if line.player_id == player.pk]
    return {
        "result": result,
        "night": result.table.night,
        "game": plugin.game(result.game_id),
        "rules": rules_label(result),
        "unit": plugin.game(result.game_id).unit_label(result.unit, result.table.options),
        "lines": result.lines.all(),
        "own": own,
        "others": [line for line in question.lines if line not in own],
        "may_answer": bool(question.lines) or consent.may_let_stand(result, player),
        "is_author": consent.is_author(result, player),
        "may_withdraw": consent.may_withdraw(result, player),
    }
