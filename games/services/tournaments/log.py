"""The log of a tournament: entries are added under the hold of the night, and state is the kernel's replay of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from games.kernel.contract import Illegal, JsonObject
from games.kernel.tournaments import formats, house_answers
from games.kernel.tournaments import log as tournament_log
from games.kernel.tournaments.formats import EntriesRefused
from games.kernel.tournaments.phases import world_cup
from games.models import Player, Tournament, TournamentEntry
from games.services import row_locks, server_time
from games.services.tournaments import rights

_CODES = (
    ("bad_format", "tournament_format"),
    ("bad_json", "tournament_format"),
    ("unknown_entry", "not_open"),
    ("bad_entry", "not_open"),
    ("time_backwards", "not_open"),
    ("player_twice", "entered_already"),
    ("no_such_player", "not_entered"),
    ("no_such_match", "no_such_pairing"),
    ("already_decided", "match_decided"),
    ("not_running", "match_not_running"),
    ("player_busy", "player_busy"),
    ("player_gone", "player_gone"),
    ("too_few", "too_few_entered"),
    ("too_late", "entry_closed"),
    ("no_such_table", "no_such_board"),
)
REFUSED = dict(_CODES)
"""Code of the kernel → code of the house."""
_WHILE_PLAYED = ("finish", "phase")
"""Entries that wait for everybody's match or session; others wait for those of their own people."""


@dataclass(frozen=True, slots=True)
class LogReading:
    """A tournament's log, and what the kernel answers to it for a minute.

    `gone` are those who have gone home with matches left, with what follows from it for the standing.
    """

    tournament: Tournament
    log: Sequence[JsonObject]
    minute: int
    state: JsonObject
    proposals: Sequence[JsonObject]
    standing: Sequence[JsonObject]
    gone: Sequence[JsonObject] = ()

    def match(self, match_id: str) -> JsonObject:
        """Return a match of the state; raises Illegal `no_such_pairing`."""
        found = next((each for each in self.state["matches"] if each["id"] == match_id), None)
        if found is None:
            raise Illegal("no_such_pairing")
        return dict(found)


@dataclass(frozen=True, slots=True)
class ProposedAt:
    """The origin of proposed entries: the length of the log and the minute for which the kernel was asked."""

    length: int
    minute: int


def minute_of(tournament: Tournament, at: datetime) -> int:
    """Return the whole minutes from the making of a tournament to a time; none before it."""
    return max(0, int((at - tournament.created_at).total_seconds() // 60))


def entries_of(tournament: Tournament) -> list[JsonObject]:
    """Return the log as the kernel reads it."""
    return list(tournament.entries.order_by("number").values_list("data", flat=True))


def seeds_of(log: Sequence[JsonObject]) -> dict[str, int | None]:
    """Return the seeds that a log gives, by people's keys."""
    return {entry["player"]: entry["seed"] for entry in log if entry["type"] == "seed"}


def read(tournament: Tournament, minute: int | None = None) -> LogReading:
    """Return a tournament as it is now, or as it was proposed for an earlier minute; once over, as at its end."""
    log = entries_of(tournament)
    last = log[-1]["at"] if log else 0
    is_over = tournament.status == Tournament.Status.FINISHED
    now = last if is_over else max(last, minute_of(tournament, server_time.now())) if minute is None else minute
    asked = _asked(tournament, log, now)
    kept, found = _answered.get(tournament.pk, ({}, {}))
    if kept != asked:
        found = house_answers.answer(asked)
        _keep(tournament, asked, found)
    return _reading(tournament, log, now, found)


def _asked(tournament: Tournament, log: Sequence[JsonObject], minute: int) -> JsonObject:
    """Return what the kernel is asked for a log at a minute."""
    return {"format": tournament.format, "log": list(log), "now": minute, "seed": tournament.seed}


MOST_ANSWERED = 16
_answered: dict[int, tuple[JsonObject, JsonObject]] = {}
"""Tournament → what the kernel was asked for it last, and its answer, which nobody changes: all phones of a night fetch
their pages after each result."""


def _keep(tournament: Tournament, asked: JsonObject, found: JsonObject) -> None:
    """Keep an answer, and those of the tournaments that were read last."""
    _answered.pop(tournament.pk, None)
    _answered[tournament.pk] = (asked, found)
    for old in list(_answered)[:-MOST_ANSWERED]:
        _answered.pop(old, None)


def _reading(tournament: Tournament, log: Sequence[JsonObject], minute: int, found: JsonObject) -> LogReading:
    """Return the kernel's answer to a log; raises Illegal with the refusal's code.

    Raises `log_unread` where it is an entry of the stored log that is refused: another version has written it.
    """
    if "error" in found:
        at = found["error"]["entry"]
        if at is not None and at < tournament.length:
            raise Illegal("log_unread", entry=at)
        raise Illegal(_refusal(found["error"], log))
    answered = (found["state"], found["proposals"], found["standing"], found.get("gone", ()))
    return LogReading(tournament, log, minute, *answered)


def _refusal(error: JsonObject, log: Sequence[JsonObject]) -> str:
    """Return the house's code for a refusal of the kernel."""
    code, at = error["code"], error["entry"]
    if code == "player_busy" and at is not None and log[at].get("type") in _WHILE_PLAYED:
        return "still_played"
    return REFUSED[code]


def may_enter_again(reading: LogReading) -> set[str]:
    """Return the keys of those who are out and may enter once more, which a knock-out can allow in its first rounds."""
    if world_cup.is_played(reading.tournament.format):
        return set()
    plan = formats.read(reading.tournament.format)
    if not plan.phases[0].reentry_until or reading.state["status"] != "running":
        return set()
    out = [row["player"] for row in reading.state["players"] if row["status"] == "out"]
    return {key for key in out if _takes(plan, reading, {"type": "enter", "player": key})}


def _takes(plan: formats.PhasePlan, reading: LogReading, entry: JsonObject) -> bool:
    """Tell whether the log takes an entry."""
    try:
        tournament_log.replay(plan, [*reading.log, {"at": reading.minute, **entry}])
    except EntriesRefused:
        return False
    return True


def hold(tournament: Tournament) -> Tournament:
    """Hold the night of a tournament, and read the tournament again; raises `night_closed`, `no_such_tournament`."""
    row_locks.night(tournament.night)
    try:
        tournament.refresh_from_db()
    except Tournament.DoesNotExist:
        raise Illegal("no_such_tournament") from None
    rights.check_open(tournament)
    return tournament


@transaction.atomic
def append(
    tournament: Tournament, entries: Sequence[JsonObject], by: Player | None, drawn: ProposedAt | None = None
) -> LogReading:
    """Add entries, stamped with the present minute, to the log of a held tournament; return it as it is then.

    Raises Illegal with the kernel's refusal of the first bad one, and then adds none.
    """
    row_locks.night(tournament.night)
    log = entries_of(tournament)
    now = server_time.now()
    minute = max(log[-1]["at"] if log else 0, minute_of(tournament, now))
    new: list[JsonObject] = [{"at": minute, **entry} for entry in entries]
    if drawn is None:
        new = [{**entry, "hand": True} if by is not None else entry for entry in new]
    longer = [*log, *new]
    reading = _reading(tournament, longer, minute, house_answers.answer(_asked(tournament, longer, minute)))
    where: dict[str, Any] = {"by": by, "created_at": now}
    if drawn is not None:
        where |= {"drawn_at": drawn.length, "drawn_minute": drawn.minute}
    rows = [
        TournamentEntry(tournament=tournament, number=len(log) + at, data=entry, **where)
        for at, entry in enumerate(new)
    ]
    TournamentEntry.objects.bulk_create(rows)
    tournament.length, tournament.status = len(log) + len(new), reading.state["status"]
    tournament.save(update_fields=["length", "status"])
    return reading
