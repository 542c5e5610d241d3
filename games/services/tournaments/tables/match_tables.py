"""The tables of a tournament's matches: opened and ended as the log says, and their results for the log."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.models import Match, Pairing, Participant, Table, Tournament
from games.services import row_locks, server_time
from games.services.commands import HOUSE, Request
from games.services.history import matches
from games.services.house_rules import offers, sets
from games.services.house_rules.offers import Terms
from games.services.nights import night_rights
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tournaments.log import LogReading

logger = logging.getLogger(__name__)

MOST_MATCHES = 20
"""The matches of a person in one tournament for which the house opens tables."""


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """The result of a match table: its pairing, the entry for the log, and the result as text."""

    pairing: Pairing
    entry: JsonObject
    text: str


def people_of(tournament: Tournament) -> dict[str, Participant]:
    """Return the participants by their keys."""
    rows = tournament.participants.select_related("player", "accepted_by")
    return {row.key: row for row in rows}


def follow(reading: LogReading) -> None:
    """Open tables for the matches that have begun, and end those of matches that are decided or void."""
    row_locks.night(reading.tournament.night)
    rows = {row.match: row for row in reading.tournament.pairings.select_related("table")}
    people: dict[str, Participant] = {}
    for match in reading.state["matches"]:
        is_running = match["status"] == "running"
        row = rows.get(match["id"])
        if row is None:
            people = people or people_of(reading.tournament)
            table = _opened(reading, match, people, {}) if is_running else None
            Pairing.objects.create(tournament=reading.tournament, match=match["id"], table=table, is_open=is_running)
        elif row.is_open and not is_running:
            row.is_open = False
            row.save(update_fields=["is_open"])
            _end(row.table)
    _keep_ends(reading)


def _keep_ends(reading: LogReading) -> None:
    """Keep a row for the end of each decided match, for seasons: of the table's log, else as the tournament says."""
    rows = reading.tournament.pairings.filter(is_open=False).select_related("table__match")
    decided = {match["id"]: match for match in reading.state["matches"] if match["status"] == "done"}
    people: dict[str, Participant] = {}
    for row in rows:
        match = decided.get(row.match)
        kept = None if row.table is None else getattr(row.table, "match", None)
        if kept is not None and kept.seq != matches.STATED:
            continue
        if match is None:
            if kept is not None and row.table is not None:
                matches.take_back(row.table)
            continue
        people = people or people_of(reading.tournament)
        winner = people[match["winner"]].player
        loser = next(people[key].player for key in match["players"] if key != match["winner"])
        if winner == loser or (kept is not None and kept.winner_id == winner.pk and _score(match) == _kept_score(kept)):
            continue
        table = row.table or _table_for_end(reading, row, match, people)
        matches.state(table, (winner, loser), match["length"], _score(match), server_time.now())


def _score(match: JsonObject) -> tuple[int, int] | None:
    """Return the score of winner and loser, None if nobody has said it."""
    if match["score"] is None:
        return None
    one, other = match["score"]
    return (one, other) if match["winner"] == match["players"][0] else (other, one)


def _kept_score(kept: Match) -> tuple[int, int] | None:
    if kept.winner_score is None or kept.loser_score is None:
        return None
    return kept.winner_score, kept.loser_score


def _table_for_end(reading: LogReading, row: Pairing, match: JsonObject, people: Mapping[str, Participant]) -> Table:
    """Return an archived table for a match that was played at no table of the house: its end needs one."""
    tournament = reading.tournament
    pair = [people[key].player for key in match["players"]]
    table = setup.table_of_told_match(tournament.night, tournament.game_id, terms(tournament, match["length"]), pair)
    row.table = table
    row.save(update_fields=["table"])
    return table


def session_minutes(tournament: Tournament) -> int:
    """Return the minutes of the money session that each match of a tournament is; 0 for matches of a length."""
    game = plugin.all_games().get(tournament.game_id)
    is_timed = game is not None and game.session_preset == tournament.preset != ""
    return int(tournament.options.get(game.session_minutes, 0)) if game is not None and is_timed else 0


def terms(tournament: Tournament, length: int, start: Sequence[int] = ()) -> Terms:
    """Return the house rules of a match table at a length; `start` are the points of the two seats at its start.

    A money session has the same rules for all, and starts without points.
    """
    if session_minutes(tournament):
        return offers.table_offer(tournament)
    game = plugin.game(tournament.game_id)
    changes = {**tournament.options, game.match_length: length, **dict(zip(game.match_start, start, strict=False))}
    values = sets.complete(tournament.game_id, tournament.preset, changes)
    return Terms(tournament.preset, values)


def start_with(reading: LogReading, match: JsonObject, row: Pairing, start: Mapping[str, int]) -> None:
    """Let a running match start with points, by people's keys; its table is opened anew, with this score.

    Raises `match_begun` once a game has ended at its table.
    """
    old = row.table
    if old is not None and old.results.exists():
        raise Illegal("match_begun")
    row.start = dict(start)
    if old is not None:
        row.table = None
        row.save(update_fields=["table"])
        _end(old)
        setup.hide(old)
        row.table = _opened(reading, match, people_of(reading.tournament), start)
    row.save(update_fields=["start", "table"])


def _opened(
    reading: LogReading, match: JsonObject, people: Mapping[str, Participant], points: Mapping[str, int]
) -> Table | None:
    """Open the table of a match, and start it if both have accepted the rules; None where none is wanted."""
    tournament = reading.tournament
    pair = [people[key] for key in match["players"]]
    if not tournament.medium or not _may_open(reading, match, pair):
        return None
    sitters = [setup.InvitedSitter(each.player, each.accepted_at, each.accepted_by) for each in pair]
    agreed = terms(tournament, match["length"], [points.get(key, 0) for key in match["players"]])
    table = setup.open_for_people(tournament.night, tournament.game_id, agreed, sitters)
    start(table)
    return table


def _may_open(reading: LogReading, match: JsonObject, pair: Sequence[Participant]) -> bool:
    """Tell whether the house opens a table: both are different people, in at the night, within their matches."""
    one, other = pair
    counts = [sum(key in each["players"] for each in reading.state["matches"]) for key in match["players"]]
    inside = all(night_rights.is_inside(reading.tournament.night, each.player) for each in pair)
    return one.player_id != other.player_id and inside and max(counts) <= MOST_MATCHES


def start(table: Table) -> bool:
    """Start a waiting match table whose two people have accepted the rules; tell whether it was started."""
    waiting = list(table.seats.all())
    if len(waiting) < 2 or any(seat.accepted_at is None for seat in waiting):
        return False
    try:
        setup.start_by_house(table, f"tournament:{table.pk}")
    except Illegal as refusal:
        logger.info("the match table %s is not started: %s", table.public_id, refusal.code)
        return False
    return True


def _end(table: Table | None) -> None:
    """End the table of a match that is decided otherwise; one that is over stays as it is."""
    if table is None:
        return
    table.refresh_from_db()
    if table.is_running:
        try:
            submit(table.pk, HOUSE, Request("table.end", {}, f"tournament:end:{table.pk}"))
        except Illegal as refusal:
            # Its last game has just ended: the log has the result that it was decided by.
            logger.info("the match table %s is not ended: %s", table.public_id, refusal.code)
    elif table.status == Table.Status.LOBBY:
        setup.end_unplayed(table)


def waiting(tournament: Tournament) -> QuerySet[Table]:
    """Return the match tables that have not started."""
    return Table.objects.filter(pairing__tournament=tournament, pairing__is_open=True, status=Table.Status.LOBBY)


def ended(tournament: Tournament) -> list[EndedMatch]:
    """Return the results of match tables that the log does not have yet, the earliest first: new or corrected ones."""
    rows = Match.objects.filter(table__pairing__tournament=tournament).exclude(seq=matches.STATED)
    rows = rows.select_related("table__pairing")
    fresh = [row for row in rows.order_by("finished_at", "pk") if row.table.pairing.taken != _text(row)]
    if not fresh:
        return []
    keys = dict(tournament.participants.values_list("player", "key"))
    found = []
    for row in fresh:
        pairing, winner, loser = row.table.pairing, keys.get(row.winner_id), keys.get(row.loser_id)
        if winner is not None and loser is not None:
            entry = {"match": pairing.match, "winner": winner, "loser": loser}
            found.append(EndedMatch(pairing, {**entry, "points": [row.winner_score, row.loser_score]}, _text(row)))
    return found


def _text(row: Match) -> str:
    return f"{row.winner_id}:{row.loser_id}:{row.winner_score}:{row.loser_score}"


def broken_off(tournament: Tournament) -> set[str]:
    """Return the ids of the running matches whose table is over without a result."""
    rows = tournament.pairings.filter(is_open=True, table__status=Table.Status.FINISHED, table__match=None)
    return set(rows.values_list("match", flat=True))
