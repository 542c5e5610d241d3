"""JSON text: fast writing, for sockets and the log, and the one reader of all JSON that comes in.

Whatever a client sends (frames, bodies of the API, files of house rules) is read by `read`, whose bound of nesting
does not depend on how deep the stack is where it is called.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import orjson

DEEPEST = 12
"""Objects and lists inside each other; no message and no file of the house needs half of them."""
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{\]}]', re.DOTALL)
"""A string, which hides its brackets, or a bracket outside of strings."""


class TooDeep(ValueError):
    """JSON text with more than DEEPEST objects and lists inside each other."""


def read(text: str) -> Any:
    """Return the value of a JSON text that came in; raises TooDeep, and ValueError for what is not JSON."""
    if text.count("[") + text.count("{") > DEEPEST:
        _check_depth(text)
    return _decoder.decode(text)


def _check_depth(text: str) -> None:
    """Raise TooDeep for brackets nested too deeply, before anything calls itself for each of them."""
    depth = 0
    for found in _BRACKET.finditer(text):
        sign = found[0]
        if sign in "[{":
            depth += 1
            if depth > DEEPEST:
                raise TooDeep
        elif sign in "]}":
            depth -= 1


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads but JSON does not have."""
    raise ValueError(name)


_decoder = json.JSONDecoder(parse_constant=_refuse_constant)


def to_bytes(value: object) -> bytes:
    """Return a JSON value in UTF-8 without blanks, characters outside ASCII unchanged.

    Values that orjson cannot write (whole numbers beyond 64 bits, halves of surrogate pairs) are written by the
    standard library, the latter escaped.
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, separators=(",", ":")).encode()


def to_text(value: object) -> str:
    """Return a JSON value as text, as `to_bytes` writes it."""
    return to_bytes(value).decode()


def to_sorted_text(value: object) -> str:
    """Return a JSON value as text with members ordered by name: the same text for the same value."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"), sort_keys=True)
