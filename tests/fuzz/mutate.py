"""Inputs that are almost right: valid seeds, bent in one place or several."""

import json
import random
from collections.abc import Sequence
from typing import Any

# Texts that readers stumble over.
NASTY = (
    "", " ", "\x00", "\ud800", "\udfff\ud800", "\ufeff", "\u202e", "\u2028", "é", "١٢", "²", "Ⅷ",
    "𝟚", "ı", "ß", "\U0001f3b2", "NaN", "-Infinity", "1e999", "-0", "0x10", "1_000", "+1", "1.0",
    "9" * 40, "9" * 5000, "-1", "null", "true", '"', "\\", "\\ud800", "\\u0000", "{", "}",
    "XGID=", "[" * 2000,
    '{"a":' * 1500, "]", ":", ",", "/", "//", "*", "(", ")", "(4)", "off", "bar", "bar/off",
    "%s", "%(name)s", "{0}", "../..", "'; --", "\r\n", "\t", "a" * 300, "=", "==", "=1+1",
)  # fmt: skip
SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 25, 255, 2**31, 2**53, -(2**63), 10**30, 0.5, -0.0, 1e308,
    "", "0", "x", "\x00", "\ud800", "é", "a" * 300, [], {}, [[]], [0], {"": 0}, "cube", "seat",
)  # fmt: skip


def bend_text(rng: random.Random, seeds: Sequence[str]) -> str:
    """Return a seed after one to six changes of its characters."""
    text = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice((0, 1, 1, 2, 5, 20)))
        text = text[:at] + _piece(rng, seeds, text) + text[to:]
    return text


def _piece(rng: random.Random, seeds: Sequence[str], text: str) -> str:
    """Return something to put in: nothing, a character, a part of a seed, something nasty."""
    kind = rng.randrange(5)
    if kind == 0:
        return ""
    if kind == 1:
        return chr(rng.randrange(32, 127))
    if kind == 2:
        return rng.choice(NASTY)
    if kind == 3:
        return chr(rng.choice((rng.randrange(32), rng.randrange(0x300), rng.randrange(0x110000))))
    other = rng.choice((*seeds, text)) or " "
    at = rng.randrange(len(other))
    return other[at : at + rng.randrange(1, 12)]


def bend_json(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """Return a JSON value with something in it replaced, dropped, added or wrapped."""
    if isinstance(value, dict) and value and depth < 8 and rng.random() < 0.8:
        return _bend_dict(rng, value, depth)
    if isinstance(value, list) and value and depth < 8 and rng.random() < 0.8:
        found = list(value)
        at = rng.randrange(len(found))
        found[at] = bend_json(rng, found[at], depth + 1)
        return rng.choice((found, found[:at], found * 2, [found, *found]))
    if isinstance(value, str) and rng.random() < 0.5:
        return bend_text(rng, [value])
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 2, 100, -value, 2**40))
    return rng.choice((*SCALARS, {"a": value}, [value]))


def _bend_dict(rng: random.Random, value: dict[str, Any], depth: int) -> dict[str, Any]:
    found = dict(value)
    key = rng.choice(list(found))
    kind = rng.randrange(8)
    if kind == 0:
        del found[key]
    elif kind == 1:
        found[rng.choice((key + "x", "", "seat", "type", "\x00"))] = rng.choice(SCALARS)
    else:
        found[key] = bend_json(rng, found[key], depth + 1)
    return found


def any_json(rng: random.Random, depth: int = 0) -> Any:
    """Return some JSON value or other."""
    kind = rng.randrange(6) if depth < 4 else 5
    if kind == 0:
        return [any_json(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 1:
        keys = ("seat", "cube", "take", "text", "play", "number", "points", "x", "")
        return {rng.choice(keys): any_json(rng, depth + 1) for _ in range(rng.randrange(4))}
    return rng.choice(SCALARS)


def as_text(value: Any) -> str:
    """Return a JSON value as text; half surrogate pairs stay what they are."""
    return json.dumps(value, ensure_ascii=False)
