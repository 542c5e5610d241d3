"""Matches: a row for the end of each, written with the entry of the log that states it, and following corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games import plugin
from games.kernel import replay
from games.kernel.contract import MatchEnd
from games.models import Match, Player, Table
from games.services.seats.seats import SeatRow, played_by
from games.services.seats.sittings import Sitting
from games.services.tables import log, sql
from games.services.tables.decisions import Addition
from games.services.tables.snapshot import TableSnapshot

STATED = 0
"""The `seq` of a match whose end no log of a table states, but the tournament to which it belongs."""


def state(table: Table, people: Sequence[Player], length: int, score: Sequence[int] | None, at: datetime) -> None:
    """Write the end of a tournament's match that its table does not state; people and score: winner's, then loser's."""
    winner, loser = people
    won, lost = (None, None) if score is None else score
    about = {"winner": winner, "loser": loser, "length": length, "winner_score": won, "loser_score": lost}
    Match.objects.update_or_create(table=table, seq=STATED, defaults={**about, "finished_at": at})


def take_back(table: Table) -> None:
    """Delete the end of a match that its tournament has stated, and states no more."""
    Match.objects.filter(table=table, seq=STATED).delete()


def follow_log(added: Addition) -> None:
    """Write the match that a new entry of a table's log ends, or let it follow one that corrects it."""
    if added.before.status != added.after.status and added.after.status == Table.Status.FINISHED:
        record(added.table.row, added.entry, added.after, added.seats, added.table.now)
    elif added.decision.corrects is not None:
        correct(added.table.row, added.entry, added.after, added.seats, added.table.now)


def record(
    table: Table, entry: replay.Entry, after: TableSnapshot, seats: Mapping[int, SeatRow], now: datetime
) -> None:
    """Write the end of a match between two people that an entry states; `after` and `seats` are as it left them.

    Practice, and a match of bots, has no row.
    """
    end = match_end(table, entry, after.state)
    if end is not None:
        _write(table, entry.seq, end, _people(end, after, seats), now)


def write_left(since: datetime) -> int:
    """Write the matches that ended since a moment under 1.0.0, which has no rows of them; return how many."""
    games = [game_id for game_id, game in plugin.all_games().items() if game.rules.match_end is not None]
    tables = Table.objects.filter(game_id__in=games, status=Table.Status.FINISHED, finished_at__gte=since, match=None)
    count = 0
    for pk in tables.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            table = log.lock(pk)
            after, seats = log.snapshot_of(table), sql.seats([pk])[pk]
            for entry in log.entries(pk):
                record(table, entry, after, seats, table.finished_at or since)
            count += Match.objects.filter(table=table).exists()
    return count


def correct(
    table: Table, entry: replay.Entry, after: TableSnapshot, seats: Mapping[int, SeatRow], now: datetime
) -> None:
    """Let a table's match follow an entry that corrects a result: another end, another score, or none any more.

    A match that the correction ends is written as every other, when the table is over.
    """
    kept = Match.objects.filter(table=table).exclude(seq=STATED).first()
    if kept is None:
        return
    is_over = plugin.game(table.game_id).rules.is_over(after.state)
    end = match_end(table, entry, after.state)
    seq = kept.seq if end is None else entry.seq
    if end is None and is_over:
        (stated,) = log.entries(table.pk, upto=seq, after=seq - 1)
        end = match_end(table, stated, after.state)
    if end is None:
        kept.delete()
        return
    _write(table, seq, end, _people(end, after, seats), kept.finished_at)


def _write(table: Table, seq: int, end: MatchEnd, people: Sequence[int | None], finished_at: datetime) -> None:
    """Write the row of a match between two people, winner and loser."""
    winner, loser = people
    if winner is None or loser is None or table.night.is_practice:
        return
    scores = {"winner_score": end.scores[end.winner], "loser_score": end.scores[end.loser]}
    about = {"seq": seq, "length": end.length, "how": end.how, "finished_at": finished_at}
    Match.objects.update_or_create(table=table, defaults={**about, **scores, "winner_id": winner, "loser_id": loser})


def _people(end: MatchEnd, after: TableSnapshot, seats: Mapping[int, SeatRow]) -> list[int | None]:
    return [_person(seats[seat], after.sat) for seat in (end.winner, end.loser)]


def _person(seat: SeatRow, sat: Sequence[Sitting]) -> int | None:
    """Return the id of the person of a seat, or of the one who left it; None for a bot."""
    _, player, is_bot = played_by(seat, sat)
    if is_bot:
        return None
    return player.pk if isinstance(player, Player) else player


def match_end(table: Table, entry: replay.Entry, state: object) -> MatchEnd | None:
    """Return the end of a match that an entry of a table's log states."""
    end_of = plugin.game(table.game_id).rules.match_end
    if end_of is None:
        return None
    ends = (end_of(state, event) for event in entry.events if not replay.is_house(event))
    return next((end for end in ends if end is not None), None)


def differences(table: Table, entries: Sequence[replay.Entry], state: object) -> list[str]:
    """Return the differences between a table's stored match and its log, in words; `state` is that of the log's end."""
    kept = Match.objects.filter(table=table).exclude(seq=STATED).first()
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
