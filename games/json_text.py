"""JSON as text, quickly: for sockets and the log."""

from __future__ import annotations

import json

import orjson


def to_text(value: object) -> str:
    """Return a JSON value as text without blanks, characters outside ASCII as they are.

    What orjson does not write (whole numbers beyond 64 bits, halves of surrogate pairs) is
    written by the standard library, the latter escaped.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"))


def to_sorted_text(value: object) -> str:
    """Return a JSON value as text, members in the order of their names: the same text for the same value."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"), sort_keys=True)
