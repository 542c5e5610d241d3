"""Entries with everything that follows from them: tables, the end with the opened seed, stages in seasons, news.

Stages of a tournament's last matches in the seasons of its night: final and semi-finals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.kernel.seasons.options import FINAL, SEMIFINAL
from games.kernel.tournaments import formats
from games.kernel.tournaments.phases import world_cup
from games.models import Match, Player, SeasonStage, Tournament
from games.services import publication
from games.services.acts import LogLine
from games.services.nights import events
from games.services.seasons import season_nights
from games.services.tournaments import log, results
from games.services.tournaments.log import LogReading, ProposedAt
from games.services.tournaments.tables import match_tables, session_tables

SEMIFINALISTS = 4


def note_stages(reading: LogReading) -> None:
    """Write the stages of a finished tournament's matches; where an organiser has set one, that stays."""
    found = of_matches(reading)
    tournament = reading.tournament
    rows = Match.objects.filter(table__pairing__tournament=tournament, table__pairing__match__in=found)
    ends = list(rows.select_related("table__pairing"))
    for season in season_nights.seasons_of(tournament.night):
        if season.game_id != tournament.game_id:
            continue
        for match in ends:
            stage = {"stage": found[match.table.pairing.match]}
            SeasonStage.objects.get_or_create(season=season, match=match, defaults=stage)


def of_matches(reading: LogReading) -> Mapping[str, str]:
    """Return the stage of each match that has one, by its id: of the bracket that the tournament ends with.

    The final is the last match between the first two of the standing; the semi-finals of a knock-out are the last ones
    before it that two of the first four have won.
    """
    if world_cup.is_played(reading.tournament.format):
        return {}
    last = reading.state["phase"]
    kind = formats.read(reading.tournament.format).phases[last].kind
    matches = [m for m in reading.state["matches"] if m["phase"] == last and m["status"] == "done"]
    if kind not in ("knockout", "double", "lives") or len(reading.standing) < 2:
        return {}
    top = {row["player"] for row in reading.standing[:2]}
    finals = [m for m in matches if set(m["players"]) == top]
    if not finals:
        return {}
    found = {finals[-1]["id"]: FINAL}
    if kind == "knockout":
        found |= {each["id"]: SEMIFINAL for each in _semifinals(matches, finals[-1])}
    return found


def _semifinals(matches: list[JsonObject], final: JsonObject) -> list[JsonObject]:
    """Return the matches by which the two of a final came into it, if four people were left."""
    before = [m for m in matches if m["round"] == (final["round"] or 0) - 1 and m["winner"] in final["players"]]
    return before if len(before) == SEMIFINALISTS // 2 else []


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
    results.note_places(reading)
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
        note_stages(reading)
        events.record(tournament.night, "tournament_finished", **told, seed=tournament.seed)
    else:
        events.record(tournament.night, "tournament_started", **told)
