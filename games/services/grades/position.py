"""The position of a night: its costliest mistake, about which everybody at the night says what they would choose.

It is taken from finished tables, never from somebody who hides their grades, and stays once there is a vote on it. Only
who may see that grade learns whose it was (`visibility`): under the house rule `own` nobody else does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import IntegrityError, transaction

from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures.skill import Exercise
from games.models import GameGrades, Membership, Night, Player, PositionVote, ResultLine, Table
from games.services.grades import jobs, visibility
from games.services.grades.quiz import key_of

OPEN_FOR = timedelta(minutes=3)
"""So long after the first vote a screen waits for the others, before it shows the engine's list."""
_KEPT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class NightPosition:
    """A night's position for a reader: `votes` are numbers by choice, empty before the reader may see the answer.

    `voted` is the number of votes, `mine` the reader's choice, "" before it. `name` is whose choice it was in the game,
    "" where the reader may not know; `is_told` says that the engine's list may be shown.
    """

    key: str
    game_id: str
    grades: GameGrades
    exercise: Exercise
    voted: int
    votes: Mapping[str, int]
    mine: str
    name: str
    is_told: bool


def of_night(night: Night, reader: Player | None, now: datetime) -> NightPosition | None:
    """Return the position of a night for a member, or (None) its screen; None where there is none."""
    found = _chosen(night)
    if found is None:
        return None
    grades, row, exercise = found
    key = key_of(grades.result.game_id, exercise)
    votes = list(PositionVote.objects.filter(night=night, key=key).order_by("voted_at"))
    mine = next((vote.choice for vote in votes if reader is not None and vote.player_id == reader.pk), "")
    is_told = bool(mine) or night.status == Night.Status.CLOSED or (reader is None and _is_over(night, votes, now))
    return NightPosition(
        key,
        grades.result.game_id,
        grades,
        exercise,
        len(votes),
        Counter(vote.choice for vote in votes) if is_told else {},
        mine,
        _name(grades, row, reader) if is_told else "",
        is_told,
    )


def vote(night: Night, voter: Player, key: str, choice: str, now: datetime) -> None:
    """Note a member's vote, the first one alone; raises Illegal `no_such_exercise`, `night_closed`."""
    if night.status == Night.Status.CLOSED:
        raise Illegal("night_closed")
    found = of_night(night, voter, now)
    if found is None or found.key != key or all(each.text != choice for each in found.exercise.candidates):
        raise Illegal("no_such_exercise")
    try:
        with transaction.atomic():
            PositionVote.objects.create(night=night, player=voter, key=key, choice=choice, voted_at=now)
    except IntegrityError:
        return


def _is_over(night: Night, votes: list[PositionVote], now: datetime) -> bool:
    """Tell whether a screen has waited long enough, or everybody at the night has voted."""
    if not votes:
        return False
    inside = Membership.objects.filter(night=night, status=Membership.Status.IN).count()
    return len(votes) >= inside or now - votes[0].voted_at >= OPEN_FOR


def _name(grades: GameGrades, row: JsonObject, reader: Player | None) -> str:
    """Return whose choice it was, "" where the reader may not see that grade."""
    table = grades.result.table
    by = visibility.viewer(table, reader)
    lines = ResultLine.objects.filter(result=grades.result_id, seat=row["seat"]).select_related("player")
    return next((line.name for line in lines if visibility.may_see(table, line, by)), "")


def _chosen(night: Night) -> tuple[GameGrades, JsonObject, Exercise] | None:
    """Return the night's position: one that has votes, else the costliest mistake; looked for every 20 seconds."""
    place = f"night-position-{night.pk}"
    known = cache.get(place)
    if known is None:
        known = _looked_for(night)
        cache.set(place, known, _KEPT_SECONDS)
    grades = GameGrades.objects.filter(pk=known[0]).select_related("result__table").first() if known else None
    if grades is None or known[1] >= len(grades.rows):
        return None
    row = grades.rows[known[1]]
    is_open = row["seat"] is not None and row["seat"] in _open_seats(grades)
    exercise = jobs.graded_games()[grades.result.game_id].exercise(row) if is_open else None
    return None if exercise is None else (grades, row, exercise)


def _looked_for(night: Night) -> tuple[int, int] | tuple[()]:
    """Return the grades and the row's number of the night's position."""
    voted = set(PositionVote.objects.filter(night=night).values_list("key", flat=True))
    best: tuple[bool, float, tuple[int, int]] | None = None
    for grades, number, exercise in _exercises(night):
        is_voted = key_of(grades.result.game_id, exercise) in voted
        each = (is_voted, grades.rows[number]["error"], (grades.pk, number))
        best = each if best is None or each[:2] > best[:2] else best
    return best[2] if best is not None else ()


def _exercises(night: Night) -> Iterator[tuple[GameGrades, int, Exercise]]:
    """Yield the mistakes of a night's finished tables that may be shown."""
    games = jobs.graded_games()
    graded = GameGrades.objects.filter(
        result__table__night=night, result__table__status=Table.Status.FINISHED, formula__gt=0
    ).select_related("result__table")
    for grades in graded.iterator(20):
        grading, seats = games.get(grades.result.game_id), _open_seats(grades)
        if grading is None:
            continue
        for number, row in enumerate(grades.rows):
            if row["seat"] in seats and (exercise := grading.exercise(row)) is not None:
                yield grades, number, exercise


def _open_seats(grades: GameGrades) -> set[int]:
    """Return the seats of a game whose grades their people do not hide."""
    lines = ResultLine.objects.filter(result=grades.result_id).select_related("player")
    return {line.seat for line in lines if line.is_bot or visibility.is_open(line)}
