"""Own values of a point: what a player said that one is worth to them at a table, and when it counts.

The house's limits of what points may be worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from games import plugin
from games.kernel.contract import Illegal
from games.kernel.options import Values
from games.kernel.payments import point_values
from games.kernel.payments.point_values import ROUNDS
from games.models import Night, PointValue, Result, Table
from games.models.house import House, limits


def terms_of(table: Table) -> point_values.PointTerms | None:
    """Return what a table's points are worth; None where they are only counted."""
    return point_values.terms(plugin.game(table.game_id).options, table.options)


def are_worth(path: str = "") -> Q:
    """Return the condition of tables whose points are worth something; `path` leads to the table, as `table__`."""
    worth = (*point_values.CURRENCIES, point_values.ROUNDS)
    return Q(**{f"{path}options__{point_values.CURRENCY}__in": worth})


def has_own(table: Table) -> bool:
    """Tell whether everybody at a table may have a value of their own."""
    terms = terms_of(table)
    return terms is not None and terms.has_own


def at_beginning(result: Result) -> dict[int, int]:
    """Return the own values, by player, that were said before the game of a new result began.

    The first game begins with the table, a later one when the one before has ended: nobody changes what the game that
    runs is played for.
    """
    if not has_own(result.table):
        return {}
    earlier = Result.objects.filter(table=result.table, is_correction=False).exclude(pk=result.pk)
    ended = earlier.order_by("-finished_at", "-pk").values_list("finished_at", flat=True).first()
    began = ended or result.table.started_at or result.finished_at
    return _last(PointValue.objects.filter(table=result.table, since__lte=began))


def now(table: Table) -> dict[int, int]:
    """Return the own values, by player, that count from the next game on."""
    return _last(table.point_values.all())


def rules_of_night(night: Night, game_id: str) -> Values:
    """Return the house rules about points of a night's newest table of a game; {} where they are only counted.

    A past game of the night is worth the same.
    """
    ids = [option.id for option in point_values.OPTIONS]
    for table in night.tables.filter(game_id=game_id, archived_at=None).defer("state", "clocks").order_by("-number"):
        if terms_of(table) is not None:
            return {name: table.options[name] for name in ids if name in table.options}
    return {}


def at_time(night: Night, game_id: str, at: datetime) -> dict[int, int]:
    """Return the own values, by player, that had been said at a night's tables of a game by a time."""
    return _last(PointValue.objects.filter(table__night=night, table__game_id=game_id, since__lte=at).order_by("since"))


def _last(rows: Iterable[PointValue]) -> dict[int, int]:
    return {row.player_id: row.value for row in rows}


def check_limits(game_id: str, values: Mapping[str, Any]) -> None:
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
