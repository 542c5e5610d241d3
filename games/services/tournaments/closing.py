"""The end of a tournament by its director: another closing time, the last round now, and the end itself."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import Illegal
from games.kernel.tournaments import formats as tournament_formats
from games.kernel.tournaments.phases import world_cup
from games.models import Player, Tournament
from games.models.house import zone
from games.services import server_time
from games.services.arguments import Ticked
from games.services.tournaments import entering, formats, log
from games.services.tournaments.log import LogReading
from games.services.tournaments.rights import ACTS, ClockTime, TournamentRight

OPEN_END = "open_end"
IN_ROUNDS = ("swiss", "schedule", "neighbours")
"""The kinds that have a last round; an open end has a last start instead."""


def next_time(typed: time) -> datetime:
    """Return the next moment at which the house's clocks show a time of day."""
    now = timezone.localtime(server_time.now(), zone())
    found = now.replace(hour=typed.hour, minute=typed.minute, second=0, microsecond=0)
    return found if found > now else found + timedelta(days=1)


def kind_of(reading: LogReading) -> str:
    """Return the kind of the phase that is played; before the start, of the first one."""
    if world_cup.is_played(reading.tournament.format):
        return world_cup.KIND
    return tournament_formats.read(reading.tournament.format).phases[reading.state["phase"]].kind


def has_last_round(reading: LogReading) -> bool:
    """Tell whether a director can make the round that is played the last one, or let no match begin any more."""
    kind = kind_of(reading)
    if reading.state["status"] != "running" or kind not in (OPEN_END, *IN_ROUNDS):
        return False
    is_ended = any(entry["type"] == "last_round" for entry in reading.log)
    return bool(reading.state["matches"]) and not is_ended if kind in IN_ROUNDS else not _is_closed(reading)


def _is_closed(reading: LogReading) -> bool:
    last = last_start_of(reading)
    return last is not None and reading.minute > last


def last_start_of(reading: LogReading) -> int | None:
    """Return the last minute in which a match of an open end may start; None for another format."""
    if kind_of(reading) != OPEN_END:
        return None
    given = next((entry for entry in reversed(reading.log) if entry["type"] == "closing"), None)
    if given is not None:
        last, at = int(given["last_start"]), int(given["at"])
        return last if last > at else at - 1
    return tournament_formats.read(reading.tournament.format).phases[reading.state["phase"]].last_start


def cup_left(reading: LogReading) -> int:
    """Return how many people the next phase takes, which an end now would drop; 0 without one."""
    if world_cup.is_played(reading.tournament.format):
        return 0
    plan, phase = tournament_formats.read(reading.tournament.format), reading.state["phase"]
    return plan.advance[phase] if phase < len(plan.advance) else 0


@ACTS.act(
    "last_round",
    TournamentRight.DIRECTOR,
    done=_("No other match begins."),
    label=_("Last round now"),
    question=_("What is being played is played out, and no other match begins. Then comes the cup, or the end."),
    yes=_("The last round"),
)
def end_rounds(tournament: Tournament, by: Player) -> None:
    """Let no match begin but those of the round under way; raises `no_last_round` for formats without one."""
    reading = log.read(tournament)
    if kind_of(reading) not in (OPEN_END, *IN_ROUNDS):
        raise Illegal("no_last_round")
    if not has_last_round(reading):
        raise Illegal("not_open")
    if kind_of(reading) == OPEN_END:
        entering.enter(tournament, [{"type": "closing", "last_start": reading.minute}], by)
    else:
        entering.enter(tournament, [{"type": "last_round"}], by)


@ACTS.act("closing", TournamentRight.DIRECTOR, done=_("Saved."), label=_("Another closing time"), yes=_("Save"))
def change_closing(tournament: Tournament, by: Player, closes: ClockTime) -> None:
    """Give an open end another closing time ("22:30"), from which its last start follows.

    Raises `no_closing` for other formats, `bad_time`, `not_open` once its cup has begun or it is over.
    """
    reading = log.read(tournament)
    if kind_of(reading) != OPEN_END:
        raise Illegal("not_open" if formats.phases(tournament.format)[0].get("kind") == OPEN_END else "no_closing")
    at, phase = next_time(closes), formats.phases(tournament.format)[0]
    minutes = log.minute_of(tournament, at)
    last_start = max(reading.minute, formats.last_start(minutes, phase["length"], phase.get("cup", 0)))
    entering.enter(tournament, [{"type": "closing", "last_start": last_start}], by)
    tournament.closes_at = at
    tournament.save(update_fields=["closes_at"])


@ACTS.act(
    "finish",
    TournamentRight.DIRECTOR,
    label=_("End the tournament"),
    question=_("The standing as it is now is final, and the secret number of the draws becomes public."),
    yes=_("End it"),
    words={"without": _("End it without the cup")},
)
def finish(tournament: Tournament, by: Player, without: Ticked = False) -> None:
    """End the tournament: its standing is final; raises `cup_left` while a cup is to come, unless it is `without`."""
    if not without and (count := cup_left(log.read(tournament))):
        raise Illegal("cup_left", count=count)
    entering.enter(tournament, [{"type": "finish"}], by)
