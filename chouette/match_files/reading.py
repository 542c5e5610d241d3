"""Reading of match files of any of the formats that are known."""

from __future__ import annotations

from dataclasses import replace

from chouette.export.record import Session
from chouette.match_files import gammonview, mat, sgf
from chouette.match_files.games import BadFile

MOST_BYTES = 1_000_000
_CONTROLS = bytes({*range(32)} - {*b"\t\n\r\f\x1a"})
_BLANKS = bytes.maketrans(_CONTROLS, b" " * len(_CONTROLS))
"""No name has a control character: a database may refuse it."""


def read(data: bytes, suffix: str = "", *, partly: bool = False) -> Session:
    """Return the content of a file, its text in UTF-8 or else Latin-1; raises BadFile.

    `suffix` is that of its name where it may be one of `gammonview.SUFFIXES`; else the content tells what it is. If
    `partly`, the games before one that cannot be read are returned, where there are any.
    """
    try:
        return _read(data, suffix)
    except BadFile as why:
        if not partly or why.before is None or not why.before.records:
            raise
        return replace(why.before, unread=why.at)


def _read(data: bytes, suffix: str) -> Session:
    if len(data) > MOST_BYTES:
        raise BadFile("the file has more than 1 MB")
    if suffix in gammonview.PACKED and _is_text(data):
        raise BadFile("a text that is named like a file of another kind", suffix=suffix)
    return gammonview.read(data, suffix) if suffix in gammonview.SUFFIXES else _read_text(_text(data))


def _is_text(data: bytes) -> bool:
    """Tell whether data has letters and no control characters but ends of lines, pages and files."""
    return bool(data.strip()) and len(data.translate(None, _CONTROLS)) == len(data)


def _read_text(text: str) -> Session:
    return sgf.read(text) if text.lstrip().startswith("(") else mat.read(text)


def _text(data: bytes) -> str:
    data = data.translate(_BLANKS)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
