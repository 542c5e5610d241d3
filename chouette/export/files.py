"""All files of a session: one of each format for everybody who took part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from chouette.export.mat import mat
from chouette.export.sgf import sgf
from games.kernel.replay import Entry


def files(
    options: Mapping[str, Any],
    seats: int,
    names: Sequence[str],
    entries: Sequence[Entry],
    /,
) -> dict[str, str]:
    """Return texts by file name, such as `2-bert.mat`, from the points of view of all members.

    `seats` is the number that the table was opened with, `names` are by seat. Between two a
    single point of view says everything.
    """
    found: dict[str, str] = {}
    for seat, name in enumerate(names):
        text = sgf(options, seats, entries, seat, names)
        if not text or (found and options["format"] != "chouette"):
            continue
        plain = re.sub(r"\W+", "-", name).strip("-").lower()
        stem = f"{seat + 1}-{plain}".strip("-")
        found[f"{stem}.mat"] = mat(options, seats, entries, seat, names)
        found[f"{stem}.sgf"] = text
    return found
