"""Jobs of the analyser: the finished games without grades, then those without the deep pass.

A game that has just ended has both passes before any older one has one: people wait for it, however long the queue is.
Games to which a pass can still come in the time that is promised have it in the order in which they ended, so that
none waits for ever while others end; all other games the newest first.
A game is claimed by making its row, which only one process can. The only analyser of a database frees what a killed one
has claimed when it starts; elsewhere a claim that has grown old is taken over. Nothing here is written while a table
plays.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import F, Model, Q, QuerySet

from games import plugin
from games.game_texts import gettext_of
from games.kernel.contract import JsonObject
from games.kernel.figures.skill import Depth, GameToGrade
from games.models import DeeperQuestion, GameGrades, Result
from games.ops.logs import log_event
from games.services import tasks
from games.services.seats import sittings
from games.services.seats.sittings import Sitting
from games.services.tables import log

logger = logging.getLogger(__name__)
T = TypeVar("T", bound=Model)

OLD = timedelta(minutes=15)
"""A claim that is older was made by a process that has ended, or hangs."""
TASK = "grading"
"""The name of the grading among the background tasks."""
FRESH = timedelta(hours=1)
"""People wait for the figures of a game that ended no longer ago."""
PROMISED = {Depth.FIRST: timedelta(seconds=60), Depth.DEEP: timedelta(minutes=10)}
"""So soon after a game's end a pass over it is there, where the engine has the time."""
MOST_TRIES = 3
"""A game whose grading ended its process so often is left alone."""


def graded_games() -> dict[str, plugin.Grading]:
    """Return the grading modules of the installed games, by id."""
    every = {game_id: config.grading for game_id, config in plugin.all_games().items()}
    return {game_id: grading for game_id, grading in every.items() if grading is not None}


def has_engine() -> bool:
    """Tell whether any game has an engine here."""
    return any(grading.has_engine() for grading in graded_games().values())


def how_to_get_engines() -> str:
    """Return in the current language how to install an engine for each game without one, "" if none is missing."""
    found = (_how_to_get(plugin.game(game_id), grading) for game_id, grading in graded_games().items())
    return "; ".join(filter(None, found))


def how_to_get_engine(game: plugin.GameConfig) -> str:
    """Return in the current language how to install an engine for a game, "" if it has one or needs none."""
    return _how_to_get(game, game.grading) if game.grading else ""


def _how_to_get(game: plugin.GameConfig, grading: plugin.Grading) -> str:
    return "" if grading.has_engine() else gettext_of(game, grading.HOW_TO_GET_ONE)


def depth(job: GameGrades) -> Depth:
    """Return the pass that a job is for."""
    return Depth.FIRST if job.graded_at is None else Depth.DEEP


def free_claims() -> None:
    """Free what was claimed and not graded: for an analyser that starts and is the only one."""
    GameGrades.objects.exclude(claimed_at=None).update(claimed_at=None)


def claim(after: datetime | None = None) -> GameGrades | None:
    """Claim a game without grades, of those that ended after a moment; None without any."""
    now = datetime.now(UTC)
    left = _open(now).filter(graded_at=None)
    ended = Result.objects.filter(seq__isnull=False, is_correction=False, medium=plugin.SCREEN, grades=None)
    ended = ended.filter(game_id__in=graded_games())
    if after is not None:
        left, ended = left.filter(result__finished_at__gt=after), ended.filter(finished_at__gt=after)
    since = now - PROMISED[Depth.FIRST]
    known = _next(left, "result__finished_at", "result", since)
    new = _next(ended, "finished_at", "pk", since)
    if new is None or (known is not None and _is_before(known.result.finished_at, new.finished_at, since)):
        return known and _claimed(known, now)
    try:
        with transaction.atomic():
            return GameGrades.objects.create(result=new, claimed_at=now, tries=1)
    except IntegrityError:
        # Another analyser was quicker, or the result went with its night.
        return None


def _next(found: QuerySet[T], ended: str, key: str, since: datetime) -> T | None:
    """Return the game that ended first since a moment; without one the game that ended last."""
    waiting = found.filter(**{f"{ended}__gte": since}).order_by(ended, key)
    return waiting.first() or found.order_by(f"-{ended}", f"-{key}").first()


def _is_before(one: datetime, other: datetime, since: datetime) -> bool:
    """Tell whether a game that ended at one moment comes before one that ended at another, as `_next` has them."""
    return one < other if min(one, other) >= since else one > other


def claim_fresh() -> GameGrades | None:
    """Claim a game that has just ended and has no grades; None without any."""
    return claim(_fresh_since())


def is_fresh(job: GameGrades) -> bool:
    """Tell whether people wait for what a job is to find: it is the first pass over a game that has just ended."""
    return depth(job) is Depth.FIRST and job.result.finished_at > _fresh_since()


def claim_next() -> GameGrades | None:
    """Claim a game that has just ended to be deepened, else an older one without grades, else one to be deepened."""
    return claim_deep(_fresh_since()) or claim() or claim_deep()


def _fresh_since() -> datetime:
    return datetime.now(UTC) - FRESH


def claim_deep(after: datetime | None = None) -> GameGrades | None:
    """Claim a game that has only its first pass, of those that ended after a moment; None without any."""
    now = datetime.now(UTC)
    left = _open(now).filter(graded_at__isnull=False, depth=Depth.FIRST)
    left = left if after is None else left.filter(result__finished_at__gt=after)
    known = _next(left, "result__finished_at", "result", now - PROMISED[Depth.DEEP])
    return known and _claimed(known, now)


def _open(now: datetime) -> QuerySet[GameGrades]:
    """Return the games that are nobody's job at the moment."""
    is_free = Q(claimed_at=None) | Q(claimed_at__lt=now - OLD)
    known = GameGrades.objects.filter(is_free, tries__lt=MOST_TRIES, result__game_id__in=graded_games())
    return known.select_related("result")


def _claimed(found: GameGrades, now: datetime) -> GameGrades | None:
    """Claim a game; None where another analyser was quicker."""
    mine = GameGrades.objects.filter(pk=found.pk, claimed_at=found.claimed_at, graded_at=found.graded_at)
    if not mine.update(claimed_at=now, tries=F("tries") + 1):
        return None
    found.refresh_from_db()
    return found


def grade(
    job: GameGrades, grading: plugin.Grading, engine: plugin.GradingEngine, go_on: Callable[[], object] = lambda: None
) -> None:
    """Grade a claimed game and keep its rows; they replace those of an earlier pass or level as a whole.

    `engine` is at the first depth. `go_on` is called after each choice, and raises TaskEnded where the process ends:
    the claim is then given back.
    """
    engine = engine.at(depth(job))
    try:
        found = _rows(job, grading, engine, go_on)
    except tasks.TaskEnded:
        mine = GameGrades.objects.filter(pk=job.pk, claimed_at=job.claimed_at)
        mine.update(claimed_at=None, tries=F("tries") - 1)
        raise
    _keep(job, grading, engine, found)


def _rows(
    job: GameGrades, grading: plugin.Grading, engine: plugin.GradingEngine, go_on: Callable[[], object]
) -> list[JsonObject]:
    """Return the rows of a game, asking after each whether to go on."""
    found = []
    for row in grading.rows(played(job.result), engine):
        found.append(row)
        go_on()
    return found


def played(result: Result) -> GameToGrade:
    """Return a finished game as its grading takes it."""
    before = Result.objects.filter(table_id=result.table_id, seq__lt=result.seq, is_correction=False)
    first = (before.order_by("-seq").values_list("seq", flat=True).first() or 0) + 1
    entries = log.entries(result.table_id, upto=result.seq)
    return GameToGrade(result.table.options, log.seat_count(result.table), entries, first)


def _keep(job: GameGrades, grading: plugin.Grading, engine: plugin.GradingEngine, found: Sequence[JsonObject]) -> None:
    """Keep the rows of a claimed game, with what they were made with."""
    result, made = job.result, depth(job)
    lost = sum(not row["graded"] for row in found)
    if (found and lost == len(found)) or (made == Depth.DEEP and lost > sum(not row["graded"] for row in job.rows)):
        # The engine is gone: the claim grows old, and the game is tried again. What there is stands.
        log_event(logger, logging.WARNING, TASK, "engine_gone", table=result.table.public_id, seq=result.seq)
        tasks.note(TASK, "the engine is gone", is_good=False)
        return
    sat = sittings.read(result.table_id, result.seq or 0)
    kept = GameGrades.objects.filter(pk=job.pk, claimed_at=job.claimed_at)
    kept.update(
        rows=[with_owner(row, sat, result.seq or 0) for row in found],
        graded_at=datetime.now(UTC),
        claimed_at=None,
        tries=0,
        engine=engine.name[:64],
        level=engine.level[:32],
        depth=made,
        formula=grading.FORMULA,
    )
    text = f"{len(found)} choices, {lost} of them not graded"
    tasks.note(TASK, text)
    log_event(logger, logging.INFO, TASK, "graded", text=text, table=result.table.public_id, seq=result.seq)


def with_owner(row: JsonObject, sat: Sequence[Sitting], seq: int) -> JsonObject:
    """Return a row as nobody's where another person sat there than at the game's end, whose line the result has."""
    seat = row["seat"]
    if seat is None:
        return row
    then, last = (_sitter(sat, seat, at) for at in (row["seq"], seq))
    return row if then == last else {**row, "seat": None, "counts": False}


def _sitter(sat: Sequence[Sitting], seat: int, seq: int) -> tuple[int | None, bool] | None:
    """Return the player on a seat at an entry; of an entry that ended the sitting the one whom it ended."""
    found = [each for each in sat if each.seat == seat and each.first <= seq and (each.end is None or seq <= each.end)]
    return (found[0].player_id, found[0].is_bot) if found else None


def again() -> int:
    """Let every game be graded once more, with the engine of today; old grades stand until new ones are there."""
    DeeperQuestion.objects.all().delete()
    return GameGrades.objects.update(graded_at=None, claimed_at=None, tries=0)
