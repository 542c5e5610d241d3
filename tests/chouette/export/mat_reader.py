"""A strict reader of .mat files: it splits columns as GNU Backgammon does and replays every play.

Whatever is not as the format wants it raises AssertionError.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chouette.board.plays import results
from chouette.board.position import START, swap, winner_value

MOVE = re.compile(r"(bar|\d{1,2})/(off|\d{1,2})(\*?)")
ROLL = re.compile(r"([1-6])([1-6]):(?: (.*))?")
CUBE = re.compile(r"(Doubles|Beavers|Raccoons) => (\d+)")
WINS = re.compile(r" +Wins (\d+) points?( and the match)?$")
SCORE = re.compile(r" (\S.*?) : (\d+)  +(\S.*?) : (\d+)")


@dataclass
class Game:
    """A game that was read: positions after each play in the view of the left player."""

    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    cube: int = 1
    cells: list[tuple[int, str]] = field(default_factory=list)
    positions: list[tuple[int, ...]] = field(default_factory=list)
    won: tuple[int, int] | None = None
    is_last: bool = False


@dataclass
class Match:
    length: int
    comments: list[str]
    games: list[Game]


def read(text: str) -> Match:
    """Read a file and replay it."""
    lines = text.split("\n")
    assert lines.pop() == "", "the last line has no end"
    comments = []
    while lines[0].startswith(";"):
        comments.append(lines.pop(0)[1:].strip())
    assert lines.pop(0) == ""
    length = re.fullmatch(r" (\d+) point match", lines.pop(0))
    assert length
    match = Match(int(length[1]), comments, [])
    blocks = "\n".join(lines).split("\n\n")
    for block in blocks if lines else []:
        match.games.append(read_game(block.lstrip("\n").split("\n"), comments))
    for game in match.games:
        replay(game, '[Jacoby "On"]' in comments)
    return match


def read_game(lines: list[str], comments: list[str]) -> Game:
    head, score = re.fullmatch(r" Game (\d+)", lines[0]), SCORE.fullmatch(lines[1])
    assert head and score, lines[:2]
    game = Game(int(head[1]), (score[1], score[3]), (int(score[2]), int(score[4])))
    starts = [
        re.search(r"(?:cubes start at|cubes are at) (\d+)", text)
        for text in comments
        if text.startswith(f"Game {game.number}: ")
    ]
    game.cube = max([1, *(int(found[1]) for found in starts if found)])
    for number, whole in enumerate(lines[2:], 1):
        line = whole
        if wins := WINS.search(whole):
            assert number == len(lines) - 2, "something follows the result"
            game.won, game.is_last = (int(wins.end() - len(wins[0].lstrip()) > 15), int(wins[1])), bool(wins[2])
            line = whole[: wins.start()]
        if not line.strip():
            continue
        assert line[:5] == f"{number:3}) ", line
        left, right = split(line)
        assert left or number == 1, "only the first cell may be empty"
        assert wins is None or not right, "the result stands in the right column behind a left cell alone"
        assert right or wins or len(line) > 30, "a left cell is filled up to the right column"
        game.cells += [(side, cell) for side, cell in enumerate((left, right)) if cell]
    return game


def split(line: str) -> tuple[str, str]:
    """Split a line as GNU Backgammon does: before the second colon, or at two blanks."""
    colons = [i for i, char in enumerate(line) if char == ":"]
    at = colons[1] - 2 if len(colons) > 1 else line.find("  ", 15)
    left, right = (line[:at], line[at:]) if at >= 0 else (line, "")
    return left.split(")", 1)[1].strip(), right.strip()


def replay(game: Game, jacoby: bool) -> None:
    """Play the game: each side in turn, every play legal, every cube twice the last."""
    position, turn, offered, taken, bear_off = START, None, game.cube, False, 0
    last = ""
    for side, cell in game.cells:
        assert game.won is None or not bear_off
        roll, cube = ROLL.fullmatch(cell), CUBE.fullmatch(cell)
        word = cube[1] if cube else cell if not roll else "roll"
        assert word in FOLLOWS[last], f"{word} after {last}"
        if roll:
            if last == "Beavers":
                game.cube, taken = offered, True
            assert turn in (None, side), "out of turn"
            position = play(position if turn is not None else START, roll)
            game.positions.append(position if side == 0 else swap(position))
            bear_off = winner_value(position)
            position, turn = swap(position), 1 - side
        elif cube:
            if word != "Doubles":
                game.cube = offered
            assert int(cube[2]) == 2 * game.cube
            offered = 2 * game.cube
        elif word == "Takes":
            game.cube, taken = offered, True
        last = word
    check_result(game, last, bear_off, jacoby and not taken)


FOLLOWS = {
    "": {"roll", "Doubles"},
    "roll": {"roll", "Doubles"},
    "Doubles": {"Takes", "Drops", "Beavers"},
    "Beavers": {"roll", "Raccoons", "Takes"},
    "Raccoons": {"Takes", "Drops"},
    "Takes": {"roll"},
    "Drops": set(),
}


def play(position: tuple[int, ...], roll: re.Match[str]) -> tuple[int, ...]:
    """Make the single moves of a cell; together they are a legal play."""
    points = list(position)
    for text in (roll[3] or "").split():
        move = MOVE.fullmatch(text)
        assert move, text
        source = 25 if move[1] == "bar" else int(move[1])
        assert points[source] > 0, "nobody stands there"
        points[source] -= 1
        if move[2] != "off":
            target = int(move[2])
            assert bool(move[3]) == (points[target] == -1), "a star where nobody is hit, or none"
            if move[3]:
                points[target] = 0
                points[0] -= 1
            points[target] += 1
    assert tuple(points) in results(position, (int(roll[1]), int(roll[2])))
    return tuple(points)


def check_result(game: Game, last: str, bear_off: int, is_capped: bool) -> None:
    """The points are what the cube and the board say, or what a side may resign."""
    if game.won is None:
        assert not bear_off
        return
    winner, points = game.won
    if last == "Drops":
        assert points == game.cube and winner != game.cells[-1][0]
    elif bear_off:
        assert points == game.cube * (1 if is_capped else bear_off)
        assert winner == game.cells[-1][0]
    else:
        assert points in {game.cube * times for times in (1, 2, 3)}
