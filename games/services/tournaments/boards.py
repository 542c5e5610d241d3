"""Too few boards for the people of a tournament: how long they would wait, and what other formats would take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from games.kernel.contract import JsonObject
from games.kernel.tournaments import simulation
from games.kernel.tournaments.phases import world_cup
from games.services import server_time
from games.services.tournaments import formats
from games.services.tournaments.formats import ChosenFormat

LONG_WAITING = 20
"""The minutes of waiting in an evening above which directors are told."""


@dataclass(frozen=True, slots=True)
class OtherFormat:
    """Another format with as many boards: the minutes that each waits, and when it is over if it begins now."""

    label: Any
    waiting: int
    ends: datetime


@dataclass(frozen=True, slots=True)
class TooFewBoards:
    """The minutes that each waits with the boards there are, and with `enough` of them; other formats by waiting."""

    boards: int
    people: int
    waiting: int
    enough: int
    least: int
    others: tuple[OtherFormat, ...]


def too_few(given: JsonObject, people: int, minutes: int) -> TooFewBoards | None:
    """Return what too few boards for people mean; None where there are enough, or where nobody waits long.

    `given` is a stored format, and `minutes` are those of the evening, for formats that are played until its end.
    """
    first = {} if world_cup.is_played(given) else formats.phases(given)[0]
    boards, enough = first.get("tables"), people // 2
    if boards is None or boards >= enough:
        return None
    waiting = round(simulation.course(given, people).waiting)
    if waiting <= LONG_WAITING:
        return None
    least = round(simulation.course(_with_boards(given, enough), people).waiting)
    others = _others(ChosenFormat(first["kind"], first["length"], minutes, boards), people)
    return TooFewBoards(boards, people, waiting, enough, least, others)


def _with_boards(given: JsonObject, boards: int) -> JsonObject:
    phases = [each | {"tables": boards} for each in formats.phases(given)]
    return {**given, "phases": phases} if "phases" in given else phases[0]


def _others(choice: ChosenFormat, people: int) -> tuple[OtherFormat, ...]:
    """Return the other formats of matches of the same length, as they are proposed."""
    found, now = [], server_time.now()
    for kind in formats.KINDS:
        if kind.id != choice.kind and not kind.is_of_tables:
            course = simulation.course(formats.made(replace(choice, kind=kind.id)), people)
            found.append(OtherFormat(kind.label, round(course.waiting), now + timedelta(minutes=course.end)))
    return tuple(sorted(found, key=lambda each: each.waiting))
