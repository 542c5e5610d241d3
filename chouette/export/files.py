"""All files of a session: one of each format for every seat that took part."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from chouette.export.mat import mat
from chouette.export.sgf import sgf
from games.kernel.contract import JsonObject
from games.kernel.replay import Entry


def files(
    options: Mapping[str, Any],
    seats: int,
    names: Sequence[str],
    entries: Sequence[Entry],
    grades: Sequence[JsonObject] = (),
    /,
) -> dict[str, str]:
    """Return texts by file name from the points of view of all members: `as-bert.mat`, `anna-bert.mat` of two.

    `seats` is the number that the table was opened with, `names` are by seat. Between two players
    one point of view is enough. A session on a real board has no files: its plays are not known. `grades` are rows of
    the grading that the reader may see.
    """
    if options.get("board") == "wood":
        return {}
    found: dict[str, str] = {}
    plain = _plain_names(names)
    texts = {seat: sgf(options, seats, entries, seat, names, grades=grades) for seat in range(len(names))}
    took_part = [seat for seat, text in texts.items() if text]
    is_of_two = options["format"] != "chouette"
    for seat in took_part[:1] if is_of_two else took_part:
        stem = "-".join(plain[each] for each in took_part) if is_of_two else f"as-{plain[seat]}"
        found[f"{stem}.mat"] = mat(options, seats, entries, seat, names, grades=grades)
        found[f"{stem}.sgf"] = texts[seat]
    return found


def _plain_names(names: Sequence[str]) -> list[str]:
    """Return the names by seat in small letters from a to z, digits and hyphens; equal ones get the seat's number."""
    plain = [_plain(name) or f"seat-{seat + 1}" for seat, name in enumerate(names)]
    return [name if plain.count(name) == 1 else f"{name}-{seat + 1}" for seat, name in enumerate(plain)]


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.replace("ß", "ss").replace("ø", "o").replace("Ø", "O"))
    return re.sub(r"[^a-z0-9]+", "-", letters.encode("ascii", "ignore").decode().lower()).strip("-")[:24]
