"""Data of a person in grades: grades of own decisions (rows of the results), quiz, kept positions, match files.

Figures of a person's grades: what a player did in the games that were graded.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import OuterRef
from django.utils.translation import gettext_lazy as _

from games.kernel.contract import JsonObject
from games.models import BroughtMatch, GameGrades, KeptPosition, Player, PositionVote, QuizCard, ResultLine
from games.services.personal_rooms import (
    FOR_GOOD,
    NAMELESS,
    NIGHT,
    UNTIL_YOU,
    WITH_YOU,
    YOU,
    Kept,
    Leaver,
    NoticeRow,
    Traces,
    time_text,
)

_OTHERS = ("suggested", "lucks")
"""Parts of a row that tell of other people."""


def own_rows(line: ResultLine) -> list[JsonObject]:
    """Return the grades of a player in the game of a result's line, with what they were made with."""
    found = GameGrades.objects.filter(result_id=line.result_id, formula__gt=0).first()
    if found is None:
        return []
    about: dict[str, Any] = {
        "table": line.result.table.public_id,
        "game": line.result.number,
        "engine": found.engine,
        "level": found.level,
        "is_deep": found.is_deep,
        "formula": found.formula,
    }
    rows = [row for row in found.rows if row["seat"] == line.seat]
    return [about | {key: value for key, value in row.items() if key not in _OTHERS} for row in rows]


def _own(player: Player) -> JsonObject:
    lines = ResultLine.objects.filter(player=player).select_related("result__table")
    found = lines.order_by("result__finished_at", "pk")
    brought = BroughtMatch.objects.filter(owner=player).defer("content").order_by("pk")
    cards = QuizCard.objects.filter(player=player).order_by("pk")
    return {
        "grades": [row for line in found for row in own_rows(line)],
        "match_files": [
            {
                "name": each.name,
                "game": each.game_id,
                "brought_at": time_text(each.brought_at),
                "about": each.about,
                "report": each.report,
            }
            for each in brought
        ],
        "position_votes": [
            {"night": vote.night.public_id, "choice": vote.choice, "at": time_text(vote.voted_at)}
            for vote in PositionVote.objects.filter(player=player).select_related("night").order_by("pk")
        ],
        "positions": [
            {"game": kept.game_id, "name": kept.name, "position": kept.position, "kept_at": time_text(kept.kept_at)}
            for kept in KeptPosition.objects.filter(owner=player).order_by("pk")
        ],
        "quiz": [{"mistake": card.key, "answers": card.reviews, "due": time_text(card.due)} for card in cards],
    }


def _join(source: Player, target: Player) -> None:
    """Let the cards, files and positions of the remaining player stand where both have one."""
    known = QuizCard.objects.filter(player=target).values("key")
    QuizCard.objects.filter(player=source, key__in=known).delete()
    files = BroughtMatch.objects.filter(owner=target).values("digest")
    BroughtMatch.objects.filter(owner=source, digest__in=files).delete()
    for kept in KeptPosition.objects.filter(owner=target):
        KeptPosition.objects.filter(owner=source, game_id=kept.game_id, position=kept.position).delete()
    for vote in PositionVote.objects.filter(player=target):
        PositionVote.objects.filter(player=source, night=vote.night_id, key=vote.key).delete()


def _forget(leaver: Leaver) -> None:
    QuizCard.objects.filter(player__in=leaver.ids).delete()
    BroughtMatch.objects.filter(owner__in=leaver.ids).delete()
    KeptPosition.objects.filter(owner__in=leaver.ids).delete()
    PositionVote.objects.filter(player__in=leaver.ids).delete()


def _traces(guest: OuterRef, before: datetime) -> Traces:
    """Return the match files that a guest brought, and the positions that they keep."""
    return (BroughtMatch.objects.filter(owner=guest), KeptPosition.objects.filter(owner=guest))


_SAID = (
    NoticeRow(
        _("Grades of your moves in games that are over"),
        {GameGrades: "rows"},
        _("so that you can learn from them"),
        _("whoever played, unless you hide yours"),
        FOR_GOOD,
        NAMELESS,
        ("grades",),
    ),
    NoticeRow(
        _("Your mistakes that are asked again, positions that you keep, and match files that you brought"),
        {
            QuizCard: "player key schedule due reviews",
            BroughtMatch: "public_id owner game_id name content digest about brought_at claimed_at tries graded_at "
            "fault report",
            KeptPosition: "public_id owner game_id name position kept_at answer",
        },
        _("so that you can practise"),
        YOU,
        UNTIL_YOU,
        WITH_YOU,
        (
            "quiz",
            "match_files",
            "positions",
        ),
    ),
    NoticeRow(
        _("What you would have played in a night's position"),
        {PositionVote: "night player key choice voted_at"},
        _("so that all can compare"),
        NIGHT,
        UNTIL_YOU,
        WITH_YOU,
        ("position_votes",),
    ),
)
KEPT = Kept(
    (QuizCard, BroughtMatch, KeptPosition, PositionVote),
    forget=_forget,
    join=_join,
    own=_own,
    traces=_traces,
    said=_SAID,
)
