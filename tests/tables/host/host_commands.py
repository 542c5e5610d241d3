"""What the tests of the house's commands share."""

from __future__ import annotations

from typing import Any

from games import plugin
from games.management import log_check
from games.models import Player, Table
from games.services.commands import HOUSE, Actor, Request, new_command_id
from games.services.tables import log
from games.services.tables.commit import submit
from games.services.tables.registry import COMMANDS

FEW_CHECKERS = "DwAA4AEAAAAAAA"
"""A position of backgammon: four checkers of each side to bear off, so that games are short."""


def act(table: Table, by: Player | None, name: str, /, **args: object) -> log.Receipt:
    """Carry out a house command and read the table anew; an act upon a seat names who sits there now."""
    actor = Actor(by.pk) if by else HOUSE
    receipt = submit(table.pk, actor, Request(f"table.{name}", named(table, f"table.{name}", args), new_command_id()))
    table.refresh_from_db()
    return receipt


def named(table: Table, name: str, args: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a house command with the person who sits now on the seat that they name."""
    if "sitter" not in COMMANDS[name].args or "sitter" in args:
        return args
    return {**args, "sitter": sitter(table, args.get("seat"))}


def sitter(table: Table, index: object) -> int | None:
    """Return the player on a seat; None for a bot and for nobody."""
    seat = table.seats.filter(index=index).first() if isinstance(index, int) else None
    return None if seat is None else seat.player_id


def whole(table: Table) -> None:
    """Everything that must hold, whatever happened."""
    table.refresh_from_db()
    assert log_check.faults(table) == []
    config, state = plugin.game(table.game_id), log.state_of(table)
    rules, played_on = config.rules, config.rules.played_on(state)
    for seat in table.seats.all():
        assert bool(seat.bot_level) if seat.index in played_on else True
        assert seat.index not in rules.gone(state) or not (seat.player_id or (seat.bot_level and not played_on))
        rules.view(state, seat.index)
        rules.choices(state, seat.index)
