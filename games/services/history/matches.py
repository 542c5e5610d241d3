"""Matches: a row for the end of each, written with the entry of the log that states it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Q

from games import plugin
from games.kernel import replay
from games.kernel.contract import MatchEnd
from games.models import Match, Player, Table
from games.services.history import results
from games.services.seats.sittings import Sitting
from games.services.tables.snapshot import TableSnapshot
from games.services.tables.sql import SeatRow


def record(
    table: Table, entry: replay.Entry, after: TableSnapshot, seats: Mapping[int, SeatRow], now: datetime
) -> None:
    """Write the end of a match between two people that an entry states; `after` and `seats` are as it left them.

    Practice, and a match of bots, has no row.
    """
    end = match_end(table, entry, after.state)
    if end is None or table.night.is_practice:
        return
    winner, loser = (_person(seats[seat], after.sat) for seat in (end.winner, end.loser))
    if winner is None or loser is None:
        return
    scores = {"winner_score": end.scores[end.winner], "loser_score": end.scores[end.loser]}
    about = {"table": table, "seq": entry.seq, "length": end.length, "how": end.how, "finished_at": now}
    Match.objects.create(winner_id=winner, loser_id=loser, **about, **scores)


def _person(seat: SeatRow, sat: Sequence[Sitting]) -> int | None:
    """Return the id of the person of a seat, or of the one who left it; None for a bot."""
    _, player, is_bot = results.sitter(seat, sat)
    if is_bot:
        return None
    return player.pk if isinstance(player, Player) else player


def match_end(table: Table, entry: replay.Entry, state: object) -> MatchEnd | None:
    """Return the end of a match that an entry of a table's log states."""
    game = plugin.game(table.game_id)
    ends = (game.match_end(state, event) for event in entry.events if not replay.is_house(event))
    return next((end for end in ends if end is not None), None)


def differences(table: Table, entries: Sequence[replay.Entry], state: object) -> list[str]:
    """Return the differences between a table's stored match and its log, in words; `state` is that of the log's end."""
    kept = Match.objects.filter(table=table).first()
    if kept is None:
        return []
    entry = next((each for each in entries if each.seq == kept.seq), None)
    end = None if entry is None else match_end(table, entry, state)
    stored = (kept.length, kept.how, kept.winner_score, kept.loser_score)
    if end is None or stored != (end.length, end.how, end.scores[end.winner], end.scores[end.loser]):
        return ["the match is not that of the log"]
    return []


def of_player(player: Player) -> list[Match]:
    """Return the matches of a player, the oldest first."""
    rows = Match.objects.filter(Q(winner=player) | Q(loser=player))
    return list(rows.select_related("table").order_by("finished_at", "pk"))
