"""Accepting the rules card for oneself: grown-ups at the door, substitutes before their first throw.

Both follow from house rules that the game names: `GameConfig.adults_option` and `own_acceptance`.
"""

from __future__ import annotations

from datetime import UTC, datetime

from games import plugin
from games.kernel.contract import Event, Illegal, JsonObject
from games.kernel.dice import FairDice
from games.models import Seat, Table
from games.services import seats


def is_for_adults(table: Table) -> bool:
    """Tell whether a table's house rules let adults only play."""
    return _says(table, plugin.game(table.game_id).adults_option)


def is_ones_own(table: Table) -> bool:
    """Tell whether everybody at a table accepts its rules card for themselves."""
    return _says(table, plugin.game(table.game_id).own_acceptance) or is_for_adults(table)


def _says(table: Table, option_id: str) -> bool:
    """Tell whether an option of a table is on, and means something there."""
    if not option_id:
        return False
    options = plugin.game(table.game_id).options
    return bool(table.options[option_id]) and options.is_active(options[option_id], table.options)


def check_age(table: Table, is_adult: bool) -> None:
    """Raise Illegal `adults_only` for somebody who has not said that they are of age."""
    if not is_adult and is_for_adults(table):
        raise Illegal("adults_only")


def check_accepted(table: Table, player_id: int) -> None:
    """Raise Illegal `accept_first` for a player who has still to accept the rules card."""
    if not is_ones_own(table):
        return
    if Seat.objects.filter(table=table, player_id=player_id, accepted_at=None).exists():
        raise Illegal("accept_first")


def accept(table: Table, args: JsonObject, dice: FairDice) -> tuple[Event, ...]:
    """Accept the rules card for one's own seat at a running table (`seat`, `adult`).

    Raises `adults_only`, and `accepted` for who has accepted it.
    """
    seat = seats.seat_at(table, args)
    if seat.accepted_at is not None:
        raise Illegal("accepted")
    check_age(table, args.get("adult") is True)
    seat.accepted_at = datetime.now(UTC)
    seat.save(update_fields=["accepted_at"])
    return (seats.told(seat, "table.accepted"),)
