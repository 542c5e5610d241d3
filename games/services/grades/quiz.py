"""The quiz: a player's own mistakes, and positions that they keep, as choices to be made again, spaced by the answers.

Each comes up again after a day or two, and the later the better it is known; a wrong answer brings it back soon (the
library fsrs). Nobody sees another's.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from fsrs import Card, Rating, Scheduler

from games import plugin
from games.kernel.contract import Illegal, JsonObject
from games.kernel.figures.skill import Exercise, ExerciseWay
from games.models import KeptPosition, Player, QuizCard, Result, ResultLine
from games.services.grades import jobs, kept_positions, own_play

_SCHEDULER = Scheduler(
    learning_steps=(timedelta(hours=12),), relearning_steps=(timedelta(hours=12),), enable_fuzzing=False
)
"""The schedule has days for steps: nobody looks at the same position twice in ten minutes for pleasure."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Asked:
    """An exercise of the player's quiz: its game, where it happened, and the order in which its ways are shown.

    `made_with` has engine, level and formula. A kept position has the `name` under which it is kept, and no `result`.
    `order` are indices of `exercise.candidates`; `reviews` is the number of answers so far.
    """

    key: str
    game_id: str
    exercise: Exercise
    made_with: JsonObject
    result: Result | None = None
    seq: int = 0
    name: str = ""
    reviews: int = 0

    @property
    def order(self) -> Sequence[int]:
        """The order in which the ways are shown: another one each time, so that it tells nothing."""
        found = list(range(len(self.exercise.candidates)))
        random.Random(f"{self.key} {self.reviews}").shuffle(found)
        return found


@dataclass(frozen=True, slots=True)
class Quiz:
    """The player's quiz: the next exercise, None where nothing is due; the numbers due, unseen, and of all.

    `next_due` is when the next one is due where nothing is.
    """

    asked: Asked | None
    due: int
    unseen: int
    all: int
    next_due: datetime | None


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: the way that was chosen, whether it was right, nearly right or wrong, and when it comes again."""

    asked: Asked
    chosen: ExerciseWay
    verdict: str
    due: datetime | None


RIGHT, NEARLY, WRONG = "right", "nearly", "wrong"
_RATINGS = {RIGHT: Rating.Good, NEARLY: Rating.Hard, WRONG: Rating.Again}


def quiz(player: Player, now: datetime, *, is_of_kept: bool = False) -> Quiz:
    """Return the player's quiz at a time: what is due comes first, then the newest that were never asked.

    `is_of_kept`: of the positions that the player keeps alone, else of their mistakes, too.
    """
    found = {key: each for key, each in _exercises(player).items() if each.name or not is_of_kept}
    cards = {card.key: card for card in QuizCard.objects.filter(player=player, key__in=found)}
    unseen = [asked for key, asked in found.items() if key not in cards]
    due = sorted((card for card in cards.values() if card.due <= now), key=lambda card: (card.due, card.pk))
    first = _with(found[due[0].key], due[0]) if due else unseen[0] if unseen else None
    later = min((card.due for card in cards.values()), default=None) if first is None else None
    return Quiz(first, len(due), len(unseen), len(found), later)


def asked(player: Player, key: str) -> Asked:
    """Return an exercise of the player's by its key; raises Illegal `no_such_exercise`."""
    found = _exercises(player).get(key)
    if found is None:
        raise Illegal("no_such_exercise")
    card = QuizCard.objects.filter(player=player, key=key).first()
    return _with(found, card) if card is not None else found


def answered(player: Player, key: str, choice: str) -> Answered:
    """Return what there is to be said of a choice, the text of a candidate; raises Illegal `no_such_exercise`."""
    found = asked(player, key)
    chosen = next((each for each in found.exercise.candidates if each.text == choice), None)
    if chosen is None:
        raise Illegal("no_such_exercise")
    card = QuizCard.objects.filter(player=player, key=key).first()
    return Answered(found, chosen, _verdict(found.exercise, chosen), card.due if card is not None else None)


def answer(player: Player, key: str, choice: str, reviews: int, now: datetime) -> Answered:
    """Note an answer, once for each number of earlier `reviews`; raises Illegal `no_such_exercise`."""
    found = answered(player, key, choice)
    if found.asked.reviews == reviews:
        _note(player, key, _RATINGS[found.verdict], reviews, now)
    card = QuizCard.objects.get(player=player, key=key)
    return replace(found, asked=_with(found.asked, card), due=card.due)


def _note(player: Player, key: str, rating: Rating, reviews: int, now: datetime) -> None:
    """Schedule a mistake anew; of two answers at once the first counts."""
    card = QuizCard.objects.filter(player=player, key=key).first()
    before = Card.from_dict(card.schedule) if card is not None else Card(card_id=0, due=now)
    after, _log = _SCHEDULER.review_card(before, rating, now)
    made = {"schedule": after.to_dict(), "due": after.due, "reviews": reviews + 1}
    if card is not None:
        QuizCard.objects.filter(pk=card.pk, reviews=reviews).update(**made)
        return
    try:
        with transaction.atomic():
            QuizCard.objects.create(player=player, key=key, **made)
    except IntegrityError:
        return


def _verdict(exercise: Exercise, chosen: ExerciseWay) -> str:
    if chosen.error <= _SAME:
        return RIGHT
    return NEARLY if chosen.error < exercise.tolerance else WRONG


def _with(found: Asked, card: QuizCard) -> Asked:
    return replace(found, reviews=card.reviews)


def _exercises(player: Player) -> dict[str, Asked]:
    """Return what a player is asked by its key: the kept positions, then the mistakes, the newest game first.

    A mistake made twice, or kept, is there once.
    """
    found = {asked.key: asked for position in kept_positions.of(player) if (asked := _kept(position)) is not None}
    for game_id, grading in jobs.graded_games().items():
        for line in own_play.graded_lines(player, game_id)[: own_play.MOST_GAMES].iterator(50):
            for row, exercise in _of(line, grading):
                key = key_of(game_id, exercise)
                grades = line.result.grades
                made = {"engine": grades.engine, "level": grades.level, "formula": grades.formula}
                found.setdefault(key, Asked(key, game_id, exercise, made, line.result, row["seq"]))
    return found


def _kept(position: KeptPosition) -> Asked | None:
    """Return a kept position as an exercise; None as long as no engine told of anything to choose."""
    grading, answer = jobs.graded_games().get(position.game_id), position.answer
    if grading is None or answer is None:
        return None
    exercise = grading.kept_exercise(position.position, answer)
    if exercise is None:
        return None
    return Asked(key_of(position.game_id, exercise), position.game_id, exercise, answer, name=position.name)


def _of(line: ResultLine, grading: plugin.Grading) -> Iterator[tuple[JsonObject, Exercise]]:
    for row in line.result.grades.rows:
        if row["seat"] == line.seat and (exercise := grading.exercise(row)) is not None:
            yield row, exercise


def key_of(game_id: str, exercise: Exercise) -> str:
    """Return a hash of a choice's game and position; doubling and not doubling are one choice of one position."""
    return hashlib.sha256(f"{game_id} {exercise.position}".encode()).hexdigest()[:32]
