"""Reading of match files of XG (.xg), BGBlitz (.bgf) and GammonView (.gva, .gvab) by the codec of gammonview.

The package is optional. Its codec gives one document for all of these; its games are built here by our own rules.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from chouette.board.position import BAR, OFF, START
from chouette.export.record import DROP, OTHER, OWN, TAKE, GameRecord, Session
from chouette.match_files.games import BadFile, Builder, check_count, check_score
from games.kernel.contract import JsonObject

HOW_TO_GET_IT = "pip install stammtisch[analysis]"

_DOUBLE, _TAKE, _DROP, _BEAVER, _RACCOON = 21, 22, 23, 32, 33
_ENDS = range(24, 30)
_RESIGNED = (27, 28, 29)
_SINGLE_ROLLS = range(21)
_COLOURS = (OTHER, OWN)
_SCORES = slice(6, 8)
"""The scores of both sides among the fields of the document's id of a position."""


def _codec(name: str) -> Callable[[bytes], JsonObject]:
    def read_it(data: bytes) -> JsonObject:
        found: JsonObject = getattr(import_module("gvformat"), name)(data)
        return found

    return read_it


_CODECS: Mapping[str, Callable[[bytes], JsonObject]] = {
    ".xg": _codec("convert_xg"),
    ".bgf": _codec("convert_bgf"),
    ".gvab": _codec("read_gvab"),
    ".gva": json.loads,
}
SUFFIXES = tuple(_CODECS)
PACKED = (".xg", ".bgf", ".gvab")
"""Those of files that are no texts."""

MOST_UNPACKED = 40_000_000
"""A file of 1 MB unpacks to a quarter of it; the codec would unpack any number of bytes into memory."""
_XG_HEADER, _XG_PICTURE = 8232, slice(20, 24)
"""The length of a header of .xg, and where it has that of the picture that follows; the games come after both."""
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


def is_installed() -> bool:
    """Tell whether the package is here, without loading it."""
    return find_spec("gvformat") is not None


def read(data: bytes, suffix: str) -> Session:
    """Return the content of a file with one of SUFFIXES; raises BadFile."""
    if not is_installed():
        raise BadFile(f"gammonview is not installed: {HOW_TO_GET_IT}")
    if _unpacks_to_more(_packed(data, suffix), MOST_UNPACKED):
        raise BadFile("the file unpacks to more than 40 MB")
    try:
        return _session(_CODECS[suffix](data))
    except BadFile:
        raise
    except Exception as why:
        # The codec raises whatever it meets in a file that is none.
        raise BadFile(f"{type(why).__name__}: {why}") from why


def _packed(data: bytes, suffix: str) -> bytes:
    """Return the part of a file that the codec unpacks, b"" of one without such a part."""
    if suffix == ".xg":
        return data[_XG_HEADER + int.from_bytes(data[_XG_PICTURE], "little") :]
    return data.partition(b"\n")[2] if suffix == ".bgf" else b""


def _unpacks_to_more(data: bytes, most: int) -> bool:
    """Tell whether packed data has more than so many bytes; what is not packed or broken is left to the codec."""
    total = 0
    while data and total <= most:
        stream = zlib.decompressobj(_GZIP_OR_ZLIB)
        try:
            total += len(stream.decompress(data, most - total + 1))
        except zlib.error:
            return False
        data = stream.unused_data
    return total > most


def _session(document: JsonObject) -> Session:
    """Return the session of a document; the first player is White, the first name in the document."""
    length = int(document["match_length"] or 0)
    jacoby = bool(document["jacoby"]) and not length
    session = Session(
        name=str(document["player_white"]),
        member=0,
        length=length,
        jacoby=jacoby,
        beavers=bool(document["beaver"]) and not length,
        records=(),
        notes=(),
    )
    records: list[GameRecord] = []
    for number, game in enumerate(document["games"], 1):
        try:
            check_count(number)
            record = _game(document, game, jacoby)
            check_score(record.score, length)
        except Exception as why:
            # As above: games after this one are not looked at.
            bad = why if isinstance(why, BadFile) else BadFile(f"{type(why).__name__}: {why}")
            bad.game, bad.before = number, replace(session, records=tuple(records))
            raise bad from why
        records.append(record)
    return replace(session, records=tuple(records))


def _game(document: JsonObject, game: JsonObject, jacoby: bool) -> GameRecord:
    plies = game["plies"]
    own, other = plies[0]["ogid_before"].split(":")[_SCORES] if plies else ("0", "0")
    record = GameRecord(
        number=int(game["game_index"]) + 1,
        own=0,
        other=1,
        score=(int(own), int(other)),
        is_crawford=bool(game["is_crawford"]),
        names=(str(document["player_white"]), str(document["player_black"])),
    )
    builder = Builder(record, jacoby, START)
    how = ""
    for ply in plies:
        how = "resigned" if ply["action_id"] in _RESIGNED else how
        _add(builder, _COLOURS[ply["color"]], ply)
    points = int(game["points_won"] or 0)
    is_over = points > 0 and any(ply["action_id"] in _ENDS for ply in plies)
    return builder.close((points if game["winner"] == 0 else -points) if is_over else None, how)


def _add(builder: Builder, side: str, ply: Mapping[str, Any]) -> None:
    """Add what a ply says; raises BadFile."""
    action = ply["action_id"]
    if action in _SINGLE_ROLLS:
        dice = int(ply["d1"]), int(ply["d2"])
        builder.play(side, (max(dice), min(dice)), steps=tuple(_step(side, move) for move in ply["moves"]))
    elif action in (_DOUBLE, _BEAVER, _RACCOON):
        builder.double(side)
    elif action in (_TAKE, _DROP):
        builder.answer(side, TAKE if action == _TAKE else DROP)
    elif action not in _ENDS:
        raise BadFile("an act that is none of a game from its beginning")


def _step(side: str, move: Mapping[str, int]) -> tuple[int, int]:
    """Return a single step as its player counts the points; the document counts all as Black does."""
    source = move["from"] if side == OTHER else BAR - move["from"]
    return source, max(source - move["pips"], OFF)
