"""Reading of match files of any of the formats that are known."""

from __future__ import annotations

from chouette.export.record import Session
from chouette.match_files import mat, sgf
from chouette.match_files.games import BadFile

MOST_BYTES = 1_000_000
MOST_GAMES = 200


def read(data: bytes) -> Session:
    """Return the content of a file, UTF-8 or else Latin-1; raises BadFile."""
    if len(data) > MOST_BYTES:
        raise BadFile("the file has more than 1 MB")
    text = _text(data)
    session = sgf.read(text) if text.lstrip().startswith("(") else mat.read(text)
    if len(session.records) > MOST_GAMES:
        raise BadFile(f"the file has more than {MOST_GAMES} games")
    if session.length and any(max(record.score) >= session.length for record in session.records):
        raise BadFile("a game that begins when the match has been won")
    return session


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
