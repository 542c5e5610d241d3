"""Acceptance of the rules card, by each person with a phone in person.

A person that was given a seat and has not accepted yet has no clock, plays nothing and gets no result. For a
person without a phone the member that seats them accepts; the log tells it. Whether only adults may play follows
from a house rule that the game names: `GameConfig.adults_option`.
"""

from __future__ import annotations

from dataclasses import replace

from games import plugin
from games.kernel.contract import OCCUPY, Event, Illegal
from games.models import Player, Table
from games.services.arguments import Said
from games.services.house_rules.cards import check_mark
from games.services.seats import seats
from games.services.seats.seats import SeatRow
from games.services.tables.decisions import LockedTable, TableDecision
from games.services.tables.registry import COMMANDS, TableRight

ACCEPTED = "table.accepted"
"""The event that the rules card was accepted for a seat: by its person, or by the player `by`."""


def is_for_adults(table: Table) -> bool:
    """Tell whether a table's house rules admit adults only."""
    option_id, options = plugin.game(table.game_id).adults_option, plugin.game(table.game_id).options
    if not option_id:
        return False
    return bool(table.options[option_id]) and options.is_active(options[option_id], table.options)


def check_card(table: Table, mark: str | None) -> None:
    """Raise Illegal `card_changed` if the card that was read is not that of a locked table; None: no card was shown."""
    if mark is not None:
        check_mark(table, mark)


def check_age(table: Table, is_adult: bool) -> None:
    """Raise Illegal `adults_only` for a player without confirmed age."""
    if not is_adult and is_for_adults(table):
        raise Illegal("adults_only")


def seated(table: LockedTable, seat: SeatRow, *, is_adult: bool, by: int | None, in_person: bool = False) -> SeatRow:
    """Return a seat with its new sitter's acceptance: given by who comes in person, open for other people with phones.

    For a person without a phone the member that seats them accepts (`is_adult` confirms the person's age).
    Raises `adults_only`.
    """
    is_open = seat.player_id is not None and seat.keeper_id is None and not in_person
    if in_person or seat.keeper_id is not None:
        check_age(table.row, is_adult)
    accepted_by = by if seat.keeper_id is not None else None
    return replace(seat, accepted_at=None if is_open else table.moment, accepted_by=accepted_by)


def accepted_by(seat: SeatRow) -> tuple[Event, ...]:
    """Return the event that a player has accepted the rules card for the person on a seat; empty for others."""
    if seat.accepted_by is None:
        return ()
    return (event_for(seat.index, seat.name, Player.objects.get(pk=seat.accepted_by)),)


def event_for(index: int, name: str, by: Player) -> Event:
    """Return the event that a player has accepted the rules card for the person `name` on a seat."""
    return Event(ACCEPTED, {"seat": index, "name": name, "by": by.nickname, "by_player": by.pk})


@COMMANDS.act("table.accept", TableRight.SEAT)
def accept(table: LockedTable, seat: int, by: int | None = None, adult: Said = False) -> TableDecision:
    """Accept the rules card for a seat at a running table; from now on its person plays.

    `by` is the player that accepts for a person without a phone. Raises `bad_argument`, `adults_only`, and `accepted`
    if it is accepted already.
    """
    found = seats.seat_at(table.seats, seat)
    if found.accepted_at is not None:
        raise Illegal("accepted")
    check_age(table.row, adult)
    accepting = by if found.keeper_id is not None else None
    taken = replace(found, accepted_at=table.moment, accepted_by=accepting)
    (event,) = accepted_by(taken) or (seats.seat_event(taken, ACCEPTED),)
    return table.passed_on(event, [OCCUPY], taken)
