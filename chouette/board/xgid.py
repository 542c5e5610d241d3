"""XGID: a position with cube, roll, score and match length on one line.

    XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10

Ten fields: the points in the view of the player at the bottom (upper case theirs, first the
other's bar, last their own), the cube as a power of two, its owner (1 bottom, -1 top,
0 centred), whose turn it is (1 bottom, -1 top), the roll (00 before it, D for a double that
waits for its answer, B for a beaver, R for a raccoon), the bottom's and the top's score, a
flag (match: 1 = Crawford; money: 1 = Jacoby, 2 = beavers, 3 = both), the match's length
(0 = money), and the highest cube as a power of two. A Crawford flag at a score at which no side needs
one point alone is cleared.

Written with the player on roll at the bottom. Read either way; the player on roll becomes
player 1 of the match state, as GNU Backgammon does it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from chouette.board.match_id import MatchState
from chouette.board.position import BAR, BoardError, Position, checked, swap

_PREFIX = "XGID="
_MOST_CUBE = 15
_ROLL = re.compile(r"00|[1-6]{2}|[DBR]")
_NUMBER = re.compile(r"-?[0-9]{1,5}")
_MOST_POINTS = 1 << 15
_POINTS = re.compile(r"[-A-Oa-o]*")
_LETTERS = "-ABCDEFGHIJKLMNO"
"""A letter's index is the number of checkers."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The content of an XGID; the position is in the view of player 1, the player on roll.

    `offer` is the offer that waits for an answer: "" none, "D" a double of the player on roll,
    "B" the other's beaver, "R" a raccoon. `max_cube` is a power of two.
    """

    position: Position
    state: MatchState
    beavers: bool = False
    offer: str = ""
    max_cube: int = 10


def xgid(setup: Setup) -> str:
    """Return the XGID of a setup, the player on roll at the bottom and turn 1."""
    state, me = setup.state, setup.state.player_on_roll
    owner = 0 if state.cube_owner is None else 1 if state.cube_owner == me else -1
    flag = int(state.crawford) if state.match_length else state.jacoby + 2 * setup.beavers
    offer = setup.offer or ("D" if state.double_offered else "")
    roll = offer or f"{max(state.dice)}{min(state.dice)}"
    fields = (
        "".join(map(_letter, setup.position)),
        state.cube.bit_length() - 1,
        owner,
        1,
        roll,
        state.score[me],
        state.score[1 - me],
        flag,
        state.match_length,
        setup.max_cube,
    )
    return _PREFIX + ":".join(map(str, fields))


def parse_xgid(text: str) -> Setup:
    """Return the setup that an XGID describes; "XGID=" in front may be missing.

    Raises BoardError: `bad_xgid` (not ten fields), `xgid_points`, `xgid_roll`, `xgid_number`, or
    a code of `checked`.
    """
    text = text.strip()
    if text[: len(_PREFIX)].upper() == _PREFIX:
        text = text[len(_PREFIX) :]
    fields = text.split(":")
    if len(fields) != 10:
        raise BoardError("bad_xgid", f"an XGID has 10 fields, not {len(fields)}")
    letters, roll = fields[0], fields.pop(4)
    if not _ROLL.fullmatch(roll):
        raise BoardError("xgid_roll", "the roll is 00, two dice, D, B or R")
    cube, owner, turn, bottom, top, flag, length, most = map(_number, fields[1:])
    is_known = owner in (-1, 0, 1) and turn in (-1, 1) and 0 <= flag < (2 if length else 4)
    in_bounds = 0 <= cube <= _MOST_CUBE and min(bottom, top, length, most) >= 0
    if not (is_known and in_bounds and max(bottom, top, length) < _MOST_POINTS):
        raise BoardError("xgid_number", "a number is not one that its field can have")
    points = _points(letters)
    state = MatchState(
        cube=1 << cube,
        cube_owner=None if owner == 0 else int(owner == turn),
        player_on_roll=1,
        turn=0 if roll in "DR" else 1,
        crawford=flag == 1 and length > 0 and length - 1 in (top, bottom),
        double_offered=roll in "DBR",
        dice=(int(max(roll)), int(min(roll))) if roll.isdecimal() else (0, 0),
        match_length=length,
        score=(top, bottom) if turn == 1 else (bottom, top),
        jacoby=length == 0 and flag % 2 == 1,
    )
    position = points if turn == 1 else swap(points)
    offer = "" if roll.isdecimal() else roll
    return Setup(position, state, length == 0 and flag > 1, offer, most)


def _letter(count: int) -> str:
    return _LETTERS[count] if count >= 0 else _LETTERS[-count].lower()


def _points(letters: str) -> Position:
    """Return the position in the view of the player at the bottom; raises BoardError."""
    if len(letters) != BAR + 1 or not _POINTS.fullmatch(letters):
        raise BoardError("xgid_points", "the points are 26 letters from A to O and hyphens")
    counts = [_LETTERS.index(letter.upper()) for letter in letters]
    return checked(-count if letter.islower() else count for letter, count in zip(letters, counts, strict=True))


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise BoardError("xgid_number", f"{text[:20]!a} is not a number")
    return int(text)
