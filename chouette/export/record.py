"""The record of a game between two, in the terms of other programs: plays, cube actions, a result.

`own` is the member from whose point of view a session is written, `other` is the opponent:
the Box, or, where the member is the Box, the Captain at the game's beginning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from chouette.board.notation import format_play
from chouette.board.plays import legal_plays
from chouette.board.position import START, Position
from chouette.board.steps import Move
from games.kernel.contract import JsonObject, Seat

OWN, OTHER = "own", "other"
PLAY, DOUBLE, BEAVER, RACCOON = "play", "double", "beaver", "raccoon"
TAKE, DROP = "take", "drop"
NO_DOUBLE = "no_double"
ROLL = "roll"
"""A roll that was not played, as the game ended there: the last act of a file that was read."""


@dataclass(frozen=True, slots=True)
class RecordedAct:
    """A play or a cube action by one side, or a last roll without a play.

    `before` is the position in the mover's view, for plays and rolls; `value` is the cube's value after
    a double, a beaver or a raccoon.
    """

    side: str
    kind: str
    dice: tuple[int, ...] = ()
    play: str = ""
    before: Position = START
    value: int = 0

    def steps(self) -> tuple[Move, ...]:
        """Return the single steps of a play; none where the roll can't be played."""
        plays = legal_plays(self.before, self.dice)
        return next(play.moves for play in plays if format_play(play) == self.play)


@dataclass(slots=True)
class GameRecord:
    """One game; `score` is (own, other) before it, `result` the points of `own`, None if open.

    `start` is in the view of `own`; `value` and `owner` (own, other or "") are the cube's when
    the first play is made. `how` is how the cube ended (`chouette.rules.view`) and `cube` its
    value then. `notes` are (number of acts before, text), for facts that the formats can't hold. `said` is what another
    program says of an act in a file that was read, by the act's number from 0, `graded` the house's grade of it, and
    `graded_before` that of not doubling before it. `length` is that of its match where the session has several matches.
    """

    number: int
    own: Seat
    other: Seat
    score: tuple[int, int]
    length: int | None = None
    start: Position = START
    value: int = 1
    owner: str = ""
    is_crawford: bool = False
    names: tuple[str, str] = ("", "")
    result: int | None = None
    how: str = ""
    cube: int = 1
    acts: list[RecordedAct] = field(default_factory=list)
    notes: list[tuple[int, str]] = field(default_factory=list)
    said: dict[int, JsonObject] = field(default_factory=dict)
    graded: dict[int, JsonObject] = field(default_factory=dict)
    graded_before: dict[int, JsonObject] = field(default_factory=dict)

    @property
    def is_usual(self) -> bool:
        """Tell whether the game began from the starting position with the cube in the middle."""
        return self.start == START and not self.owner

    @property
    def is_resigned(self) -> bool:
        """Tell whether one side resigned, left, or lost on time."""
        return self.how in ("resigned", "left", "time")


@dataclass(frozen=True, slots=True)
class Session:
    """The content of a file: the games that the member took part in, and notes on the rest.

    `name` is the member's in the last game, `length` is 0 for a session played for points, else the match's length: of
    several matches in a file that of the first. `unread` is the place from which on a file could not be read.
    """

    name: str
    member: Seat
    length: int
    jacoby: bool
    beavers: bool
    records: tuple[GameRecord, ...]
    notes: tuple[str, ...]
    unread: str = ""

    def length_of(self, record: GameRecord) -> int:
        """Return the length of a game's match, 0 for points."""
        return self.length if record.length is None else record.length

    def is_last(self, record: GameRecord) -> bool:
        """Tell whether a game decided the match."""
        won = (max(record.result or 0, 0), max(-(record.result or 0), 0))
        after = [score + points for score, points in zip(record.score, won, strict=True)]
        length = self.length_of(record)
        return bool(length) and max(after) >= length


def plain_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names for one line: without colons, semicolons, brackets and line ends, single spaces only."""
    plain = (" ".join(re.sub(r"[:;()\[\]\\\x00-\x1f\x7f]", " ", name).split()) for name in names)
    return tuple(name or f"Seat {seat + 1}" for seat, name in enumerate(plain))
