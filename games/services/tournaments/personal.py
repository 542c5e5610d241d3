"""Data of a person in tournaments: places, directing, and acts in their logs."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Q
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Director, NonPlayingDirector, Pairing, Participant, Player, Tournament, TournamentEntry
from games.services.people import two_people
from games.services.personal_rooms import (
    FOR_GOOD,
    NAMELESS,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    name_of,
    time_text,
)
from games.services.tournaments import entering, log, tournaments


def _forget(leaver: Leaver) -> None:
    tournaments.forget(set(leaver.ids))


def _join(source: Player, target: Player) -> None:
    """Leave a merged player one place among the directors and the people of each tournament."""
    tournaments.join(source, target)
    for places in two_people.entered_twice(source, target):
        _stop(next(each for each in places if not two_people.is_drawn(each)))


def _stop(place: Participant) -> None:
    """Withdraw a place that was never drawn; in the log it stays, as that of a row merged into its player."""
    reading = log.read(place.tournament)
    is_over = reading.tournament.status == Tournament.Status.FINISHED
    away = {each["player"] for each in reading.state["players"] if each["status"] == "withdrawn"}
    if not is_over and place.key not in away:
        entering.enter(place.tournament, [{"type": "withdraw", "player": place.key, "when": "now"}], None)
    former = Player.objects.create(nickname=place.player.nickname, merged_into=place.player)
    Participant.objects.filter(pk=place.pk).update(player=former, is_gone=False)


def _own(player: Player) -> JsonObject:
    rows = player.participations.select_related("tournament__night")
    directed = Tournament.objects.filter(Q(directors__player=player) | Q(non_playing__player=player)).distinct()
    only = set(NonPlayingDirector.objects.filter(player=player).values_list("tournament", flat=True))
    return {
        "tournaments": [_tournament(row) for row in rows.select_related("accepted_by")],
        "tournaments_directed": [
            {"tournament": each.public_id, "name": each.name, "directs_only": each.pk in only} for each in directed
        ],
    }


def _tournament(row: Participant) -> JsonObject:
    told = [entry for entry in row.tournament.entries.all() if row.key in _keys(entry.data)]
    return {
        "tournament": row.tournament.public_id,
        "night": row.tournament.night.public_id,
        "name": row.tournament.name,
        "key": row.key,
        "accepted_at": time_text(row.accepted_at),
        "accepted_by": name_of(row.accepted_by),
        "has_paid": row.is_paid,
        "gone_home": row.is_gone,
        "rank": row.place,
        "won": row.wins,
        "lost": row.losses,
        "told": [each.told[row.key] for each in row.tournament.pairings.all() if row.key in each.told],
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


_SAID = (
    NoticeRow(
        _("Your place in a tournament, what you played and won there, whether you paid, and whether you direct"),
        {
            Participant: "tournament key player accepted_at accepted_by is_gone is_paid place wins losses",
            Director: "tournament player",
            NonPlayingDirector: "tournament player",
            TournamentEntry: "data by",
            Pairing: "match told taken start",
        },
        _("so that matches are drawn and counted, and can be checked"),
        _("whoever was at that night; payments you and the directors"),
        FOR_GOOD,
        NAMELESS,
        ("tournaments", "tournaments_directed"),
    ),
)
KEPT = Kept(
    (Participant, Director, NonPlayingDirector, TournamentEntry),
    forget=_forget,
    join=_join,
    own=_own,
    traces=_traces,
    said=_SAID,
)
