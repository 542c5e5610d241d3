"""The dice of a finished table, thrown again: anybody may check them (games/kernel/dice.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import plugin
from games.kernel import dice as fair
from games.models import LogEntry, Table
from games.web.errors import pages_refusals
from games.web.nights.page import need_inside
from games.web.tables.page import find_table


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice that one entry of the log drew; `first` is the index of the first of them."""

    seq: int
    first: int
    thrown: tuple[int, ...]
    again: tuple[int, ...]

    @property
    def is_same(self) -> bool:
        """Tell whether throwing them again gives the same."""
        return self.thrown == self.again


@dataclass(frozen=True, slots=True)
class Verdict:
    """What checking the dice of a table found."""

    commitment: str
    seed: str
    salt: str
    nonces: tuple[tuple[str, str], ...]
    throws: tuple[Throw, ...]
    seed_fits: bool
    salt_fits: bool
    difference: int | None

    @property
    def is_fair(self) -> bool:
        """Tell whether everything fits."""
        return self.seed_fits and self.salt_fits and self.difference is None

    @property
    def count(self) -> int:
        """How many dice were thrown."""
        return sum(len(throw.thrown) for throw in self.throws)


@require_http_methods(["GET", "HEAD"])
@pages_refusals
def dice_check(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the check of a finished table's dice; before that only what was promised."""
    table = find_table(public_id)
    need_inside(request, table.night)
    is_over = table.status == Table.Status.FINISHED and table.seq > 0
    context: dict[str, Any] = {
        "table": table,
        "night": table.night,
        "game": plugin.game(table.game_id),
        "is_over": is_over,
        "commitment": fair.commitment(table.dice_seed),
        "verdict": check(table) if is_over else None,
    }
    return render(request, "tables/dice_check.html", context)


def check(table: Table) -> Verdict:
    """Throw a finished table's dice again from what its log says."""
    entries = LogEntry.objects.filter(table=table).order_by("seq")
    started, seed = {}, ""
    throws: list[Throw] = []
    drawn: list[int] = []
    for entry in entries:
        for event in entry.events:
            if event["type"] == "table.started":
                started = event["data"]
            elif event["type"] == "table.dice_revealed":
                seed = event["data"]["seed"]
        if entry.dice:
            throws.append(_again(entry, len(drawn), seed or table.dice_seed, started["salt"]))
            drawn += entry.dice
    return _verdict(started, seed or table.dice_seed, throws, drawn)


def _again(entry: LogEntry, first: int, seed: str, salt: str) -> Throw:
    """Return an entry's dice beside what seed and salt say."""
    again = (fair.fair_die(seed, salt, first + i) for i in range(len(entry.dice)))
    return Throw(entry.seq, first, tuple(entry.dice), tuple(again))


def _verdict(started: dict[str, Any], seed: str, throws: list[Throw], drawn: list[int]) -> Verdict:
    """Return the verdict on dice, seed and salt of a log."""
    nonces = tuple((seat["name"], seat["nonce"]) for seat in started["seats"])
    return Verdict(
        commitment=started["commitment"],
        seed=seed,
        salt=started["salt"],
        nonces=nonces,
        throws=tuple(throws),
        seed_fits=fair.commitment(seed) == started["commitment"],
        salt_fits=fair.salt_of(nonce for _, nonce in nonces) == started["salt"],
        difference=fair.first_difference(seed, started["salt"], drawn),
    )
