"""Data of a person in tournaments: places, directing, and acts in their logs."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef

from games.kernel.contract import JsonObject
from games.models import Director, NonPlayingDirector, Participant, Player, TournamentEntry
from games.services.personal_rooms import Kept, Leaver, Traces, time_text
from games.services.tournaments import tournaments


def _forget(leaver: Leaver) -> None:
    tournaments.forget(set(leaver.ids))


def _own(player: Player) -> JsonObject:
    rows = player.participations.select_related("tournament__night")
    return {"tournaments": [_tournament(row) for row in rows]}


def _tournament(row: Participant) -> JsonObject:
    told = [entry for entry in row.tournament.entries.all() if row.key in _keys(entry.data)]
    return {
        "tournament": row.tournament.public_id,
        "night": row.tournament.night.public_id,
        "name": row.tournament.name,
        "key": row.key,
        "accepted_at": time_text(row.accepted_at),
        "has_paid": row.is_paid,
        "entries": [entry.data for entry in told],
    }


def _keys(entry: JsonObject) -> set[str]:
    """Return the people in an entry of a tournament's log, by their keys."""
    at_tables = [key for table in entry.get("tables", ()) for key in table]
    named = (*entry.get("players", ()), *at_tables, *entry.get("points", ()))
    return {entry.get("player", ""), entry.get("winner", ""), *named}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the tournaments that a guest is in."""
    return (Participant.objects.filter(player=guest),)


KEPT = Kept(
    (Participant, Director, NonPlayingDirector, TournamentEntry),
    forget=_forget,
    join=tournaments.join,
    own=_own,
    traces=_traces,
)
