"""Coming and going while a throw is under way: accepted at once, and carried out by entries after the dice.

So nobody but the thrower ends a throw, and nothing that was accepted is lost: the acceptance is an entry, whose
command waits with the throw (`dice_chains.UnderWay.postponed`). Nothing here writes.
"""

from __future__ import annotations

from dataclasses import replace

from games.kernel.contract import Event, Illegal
from games.kernel.records import changed
from games.models import Table
from games.services.commands import Request
from games.services.dice import dice_chains
from games.services.dice.dice_chains import Postponed
from games.services.tables import host_commands
from games.services.tables.decisions import LockedTable, TableDecision

COMING_AND_GOING = frozenset({"table.join", "table.leave", "table.kick", "table.substitute", "table.forfeit"})
MOST = 100
"""The most commands that wait for one throw."""


def may_wait(table: LockedTable, name: str) -> bool:
    """Tell whether a command by which somebody comes or goes meets a throw under way."""
    return name in COMING_AND_GOING and table.snapshot.under_way is not None


def without_throw(table: LockedTable) -> LockedTable:
    """Return a copy of a table as if the throw under way had ended without dice."""
    chains = table.snapshot.chains
    found = changed(table.snapshot, chains=None if chains is None else replace(chains, under_way=None))
    return LockedTable(found, table.seats, table.now, table.row)


def is_of_thrower(table: LockedTable, decision: TableDecision) -> bool:
    """Tell whether a decision takes the thrower off the seat, which ends the throw."""
    under_way = table.snapshot.under_way
    return under_way is not None and dice_chains.changes_sitter(decision.events, under_way.seat)


def accepted(
    table: LockedTable, request: Request, by: int | None, seat: int | None, to_come: TableDecision
) -> TableDecision:
    """Return the decision that accepts a command whose decision is `to_come` after the throw.

    Raises `throw_under_way` where too many wait.
    """
    under_way = table.snapshot.under_way
    if under_way is None or len(under_way.postponed) >= MOST:
        raise Illegal("throw_under_way")
    args = request.args if to_come.args is None else to_come.args
    data = {"command": request.name, "by": by, "for": seat, "seat": args.get("seat")}
    return TableDecision((Event(dice_chains.POSTPONED, data),), table.snapshot.state, args=args)


def request_of(act: Postponed, k: int, number: int) -> Request:
    """Return the house's own request that carries out a command after throw `k`."""
    return Request(act.name, act.args, f"after:{k}:{number}")


def carried_out(table: LockedTable, act: Postponed) -> TableDecision:
    """Return the decision of a command that has waited; raises Illegal as host_commands."""
    if table.snapshot.status == Table.Status.FINISHED:
        raise Illegal("finished")
    return host_commands.carried_out(table, act.by, act.name, act.args, act.seat)


def lapsed(table: LockedTable, act: Postponed, code: str) -> TableDecision:
    """Return the decision that tells why a command that has waited is not carried out."""
    event = Event(dice_chains.LAPSED, {"command": act.name, "seat": act.args.get("seat"), "code": code})
    return TableDecision((event,), table.snapshot.state)
