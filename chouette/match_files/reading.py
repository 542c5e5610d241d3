"""Reading of match files of any of the formats that are known."""

from __future__ import annotations

from chouette.export.record import Session
from chouette.match_files import gammonview, mat, sgf
from chouette.match_files.games import BadFile, check_count

MOST_BYTES = 1_000_000


def read(data: bytes, suffix: str = "") -> Session:
    """Return the content of a file, its text in UTF-8 or else Latin-1; raises BadFile.

    `suffix` is that of its name where it may be one of `gammonview.SUFFIXES`; else the content tells what it is.
    """
    if len(data) > MOST_BYTES:
        raise BadFile("the file has more than 1 MB")
    session = gammonview.read(data, suffix) if suffix in gammonview.SUFFIXES else _read_text(_text(data))
    check_count(len(session.records))
    if session.length and any(max(record.score) >= session.length for record in session.records):
        raise BadFile("a game that begins when the match has been won")
    return session


def _read_text(text: str) -> Session:
    return sgf.read(text) if text.lstrip().startswith("(") else mat.read(text)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
