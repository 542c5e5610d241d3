"""The dice of a finished table, drawn again: members may check them (games/kernel/dice/__init__.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel import dice
from games.kernel.dice import typed
from games.kernel.dice.dice_check import CheckedTable
from games.kernel.dice.dice_check import check as check_rolls
from games.models import LogEntry, Table
from games.services.dice import dice_chains
from games.services.rolls import roll_files
from games.services.tables import log
from games.web.errors import pages_refusals
from games.web.identity import need_inside
from games.web.tables.page import find_table


@dataclass(frozen=True, slots=True)
class EntryDice:
    """The dice that one entry of the log drew; `first` is the index of the first of these dice."""

    seq: int
    first: int
    thrown: tuple[int, ...]
    again: tuple[int, ...]

    @property
    def is_same(self) -> bool:
        """Tell whether drawing them again gives the same dice."""
        return self.thrown == self.again


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """The result of checking dice from chains, also while the table is played.

    `faults` are the checker's own texts, in English; `levels` counts the rolls of each level.
    """

    rolls: int
    typed: int
    levels: Mapping[str, int]
    faults: Sequence[str]


def check_chains(table: Table) -> ChainVerdict:
    """Check the links of a table's throws so far, and compute its dice again from its roll file."""
    rows = [dict(zip(roll_files.FIELDS, map(str, row), strict=True)) for row in roll_files.file_rows([table])]
    found = check_rolls(rows).get(table.public_id, CheckedTable())
    return ChainVerdict(found.rolls, found.typed, dict(sorted(found.levels.items())), found.faults)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking the dice of a table.

    `typed` counts the throws of real dice, `entered` the results of a real table: neither can be checked.
    """

    commitment: str
    seed: str
    salt: str
    nonces: tuple[tuple[str, str], ...]
    throws: tuple[EntryDice, ...]
    typed: int
    entered: int
    seed_fits: bool
    salt_fits: bool
    difference: int | None

    @property
    def is_fair(self) -> bool:
        """Tell whether seed, salt and all dice match."""
        return self.seed_fits and self.salt_fits and self.difference is None

    @property
    def count(self) -> int:
        """The number of dice drawn."""
        return sum(len(throw.thrown) for throw in self.throws)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def dice_check(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the check of a table's dice; while sealed dice are not revealed yet, only their commitment."""
    table = find_table(public_id)
    need_inside(request, table.night)
    if table.chains is not None or not table.seq:
        return render(request, "tables/dice_chains.html", _about_chains(table))
    is_over = table.status == Table.Status.FINISHED and table.seq > 0
    context: dict[str, Any] = {
        "table": table,
        "night": table.night,
        "game": plugin.game(table.game_id),
        "is_over": is_over,
        "commitment": dice.commitment(table.dice_seed),
        "verdict": check(table) if is_over else None,
        "is_typed": typed.is_on(table.options),
        "is_entered": plugin.game(table.game_id).is_entered(table.options),
    }
    return render(request, "tables/dice_check.html", context)


def _about_chains(table: Table) -> dict[str, Any]:
    return {
        "table": table,
        "night": table.night,
        "game": plugin.game(table.game_id),
        "commitment": dice_chains.commitment_of(table),
        "verdict": check_chains(table) if table.seq else None,
        "is_typed": typed.is_on(table.options),
        "is_entered": plugin.game(table.game_id).is_entered(table.options),
    }


def check(table: Table) -> Verdict:
    """Return the verdict on a finished table's dice, drawn again from the data of its log."""
    entries = log.rows(table.pk)
    started, seed = {}, ""
    throws: list[EntryDice] = []
    drawn: list[int] = []
    by_hand = 0
    entered = _entered(table, entries)
    for entry in entries:
        for event in entry.events:
            by_hand += event["data"].get("typed") is True
            if event["type"] == "table.started":
                started = event["data"]
            elif event["type"] == "table.dice_revealed":
                seed = event["data"]["seed"]
        if entry.dice:
            throws.append(_again(entry, len(drawn), seed or table.dice_seed, started["salt"]))
            drawn += entry.dice
    return _verdict(started, seed or table.dice_seed, throws, drawn, (by_hand, entered))


def _entered(table: Table, entries: Sequence[LogEntry]) -> int:
    """Return the number of results that people entered from a real table."""
    names = plugin.game(table.game_id).entered_events
    return sum(event["type"] in names for entry in entries for event in entry.events)


def _again(entry: LogEntry, first: int, seed: str, salt: str) -> EntryDice:
    """Return an entry's dice beside the dice computed from seed and salt."""
    again = (dice.fair_die(seed, salt, first + i) for i in range(len(entry.dice)))
    return EntryDice(entry.seq, first, tuple(entry.dice), tuple(again))


def _verdict(
    started: dict[str, Any], seed: str, throws: list[EntryDice], drawn: list[int], by_people: tuple[int, int]
) -> Verdict:
    """Return the verdict on dice, seed and salt of a log."""
    nonces = tuple((seat["name"], seat["nonce"]) for seat in started["seats"])
    return Verdict(
        commitment=started["commitment"],
        seed=seed,
        salt=started["salt"],
        nonces=nonces,
        throws=tuple(throws),
        typed=by_people[0],
        entered=by_people[1],
        seed_fits=dice.commitment(seed) == started["commitment"],
        salt_fits=dice.salt_of(nonce for _, nonce in nonces) == started["salt"],
        difference=dice.first_difference(seed, started["salt"], drawn),
    )
