"""Malformed and misplaced frames of every kind, from a seed, each with the codes it may get.

They are aimed at a running table of the dummy game where the sender has seat 1, is not
the host, has a `bid` open at `basis` and has had the command "done" accepted.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BadFrame:
    kind: str
    data: str | bytes
    codes: frozenset[str]


Kind = Callable[[random.Random, int], tuple[Any, set[str]]]

GARBAGE = (
    "{",
    "}",
    "[1,",
    '{"type":',
    "nul",
    "''",
    '{"type":"ping",}',
    "{type:'ping'}",
    "\x00",
    "🎲",
)
NOT_OBJECTS = ([], [{"type": "ping"}], "ping", 7, 1.5, True, None, "")
MISSPELT = ("Hello", "helo", "comand", "commands", "pinng", "PING", " ping", "chat ", "état", "")
WRONG = (None, True, 1.5, -1, 2**63, "", "7", [], {}, [1], {"a": 1}, "x" * 200)


def _command(basis: int, **changes: Any) -> dict[str, Any]:
    frame = {"type": "command", "id": "bad-1", "name": "bid", "args": {"number": 1}}
    return {**frame, "basis": basis, **changes}


def bad_json(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    whole = json.dumps(_command(basis))
    cut = whole[: rng.randrange(1, len(whole) - 1)]
    constant = whole.replace("1}", rng.choice(["NaN}", "Infinity}", "-Infinity}", "9" * 5000 + "}"]), 1)
    return rng.choice([cut, constant, whole + "}", rng.choice(GARBAGE)]), {"bad_json"}


def not_an_object(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    return json.dumps(rng.choice(NOT_OBJECTS)), {"not_an_object"}


def binary(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    return rng.choice([rng.randbytes(rng.randrange(1, 300)), b'{"type":"ping"}']), {"binary"}


def too_long(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    size = rng.choice([8193, 20_000, 2**20])
    text = rng.choice(
        [
            "x" * size,
            json.dumps({"type": "chat", "id": "c", "text": "y" * size}),
            "[" * size,
            "ä" * 5000,
        ]
    )
    return text, {"too_long"}


def too_deep(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    depth = rng.choice([20, 100, 900, 1600])
    opening, closing = rng.choice([("[", "]"), ('{"a":', "}")])
    nest = opening * depth + "1" + closing * depth
    if len(nest) > 7000:
        nest = "[" * depth + "]" * depth
    return f'{{"type":"command","id":"b","name":"bid","args":{{"a":{nest}}}}}', {"too_deep"}


def unknown_type(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    kind = rng.choice([*MISSPELT, *WRONG[:11], "__class__", "welcome", "entry"])
    frame = {"type": kind, "id": "b"} if rng.random() < 0.9 else {"id": "b"}
    return frame, {"unknown_type", "bad_field"}


def wrong_types(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    base, field = rng.choice(
        [
            (_command(basis), "id"),
            (_command(basis), "name"),
            (_command(basis), "args"),
            (_command(basis), "basis"),
            ({"type": "hello", "protocol": 1, "seq": None}, "protocol"),
            ({"type": "hello", "protocol": 1, "seq": None}, "seq"),
            ({"type": "ping", "seq": 1}, "seq"),
            ({"type": "chat", "id": "m", "text": "t"}, "id"),
            ({"type": "chat", "id": "m", "text": "t"}, "text"),
            ({"type": "hint", "id": "h"}, "id"),
        ]
    )
    fits = {"id": {"7"}, "name": {"7"}, "text": {"7", "x" * 200}}.get(field, set())
    optional = field in {"seq", "basis"}
    values = [
        v for v in WRONG
        if not (isinstance(v, str) and v in fits) and not (v is None and optional)
        and not (isinstance(v, dict) and field == "args")
    ]  # fmt: skip
    codes = {"bad_field", "bad_command_id", "chat_empty"}
    return {**base, field: rng.choice(values)}, codes


def bad_values(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    value = rng.choice(['"\\ud800"', '"\\u0000"', "1e999", str(2**53), str(-(10**30)), '"\\udfff x"'])
    return f'{{"type":"command","id":"b","name":"bid","args":{{"number":{value}}}}}', {"bad_field"}


def unknown_command(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    names = ["Bid", "bidd", "throw", "take_back", "__init__", "timeout", "leave", "close", "bid "]
    house = ["table.", "table.start", "table.kik", "table.__init__", "table.pause ", "TABLE.pause"]
    name = rng.choice([*names, *house])
    return _command(basis, name=name), {"not_open", "unknown_command"}


BAD_ARGS = (
    {}, {"number": 0}, {"number": 4}, {"number": 1.0}, {"number": "1"}, {"number": True},
    {"number": None}, {"number": [1]}, {"Number": 1}, {"number": 1, "seat": 1}, {"": 1},
)  # fmt: skip


def bad_args(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    return _command(basis, args=rng.choice(BAD_ARGS)), {"bad_args"}


def anothers_seat(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    seat = rng.choice([0, 0, 2, -1, 99, "0", None])
    name = rng.choice(["timeout", "leave", "table.kick", "table.forfeit", "table.play_on", "bid"])
    codes = {"not_open", "not_host", "bad_args", "bad_argument"}
    return _command(basis, name=name, args={"seat": seat, "number": 1}), codes


def hosts_commands(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    name = rng.choice(["pause", "resume", "kick", "substitute", "forfeit", "play_on", "nudge"])
    args = {"seat": rng.choice(WRONG), "bot": rng.choice(WRONG), "player": rng.choice(WRONG)}
    return _command(basis, name=f"table.{name}", args=args), {"not_host", "bad_field"}


def stale_basis(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    return _command(basis + rng.choice([-1, 1, 2, 40, 10**9])), {"stale", "bad_field"}


def no_basis(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    frame = _command(basis)
    del frame["basis"]
    return frame, {"no_basis"}


def bad_id(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    frame = _command(basis, id=rng.choice(["", "x" * 49, "ü" * 60, " " * 100]))
    return frame, {"bad_command_id"}


def repeated_id(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    name = rng.choice(["bid", "throw", "table.pause"])
    return _command(basis, id="done", name=name, args={"number": rng.randrange(5)}), {"repeated"}


def bad_chat(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    text = rng.choice(["", "   ", "\n\t", "x" * 281, "a\x07b", "\u202eabc", "z" * 4000])
    return {"type": "chat", "id": "m", "text": text}, {"chat_empty", "chat_long"}


def no_hints(rng: random.Random, basis: int) -> tuple[Any, set[str]]:
    return {"type": "hint", "id": f"h{rng.random()}", "seat": 0}, {"no_hints"}


KINDS: tuple[Kind, ...] = (
    bad_json, not_an_object, binary, too_long, too_deep, unknown_type, wrong_types, bad_values,
    unknown_command, bad_args, anothers_seat, hosts_commands, stale_basis, no_basis, bad_id,
    repeated_id, bad_chat, no_hints,
)  # fmt: skip


def frames(count: int, seed: int, basis: int) -> Iterator[BadFrame]:
    """Yield `count` bad frames, every kind as often as the others."""
    rng = random.Random(seed)
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        data, codes = kind(rng, basis)
        text = data if isinstance(data, str | bytes) else json.dumps(data)
        yield BadFrame(kind.__name__, text, frozenset(codes))
