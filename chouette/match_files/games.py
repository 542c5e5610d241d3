"""Building: a game out of the plays and cube actions of a match file, each held to the rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from chouette.board.notation import format_play, parse_play
from chouette.board.plays import Dice, Play, legal_plays
from chouette.board.position import BAR, OFF, BoardError, Position, swap, winner_value
from chouette.export.record import (
    BEAVER,
    DOUBLE,
    DROP,
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

SIDES = (OWN, OTHER)
MOST_GAMES = 200
MOST_VALUE = 1 << 16
_KINDS = {1: "single", 2: "gammon", 3: "backgammon"}
_RAISES = {"": DOUBLE, DOUBLE: BEAVER, BEAVER: RACCOON}


class BadFile(Exception):
    """A file that is no match file, or one with a game that can't have been played.

    `game` (as the file numbers it) and `line` (from 1) say where, 0 where that is not known; `before` are the games
    that stand whole before it. `suffix` is that of a text which is named like a file of another kind.
    """

    def __init__(self, why: str, *, line: int = 0, suffix: str = "") -> None:
        super().__init__(why)
        self.game, self.line, self.suffix = 0, line, suffix
        self.before: Session | None = None

    @property
    def at(self) -> str:
        """Return the place in words ("game 4, line 57"), "" where it is not known."""
        places = (("game", self.game), ("line", self.line))
        named = [f"a text named {self.suffix}"] if self.suffix else []
        return ", ".join([*(f"{word} {number}" for word, number in places if number), *named])


@dataclass(slots=True)
class Builder:
    """A game as far as it was read.

    `position` is in the view of OWN; `turn` is the side to roll, "" before the first throw; `open` is the
    cube action that waits for its answer. `value` and `owner` are the cube's. `has_stopped`: a row that is no play has
    ended the game; `given_up` are OWN's points if that row says who gave up, and how much.
    """

    record: GameRecord
    jacoby: bool
    position: Position
    turn: str = ""
    open: str = ""
    value: int = 1
    owner: str = ""
    has_stopped: bool = False
    given_up: int | None = None

    def start(self) -> None:
        """Take over how the cube stands before the first act, which the file may say late."""
        if not self.record.acts:
            self.value, self.owner = self.record.value, self.record.owner

    def play(self, side: str, dice: Dice, text: str = "", steps: tuple[tuple[int, int], ...] = ()) -> None:
        """Add a play, by its notation or by its single steps; raises BadFile.

        Without either the roll could not be played, or the game ended before it was.
        """
        before = self.before_roll(side)
        if not text and not steps and legal_plays(before, dice)[0].moves:
            self.stop(side, dice)
            return
        try:
            play = _stepped(before, dice, steps) if steps else _written(before, dice, text)
        except BoardError as why:
            raise BadFile(why.text) from why
        self.record.acts.append(RecordedAct(side, PLAY, dice=tuple(dice), play=format_play(play), before=before))
        self.position = play.result if side == OWN else swap(play.result)
        self.turn = other(side)

    def stop(self, side: str, dice: Dice | None = None, times: int = 0) -> None:
        """End the game by a row that is no play, with the roll in it; raises BadFile for a roll out of turn.

        `side` gives up so many times the cube, 0 where the row does not say it.
        """
        self.start()
        if dice:
            self.record.acts.append(RecordedAct(side, ROLL, dice=tuple(dice), before=self.before_roll(side)))
        elif self.is_over:
            return
        self.has_stopped = True
        self.given_up = (-times if side == OWN else times) * self.value if times else None

    def before_roll(self, side: str) -> Position:
        """Return the position that a side rolls in, in its own view; raises BadFile for one that is not on roll."""
        self.start()
        if self.open in (BEAVER, RACCOON):
            # A roll that follows says that the raise was accepted.
            self.answer(self._answerer(), TAKE)
        if self.open or self.is_over or self.turn not in ("", side):
            raise BadFile("a play out of turn")
        return self.position if side == OWN else swap(self.position)

    def double(self, side: str, value: int | None = None) -> None:
        """Add a double, or the beaver or raccoon that answers one; raises BadFile.

        One behind a drop is nobody's: GNU Backgammon adds it to a game whose drop stood alone in a line of a `.mat`.
        """
        self.start()
        if self.is_dropped:
            return
        expected = self._answerer() if self.open else side
        if side != expected or self.open == RACCOON or self.is_over:
            raise BadFile("a double out of turn")
        if not self.open:
            self._check_double(side)
            self._begin_at(value)
            self.turn = side
        kind = _RAISES[self.open]
        if kind == BEAVER:
            self.value, self.owner = 2 * self.value, side
        elif kind == RACCOON:
            self.value *= 2
        self.record.acts.append(RecordedAct(side, kind, value=2 * self.value))
        self.open = kind

    def answer(self, side: str, kind: str) -> None:
        """Add a take or a drop; raises BadFile. One behind a resignation answers that, and ends nothing more."""
        if self.given_up is not None and kind == TAKE:
            return
        if not self.open or side != self._answerer():
            raise BadFile("an answer without a double")
        self.record.acts.append(RecordedAct(side, kind))
        if kind == TAKE:
            self.value *= 2
            if self.open == DOUBLE:
                self.owner = side
        self.open = ""

    @property
    def is_dropped(self) -> bool:
        """Tell whether the game has ended by a drop."""
        return bool(self.record.acts) and self.record.acts[-1].kind == DROP

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended by a drop, on the board or by a row that is no play."""
        return self.is_dropped or self.has_stopped or (bool(self.record.acts) and bool(self._borne_off()))

    def close(self, points: int | None, how: str = "") -> GameRecord:
        """Return the game, with its result: that of the board or a drop, else that of the file (OWN's points)."""
        self.start()
        record = self.record
        record.cube = self.value
        if self.is_dropped:
            record.result = self.value if record.acts[-1].side == OTHER else -self.value
            record.how = "dropped"
        elif times := self._borne_off():
            times = times if not self.jacoby or self.owner else times // abs(times)
            record.result, record.how = times * self.value, _KINDS[abs(times)]
        else:
            points = self.given_up if points is None else points
            record.result, record.how = points, how or ("" if points is None else "resigned")
        return record

    def _borne_off(self) -> int:
        """Return how many times the cube OWN has won by bearing off, negative for the other side."""
        return winner_value(self.position) or -winner_value(swap(self.position))

    def _answerer(self) -> str:
        return other(self.record.acts[-1].side)

    def _check_double(self, side: str) -> None:
        if self.turn not in ("", side) or self.owner not in ("", side):
            raise BadFile("a double by who may not double")
        # The score alone does not tell which game is the Crawford game where a file begins late.
        self.record.is_crawford = False

    def _begin_at(self, value: int | None) -> None:
        """Let the cube begin higher, by automatic doubles, where the first double says so."""
        is_first = all(act.kind == PLAY for act in self.record.acts)
        if is_first and value and value > 2 * self.value:
            self.record.value = self.value = cube_value(value) // 2


def check_count(games: int) -> None:
    """Raise BadFile for more games than are read."""
    if games > MOST_GAMES:
        raise BadFile(f"the file has more than {MOST_GAMES} games")


def check_score(score: tuple[int, int], length: int) -> None:
    """Raise BadFile for a game that begins when its match has been won."""
    if length and max(score) >= length:
        raise BadFile("a game that begins when the match has been won")


def cube_value(shown: int) -> int:
    """Return what a cube shows; raises BadFile for what none can show."""
    if shown < 1 or shown & (shown - 1) or shown > MOST_VALUE:
        raise BadFile("a cube that shows no power of two")
    return shown


def other(side: str) -> str:
    """Return the other side."""
    return OTHER if side == OWN else OWN


def _written(before: Position, dice: Dice, text: str) -> Play:
    """Return the play of a notation; where points in between are not named, nobody is hit on them."""
    try:
        return parse_play(text, before, dice)
    except BoardError as why:
        if why.code != "ambiguous_play":
            raise
    names = {"bar": BAR, "off": OFF}
    steps: list[tuple[int, int]] = []
    for word in text.casefold().replace("*", "").replace(",", " ").split():
        move, _, times = word.rstrip(")").partition("(")
        path = [names[point] if point in names else int(point) for point in move.split("/")]
        steps += [*pairwise(path)] * int(times or 1)
    return _stepped(before, dice, tuple(steps))


def _stepped(before: Position, dice: Dice, steps: tuple[tuple[int, int], ...]) -> Play:
    """Return the play of single steps; raises BoardError."""
    points = list(before)
    for source, target in steps:
        points[source] -= 1
        if target != OFF:
            if points[target] == -1:
                points[target] = 0
                points[OFF] -= 1
            points[target] += 1
    for play in legal_plays(before, dice):
        if play.result == tuple(points):
            return play
    raise BoardError("illegal_play", "a play that the rules do not allow")
