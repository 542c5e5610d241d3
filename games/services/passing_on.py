"""A seat that passes from one person to another: what the rules make of going and of sitting down."""

from __future__ import annotations

from collections.abc import Iterable

from games import plugin
from games.kernel.contract import Command, Event
from games.kernel.dice import FairDice
from games.models import Table
from games.services import ledger


def decided(table: Table, names: Iterable[str], seat: int, dice: FairDice) -> tuple[Event, ...]:
    """Return the events of those of some house commands about a seat that the rules list, in turn."""
    rules, state = plugin.game(table.game_id).rules, ledger.state_of(table)
    found: tuple[Event, ...] = ()
    for name in names:
        listed = (c for c in rules.choices(state, None) if c.name == name)
        if any({"seat": seat} in choice.options for choice in listed):
            decision = rules.decide(state, Command(name, None, {"seat": seat}), dice, table.seq + 1)
            state = decision.state
            found += decision.events
    return found
