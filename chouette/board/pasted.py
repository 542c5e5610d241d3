"""Ids of positions in text that other programs put on the clipboard: an XGID, an OGID, or GNU Backgammon's ids.

GNU Backgammon writes `GNU Backgammon  Position ID: 4HPwATDgc/ABMA` above its board, and on the next line
`Match ID   : cAkAAAAAAAAA`. On its way an id may have become part of an address (`%3A` for a colon), had its hyphens
set as dashes, or been wrapped.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from chouette.board.gnubg_id import parse_position_id
from chouette.board.ogid import PATTERN, parse_ogid
from chouette.board.position import BoardError
from chouette.board.xgid import xgid

_GAP = r"\s{0,9}"
_XGID = re.compile(
    rf"(?:XGID{_GAP}={_GAP}|(?<![-\w+/:]))((?:[-A-O]{_GAP}){{26}}(?::{_GAP}-?(?:{_GAP}\w){{1,5}}?{_GAP}(?=:)){{8}}"
    rf":{_GAP}-?\w+)(?![\w:])",
    re.IGNORECASE,
)
_OGID = re.compile(rf"(?<![\w:])(?:OGID[=:])?({PATTERN})(?![\w:])")
_LABEL = r"(?:Position ID *: *|GNUBGID\s+)"
_PAIR = re.compile(
    rf"{_LABEL}?(?<![\w+/=])([A-Za-z0-9+/]{{14}})(?: *:|\s+Match ID *:)\s*([A-Za-z0-9+/]{{12}})(?![\w+/])",
    re.IGNORECASE,
)
_LABELLED = re.compile(rf"{_LABEL}([A-Za-z0-9+/]{{14}})(?![\w+/])", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w+/=:])[A-Za-z0-9+/]{14}(?![\w+/])")
_PARAMETER = re.compile(r"[?&]\w{1,40}=")
_EM_DASH = "\u2014"
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))


def find_id(text: str) -> str | None:
    """Return the first id in a text on one line: `XGID=…`, `position:match`, a position id alone, or None.

    An OGID is returned as the XGID that says the same. An id of 14 characters without a name before it counts only if
    it is a position: words can be as long.
    """
    text = _PARAMETER.sub(" ", unquote(text))
    # Keyboards of phones make one long dash of two hyphens.
    readings = dict.fromkeys((text.translate(_HYPHENS), text.replace(_EM_DASH, "--").translate(_HYPHENS)))
    return next((found for each in readings if (found := _first(each)) is not None), None)


def _first(text: str) -> str | None:
    found = [
        *((match.start(), f"XGID={''.join(match[1].split())}") for match in _XGID.finditer(text)),
        *((match.start(), f"{match[1]}:{match[2]}") for match in _PAIR.finditer(text)),
        *((match.start(), match[1]) for match in _LABELLED.finditer(text)),
        *((match.start(), each) for match in _OGID.finditer(text) if (each := _of_ogid(match[1]))),
    ]
    found += [(match.start(), match[0]) for match in _BARE.finditer(text) if _is_position(match[0])]
    # Of those that begin at one place the longest has most: the pair, before the position alone.
    return min(found, key=lambda each: (each[0], -len(each[1])))[1] if found else None


def _of_ogid(text: str) -> str | None:
    """Return the XGID of an OGID, None for a position that is none."""
    try:
        return xgid(parse_ogid(text))
    except BoardError:
        return None


def _is_position(text: str) -> bool:
    try:
        parse_position_id(text)
    except BoardError:
        return False
    return True
