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
    return [{sets["name"]: list(some)} for some in every if all(keeps(law, some) for law in sets["laws"])]


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
