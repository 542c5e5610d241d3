"""The acts of the house at tournaments by itself, about once a second in every process: results of tables, pairings.

Each act is done under the hold of the night, from what the log says then: a process that ends in the middle, or two at
once, lose nothing and do nothing twice.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction

from games.kernel.contract import Illegal, JsonObject
from games.models import Night, Tournament
from games.ops import logs
from games.services import publication, server_time
from games.services.tournaments import acts, entering, entry_fees, log, modes, participants
from games.services.tournaments.log import LogReading
from games.services.tournaments.tables import match_tables, out_tables, session_tables

logger = logging.getLogger(__name__)

Asked = tuple[int, int, str, str, int]
_asked: dict[int, Asked] = {}
"""Tournament → length of the log, minute, modes, countdowns and payers for which the kernel was asked last."""


def run_due(now: datetime | None = None) -> int:
    """Do what is due at all tournaments that are not over; return their number."""
    rows = Tournament.objects.exclude(status=Tournament.Status.FINISHED).exclude(night__status=Night.Status.CLOSED)
    found = list(rows.select_related("night"))
    for tournament in found:
        try:
            run(tournament, now or server_time.now())
        except OperationalError:
            raise
        except Illegal as refusal:
            # A director was faster.
            logger.info("the tournament %s waits: %s", tournament.public_id, refusal.code)
        except Exception as error:
            logs.log_event(logger, logging.ERROR, "tournament", "failed", error=error, tournament=tournament.public_id)
    return len(found)


def run(tournament: Tournament, now: datetime) -> None:
    """Do what is due at one tournament."""
    participants.follow_presence(tournament)
    if tournament.status == Tournament.Status.RUNNING:
        _take_due(tournament, now)
    if tournament.status == Tournament.Status.RUNNING or modes.seconds_of(tournament, "start") is not None:
        _confirm_due(tournament, now)


def _take_due(tournament: Tournament, now: datetime) -> None:
    """Take what tables and people say, and start the tables that may."""
    if match_tables.ended(tournament):
        take_results(tournament)
    if session_tables.due(tournament, now):
        _take_sessions(tournament, now)
    for table in match_tables.waiting(tournament):
        with transaction.atomic():
            match_tables.start(table)
    _take_told(tournament, now)


@transaction.atomic
def take_results(tournament: Tournament) -> None:
    """Enter the results of match tables that the log does not have, and their corrections."""
    log.hold(tournament)
    for each in match_tables.ended(tournament):
        match = log.read(tournament).match(each.pairing.match)
        entry = _of_table(match, each.entry)
        if entry is not None:
            entering.enter(tournament, [entry], None)
        each.pairing.refresh_from_db()
        each.pairing.taken = each.text
        each.pairing.save(update_fields=["taken"])


@transaction.atomic
def _take_sessions(tournament: Tournament, now: datetime) -> None:
    """Enter the points of tables of sessions that are over, and their corrections."""
    log.hold(tournament)
    session_tables.end_unplayed(tournament, now)
    for each in session_tables.due(tournament, now):
        entering.enter(tournament, [each.entry], None)
        session_tables.note_taken(each)


def _of_table(match: JsonObject, found: JsonObject) -> JsonObject | None:
    """Return the entry by which the log follows the result of a table; None if it has it, or the match is void."""
    winner = found["winner"]
    score = [found["points"][key != winner] for key in match["players"]]
    entry = {"match": match["id"], "winner": winner, "score": score}
    if match["status"] == "running":
        return {"type": "result", **entry}
    if match["status"] != "done" or (match["winner"] == winner and match["score"] == score):
        return None
    return {"type": "correct", **entry}


def _take_told(tournament: Tournament, now: datetime) -> None:
    """Enter results that one side has said some minutes ago, and the other has not contradicted."""
    if tournament.alone_minutes is None:
        return
    alone = timedelta(minutes=tournament.alone_minutes)
    for row in tournament.pairings.filter(is_open=True).exclude(told={}):
        said = list(row.told.values())
        if len(said) == 1 and datetime.fromisoformat(said[0]["at"]) + alone <= now:
            with transaction.atomic():
                log.hold(tournament)
                row.refresh_from_db()
                if row.is_open and list(row.told.values()) == said:
                    entry = {"type": "result", "match": row.match, "winner": said[0]["winner"]}
                    entering.enter(tournament, [entry], None)


def _confirm_due(tournament: Tournament, now: datetime) -> None:
    """Begin the countdowns of new proposals, and confirm the proposals whose countdown has run out."""
    if tournament.is_held:
        return
    tournament.refresh_from_db()
    is_due = tournament.auto_at is not None and tournament.auto_at <= now
    if not is_due and _asked.get(tournament.pk) == _state_of(tournament, now):
        return
    with transaction.atomic():
        log.hold(tournament)
        reading = log.read(tournament)
        running = modes.countdowns(reading, now)
        if running != tournament.countdowns:
            _set_countdowns(tournament, running)
        if modes.is_due(running, out_tables.KIND, now):
            _open_for_out(reading)
        if found := modes.due(reading, running, now):
            acts.enter_proposed(reading, found, None)
        else:
            _asked[tournament.pk] = _state_of(tournament, now)


def _open_for_out(reading: LogReading) -> None:
    """Open a table for those who are out; where a host's limit forbids it, directors are asked."""
    tournament = reading.tournament
    try:
        with transaction.atomic():
            out_tables.open_table(reading)
        left = {kind: at for kind, at in tournament.countdowns.items() if kind != out_tables.KIND}
        _set_countdowns(tournament, left)
    except Illegal as refusal:
        logger.info("no table is opened for those who are out of %s: %s", tournament.public_id, refusal.code)
        modes.change(tournament, None, {out_tables.KIND: None})


def _state_of(tournament: Tournament, now: datetime) -> Asked:
    """Return what the proposals and their countdowns follow from."""
    paid = entry_fees.pot(tournament).paid if tournament.waits_for_paid else 0
    return tournament.length, log.minute_of(tournament, now), str(tournament.modes), str(tournament.countdowns), paid


def _set_countdowns(tournament: Tournament, running: dict[str, str]) -> None:
    tournament.countdowns = running
    tournament.save(update_fields=["countdowns"])
    night = tournament.night
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
