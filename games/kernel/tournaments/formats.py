"""Formats of tournaments, read from JSON: kinds with their settings, and phases that follow one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any


class EntriesRefused(Exception):
    """An input that is refused with a code; `entry` is the entry's index in the log."""

    def __init__(self, code: str, entry: int | None = None) -> None:
        super().__init__(code, entry)
        self.code = code
        self.entry = entry


def check_entry(is_good: bool, code: str) -> None:
    """Refuse with a code unless something holds."""
    if not is_good:
        raise EntriesRefused(code)


Check = Callable[[Any], bool]
LARGEST = 10**9
"""The largest number that is taken, of minutes, rounds or tables."""


@dataclass(frozen=True, slots=True)
class Format:
    """One phase: its kind and its settings; those that the kind does not have keep their defaults."""

    kind: str
    length: int = 3
    tables: int | None = None
    last_lengths: tuple[int, ...] = ()
    """The lengths of the last rounds, the last one first; other rounds have `length`."""
    patience: int = 6
    last_start: int = 180
    cup: int = 0
    lives: int = 2
    batch: int = 0
    seeding: str = "lot"
    consolation: bool = False
    rolling: int = 0
    reentry_until: int = 0
    groups: int = 1
    matches: int = 6
    rounds: int | None = None
    tie: str = ""
    """The rule for equals, "" for the usual one."""
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhasePlan:
    """The phases, and how many people go on from each to the next."""

    phases: tuple[Format, ...]
    advance: tuple[int, ...]


def is_whole(given: Any, least: int = 0) -> bool:
    """Tell whether a value of JSON is a whole number and not too small; true and false are none."""
    return isinstance(given, int) and not isinstance(given, bool) and least <= given <= LARGEST


def _one_of(*values: Any) -> Check:
    return lambda given: given in values and type(given) in {type(value) for value in values}


def _from(least: int) -> Check:
    return lambda given: is_whole(given, least)


def _is_order(given: Any) -> bool:
    return isinstance(given, list) and all(isinstance(one, str) for one in given) and len(set(given)) == len(given)


def _are_lengths(given: Any) -> bool:
    return isinstance(given, list) and all(is_whole(one, 1) for one in given)


_LAST: dict[str, Check] = {"last_lengths": _are_lengths}
EVERY: dict[str, Check] = {"length": _from(1), "tables": lambda given: given is None or is_whole(given, 1)}
KINDS: dict[str, dict[str, Check]] = {
    "open_end": {"patience": _from(0), "last_start": _from(0), "cup": _one_of(0, 2, 4), **_LAST},
    "lives": {"lives": _one_of(2), "batch": _from(0), "patience": _from(0), **_LAST},
    "knockout": {
        "seeding": _one_of("lot", "given"),
        "consolation": _one_of(True, False),
        "rolling": _one_of(0, 8),
        "reentry_until": _from(0),
        **_LAST,
    },
    "double": {"seeding": _one_of("lot", "given"), **_LAST},
    "round_robin": {"groups": _from(1), "tie": _one_of("playoff", "lot")},
    "schedule": {"matches": _from(1)},
    "swiss": {"rounds": _from(1), "tie": _one_of("playoff", "head_to_head", "buchholz", "wins"), **_LAST},
    "neighbours": {"rounds": _from(1), "order": _is_order},
}
"""Kind → its settings and what their values must be."""


def length_from_last(format_: Format, back: int) -> int:
    """Return the length of a match that is so many rounds before the last one."""
    lengths = format_.last_lengths
    return lengths[back] if 0 <= back < len(lengths) else format_.length


def read(given: Any) -> PhasePlan:
    """Return the plan of a format; raises EntriesRefused."""
    check_entry(isinstance(given, dict), "bad_format")
    if "phases" not in given:
        phases, advance = [_phase(given)], []
    else:
        check_entry(given.keys() <= {"phases", "advance"} and isinstance(given["phases"], list), "bad_format")
        phases = [_phase(one) for one in given["phases"]]
        advance = given.get("advance", [])
        check_entry(isinstance(advance, list) and all(is_whole(one, 2) for one in advance), "bad_format")
    check_entry(len(phases) == len(advance) + 1, "bad_format")
    return _with_cups(phases, advance)


def _phase(given: Any) -> Format:
    """Return the format of one phase."""
    check_entry(isinstance(given, dict) and isinstance(given.get("kind"), str) and given["kind"] in KINDS, "bad_format")
    checks = EVERY | KINDS[given["kind"]]
    for key, value in given.items():
        check_entry(key == "kind" or (key in checks and checks[key](value)), "bad_format")
    settings: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    return Format(**settings)


def _with_cups(phases: list[Format], advance: list[int]) -> PhasePlan:
    """Return the plan in which the cup of an open end is a phase of its own: a knock-out by the standing."""
    all_phases: list[Format] = []
    numbers: list[int] = []
    for at, phase in enumerate(phases):
        # Lengths of the last rounds are those of the cup.
        all_phases.append(replace(phase, last_lengths=()) if phase.kind == "open_end" else phase)
        if phase.cup:
            all_phases.append(Format("knockout", phase.length, phase.tables, phase.last_lengths, seeding="given"))
            numbers.append(phase.cup)
        numbers += advance[at : at + 1]
    return PhasePlan(tuple(all_phases), tuple(numbers))
