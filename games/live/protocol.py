"""The incoming frames of the protocol: text → one of the frames below, or `Bad` with a code.

Pure: no socket, no database, no clock. For any bytes `parse` returns a frame or raises `Bad`. Its codes are in
docs/protocol.md §7.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from games import json_text
from games.kernel.contract import JsonObject
from games.services.commands import LONGEST_COMMAND_ID, Request
from games.services.tables.snapshot import Hand

PROTOCOL = 1
LONGEST_FRAME = 8192
_WIDEST = 4  # bytes of a character in UTF-8
LARGEST_INT = 2**53 - 1
LONGEST_ID = LONGEST_COMMAND_ID
LONGEST_NAME = 64
LONGEST_LINK = 64


class Bad(Exception):
    """A frame that is not of this protocol; `id` is the frame's own, if it could be read."""

    def __init__(self, code: str, field: str | None = None) -> None:
        super().__init__(code, field)
        self.code = code
        self.params: JsonObject = {} if field is None else {"field": field}
        self.id: str | None = None


@dataclass(frozen=True, slots=True)
class Hello:
    """The first frame of a socket: the last seq that the browser has seen; `tv` asks for the spectators' view.

    `hand` is the seat that holds a shared device; None: the player themselves.
    """

    seq: int | None
    tv: bool = False
    hand: Hand | None = None


@dataclass(frozen=True, slots=True)
class Ping:
    """A sign of life, with the last seq that the browser has seen; `took`: what the last ping took, in milliseconds."""

    seq: int | None
    took: int | None = None


@dataclass(frozen=True, slots=True)
class Away:
    """The page was hidden."""


@dataclass(frozen=True, slots=True)
class Back:
    """The page is shown again."""


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """A line for the table's chat."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class HandFrame:
    """The seat of the device's present holder; None: it is being handed over."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class HintFrame:
    """A request for advice."""

    id: str


@dataclass(frozen=True, slots=True)
class LinkFrame:
    """The link of the browser's chain for throw `k` (services/tables/throws.py)."""

    k: int
    link: str


Frame: TypeAlias = Hello | Request | Ping | Away | Back | ChatFrame | HandFrame | HintFrame | LinkFrame


def parse(text: str | None) -> Frame:
    """Return the frame in a text frame (None: it was binary); raises Bad."""
    raw = load(text)
    reader = _READERS.get(kind) if isinstance(kind := raw.get("type"), str) else None
    try:
        if reader is None:
            raise Bad("unknown_type")
        return reader(raw)
    except Bad as bad:
        bad.id = _id_or_none(raw)
        raise


def load(text: str | None, longest: int = LONGEST_FRAME) -> JsonObject:
    """Return the JSON object in a text of so many bytes at most, with values that are safe to pass on; raises Bad."""
    if text is None:
        raise Bad("binary")
    if len(text) * _WIDEST > longest and len(text.encode("utf-8", "replace")) > longest:
        raise Bad("too_long")
    try:
        raw = json_text.read(text)
    except json_text.TooDeep:
        raise Bad("too_deep") from None
    except ValueError:
        raise Bad("bad_json") from None
    if not isinstance(raw, dict):
        raise Bad("not_an_object")
    check_values(raw)
    return raw


def check_values(raw: object) -> None:
    """Raise Bad for nesting that is too deep and for values that databases cannot store."""
    level: list[Any] = [raw]
    for _ in range(json_text.DEEPEST):
        deeper: list[Any] = []
        for value in level:
            kind = type(value)
            if kind is dict:
                deeper.extend(value)
                deeper.extend(value.values())
            elif kind is list:
                deeper.extend(value)
            elif not _is_plain(value):
                raise Bad("bad_field", "value")
        level = deeper
        if not level:
            return
    raise Bad("too_deep")


def _is_plain(value: Any) -> bool:
    """Tell whether every database can store a value and every client reads the same value back."""
    kind = type(value)
    if kind is str:
        # Lone surrogates have no UTF-8, and PostgreSQL has no NUL.
        is_ascii = value.isascii()
        return "\0" not in value and (is_ascii or not any("\ud800" <= c <= "\udfff" for c in value))
    if kind is float:
        return math.isfinite(value)
    return value is None or abs(value) <= LARGEST_INT


def _id_or_none(raw: JsonObject) -> str | None:
    found = raw.get("id")
    return found if isinstance(found, str) and 0 < len(found) <= LONGEST_ID else None


def _text(raw: JsonObject, field: str, longest: int) -> str:
    value = raw.get(field)
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise Bad("bad_field", field)
    return value


def _count(raw: JsonObject, field: str) -> int | None:
    value = raw.get(field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Bad("bad_field", field)
    return value


def _id(raw: JsonObject) -> str:
    if not isinstance(raw.get("id"), str):
        raise Bad("bad_field", "id")
    if (found := _id_or_none(raw)) is None:
        raise Bad("bad_command_id")
    return found


def _hello(raw: JsonObject) -> Hello:
    if not (type(raw.get("protocol")) is int and raw["protocol"] == PROTOCOL):
        raise Bad("bad_field", "protocol")
    if not isinstance(raw.get("tv", False), bool):
        raise Bad("bad_field", "tv")
    hand = Hand(_count(raw, "hand")) if "hand" in raw else None
    return Hello(_count(raw, "seq"), raw.get("tv", False), hand)


def read_command(raw: JsonObject) -> Request:
    """Return the command in an object; raises Bad `bad_field`, `bad_command_id`."""
    if not isinstance(raw.get("args", {}), dict):
        raise Bad("bad_field", "args")
    name = _text(raw, "name", LONGEST_NAME)
    seat, sitter = _count(raw, "seat"), _count(raw, "sitter")
    return Request(name, raw.get("args", {}), _id(raw), _count(raw, "basis"), seat=seat, sitter=sitter)


def _chat(raw: JsonObject) -> ChatFrame:
    if not isinstance(raw.get("text"), str):
        raise Bad("bad_field", "text")
    return ChatFrame(_id(raw), raw["text"])


def _link(raw: JsonObject) -> LinkFrame:
    k = _count(raw, "k")
    if k is None:
        raise Bad("bad_field", "k")
    return LinkFrame(k, _text(raw, "link", LONGEST_LINK))


_READERS: dict[str, Callable[[JsonObject], Frame]] = {
    "hello": _hello,
    "command": read_command,
    "ping": lambda raw: Ping(_count(raw, "seq"), _count(raw, "took")),
    "away": lambda _: Away(),
    "back": lambda _: Back(),
    "chat": _chat,
    "hand": lambda raw: HandFrame(_count(raw, "seat")),
    "hint": lambda raw: HintFrame(_id(raw)),
    "link": _link,
}
