"""The tournaments of a night as its own page and its screens show them.

Rings that show how long it is until the house confirms a proposal by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse

from games.models import Night, Player, Table, Tournament
from games.services import server_time
from games.services.tournaments import results
from games.services.tournaments.overview import Overview, Person, ProposalShown
from games.web.tournaments.words import format_text


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring: the part of it that has gone already, 0 to 1 in hundredths as text, and the seconds that are left."""

    gone: str
    left: str


def ring_of(proposal: ProposalShown, now: datetime | None = None) -> Ring | None:
    """Return the ring of a proposal; None for one that a director is asked for, or whose time has run out."""
    if proposal.at is None or not proposal.seconds:
        return None
    left = (proposal.at - (now or server_time.now())).total_seconds()
    if left <= 0:
        return None
    return Ring(f"{max(0.0, 1 - left / proposal.seconds):.2f}", f"{left:.1f}")


CALLED = timedelta(minutes=3)
"""The time for which a screen calls the people of a new match to their table."""
ENDED = timedelta(minutes=20)
"""The time for which a screen shows the standing of a tournament that is over, unless a table is open."""
PAIRS_ON_SCREEN, COMING_ON_SCREEN, PLACES_ON_SCREEN, RESULTS_ON_SCREEN = 120, 6, 250, 6
PAIRS_WITH_RESULTS = 6
"""Rows of a screen, which turns the pages of long lists (games/pages/tv_turning.js)."""


def find_running(night: Night) -> Overview | None:
    """Return the tournament that a screen shows: the newest running one of an open night whose log can be read."""
    rows = night.tournaments.filter(status=Tournament.Status.RUNNING)
    found = None if night.status == Night.Status.CLOSED else rows.select_related("night").first()
    return None if found is None else results.read(found)


def find_ended(night: Night) -> Overview | None:
    """Return the tournament whose standing a screen shows: one that ended some minutes ago.

    After the end of the night it is the last one in which something was played.
    """
    if night.status == Night.Status.CLOSED:
        return next(reversed(results.of_night(night)), None)
    since = server_time.now() - ENDED
    rows = night.tournaments.filter(status=Tournament.Status.FINISHED, entries__created_at__gte=since)
    found = rows.select_related("night").first()
    return None if found is None else results.read(found)


def on_night(night: Night, player: Player) -> list[dict[str, Any]]:
    """Return the night's tournaments for its page, each with the player's own match or wait."""
    rows = []
    for each in night.tournaments.select_related("night"):
        row: dict[str, Any] = {"tournament": each, "format": format_text(each)}
        if each.status == Tournament.Status.RUNNING and night.status != Night.Status.CLOSED:
            shown = results.read(each)
            me = None if shown is None else shown.of(player)
            row |= {"me": me, "my_match": None if shown is None or me is None else shown.match_of(me)}
            row["my_table"] = None if shown is None or me is None else shown.table_of(me)
        mine = row.get("my_match") or row.get("my_table")
        table = mine.table if mine else None
        row["url"] = reverse("table", args=[table.public_id]) if table else reverse("tournament", args=[each.public_id])
        rows.append(row)
    return rows


def on_screen(shown: Overview) -> dict[str, Any]:
    """Return the context of a screen: the matches that are played, new ones called, who waits, and the standing."""
    found = shown.tournament
    called_since = server_time.now() - CALLED
    newest = sorted(shown.running, key=lambda each: each.started, reverse=True)[:PAIRS_ON_SCREEN]
    is_closed = found.night.status == Night.Status.CLOSED
    return {
        "tournament": found,
        "is_tournament_over": is_closed or found.status == Tournament.Status.FINISHED,
        # Whom the matches call has the room first.
        "latest": shown.done[:RESULTS_ON_SCREEN] if len(newest) <= PAIRS_WITH_RESULTS else [],
        "shown_tournament": shown,
        "format": format_text(found),
        "pairs": [(each, each.started >= called_since) for each in newest],
        "coming": _coming(shown),
        "session": shown.session or (shown.sessions[-1] if shown.sessions else None),
        "drawn_next": [(ring_of(each), each) for each in shown.proposals() if each.tables],
        "places": shown.standing[:PLACES_ON_SCREEN],
    }


def _coming(shown: Overview) -> list[tuple[Ring, Person, Person]]:
    """Return the matches that the house begins by itself in some seconds, with their rings."""
    found = [(ring_of(each), each.matches) for each in shown.proposals()]
    pairs = [(ring, one, other) for ring, matches in found if ring is not None for one, other, _forced in matches]
    return pairs[:COMING_ON_SCREEN]


def is_last_match(found: Tournament, table: Table | None) -> bool:
    """Tell whether a table has the only match of a tournament that is being played: then a screen shows the table."""
    running = list(found.pairings.filter(is_open=True).values_list("table", flat=True)[:2])
    return table is not None and running == [table.pk]
