"""Problems: every choice that a player of a game had, with what they chose.

A problem is what an engine judges: a position with its stakes, and the dice where they have fallen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from chouette.analysis.engine import Stakes
from chouette.board.notation import parse_play
from chouette.board.plays import Dice
from chouette.board.position import START, Position, swap
from chouette.board.xgid import Setup, xgid
from chouette.export.record import (
    BEAVER,
    DOUBLE,
    NO_DOUBLE,
    OTHER,
    OWN,
    PLAY,
    RACCOON,
    ROLL,
    TAKE,
    GameRecord,
    RecordedAct,
    Session,
)

_OFFERS = {DOUBLE: "D", BEAVER: "B", RACCOON: "R"}


@dataclass(frozen=True, slots=True)
class Problem:
    """A choice that a player had, and the one made.

    `player` is 0 (OWN) or 1. Position and stakes are in the view of the player on roll, who is the other
    one where a double is answered; the stakes are those before the double. `offer` is the letter of an XGID for
    what waits for an answer. `result` is the position after a play, in the mover's view. `is_dead` says of a cube
    action that no choice counts: the cube can't win anything any more, or nothing has been played yet. `must_raise`:
    who answers must beaver or drop. A roll that was not played (`ROLL`) is none, and stands for its luck alone.
    """

    player: int
    kind: str
    position: Position
    stakes: Stakes
    dice: Dice | None = None
    played: str = ""
    result: Position | None = None
    offer: str = ""
    is_opening: bool = False
    is_dead: bool = False
    must_raise: bool = False

    @property
    def xgid(self) -> str:
        """Return the problem's position with all that belongs to it, on one line."""
        dice = (max(self.dice), min(self.dice)) if self.dice else (0, 0)
        return xgid(Setup(self.position, self.stakes.state(dice), self.stakes.beavers, self.offer))


def problems(session: Session, record: GameRecord) -> Iterator[Problem]:
    """Yield the problems of a game in order."""
    table = _Table(session, record)
    for act in record.acts:
        if act.kind == PLAY:
            yield from table.play(act)
        elif act.kind == ROLL:
            yield table.roll(act)
        elif act.kind == DOUBLE:
            yield table.double(act)
        else:
            yield table.answer(act)


class _Table:
    """A game as far as it has been looked through; `position` is in the view of OWN."""

    def __init__(self, session: Session, record: GameRecord) -> None:
        self.position, self.owner = record.start, record.owner
        self.has_begun, self.has_doubled, self.is_dead = False, False, False
        self.doubler, self.open = OWN, ""
        self.stakes = Stakes(
            cube=record.value,
            length=session.length_of(record),
            score=record.score,
            is_crawford=record.is_crawford,
            jacoby=session.jacoby and not session.length_of(record),
            beavers=session.beavers and not session.length_of(record),
        )

    def play(self, act: RecordedAct) -> Iterator[Problem]:
        """Yield whether to double, where it may be asked, and the play."""
        self._settle()
        stakes, position = self._stakes(act.side), self._position(act.side)
        if self.has_begun and not self.has_doubled and stakes.may_double:
            yield Problem(_player(act), NO_DOUBLE, position, stakes, played=NO_DOUBLE)
        result = parse_play(act.play, position, act.dice).result
        yield replace(self.roll(act), kind=PLAY, played=act.play, result=result)
        self.position = result if act.side == OWN else swap(result)
        self.has_begun, self.has_doubled = True, False

    def roll(self, act: RecordedAct) -> Problem:
        """Return the roll of an act."""
        self._settle()
        position = self._position(act.side)
        is_opening = not self.has_begun and position == START and act.dice[0] != act.dice[1]
        return Problem(_player(act), ROLL, position, self._stakes(act.side), act.dice, is_opening=is_opening)

    def double(self, act: RecordedAct) -> Problem:
        """Return the double."""
        self.doubler, self.open, self.has_doubled = act.side, DOUBLE, True
        stakes = self._stakes(act.side)
        self.is_dead = not (self.has_begun and stakes.may_double)
        return Problem(_player(act), DOUBLE, self._position(act.side), stakes, played=DOUBLE, is_dead=self.is_dead)

    def answer(self, act: RecordedAct) -> Problem:
        """Return the answer to a double, a beaver or a raccoon."""
        position, stakes, offer = self._position(self.doubler), self._stakes(self.doubler), _OFFERS[self.open]
        if act.kind in (BEAVER, RACCOON):
            self.open = act.kind
        elif act.kind == TAKE:
            self._settle()
        return Problem(_player(act), act.kind, position, stakes, played=act.kind, offer=offer, is_dead=self.is_dead)

    def _settle(self) -> None:
        """Let the cube stand where the open double has left it."""
        if self.open:
            times = {DOUBLE: 2, BEAVER: 4, RACCOON: 8}[self.open]
            self.stakes = replace(self.stakes, cube=times * self.stakes.cube)
            self.owner = OTHER if self.doubler == OWN else OWN
            self.open = ""

    def _stakes(self, side: str) -> Stakes:
        owner = 0 if not self.owner else 1 if self.owner == side else -1
        stakes = self.stakes if side == OWN else self.stakes.swapped()
        return replace(stakes, owner=owner)

    def _position(self, side: str) -> Position:
        return self.position if side == OWN else swap(self.position)


def _player(act: RecordedAct) -> int:
    return int(act.side != OWN)
