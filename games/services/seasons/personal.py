"""Data of a person in seasons: places, organising, notices, proposals to join two people."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Q
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import DeclinedEntry, Entrant, JoinProposal, Player, Season, SeasonEvent, SeasonNotice
from games.services.personal_rooms import (
    BY_ITSELF,
    FOR_GOOD,
    NAMELESS,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    time_text,
)
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
        "seasons": [_season(row, player) for row in rows.distinct().order_by("first_day", "pk")],
        "season_acts": [
            {"season": row.season.public_id, "type": row.type, "at": time_text(row.created_at)}
            for row in SeasonEvent.objects.filter(by=player).select_related("season").order_by("pk")
        ],
        "season_notices": [_notice(row) for row in notices],
    }


def _season(row: Season, player: Player) -> JsonObject:
    entrant = row.entrants.filter(player=player).first()
    return {
        "season": row.public_id,
        "name": row.name,
        "from": str(row.first_day),
        "to": str(row.last_day),
        "organises": player.pk in (row.organiser_id, row.second_id),
        "joined_at": None if entrant is None else time_text(entrant.joined_at),
    }


def _notice(row: SeasonNotice) -> JsonObject:
    return {"season": row.season.public_id, "night": row.night.public_id, "kind": row.kind}


def _proposal(row: JoinProposal, player: Player) -> JsonObject:
    """Return a proposal to join two people without naming the others."""
    about = {"season": row.season.public_id, "since": time_text(row.created_at)}
    agreed = {row.source_id: row.source_agreed, row.target_id: row.target_agreed}
    mine = {"concerns_me": player.pk in agreed, "agreed": agreed.get(player.pk)}
    return {**about, "proposed": row.by_id == player.pk, **mine}


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the seasons that a guest is in."""
    return (Entrant.objects.filter(player=guest),)


_SAID = (
    NoticeRow(
        _("Seasons that you organise, and what you did there"),
        {
            Season: "name organiser second",
            SeasonEvent: "type by data",
        },
        _("so that somebody is there who decides"),
        _("whoever is in the season"),
        FOR_GOOD,
        NAMELESS,
        ("season_acts",),
    ),
    NoticeRow(
        _("Your place in a season, byes and absences, and its final standing"),
        {
            Entrant: "season player joined_at",
            DeclinedEntry: "season player created_at",
            SeasonNotice: "season night player kind",
            Season: "frozen",
        },
        _("so that its standing can be counted"),
        _("whoever is in the season; whoever has its link, if you are in the leaderboards"),
        FOR_GOOD,
        NAMELESS,
        (
            "seasons",
            "seasons_declined",
            "season_notices",
        ),
    ),
    NoticeRow(
        _("That somebody thinks you and another name are one person"),
        {JoinProposal: "season by source target source_agreed target_agreed agreed created_at"},
        _("so that you stand once in the standing"),
        _("whom it is about, and the organisers"),
        _("until it is decided"),
        BY_ITSELF,
        ("join_proposals",),
    ),
)
KEPT = Kept(
    (Season, Entrant, DeclinedEntry, SeasonEvent, SeasonNotice, JoinProposal),
    forget=_forget,
    join=entrants.join,
    own=_own,
    traces=_traces,
    said=_SAID,
)
