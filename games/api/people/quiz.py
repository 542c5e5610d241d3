"""The quiz: the asker's own mistakes and kept positions as choices to be made again (docs/skill.md)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import plugin
from games.api.base import View
from games.api.fields import Body, Shape, Text, Whole
from games.api.schema import described
from games.game_texts import gettext_of
from games.kernel.contract import JsonObject
from games.kernel.figures.skill import Exercise, Sentence
from games.models import QuizCard
from games.services.grades import quiz
from games.services.grades.quiz import Answered, Asked

LONGEST_CHOICE = 100
CODES = "not_known banned"


class ExerciseSerializer(Shape):
    """A choice to be made again: `about` and `question` are in the asker's language.

    `choices` are the ways to choose, as an answer sends them; `reviews` is the number of earlier answers. A kept
    position has its `name`, and no `table`.
    """

    key = serializers.CharField()
    game = serializers.CharField()
    table = serializers.CharField()
    seq = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.CharField()
    position = serializers.CharField()
    about = serializers.ListField(child=serializers.CharField())
    question = serializers.CharField()
    choices = serializers.ListField(child=serializers.CharField())
    reviews = serializers.IntegerField()


class QuizSerializer(Shape):
    """The quiz: the next exercise, null where none is due, and how many there are."""

    exercise = ExerciseSerializer(allow_null=True)
    due = serializers.IntegerField()
    unseen = serializers.IntegerField()
    all = serializers.IntegerField()
    next_due = serializers.DateTimeField(allow_null=True)


class WaySerializer(Shape):
    """A way to choose, with its equity for the asker and what it costs."""

    text = serializers.CharField()
    equity = serializers.FloatField()
    error = serializers.FloatField()


class QuizAnswerSerializer(Shape):
    """The engine's word on an answer: the ways to choose, the best first, and when it comes again."""

    verdict = serializers.ChoiceField(choices=(quiz.RIGHT, quiz.NEARLY, quiz.WRONG))
    chosen = serializers.CharField()
    played = serializers.CharField()
    ways = WaySerializer(many=True)
    engine = serializers.CharField()
    level = serializers.CharField()
    formula = serializers.IntegerField()
    due = serializers.DateTimeField()


class QuizAnswerBody(Body):
    """An answer to an exercise: its `key` and `reviews` as told, and one of its `choices`."""

    key = Text(max_length=QuizCard._meta.get_field("key").max_length)
    choice = Text(max_length=LONGEST_CHOICE)
    reviews = Whole(min_value=0, max_value=2**31 - 1)


class MyQuiz(View):
    """The asker's quiz."""

    @described(
        "getQuiz",
        "The next of your own mistakes and kept positions to choose again",
        QuizSerializer,
        tag="house",
        codes=CODES,
        description="What is due comes first, then the newest that was never asked. Nobody sees another's.",
    )
    def get(self, request: Request) -> Response:
        """Return the next exercise."""
        found = quiz.quiz(self.player(), datetime.now(UTC))
        about = {"due": found.due, "unseen": found.unseen, "all": found.all, "next_due": found.next_due}
        exercise = None if found.asked is None else _exercise(found.asked)
        return Response(QuizSerializer({**about, "exercise": exercise}).data)

    @described(
        "answerQuiz",
        "Answer an exercise of the quiz",
        QuizAnswerSerializer,
        tag="house",
        codes=f"{CODES} no_such_exercise",
        body=QuizAnswerBody,
        description="An answer counts once: sent again with the same `reviews`, it changes nothing.",
    )
    def post(self, request: Request) -> Response:
        """Note the answer; return the engine's word on it."""
        body: JsonObject = self.body(QuizAnswerBody)
        now = datetime.now(UTC)
        found = quiz.answer(self.player(), body["key"], body["choice"], body["reviews"], now)
        return Response(QuizAnswerSerializer(_answer(found)).data)


def _exercise(found: Asked) -> dict[str, Any]:
    game, exercise = plugin.game(found.game_id), found.exercise
    return {
        "key": found.key,
        "game": found.game_id,
        "table": "" if found.result is None else found.result.table.public_id,
        "seq": found.seq,
        "name": found.name,
        "kind": exercise.kind,
        "position": exercise.position,
        "about": [_said(game, each) for each in exercise.about],
        "question": _said(game, exercise.question),
        "choices": [exercise.candidates[index].text for index in found.order],
        "reviews": found.reviews,
    }


def _answer(found: Answered) -> dict[str, Any]:
    exercise: Exercise = found.asked.exercise
    made = found.asked.made_with
    return {
        "verdict": found.verdict,
        "chosen": found.chosen.text,
        "played": exercise.played,
        "ways": exercise.candidates,
        "engine": made["engine"],
        "level": made["level"],
        "formula": made["formula"],
        "due": found.due,
    }


def _said(game: plugin.GameConfig, sentence: Sentence) -> str:
    return gettext_of(game, sentence.text) % sentence.values
