"""The tables of a World-Cup Chouette's sessions: opened as drawn, ended with the round, their points for the log.

A session is a round of drawn tables (`tables.drawn_rounds`), which ends each with the game that runs at its hour. Each
table has a row of `Pairing` under its name in `name_of`, as the table of a match has.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Sum

from games.kernel.contract import Illegal, JsonObject
from games.kernel.tournaments.phases import world_cup
from games.models import Pairing, Participant, ResultLine, Table, Tournament
from games.services import row_locks
from games.services.commands import HOUSE, Request
from games.services.draws import drawn_rounds
from games.services.draws.drawn_rounds import DrawnBy, Limit
from games.services.house_rules import offers
from games.services.seats import seats
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.tournaments.log import LogReading
from games.services.tournaments.tables import match_tables

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableBanked:
    """The points of a table that is over, which the log does not have: its row, the entry, and their fingerprint."""

    pairing: Pairing
    entry: JsonObject
    text: str


def name_of(session: int, table: int) -> str:
    """Return the name of a session's table, as in the rows of `Pairing`."""
    return f"s{session}t{table}"


def follow(reading: LogReading) -> None:
    """Open the tables of the session that has begun, and take people off who have withdrawn."""
    if not world_cup.is_played(reading.tournament.format):
        return
    row_locks.night(reading.tournament.night)
    people = match_tables.people_of(reading.tournament)
    known = set(reading.tournament.pairings.values_list("match", flat=True))
    for session in reading.state["sessions"]:
        names = [name_of(session["session"], each["table"]) for each in session["tables"]]
        if session["ended"] is None and not known & set(names):
            _open(reading, session, people)
    _take_off(reading, people)


def _open(reading: LogReading, session: JsonObject, people: Mapping[str, Participant]) -> None:
    """Open the tables of a session as the next round of their game, and start those where all have accepted."""
    tournament = reading.tournament
    terms = offers.table_offer(tournament)
    opened = []
    for each in session["tables"]:
        # Two rows of one person, who were joined since, take one seat.
        rows = {people[key].player_id: people[key] for key in each["players"]}.values()
        sitters = [setup.InvitedSitter(row.player, row.accepted_at, row.accepted_by) for row in rows]
        table = setup.open_for_people(tournament.night, tournament.game_id, terms, sitters)
        name = name_of(session["session"], each["table"])
        Pairing.objects.create(tournament=tournament, match=name, table=table)
        opened.append(table)
    drawn = DrawnBy(tournament.game_id, tournament.preset, tournament.house_rules, world_cup.WANTED.want, "lot")
    minutes = world_cup.read_format(tournament.format)[1]
    drawn_rounds.note(tournament.night, drawn, Limit(minutes=minutes), opened)
    for table in opened:
        match_tables.start(table)


def _take_off(reading: LogReading, people: Mapping[str, Participant]) -> None:
    """Free the seats of people who have withdrawn: in play by the game's rule for leaving."""
    gone = [people[row["player"]].player_id for row in reading.state["players"] if row["status"] == "withdrawn"]
    rows = reading.tournament.pairings.filter(is_open=True, table__seats__player__in=gone).select_related("table")
    for row in rows.distinct():
        for seat in [] if row.table is None else row.table.seats.filter(player__in=gone).select_related("table"):
            if seat.table.status == Table.Status.LOBBY:
                seats.drop_seat(seat)
            elif seat.table.is_running:
                _forfeit(seat.table, seat.index, seat.player_id)


def _forfeit(table: Table, index: int, player_id: int | None) -> None:
    about = {"seat": index, "sitter": player_id}
    try:
        submit(table.pk, HOUSE, Request("table.forfeit", about, f"session:{table.pk}:{index}:{player_id}"))
    except Illegal as refusal:
        # A paused table: the seat waits for the host.
        logger.info("a seat of table %s is not freed: %s", table.public_id, refusal.code)


def due(tournament: Tournament, now: datetime) -> list[TableBanked]:
    """Return the tables that are over whose points the log does not have, or has otherwise; unplayed ones after time.

    The points are those of the table's results, corrections with them, of the people whom it was drawn for.
    """
    if not world_cup.is_played(tournament.format):
        return []
    over = tournament.pairings.filter(table__status=Table.Status.FINISHED).select_related("table").order_by("pk")
    rows = [*over, *_unplayed(tournament, now)]
    points = _points(tournament)
    found = []
    for row in rows:
        text = _text(points.get(row.match, {}))
        if row.taken != text:
            session, table = map(int, row.match.removeprefix("s").split("t"))
            entry = {"type": "banked", "session": session, "table": table, "points": points.get(row.match, {})}
            found.append(TableBanked(row, entry, text))
    return found


def _unplayed(tournament: Tournament, now: datetime) -> list[Pairing]:
    """Return the tables of sessions whose time is over and that never began: somebody did not accept the rules."""
    before = now - timedelta(minutes=world_cup.read_format(tournament.format)[1])
    rows = tournament.pairings.filter(is_open=True, table__status=Table.Status.LOBBY)
    return list(rows.filter(table__drawn__round__created_at__lte=before).select_related("table"))


def end_unplayed(tournament: Tournament, now: datetime) -> None:
    """End the tables of sessions that never began in their time."""
    for row in _unplayed(tournament, now) if world_cup.is_played(tournament.format) else ():
        if row.table is not None:
            setup.end_unplayed(row.table)


def _points(tournament: Tournament) -> dict[str, dict[str, int]]:
    """Return the points at each table, by its name and the people's keys."""
    lines = ResultLine.objects.filter(result__table__pairing__tournament=tournament, player__isnull=False)
    lines = lines.filter(result__is_proposed=False)
    rows = lines.values("result__table__pairing__match", "player").annotate(total=Sum("points"))
    keys = dict(tournament.participants.values_list("player", "key"))
    seated = _seated(tournament)
    found: dict[str, dict[str, int]] = {}
    for row in rows:
        name, key = row["result__table__pairing__match"], keys.get(row["player"])
        if key in seated.get(name, ()):
            found.setdefault(name, {})[str(key)] = row["total"]
    return found


def _seated(tournament: Tournament) -> dict[str, list[str]]:
    """Return table name → the people drawn for it, by the log."""
    drawn = tournament.entries.filter(data__type="session").values_list("data", flat=True)
    return {
        name_of(data["session"], number): people for data in drawn for number, people in enumerate(data["tables"], 1)
    }


def _text(points: Mapping[str, Any]) -> str:
    """Return the fingerprint of a table's points: a row keeps forty characters."""
    return hashlib.sha256(str(sorted(points.items())).encode()).hexdigest()[:40]


def note_taken(banked: TableBanked) -> None:
    """Note that the log has the points of a table."""
    row = banked.pairing
    row.is_open, row.taken = False, banked.text
    row.save(update_fields=["is_open", "taken"])
