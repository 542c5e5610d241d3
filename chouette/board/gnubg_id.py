"""GNU Backgammon's position id: 14 characters for both sides' checkers.

The id is written for the player on roll: first the checkers of the player not on
roll, from their own point 1 to 24 and then their bar, as many ones as checkers and a zero
for each point; then the same for the player on roll. The bits go into ten bytes, lowest
bit first, and these into base64 without padding.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode

from chouette.board.position import BAR, BoardError, Position, checked, swap

LENGTH = 14
_BYTES = 10


def position_id(position: Position) -> str:
    """Return the id of a position in the view of the player on roll."""
    bits = "0".join("1" * count for count in (*_side(swap(position)), *_side(position)))
    return encode(int(bits[::-1], 2), _BYTES)


def parse_position_id(text: str) -> Position:
    """Return the position of an id, in the view of the player on roll.

    Raises BoardError: `bad_position_id`, `too_many_points`, `shared_point`, or a code of `checked`.
    """
    bits = format(decode(text, _BYTES, "bad_position_id"), "080b")[::-1]
    counts = [len(ones) for ones in bits.split("0")]
    sides = counts[:BAR], counts[BAR : 2 * BAR]
    if sum(counts) != sum(map(sum, sides)) or len(sides[1]) < BAR:
        raise BoardError("too_many_points", "there are more checkers than points")
    if any(own and other for own, other in zip(sides[1][:-1], sides[0][-2::-1], strict=True)):
        raise BoardError("shared_point", "both sides have checkers on one point")
    theirs, own = ((0, *side) for side in sides)
    return checked(map(int.__sub__, own, reversed(theirs)))


def encode(bits: int, size: int) -> str:
    """Return an int of `size` bytes as base64, lowest byte first, without padding."""
    return b64encode(bits.to_bytes(size, "little")).decode().rstrip("=")


def decode(text: str, size: int, code: str) -> int:
    """Return the int that `encode` wrote; raises BoardError with `code`."""
    length = (size * 8 + 5) // 6
    if len(text) != length:
        raise BoardError(code, f"an id has {length} characters, not {len(text)}")
    try:
        raw = b64decode(text + "=" * (-length % 4), validate=True)
    except (binascii.Error, ValueError):
        raise BoardError(code, "an id has letters, digits, + and / only") from None
    bits = int.from_bytes(raw, "little")
    if encode(bits, size) != text:
        raise BoardError(code, "the last character says more than an id can hold")
    return bits


def _side(position: Position) -> tuple[int, ...]:
    """Return the checkers on the own points 1 to 24 and the bar."""
    return tuple(max(count, 0) for count in position[1:])
