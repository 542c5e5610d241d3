"""The acts of the house at tournaments by itself, about once a second in every process: results of tables, pairings.

Each act is done under the hold of the night, from what the log says then: a process that ends in the middle, or two at
once, lose nothing and do nothing twice.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import OperationalError, transaction

from games.kernel.contract import Illegal, JsonObject
from games.models import Membership, Night, Tournament
from games.ops import logs
from games.services import publication, server_time
from games.services.tournaments import acts, entering, log, match_tables
from games.services.tournaments.log import Reading

logger = logging.getLogger(__name__)

ALONE = timedelta(minutes=3)
"""The time after which a result counts that one of the two has said, if the other has not spoken."""
_asked: dict[int, tuple[int, int, bool]] = {}
"""Tournament → length of the log, minute, and whether the kernel proposed anything for the house to confirm."""


def run_due(now: datetime | None = None) -> int:
    """Do what is due at all tournaments that are under way; return their number."""
    rows = Tournament.objects.filter(status=Tournament.Status.RUNNING).exclude(night__status=Night.Status.CLOSED)
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
    if match_tables.ended(tournament):
        take_results(tournament)
    for table in match_tables.waiting(tournament):
        with transaction.atomic():
            match_tables.start(table)
    _take_told(tournament, now)
    _withdraw_gone(tournament)
    _confirm_due(tournament, now)


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
    for row in tournament.pairings.filter(is_open=True).exclude(told={}):
        said = list(row.told.values())
        if len(said) == 1 and datetime.fromisoformat(said[0]["at"]) + ALONE <= now:
            with transaction.atomic():
                log.hold(tournament)
                row.refresh_from_db()
                if row.is_open and list(row.told.values()) == said:
                    entry = {"type": "result", "match": row.match, "winner": said[0]["winner"]}
                    entering.enter(tournament, [entry], None)


def _withdraw_gone(tournament: Tournament) -> None:
    """Withdraw the players that have left the night."""
    inside = Membership.objects.filter(night=tournament.night, status=Membership.Status.IN).values("player")
    gone = list(tournament.participants.exclude(player__in=inside).values_list("key", flat=True))
    if not gone:
        return
    with transaction.atomic():
        log.hold(tournament)
        here = {row["player"] for row in log.read(tournament).state["players"] if row["status"] != "withdrawn"}
        for key in gone:
            if key in here:
                entering.enter(tournament, [{"type": "withdraw", "player": key, "when": "now"}], None)


def _confirm_due(tournament: Tournament, now: datetime) -> None:
    """Begin the countdown of what is proposed, or confirm it when that has run out."""
    if tournament.auto_seconds is None or tournament.is_held:
        return
    tournament.refresh_from_db()
    is_due = tournament.auto_at is not None and tournament.auto_at <= now
    if not is_due and _asked.get(tournament.pk) == (*_state_of(tournament, now), tournament.auto_at is not None):
        return
    with transaction.atomic():
        log.hold(tournament)
        reading = log.read(tournament)
        found = _automatic(reading)
        _asked[tournament.pk] = (*_state_of(tournament, now), bool(found))
        if is_due and found and tournament.auto_at is not None:
            acts.enter_proposed(reading, found, None)
        elif bool(found) != (tournament.auto_at is not None):
            _set_countdown(tournament, now + timedelta(seconds=tournament.auto_seconds or 0) if found else None)


def _state_of(tournament: Tournament, now: datetime) -> tuple[int, int]:
    return tournament.length, log.minute_of(tournament, now)


def _automatic(reading: Reading) -> list[JsonObject]:
    """Return the proposals that the house may confirm by itself."""
    return [each for each in reading.proposals if each.get("mode") == "auto"]


def _set_countdown(tournament: Tournament, at: datetime | None) -> None:
    tournament.auto_at = at
    tournament.save(update_fields=["auto_at"])
    night = tournament.night
    publication.publish_later(publication.NightTouched(night.pk, night.public_id))
