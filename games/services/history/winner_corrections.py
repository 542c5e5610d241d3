"""Correcting who won a game, where people tell the results of a real table and more than points follows from one.

So it is with a match on a real board: the rules replace the result of the game in the log and count the match anew
(contract.CORRECT_RESULT), whether it is under way or over. The row of results is a correction like every other, with
what it moves in all, and the ranks and figures of the games concerned are amended. A match that has ended goes on
if it has no winner any more, its night is open and all its people are there; else it stands as broken off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from games import plugin
from games.kernel.contract import CORRECT_RESULT, Command, Event, Illegal, JsonObject, Outcome
from games.kernel.dice.chains import NoDiceYet
from games.models import Night, Result, Table
from games.services.commands import HOUSE, Request, new_command_id
from games.services.tables import log
from games.services.tables.commit import submit
from games.services.tables.decisions import LockedTable, TableDecision

REOPENED = "table.reopened"
"""The event that a table which was over goes on."""

Told = Mapping[str, int]
"""A result: `winner`, a seat, and the game's figures of how it was won (plugin.GameConfig.told_fields)."""


def takes(result: Result) -> bool:
    """Tell whether a result is corrected by telling it anew, and not by points."""
    table = result.table
    if result.is_correction or not result.seq or not plugin.game(table.game_id).is_entered(table.options):
        return False
    choices = plugin.game(table.game_id).rules.choices(log.state_of(table), None)
    return any(choice.name == CORRECT_RESULT for choice in choices)


def is_newest(result: Result) -> bool:
    """Tell whether no later game of the table has a result."""
    later = Result.objects.filter(table=result.table_id, is_correction=False, seq__gt=result.seq or 0)
    return not later.exists()


def check(result: Result, told: Told) -> None:
    """Raise Illegal `bad_told` unless the winner played the game and each figure is one of the game's words."""
    fields = {field.id: field.words for field in plugin.game(result.game_id).told_fields}
    seats = set(result.lines.values_list("seat", flat=True))
    is_whole = set(told) == {"winner", *fields} and all(type(n) is int for n in told.values())
    if not is_whole or told["winner"] not in seats or any(str(told[name]) not in fields[name] for name in fields):
        raise Illegal("bad_told")


def points(result: Result, told: Told, reason: str) -> dict[int, int]:
    """Return what a correction would move, by seat; raises Illegal as the rules do, and as `check`."""
    check(result, told)
    table = result.table
    rules = plugin.game(table.game_id).rules
    args = _args(result, None, told, reason)
    decided = rules.decide(log.state_of(table), Command(CORRECT_RESULT, None, args), NoDiceYet(), table.seq + 1)
    return dict(_outcome(table, decided.events).points)


def write(result: Result, seat: int | None, told: Told, reason: str) -> Result:
    """Carry out a correction that counts, proposed by a seat (None: the house); return its row."""
    args = _args(result, seat, told, reason)
    request = Request(CORRECT_RESULT, args, new_command_id())
    receipt = submit(result.table_id, HOUSE, request, decide=partial(_decided, result))
    return Result.objects.get(table=result.table_id, seq=receipt.seq)


def _args(result: Result, seat: int | None, told: Told, reason: str) -> JsonObject:
    return {"seat": seat, "of": result.seq, "told": dict(told), "reason": reason}


def _outcome(table: Table, events: tuple[Event, ...]) -> Outcome:
    found = (plugin.game(table.game_id).rules.outcome(event) for event in events)
    return next(outcome for outcome in found if outcome is not None)


def _decided(result: Result, table: LockedTable, args: JsonObject) -> TableDecision:
    """Return the rules' decision, and the house's on a table that was over: whether it goes on."""
    decided = table.decide(Command(CORRECT_RESULT, None, args))
    rules = plugin.game(table.snapshot.game_id).rules
    found = TableDecision(decided.events, decided.state, corrects=result)
    is_reopened = rules.is_over(table.snapshot.state) and not rules.is_over(decided.state)
    if not is_reopened:
        return found
    if not _may_go_on(table):
        return found.with_more((Event("table.broken_off"),))
    return replace(found.with_more((Event(REOPENED),)), status=Table.Status.PLAYING, clocks={})


def _may_go_on(table: LockedTable) -> bool:
    """Tell whether the night is open, the table not archived, and everybody on its seats there."""
    night_is_closed = table.row.night.status == Night.Status.CLOSED
    if night_is_closed or table.row.archived_at is not None:
        return False
    return all(seat.player_id is not None and table.is_inside(seat.player_id) for seat in table.seats.values())
