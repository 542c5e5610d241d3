"""The recount of a tournament's draws: each proposed entry is drawn again from the seed and the log before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.kernel.contract import JsonObject
from games.kernel.tournaments import chance, recount
from games.kernel.tournaments.entries import version_of
from games.models import Night, Player, Tournament
from games.services.tournaments.tournaments import hash_of


@dataclass(frozen=True, slots=True)
class ThrownAway:
    """A draw that was proposed otherwise before an entry: its number among the draws, and who made the entry.

    `by` None: the house. `entry` is as the log has it; `person` is whom it is about, None for nobody.
    """

    number: int
    entry: JsonObject
    by: Player | None
    person: Player | None


@dataclass(frozen=True, slots=True)
class DrawFindings:
    """The findings on a tournament's draws; `seed` is "" while it is secret, and then nothing is recounted.

    `is_by_state`: its lots follow from who is here and what they have played, not from the number of entries.
    """

    hash: str
    seed: str
    checked: int
    late: int
    unknown: int
    faults: tuple[int, ...]
    thrown_away: tuple[ThrownAway, ...]
    is_by_state: bool


def is_open(tournament: Tournament) -> bool:
    """Tell whether the seed is public: the tournament is or was over, or the night is."""
    return tournament.seed_opened_at is not None or tournament.night.status == Night.Status.CLOSED


def file_of(tournament: Tournament) -> JsonObject:
    """Return the tournament's log as a file for `python -m games.kernel.tournaments.recount`."""
    rows = tournament.entries.order_by("number").values_list("data", "drawn_at", "drawn_minute", "by")
    return {
        "format": tournament.format,
        "hash": hash_of(tournament.seed),
        "seed": tournament.seed if is_open(tournament) else None,
        "opened_at": tournament.seed_opened_at,
        "log": [row[0] for row in rows],
        "drawn": [None if row[1] is None else [row[1], row[2]] for row in rows],
        "by": _keys(tournament, [row[3] for row in rows]),
    }


def _keys(tournament: Tournament, by: Sequence[int | None]) -> list[str | None]:
    """Return the key of each player, None for nobody; a director who does not play is d1, d2 … as they come."""
    keys: dict[int | None, str | None] = dict(tournament.participants.values_list("player", "key"))
    others = dict.fromkeys(player for player in by if player is not None and player not in keys)
    keys |= {player: f"d{number}" for number, player in enumerate(others, 1)} | {None: None}
    return [keys[player] for player in by]


def check(tournament: Tournament) -> DrawFindings:
    """Recount all draws of a tournament whose seed is open."""
    given = file_of(tournament)
    if given["seed"] is None:
        return DrawFindings(given["hash"], "", 0, 0, 0, (), (), _is_by_state(given))
    return _finding(given, recount.recount(given), tournament)


def _is_by_state(given: JsonObject) -> bool:
    return version_of(given["log"]) >= chance.BY_STATE


def _finding(given: JsonObject, found: Mapping[str, Any], tournament: Tournament) -> DrawFindings:
    counts = (found["checked"], found["late"], found["unknown"])
    thrown = tuple(_thrown_away(given, [each["before"] for each in found["thrown_away"]], tournament))
    return DrawFindings(given["hash"], given["seed"], *counts, tuple(found["faults"]), thrown, _is_by_state(given))


def _thrown_away(given: JsonObject, before: Sequence[int], tournament: Tournament) -> Iterable[ThrownAway]:
    """Yield the draws that were proposed otherwise before entries of the log, with people."""
    makers = {row.number: row.by for row in tournament.entries.filter(number__in=before).select_related("by")}
    people = {row.key: row.player for row in tournament.participants.select_related("player")} if before else {}
    for at in before:
        rows = zip(given["log"][:at], given["drawn"][:at], strict=True)
        confirmed = {tuple(drawn) for entry, drawn in rows if drawn is not None and entry["type"] in recount.DRAWS}
        entry = given["log"][at]
        yield ThrownAway(len(confirmed) + 1, entry, makers[at], people.get(entry.get("player", "")))
