"""The shapes of a log's entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from games.kernel.tournaments.formats import check_entry, is_whole

Check = Callable[[Any], bool]
VERSION = 4
"""The version of the pairing that proposes entries; an entry as proposed names it.

2: Swiss rounds of up to ten people have the least float after which the others can be played, all pairings tried.
3: the lot follows from who is here and what they have played (`chance`), no longer from the length of the log, and
people are drawn in the order of their keys; pairs have the least cost of all (`matching`), of those of a Swiss with
equal float the top group's first. A log that begins with this version has other ties as well: `Swiss.buchholz`,
`RoundRobin.tie`.
4: draws are those of version 3; in a log that begins with it something follows from who went home (`gone_home`).
"""
VERSIONS = (1, 2, 3, VERSION)
"""The versions whose draws can be recounted."""


def version_of(log: Sequence[Any]) -> int:
    """Return the version by whose rules a tournament is played: the first that its log names, else the present one."""
    named: Iterator[Any] = (entry.get("version") for entry in log if isinstance(entry, dict))
    return next((int(version) for version in named if is_whole(version, 1)), VERSION)


def _is_name(given: Any) -> bool:
    return isinstance(given, str) and given != ""


def _is_pair(given: Any) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(map(_is_name, given))


def _is_score(given: Any) -> bool:
    return given is None or (isinstance(given, list) and len(given) == 2 and all(map(is_whole, given)))


def _is_count(given: Any) -> bool:
    return is_whole(given, 1)


def _or_none(one: Check) -> Check:
    return lambda given: given is None or one(given)


def _is_flag(given: Any) -> bool:
    return isinstance(given, bool)


def _is_when(given: Any) -> bool:
    return given in ("now", "after", "one")


def _are_names(given: Any) -> bool:
    return isinstance(given, list) and all(map(_is_name, given))


RESULT: dict[str, Check] = {"match": _is_name, "winner": _is_name, "score?": _is_score}
SHAPES: dict[str, dict[str, Check]] = {
    "enter": {"player": _is_name, "seed?": _or_none(_is_count)},
    "seed": {"player": _is_name, "seed": _or_none(_is_count)},
    "start": {},
    "withdraw": {"player": _is_name, "when": _is_when},
    "return": {"player": _is_name},
    "match": {
        "id": _is_name,
        "players": _is_pair,
        "length": _is_count,
        "phase?": is_whole,
        "round?": _or_none(is_whole),
        "table?": _or_none(is_whole),
        "forced?": _is_flag,
    },
    "bye": {"player": _is_name, "phase": is_whole, "round": _is_count},
    "result": RESULT,
    "correct": RESULT,
    "void": {"match": _is_name},
    "stand": {"match": _is_name},
    "break": {"from": is_whole, "to": is_whole},
    "table_out": {"table": is_whole},
    "table_in": {"table": is_whole},
    "phase": {"phase": is_whole, "players": _are_names},
    "lot": {"phase": is_whole, "players": _are_names},
    "closing": {"last_start": is_whole},
    "last_round": {},
    "finish": {},
    "reopen": {},
}
"""Type → its fields and what their values must be; those with "?" may be left out."""
MARKS = {"at", "type", "version", "hand"}


def read(given: Any, shapes: Mapping[str, dict[str, Check]] = SHAPES) -> dict[str, Any]:
    """Return an entry whose shape is right; raises EntriesRefused."""
    check_entry(isinstance(given, dict) and isinstance(given.get("type"), str), "bad_entry")
    check_entry(given["type"] in shapes, "unknown_entry")
    shape = shapes[given["type"]]
    check_entry(is_whole(given.get("at")), "bad_entry")
    for key, value in given.items():
        found = shape.get(key) or shape.get(f"{key}?")
        check_entry(key in MARKS or (found is not None and found(value)), "bad_entry")
    check_entry(all(key in given for key in shape if not key.endswith("?")), "bad_entry")
    return dict(given)
