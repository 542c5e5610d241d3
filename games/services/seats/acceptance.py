"""Acceptance of the rules card: at tables for adults, and by substitutes before they play.

Both follow from house rules that the game names: `GameConfig.adults_option` and `own_acceptance`.
"""

from __future__ import annotations

from dataclasses import replace

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.models import Table
from games.services.seats import seats
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.sql import SeatRow


def is_for_adults(table: Table) -> bool:
    """Tell whether a table's house rules admit adults only."""
    return _is_on(table, plugin.game(table.game_id).adults_option)


def is_personal(table: Table) -> bool:
    """Tell whether each player at a table must accept its rules card in person."""
    return _is_on(table, plugin.game(table.game_id).own_acceptance) or is_for_adults(table)


def _is_on(table: Table, option_id: str) -> bool:
    """Tell whether an option of a table is on and has an effect there."""
    if not option_id:
        return False
    options = plugin.game(table.game_id).options
    return bool(table.options[option_id]) and options.is_active(options[option_id], table.options)


def check_age(table: Table, is_adult: bool) -> None:
    """Raise Illegal `adults_only` for a player without confirmed age."""
    if not is_adult and is_for_adults(table):
        raise Illegal("adults_only")


def check_accepted(table: LockedTable, seat: SeatRow) -> None:
    """Raise Illegal `accept_first` for a seat whose player has not yet accepted the rules card."""
    if seat.accepted_at is None and is_personal(table.row):
        raise Illegal("accept_first")


def accepted_for(table: LockedTable, seat: SeatRow, args: JsonObject) -> SeatRow:
    """Return the seat of a person without a phone, with the card accepted by the member that seats them.

    Raises `adults_only` unless that member confirms the person's age (`adult`).
    """
    check_age(table.row, args.get("adult") is True)
    return replace(seat, accepted_at=table.moment)


def accept(table: LockedTable, args: JsonObject) -> TableDecision:
    """Accept the rules card for one's own seat at a running table (`seat`, `adult`).

    Raises `bad_args`, `adults_only`, and `accepted` if it is accepted already.
    """
    seat = seats.seat_at(table.seats, args)
    if seat.accepted_at is not None:
        raise Illegal("accepted")
    check_age(table.row, args.get("adult") is True)
    event = seats.seat_event(seat, "table.accepted")
    return TableDecision((event,), table.snapshot.state, (replace(seat, accepted_at=table.moment),))
