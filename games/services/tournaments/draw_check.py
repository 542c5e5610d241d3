"""The recount of a tournament's draws: each proposed entry is drawn again from the seed and the log before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.kernel.contract import JsonObject
from games.kernel.tournaments import recount
from games.models import Night, Tournament
from games.services.tournaments.tournaments import hash_of


@dataclass(frozen=True, slots=True)
class DrawFindings:
    """The findings on a tournament's draws; `seed` is "" while it is secret, and then nothing is recounted."""

    hash: str
    seed: str
    checked: int
    late: int
    unknown: int
    faults: tuple[int, ...]


def is_open(tournament: Tournament) -> bool:
    """Tell whether the seed is public: the tournament is or was over, or the night is."""
    return tournament.seed_opened_at is not None or tournament.night.status == Night.Status.CLOSED


def file_of(tournament: Tournament) -> JsonObject:
    """Return the tournament's log as a file for `python -m games.kernel.tournaments.recount`."""
    rows = tournament.entries.order_by("number").values_list("data", "drawn_at", "drawn_minute")
    return {
        "format": tournament.format,
        "hash": hash_of(tournament.seed),
        "seed": tournament.seed if is_open(tournament) else None,
        "opened_at": tournament.seed_opened_at,
        "log": [row[0] for row in rows],
        "drawn": [None if row[1] is None else [row[1], row[2]] for row in rows],
    }


def check(tournament: Tournament) -> DrawFindings:
    """Recount all draws of a tournament whose seed is open."""
    given = file_of(tournament)
    if given["seed"] is None:
        return DrawFindings(given["hash"], "", 0, 0, 0, ())
    return _finding(given, recount.recount(given))


def _finding(given: JsonObject, found: Mapping[str, Any]) -> DrawFindings:
    counts = (found["checked"], found["late"], found["unknown"])
    return DrawFindings(given["hash"], given["seed"], *counts, tuple(found["faults"]))
