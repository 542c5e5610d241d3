"""Ids of positions in text that other programs put on the clipboard: an XGID, or GNU Backgammon's ids.

GNU Backgammon writes `GNU Backgammon  Position ID: 4HPwATDgc/ABMA` above its board, and on the next line
`Match ID   : cAkAAAAAAAAA`.
"""

from __future__ import annotations

import re

from chouette.board.gnubg_id import parse_position_id
from chouette.board.position import BoardError

_XGID = re.compile(r"(?:XGID=|(?<![-\w=+/:]))([-A-O]{26}(?::-?\w+){9})(?![\w:])", re.IGNORECASE)
_LABEL = r"(?:Position ID *: *|GNUBGID\s+)"
_PAIR = re.compile(
    rf"{_LABEL}?(?<![\w+/=])([A-Za-z0-9+/]{{14}})(?: *:|\s+Match ID *:)\s*([A-Za-z0-9+/]{{12}})(?![\w+/])",
    re.IGNORECASE,
)
_LABELLED = re.compile(rf"{_LABEL}([A-Za-z0-9+/]{{14}})(?![\w+/])", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w+/=:])[A-Za-z0-9+/]{14}(?![\w+/])")


def find_id(text: str) -> str | None:
    """Return the first id in a text on one line: `XGID=…`, `position:match`, a position id alone, or None.

    An id of 14 characters without a name before it counts only if it is a position: words can be as long.
    """
    found = [
        *((match.start(), f"XGID={match[1]}") for match in _XGID.finditer(text)),
        *((match.start(), f"{match[1]}:{match[2]}") for match in _PAIR.finditer(text)),
        *((match.start(), match[1]) for match in _LABELLED.finditer(text)),
    ]
    found += [(match.start(), match[0]) for match in _BARE.finditer(text) if _is_position(match[0])]
    # Of those that begin at one place the longest has most: the pair, before the position alone.
    return min(found, key=lambda each: (each[0], -len(each[1])))[1] if found else None


def _is_position(text: str) -> bool:
    try:
        parse_position_id(text)
    except BoardError:
        return False
    return True
