"""The house's limits of what points may be worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.payments import point_values
from games.kernel.payments.point_values import ROUNDS
from games.models.house import House, limits


def check(game_id: str, values: Mapping[str, Any]) -> None:
    """Raise Illegal `values_forbidden`, `rounds_only` or `value_too_high` for a value that the house does not allow."""
    terms = point_values.terms(plugin.game(game_id).options, values)
    if terms is None:
        return
    if limits().points_worth == House.Worth.NOTHING:
        raise Illegal("values_forbidden")
    if terms.currency != ROUNDS and limits().points_worth == House.Worth.ROUNDS:
        raise Illegal("rounds_only")
    check_value(terms.currency, terms.value)


def check_value(currency: str, value: int) -> None:
    """Raise Illegal `value_too_high` for a value of a point above the house's limit; rounds have none."""
    most = limits().most_a_point
    if currency != ROUNDS and most and value > most:
        raise Illegal("value_too_high", most=most)


def most_owed(currency: str) -> int:
    """Return the highest debt of a person at a night in a currency; 0 for no limit, as for rounds."""
    return 0 if currency == ROUNDS else limits().most_a_night
