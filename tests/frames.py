"""Frames as a client reads them off the wire, by docs/protocol.md §§2–3 alone."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any


def listed(choice: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every legal set of arguments of a choice, smallest sets first."""
    if "options" in choice:
        return list(choice["options"])
    sets = choice["sets"]
    sizes = range(0 if sets["may_be_empty"] else 1, len(sets["of"]) + 1)
    every = chain.from_iterable(combinations(sets["of"], size) for size in sizes)
    allowed = (some for some in every if all(keeps(law, some) for law in sets["laws"]))
    return [{sets["name"]: list(some), **marked} for some in allowed for marked in _marked(sets.get("marks"), some)]


def _marked(marks: dict[str, Any] | None, some: tuple[int, ...]) -> list[dict[str, list[int]]]:
    """Return the ways to mark things of a chosen set: the forced one, or every subset of those that may be."""
    if marks is None:
        return [{}]
    if list(some) in marks["forced"]:
        return [{marks["name"]: list(some)}] if some else [{}]
    pool = [one for one in some if one in marks["of"]]
    every = chain.from_iterable(combinations(pool, size) for size in range(len(pool) + 1))
    return [{marks["name"]: list(found)} if found else {} for found in every]


def whole(frame: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the view of a frame, with what is the same as in the last one taken from there."""
    if (view := frame["view"]) is None:
        return None
    return {**view, **{name: (before or {})[name] for name in frame.get("same", [])}}


def keeps(law: dict[str, Any], some: tuple[int, ...]) -> bool:
    """Tell whether a set keeps a law."""
    if not some:
        return True
    if "alike" in law:
        return all(set(group) <= set(some) or not set(group) & set(some) for group in law["alike"])
    if "any" in law:
        return law["needs"] in some or not set(law["any"]) & set(some)
    return len(some) >= law["least"] or list(some) in law["or"]
