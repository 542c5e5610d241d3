"""Plays in standard notation: "13/7*/5", "bar/22(2)", "6/off".

The steps of one checker are written as one move; a point in between is named where a hit
makes it matter. "cannot move" is the play of a roll that can't be played.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from chouette.board.plays import Dice, Move, Play, legal_plays
from chouette.board.position import BAR, OFF, BoardError, Position
from chouette.board.steps import orders

NO_MOVE = "cannot move"

_POINT = r"(?:bar|off|[0-9]{1,2})"
_MOVE = re.compile(rf"({_POINT}\*?(?:/{_POINT}\*?)+)(?:\(([1-4])\))?", re.IGNORECASE | re.ASCII)
_NAMES = ("off", *map(str, range(OFF + 1, BAR)), "bar")
_POINTS = {"bar": BAR, "off": OFF}
_LONGEST = 200


def format_play(play: Play) -> str:
    """Return a play in standard notation, moves from the highest points first."""
    if _is_plain(play.moves):
        return " ".join(map(_step_text, sorted(play.moves, reverse=True))) or NO_MOVE
    paths: dict[tuple[int, ...], list[Move]] = {}
    for moves in _by_checker(play.moves):
        path = (moves[0].source, *[move.target for move in moves])
        paths.setdefault(path, []).extend(moves)
    return " ".join(_text(path, moves) for path, moves in sorted(paths.items(), reverse=True))


def listed_plays(position: Position, dice: tuple[int, ...]) -> dict[str, Play]:
    """Return each distinct play of a roll by its notation."""
    return {format_play(play): play for play in legal_plays(position, dice)}


def _is_plain(moves: tuple[Move, ...]) -> bool:
    """Tell whether each move is by a checker of its own, from a point of its own."""
    sources = {move.source for move in moves}
    return len(sources) == len(moves) and sources.isdisjoint([move.target for move in moves])


@cache
def _step_text(move: Move) -> str:
    """Return a step in notation. The cache is bounded by the board: some 600 steps exist."""
    return _text((move.source, move.target), [move])


def _by_checker(moves: Iterable[Move]) -> list[list[Move]]:
    """Return the steps grouped by checker; a checker that arrives where a later step begins makes that step."""
    checkers: list[list[Move]] = []
    for move in moves:
        for checker in checkers:
            if checker[-1].target == move.source:
                checker.append(move)
                break
        else:
            checkers.append([move])
    return checkers


def _text(path: tuple[int, ...], moves: list[Move]) -> str:
    """Return the notation of one path and the moves along it, of one checker or several."""
    hits = [move.target for move in moves if move.hit]
    text = _NAMES[path[0]]
    for point in path[1:]:
        if point in hits:
            text += f"/{_NAMES[point]}*"
        elif point == path[-1]:
            text += f"/{_NAMES[point]}"
    count = len(moves) // (len(path) - 1)
    return f"{text}({count})" if count > 1 else text


def parse_dice(text: str) -> tuple[int, int]:
    """Return the dice of two digits such as "31"; raises BoardError `bad_dice`."""
    if not re.fullmatch("[1-6]{2}", text):
        raise BoardError("bad_dice", f"a roll is two digits from 1 to 6, not {_quoted(text)}")
    return int(text[0]), int(text[1])


def parse_play(text: str, position: Position, dice: Dice) -> Play:
    """Return the legal play that `text` names.

    Upper case, 25 and 0 for the bar and off, and commas between moves are accepted; points in
    between and stars may be missing where only one play fits. Raises BoardError: `bad_play`
    (not notation), `illegal_play` (not a legal play of this roll), `no_hit` (a star where no
    checker is hit), `ambiguous_play` (points in between have to be named), `bad_dice`.
    """
    plays = legal_plays(position, dice)
    written = _read(text)
    matches = _matching(written, position, [play for play in plays if _is_written(written, play, position, dice)])
    if not matches:
        raise BoardError("illegal_play", f"{_quoted(text)} is not a legal play of this roll")
    if len(matches) > 1:
        choices = " or ".join(map(format_play, matches))
        raise BoardError("ambiguous_play", f"{_quoted(text)} may be {choices}")
    if not written.hits <= _hits(matches[0]):
        raise BoardError("no_hit", f"{_quoted(text)} has a star where nobody is hit")
    return matches[0]


@dataclass(frozen=True, slots=True)
class _Written:
    """A play as it was written: the points of each checker, and the points marked as hit."""

    paths: tuple[tuple[int, ...], ...]
    hits: frozenset[int]


def _read(text: str) -> _Written:
    """Return the written play of a text; raises BoardError `bad_play`."""
    words = text.replace(",", " ").split() if len(text) <= _LONGEST else [text]
    if " ".join(words).casefold() in ("", "-", NO_MOVE):
        return _Written((), frozenset())
    paths: list[tuple[int, ...]] = []
    hits: set[int] = set()
    for word in words:
        match = _MOVE.fullmatch(word)
        steps = match.group(1).casefold().split("/") if match else []
        path = tuple(_number(step.removesuffix("*")) for step in steps)
        falls = all(a > b for a, b in pairwise(path))
        if match is None or not falls or path[0] > BAR or steps[0].endswith("*"):
            raise BoardError("bad_play", f"{_quoted(word)} is not a move such as 13/7*/5")
        paths += [path] * int(match.group(2) or 1)
        hits.update(point for point, step in zip(path, steps, strict=True) if step[-1] == "*")
    return _Written(tuple(paths), frozenset(hits))


def _is_written(written: _Written, play: Play, position: Position, dice: Dice) -> bool:
    """Tell whether the written moves use the play's dice and give its result for the own checkers."""
    own = [max(count, 0) for count in position]
    for path in written.paths:
        own[path[0]] -= 1
        own[path[-1]] += path[-1] != OFF
    hops = [hop for path in written.paths for hop in pairwise(path)]
    return own == [max(count, 0) for count in play.result] and any(
        _is_played_with(hops, order[: len(play.moves)]) for order in orders(dice)
    )


def _is_played_with(hops: list[tuple[int, int]], dice: tuple[int, ...]) -> bool:
    """Tell whether the hops use all the dice in this order, each hop one or several."""
    left = list(dice)
    for source, target in hops:
        point = source
        while point > target and left:
            point -= left.pop(0)
        if point != target and (point > target or target != OFF):
            return False
    return not left


def _matching(written: _Written, position: Position, plays: list[Play]) -> list[Play]:
    """Return the plays that hit every blot on the written points, without further hits if possible."""
    touched = {point for path in written.paths for point in path[1:] if point != OFF}
    if any(position[point] < -1 for point in touched):
        return []
    blots = {point for point in touched if position[point] == -1}
    passing = [play for play in plays if blots <= _hits(play)]
    return [play for play in passing if blots == _hits(play)] or passing


def _hits(play: Play) -> set[int]:
    return {move.target for move in play.moves if move.hit}


def _number(point: str) -> int:
    return _POINTS[point] if point in _POINTS else int(point)


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")
