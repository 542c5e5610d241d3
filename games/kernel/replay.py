"""Rebuilding a table from its log, and checking the numbering of a log.

A log is a list of entries, one per accepted command, numbered from 1 without gaps; each entry
holds the events of its command. Events of the house (`table.…`: seats, pauses) are facts
about the table and not about the game, so the rules never see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from games.kernel.contract import Event, Outcome, Seat
from games.kernel.data.records import record
from games.kernel.events import Upcasts
from games.kernel.rules import Rules

HOUSE_PREFIX = "table."

S = TypeVar("S")


@record(frozen=True, slots=True)
class Entry:
    """One accepted command in the log."""

    seq: int
    events: tuple[Event, ...]


def is_house(event: Event) -> bool:
    """Tell whether an event belongs to the house and not to the game."""
    return event.type.startswith(HOUSE_PREFIX)


def names_after(names: Mapping[Seat, str], events: Iterable[Event]) -> Mapping[Seat, str]:
    """Return the names by seat after some more events: seats change hands, and an entry is of those who sat there."""
    for event in events:
        if event.type == "table.started":
            names = {index: seat["name"] for index, seat in enumerate(event.data["seats"])}
        elif event.type in ("table.joined", "table.substituted"):
            names = {**names, event.data["seat"]: event.data["name"]}
    return names


def upcast(event: Event, upcasts: Upcasts) -> Event:
    """Return `event` in its newest version: the first one without a further upcast."""
    while (step := upcasts.get((event.type, event.v))) is not None:
        event = replace(event, data=step(event.data), v=event.v + 1)
    return event


def newest(rules: Rules[Any], entry: Entry) -> Entry:
    """Return an entry with each of its events in the newest version."""
    upcasts = rules.events.upcasts
    for event in entry.events:
        if (event.type, event.v) in upcasts:
            return Entry(entry.seq, tuple([upcast(each, upcasts) for each in entry.events]))
    return entry


def fold_entry(rules: Rules[S], state: S, entry: Entry) -> S:
    """Return the state after one entry; its events may be of any version."""
    for event in newest(rules, entry).events:
        if not is_house(event):
            state = rules.fold(state, event, entry.seq)
    return state


def fold_all(rules: Rules[S], options: Mapping[str, Any], seats: int, log: Iterable[Entry]) -> S:
    """Return the state that a whole log leads to."""
    state = rules.initial(dict(options), seats)
    for entry in log:
        state = fold_entry(rules, state, entry)
    return state


def outcomes(rules: Rules[S], log: Iterable[Entry]) -> list[tuple[int, Outcome]]:
    """Return the results in a log as pairs (seq of the entry, Outcome)."""
    found = []
    for entry in log:
        for event in newest(rules, entry).events:
            if not is_house(event) and (outcome := rules.outcome(event)) is not None:
                found.append((entry.seq, outcome))
    return found


def first_gap(seqs: Sequence[int]) -> int | None:
    """Return the first seq missing from 1..n, or None if there is no gap."""
    for expected, seq in enumerate(seqs, start=1):
        if seq != expected:
            return expected
    return None
