"""Tables as they were opened before there were chains: their dice come from a sealed seed alone, to their end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games import plugin
from games.kernel import dice
from games.kernel.contract import Event
from games.models import Table
from games.services.tables import setup
from games.services.tables.decisions import LockedTable, TableDecision


def begun(table: LockedTable, args: dict[str, Any]) -> TableDecision:
    """Return the decision that starts play, as the house made it then."""
    row = table.row
    seated = list(row.seats.order_by("index"))
    salt = dice.salt_of(seat.nonce for seat in seated)
    Table.objects.filter(pk=row.pk).update(dice_salt=salt)
    table.snapshot = replace(table.snapshot, dice_salt=salt)
    started = setup._started(row, seated)
    people = [{**each, "nonce": s.nonce} for each, s in zip(started.data["seats"], seated, strict=True)]
    sealed = {"seats": people, "commitment": dice.commitment(row.dice_seed), "salt": salt}
    table.dice = dice.FairDice(row.dice_seed, salt)
    opened = plugin.game(row.game_id).rules.open(row.options, len(seated), table.dice)
    events = (Event("table.started", {**started.data, **sealed}), *opened.events)
    return TableDecision(events, opened.state, status=Table.Status.PLAYING)


def seal_all() -> None:
    """Let all tables that start from now on in this process be such tables."""
    setup._begin = begun
