"""Results of tournaments: the standings of a night's, and the places of a person."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Subquery

from games.kernel.contract import Illegal
from games.models import Night, Participant, Player, Tournament
from games.services.tournaments import overview
from games.services.tournaments.log import LogReading
from games.services.tournaments.overview import Overview

logger = logging.getLogger(__name__)

MOST_SHOWN = 40
"""The latest tournaments of a person that are shown."""


def read(found: Tournament) -> Overview | None:
    """Return a tournament as it is now; None where another version has written its log: its own page says so."""
    try:
        return overview.of(found)
    except Illegal:
        logger.warning("the log of the tournament %s cannot be read", found.public_id)
        return None


def of_night(night: Night) -> list[Overview]:
    """Return the tournaments of a night in which something was played, the first one first."""
    rows = night.tournaments.exclude(status=Tournament.Status.ENTRY).select_related("night__host")
    found = (read(each) for each in rows.order_by("created_at", "pk"))
    return [each for each in found if each is not None and (each.matches or each.sessions)]


def note_places(reading: LogReading) -> None:
    """Keep everybody's place, wins and losses beside their participation, for the histories of people."""
    if reading.state["status"] == Tournament.Status.ENTRY:
        return
    rows = {row["player"]: row for row in reading.standing}
    changed = []
    for each in reading.tournament.participants.all():
        row = rows.get(each.key)
        found = (None, 0, 0) if row is None else (row["place"], row.get("wins", 0), row.get("losses", 0))
        if found != (each.place, each.wins, each.losses):
            each.place, each.wins, each.losses = found
            changed.append(each)
    Participant.objects.bulk_update(changed, ["place", "wins", "losses"])


@dataclass(frozen=True, slots=True)
class PlayedTournament:
    """A tournament that a person has played in: the place among so many, wins and losses."""

    tournament: Tournament
    place: int
    people: int
    wins: int
    losses: int

    @property
    def has_matches(self) -> bool:
        """Tell whether it was played in matches."""
        return bool(self.wins or self.losses)


def of_player(player: Player) -> list[PlayedTournament]:
    """Return the latest tournaments of a person that are over, or whose night is, the newest first."""
    rows = player.participations.exclude(tournament__status=Tournament.Status.ENTRY).select_related(
        "tournament__night__host"
    )
    others = Participant.objects.filter(tournament=OuterRef("tournament")).order_by().values("tournament")
    people = Subquery(others.annotate(n=Count("pk")).values("n"))
    latest = rows.annotate(people=people).order_by("-tournament__created_at", "-pk")[:MOST_SHOWN]
    found = (_played(row) for row in latest if _is_over(row.tournament))
    return [each for each in found if each is not None]


def _is_over(tournament: Tournament) -> bool:
    return tournament.status == Tournament.Status.FINISHED or tournament.night.status == Night.Status.CLOSED


def _played(row: Any) -> PlayedTournament | None:
    people = row.people
    if row.place is not None:
        return PlayedTournament(row.tournament, row.place, people, row.wins, row.losses)
    # It was played before places were kept.
    shown = read(row.tournament)
    me = None if shown is None else shown.people.get(row.key)
    return (
        None if me is None or not me.place else PlayedTournament(row.tournament, me.place, people, me.wins, me.losses)
    )


def winners(shown: Overview) -> Sequence[str]:
    """Return the names of those who are first."""
    return [person.name for person in shown.standing if person.place == 1]
