"""People of a tournament who go home or are removed are withdrawn; who was withdrawn so and is back plays again."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet

from games.kernel.contract import Illegal, JsonObject
from games.models import Participant, Player, Tournament
from games.services import holds
from games.services.nights import night_rights
from games.services.tables import here
from games.services.tournaments import entering, log
from games.services.tournaments.log import LogReading


def due(tournament: Tournament) -> QuerySet[Participant]:
    """Return the participants whose presence in the log differs from the one at the night."""
    present = here.members(tournament.night).values("player")
    return tournament.participants.filter(
        Q(is_gone=False) & ~Q(player__in=present) | Q(is_gone=True, player__in=present)
    )


def check_followed(tournament: Tournament) -> None:
    """Raise Illegal `tournament_moved_on` while the log does not say yet who has gone home or is back."""
    if due(tournament).exists():
        raise Illegal("tournament_moved_on")


def follow(tournament: Tournament) -> None:
    """Withdraw the people who are not here, and take back those it withdrew who are here again."""
    if not due(tournament).exists():
        return
    with transaction.atomic():
        log.hold(tournament)
        for row in due(tournament):
            entry = _entry(log.read(tournament), row)
            row.is_gone = not row.is_gone
            row.save(update_fields=["is_gone"])
            if entry is not None:
                _enter(tournament, entry)


def _entry(reading: LogReading, row: Participant) -> JsonObject | None:
    """Return the entry that withdraws or returns a person; None where the log has it.

    A match at a table of the house is given up: the seat there is free. One at another board is played out.
    """
    if row.is_gone:
        return {"type": "return", "player": row.key}
    if any(each["player"] == row.key and each["status"] == "withdrawn" for each in reading.state["players"]):
        return None
    tournament = reading.tournament
    tabled = set(tournament.pairings.exclude(table=None).values_list("match", flat=True))
    running = [each for each in reading.state["matches"] if each["status"] == "running" and row.key in each["players"]]
    plays_on = any(each["id"] not in tabled for each in running)
    may_play_on = plays_on and night_rights.is_inside(tournament.night, row.player)
    return {"type": "withdraw", "player": row.key, "when": "after" if may_play_on else "now"}


def _enter(tournament: Tournament, entry: JsonObject) -> None:
    """Enter it; who comes back too late for the format stays withdrawn, and may be entered by a director."""
    try:
        with transaction.atomic():
            entering.enter(tournament, [entry], None)
    except Illegal:
        if entry["type"] != "return":
            raise


def note_back(tournament: Tournament, player: Player) -> None:
    """Note that a person who plays again, or is taken back by a director, is here."""
    here.note_back(holds.night(tournament.night), player)
    tournament.participants.filter(player=player).update(is_gone=False)
