"""Data of a person in seasons: places, organising, notices, proposals to join two people."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Q

from games.kernel.contract import JsonObject
from games.models import DeclinedEntry, Entrant, JoinProposal, Player, Season, SeasonEvent, SeasonNotice
from games.services.personal_rooms import Kept, Leaver, Traces, time_text
from games.services.seasons import entrants


def _forget(leaver: Leaver) -> None:
    entrants.forget(leaver.player)


def _own(player: Player) -> JsonObject:
    """Return the seasons that a player organises or is counted in, notices of them, and proposals about the player."""
    rows = Season.objects.filter(Q(organiser=player) | Q(second=player) | Q(entrants__player=player))
    notices = player.season_notices.select_related("season", "night")
    proposals = JoinProposal.objects.filter(Q(by=player) | Q(source=player) | Q(target=player))
    return {
        "join_proposals": [_proposal(row, player) for row in proposals.select_related("season").order_by("pk")],
        "seasons_declined": [row.season.public_id for row in player.declined_entries.select_related("season")],
        "seasons": [_season(row) for row in rows.distinct().order_by("first_day", "pk")],
        "season_notices": [_notice(row) for row in notices],
    }


def _season(row: Season) -> JsonObject:
    return {"season": row.public_id, "name": row.name, "from": str(row.first_day), "to": str(row.last_day)}


def _notice(row: SeasonNotice) -> JsonObject:
    return {"season": row.season.public_id, "night": row.night.public_id, "kind": row.kind}


def _proposal(row: JoinProposal, player: Player) -> JsonObject:
    """Return a proposal to join two people without naming the others."""
    about = {"season": row.season.public_id, "since": time_text(row.created_at)}
    return {**about, "proposed": row.by_id == player.pk, "concerns_me": player.pk in (row.source_id, row.target_id)}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the seasons that a guest is in."""
    return (Entrant.objects.filter(player=guest),)


KEPT = Kept(
    (Season, Entrant, DeclinedEntry, SeasonEvent, SeasonNotice, JoinProposal),
    forget=_forget,
    join=entrants.join,
    own=_own,
    traces=_traces,
)
