"""Fast JSON text, for sockets and the log."""

from __future__ import annotations

import json

import orjson


def to_text(value: object) -> str:
    """Return a JSON value as text without blanks, characters outside ASCII unchanged.

    Values that orjson cannot write (whole numbers beyond 64 bits, halves of surrogate pairs) are written by the
    standard library, the latter escaped.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"))


def to_sorted_text(value: object) -> str:
    """Return a JSON value as text with members ordered by name: the same text for the same value."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"), sort_keys=True)
