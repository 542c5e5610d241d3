"""Modes of proposals: for each kind of them a director is asked, or the house confirms by itself after some seconds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal, JsonObject
from games.models import Player, Tournament
from games.services.tournaments import entry_fees
from games.services.tournaments.log import LogReading
from games.services.tournaments.rights import ACTS, Modes, TournamentRight
from games.services.tournaments.tables import out_tables

LONGEST_WAIT = 300
"""The most seconds before the house confirms by itself."""
AUTO_SECONDS = 20
OUT_TABLE = out_tables.KIND
ASKED = ("start", "forced", "next_phase", "board", "finish", OUT_TABLE)
"""Kinds for which a director is asked unless the tournament says otherwise."""
KINDS: Mapping[str, Any] = {
    "start": _("The start"),
    "draw": _("Draws"),
    "pairing": _("Pairings"),
    "forced": _("Rematches that can't be avoided"),
    "bye": _("Byes"),
    "return": _("Back from a pause"),
    "next_phase": _("The next phase"),
    "board": _("A board used again"),
    "finish": _("The end"),
    OUT_TABLE: _("A table for those who are out"),
}
"""Kind of a proposal → its words."""
_BY_ENTRY = {"start": "start", "return": "return", "table_in": "board", "finish": "finish"}


def of_everything(seconds: int | None) -> dict[str, int | None]:
    """Return the modes with one number of seconds for all kinds that are confirmed by themselves; None: it asks."""
    return {kind: seconds for kind in KINDS if kind not in ASKED}


def seconds_of(tournament: Tournament, kind: str) -> int | None:
    """Return after how many seconds the house confirms a kind of proposals by itself; None: a director is asked."""
    usual = None if kind in ASKED else AUTO_SECONDS
    found: int | None = tournament.modes.get(kind, usual)
    return found


def kind_of(reading: LogReading, proposal: JsonObject) -> str:
    """Return the kind of a proposal that has entries."""
    types = {entry["type"]: entry for entry in proposal["entries"]}
    if "phase" in types:
        return "draw" if types["phase"]["phase"] == reading.state["phase"] else "next_phase"
    if "lot" in types:
        return "draw"
    if "session" in types:
        return "next_phase" if types["session"]["last"] else "draw"
    for entry_type, kind in _BY_ENTRY.items():
        if entry_type in types:
            return kind
    if proposal["why"] == "forced":
        return "forced"
    return "pairing" if "match" in types else "bye"


@ACTS.act("modes", TournamentRight.DIRECTOR, done=_("Saved."), label=_("How proposals are confirmed"), yes=_("Save"))
def change(tournament: Tournament, _by: Player | None, modes: Modes) -> None:
    """Set the modes of some kinds: the seconds after which the house confirms proposals, None: it asks.

    All countdowns begin again. Raises `bad_auto_seconds`, `bad_argument` for a kind that does not exist.
    """
    for kind, seconds in modes.items():
        if kind not in KINDS:
            raise Illegal("bad_argument", name=kind)
        check_seconds(seconds)
    tournament.modes, tournament.countdowns = tournament.modes | dict(modes), {}
    tournament.save(update_fields=["modes", "countdowns"])


def check_seconds(seconds: int | None) -> None:
    """Raise Illegal `bad_auto_seconds` for more seconds than the house waits."""
    if seconds is not None and not 0 <= seconds <= LONGEST_WAIT:
        raise Illegal("bad_auto_seconds", most=LONGEST_WAIT)


def countdowns(reading: LogReading, now: datetime) -> dict[str, str]:
    """Return when the house confirms each kind that is proposed, as ISO times: those that run already, and new ones."""
    tournament = reading.tournament
    found = {}
    kinds = {kind_of(reading, each) for each in reading.proposals if "entries" in each}
    if entry_fees.unpaid(reading):
        kinds.discard("start")
    if seconds_of(tournament, OUT_TABLE) is not None and out_tables.people(reading):
        kinds.add(OUT_TABLE)
    for kind in kinds:
        seconds = seconds_of(tournament, kind)
        if seconds is not None:
            found[kind] = tournament.countdowns.get(kind) or (now + timedelta(seconds=seconds)).isoformat()
    return found


def is_due(running: Mapping[str, str], kind: str, now: datetime) -> bool:
    """Tell whether the countdown of a kind has run out."""
    return kind in running and datetime.fromisoformat(running[kind]) <= now


def due(reading: LogReading, running: Mapping[str, str], now: datetime) -> list[JsonObject]:
    """Return the proposals whose countdown has run out."""
    over = {kind for kind in running if is_due(running, kind, now)}
    return [each for each in reading.proposals if "entries" in each and kind_of(reading, each) in over]


def forget(reading: LogReading, proposals: list[JsonObject]) -> None:
    """End the countdowns of proposals that are confirmed."""
    tournament = reading.tournament
    gone = {kind_of(reading, each) for each in proposals}
    tournament.countdowns = {kind: at for kind, at in tournament.countdowns.items() if kind not in gone}
    tournament.save(update_fields=["countdowns"])
