"""Data of a person in history: results, matches, sums, claims, and corrections that wait for the person."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Q
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import DELETED_NAME, STRUCK, HistoryClaim, Match, NightTally, Player, Result, ResultLine, Table, Tally
from games.services.history import corrections, matches, night_tallies, tallies
from games.services.personal_rooms import (
    BY_ITSELF,
    FOR_GOOD,
    NAMELESS,
    NIGHT,
    UNTIL_YOU,
    WITH_YOU,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    name_of,
    time_text,
)


def _forget(leaver: Leaver) -> None:
    """Remove the name from results, which stay; sums and claims are deleted, and corrections go on with the others."""
    lines = ResultLine.objects.filter(player=leaver.player)
    lines.update(name=DELETED_NAME)
    lines.filter(consent=ResultLine.Consent.ASKED).update(consent=ResultLine.Consent.REFUSED)
    _strike(leaver)
    Result.objects.filter(author=leaver.player).update(by_name=DELETED_NAME)
    Tally.objects.filter(player=leaver.player).delete()
    _delete_claims(leaver.player)
    corrections.go_on_without(leaver.player)


def _strike(leaver: Leaver) -> None:
    """Remove the name and the reasons of the person's corrections, and others' reasons that name the person.

    Those that stand in the log of a table, too, are struck with it (services/logs/personal.py).
    """
    rows = Result.objects.filter(table__night__in=leaver.nights, is_correction=True)
    rows.filter(by_name__in=leaver.names).update(by_name=DELETED_NAME, note=STRUCK)
    named = [pk for pk, note in rows.values_list("pk", "note") if leaver.is_named_in(note)]
    Result.objects.filter(pk__in=named).update(note=STRUCK)
    Result.objects.filter(table__night__in=leaver.nights, by_name__in=leaver.names).update(by_name=DELETED_NAME)
    corrections.strike(leaver)


def _delete_claims(player: Player) -> None:
    HistoryClaim.objects.filter(Q(guest=player) | Q(account=player)).delete()


def _join(source: Player, target: Player) -> None:
    """Delete the source's sums and claims, and leave one line of each result to the merged player."""
    _delete_claims(source)
    Tally.objects.filter(player=source).delete()
    NightTally.objects.filter(player=source).delete()
    for one, other in ((source, target), (target, source)):
        # Of two lines of one result, one without consent belongs to nobody.
        lines = ResultLine.objects.filter(player=one).exclude(consent=ResultLine.Consent.GIVEN)
        theirs = ResultLine.objects.filter(player=other).values("result")
        lines.filter(result__in=list(theirs.values_list("result", flat=True))).update(player=None)


def _joined(source: Player, target: Player) -> None:
    tallies.rebuild([target.pk])
    night_tallies.rebuild([target.pk])


def _own(player: Player) -> JsonObject:
    rows = ResultLine.objects.filter(player=player).select_related("result__table", "agreed_by")
    return {
        "results": [_line(row) for row in rows.order_by("result__finished_at", "pk")],
        "past_games_entered": [_entered(row) for row in player.entered_results.select_related("table")],
        "matches": [_match(row, player) for row in matches.of_player(player)],
        "claims": [
            {"night": row.night.public_id, "mine": row.account_id == player.pk, "since": time_text(row.created_at)}
            for row in HistoryClaim.objects.filter(Q(guest=player) | Q(account=player)).select_related("night")
        ],
    }


def _line(row: ResultLine) -> JsonObject:
    return {
        "table": row.result.table.public_id,
        "game": row.result.game_id,
        "preset": row.result.preset,
        "number": row.result.number,
        "finished_at": time_text(row.result.finished_at),
        "name": row.name,
        "seat": row.seat,
        "points": row.points,
        "unit": row.result.unit,
        "rank": row.rank,
        "figures": row.stats,
        "consent": row.consent,
        "agreed_by": name_of(row.agreed_by),
        "agreed_at": time_text(row.agreed_at),
        "point_value": row.point_value,
    }


def _entered(row: Result) -> JsonObject:
    return {
        "table": row.table.public_id,
        "game": row.game_id,
        "finished_at": time_text(row.finished_at),
        "entered_at": time_text(row.entered_at),
        "reason": row.note,
    }


def _match(row: Match, player: Player) -> JsonObject:
    return {
        "table": row.table.public_id,
        "won": row.winner_id == player.pk,
        "length": row.length,
        "score": [row.winner_score, row.loser_score],
        "ended": row.how,
        "finished_at": time_text(row.finished_at),
    }


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the places of a guest in results."""
    return (ResultLine.objects.filter(player=guest),)


_SAID = (
    NoticeRow(
        _("Your results: points, place, figures of the game, matches, and whether you agreed to a past game"),
        {
            ResultLine: "result seat player name is_bot points rank stats consent agreed_by agreed_at point_value",
            Match: "table seq winner loser length winner_score loser_score how finished_at",
            NightTally: "night player game_id unit preset medium points played",
        },
        _("so that the evening's sheet is right for all who played"),
        _("whoever was at that night; by a shared link everybody, with your name if you are in the leaderboards"),
        FOR_GOOD,
        NAMELESS,
        (
            "results",
            "matches",
        ),
    ),
    NoticeRow(
        _("Past games and corrections that you entered, with your reason"),
        {Result: "note by_name author author_account transfers", Table: "corrections"},
        _("so that the others can agree or say no"),
        NIGHT,
        FOR_GOOD,
        NAMELESS,
        ("past_games_entered",),
    ),
    NoticeRow(
        _("Your sums by game"),
        {Tally: "player game_id unit venue played won points stats last_at"},
        _("for your page, and for the leaderboards if you are in them"),
        _("whoever has met you; everybody at the house if you are in the leaderboards"),
        UNTIL_YOU,
        WITH_YOU,
    ),
    NoticeRow(
        _("That you say a guest of earlier is you"),
        {HistoryClaim: "night guest account agreed created_at"},
        _("so that your history is joined"),
        _("you, and the night's hosts"),
        _("until it is decided"),
        BY_ITSELF,
        ("claims",),
    ),
)
KEPT = Kept(
    (Result, ResultLine, Match, Tally, NightTally, HistoryClaim),
    forget=_forget,
    join=_join,
    joined=_joined,
    own=_own,
    traces=_traces,
    said=_SAID,
)
