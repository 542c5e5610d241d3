"""Entries with everything that follows from them: tables, the end with the opened seed, stages in seasons, news."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import Player, Tournament
from games.services import publication
from games.services.acts import LogLine
from games.services.nights import events
from games.services.tournaments import log, stages
from games.services.tournaments.log import LogReading, ProposedAt
from games.services.tournaments.tables import match_tables, session_tables

events.LOG.add(
    LogLine("tournament_started", _("The tournament “%(title)s” is under way.")),
    LogLine("tournament_finished", _("The tournament “%(title)s” is over. The secret number of its draws: %(seed)s")),
)


@transaction.atomic
def enter(
    tournament: Tournament, entries: Sequence[JsonObject], by: Player | None, drawn: ProposedAt | None = None
) -> LogReading:
    """Enter entries into the log of a held tournament, and do what follows from them; raises as `log.append`."""
    before = tournament.status
    reading = log.append(tournament, entries, by, drawn)
    match_tables.follow(reading)
    session_tables.follow(reading)
    if reading.state["status"] != before:
        _turned(reading)
    night = tournament.night
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
    return reading


def _turned(reading: LogReading) -> None:
    """Tell the night that a tournament has started, is over or goes on; at its end the seed is opened."""
    tournament = reading.tournament
    told: dict[str, Any] = {"title": tournament.name, "tournament": tournament.public_id}
    if tournament.status == Tournament.Status.FINISHED:
        if tournament.seed_opened_at is None:
            tournament.seed_opened_at = tournament.length
            tournament.save(update_fields=["seed_opened_at"])
        stages.note(reading)
        events.record(tournament.night, "tournament_finished", **told, seed=tournament.seed)
    else:
        events.record(tournament.night, "tournament_started", **told)
