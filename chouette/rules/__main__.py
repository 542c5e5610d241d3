"""Backgammon from the shell: `python -m chouette.rules plays 4HPwATDgc/ABMA 31`.

Needs no settings and no database. Errors are one line, `error: <code>: <text>`: on stderr
with exit code 2, or among the answers if questions are read from standard input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from typing import NoReturn

from chouette.board.gnubg_id import parse_position_id, position_id
from chouette.board.notation import format_play, parse_dice
from chouette.board.plays import legal_plays
from chouette.board.position import BoardError, swap

_DESCRIPTION = """\
Every distinct play of a roll, one on a line, with GNU Backgammon's id of the position after
it, the other side on roll. The id comes last, after a space:

  8/5 6/5 sGfwATDgc/ABMA

Two plays are the same when they lead to the same position. A roll that can't be played has
the one line "cannot move ID".
"""

_EPILOG = """\
POSITION is GNU Backgammon's position id with the player on roll, ROLL two digits in any order.
Without them, questions "POSITION ROLL" are read from standard input, one on a line. Each is
answered at once, with a blank line after the answer; what can't be read is answered with
"error: CODE: TEXT".

examples:
  python -m chouette.rules plays 4HPwATDgc/ABMA 31
  echo "4HPwATDgc/ABMA 66" | python -m chouette.rules plays
"""


class _BoardParser(argparse.ArgumentParser):
    """A parser that raises BoardError instead of printing its usage and leaving."""

    def error(self, message: str) -> NoReturn:
        raise BoardError("bad_usage", f"{message} (--help shows how)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code: 0, or 2 with one line on stderr."""
    try:
        args = _parser().parse_args(argv)
        if args.position is None:
            _converse()
        else:
            sys.stdout.write("".join(f"{line}\n" for line in _plays(args.position, args.roll)))
    except BoardError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    except BrokenPipeError:
        # The reader of the answers has gone; nothing more is written, not even at exit.
        sys.stdout = None
    return 0


def _parser() -> argparse.ArgumentParser:
    shape = argparse.RawDescriptionHelpFormatter
    parser = _BoardParser(
        prog="python -m chouette.rules",
        description="Backgammon from the shell.",
        epilog=f"plays [POSITION ROLL]\n\n{_DESCRIPTION}\n{_EPILOG}",
        formatter_class=shape,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="plays")
    plays = commands.add_parser(
        "plays",
        help="every legal play of a roll",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=shape,
    )
    plays.add_argument("position", nargs="?", metavar="POSITION", help="such as 4HPwATDgc/ABMA")
    plays.add_argument("roll", nargs="?", metavar="ROLL", help="such as 31")
    return parser


def _plays(position: str, roll: str | None) -> Iterator[str]:
    """Yield the lines of an answer; raises BoardError."""
    if roll is None:
        raise BoardError("bad_usage", "a position needs a roll, such as 31")
    for play in legal_plays(parse_position_id(position), parse_dice(roll)):
        yield f"{format_play(play)} {position_id(swap(play.result))}"


def _converse() -> None:
    """Answer the questions on standard input one by one, each at once, errors included."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for line in sys.stdin:
        try:
            answer = list(_plays(*_question(line)))
        except BoardError as error:
            answer = [f"error: {error}"]
        sys.stdout.write("".join(f"{text}\n" for text in [*answer, ""]))
        sys.stdout.flush()


def _question(line: str) -> tuple[str, str]:
    words = line.split()
    if len(words) != 2:
        raise BoardError("bad_line", "a question is a position id and a roll: 4HPwATDgc/ABMA 31")
    return words[0], words[1]


if __name__ == "__main__":
    sys.exit(main())
