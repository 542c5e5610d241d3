"""Exercises on pages: a position with its question, the ways to choose, and the engine's word on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from games import plugin
from games.game_texts import gettext_of
from games.kernel.figures.skill import Exercise, ExerciseWay, Mistake, Sentence
from games.models import Night, Player
from games.services.grades import numbers, position
from games.services.regions import written

DECIMALS = 3


def shown(game: plugin.GameConfig, exercise: Exercise) -> dict[str, Any]:
    """Return an exercise without its answer for a template: `study`'s picture, sentences, the question."""
    return {
        "game": game,
        "picture": game.study,
        "position": exercise.position,
        "about": [said(game, each) for each in exercise.about],
        "question": said(game, exercise.question),
    }


def engine_lines(
    game: plugin.GameConfig,
    exercise: Exercise,
    chosen: Collection[str],
    *,
    votes: Mapping[str, int] | None = None,
    shows_played: bool = True,
) -> list[dict[str, Any]]:
    """Return the ways to choose with the engine's figures and the number of `votes` for each, the best first.

    Without `shows_played` none is marked as the one that was played.
    """
    return [
        {
            **way_of(game, way),
            "equity": written.rounded(way.equity, DECIMALS),
            "error": written.rounded(way.error, DECIMALS) if way.error else "",
            "is_chosen": way.text in chosen,
            "was_played": shows_played and way.text == exercise.played,
            "votes": (votes or {}).get(way.text, 0),
        }
        for way in exercise.candidates
    ]


def said(game: plugin.GameConfig, sentence: Sentence) -> str:
    """Return a sentence of a game in the current language; fractions have its decimal sign."""
    return gettext_of(game, sentence.text) % {name: _written(value) for name, value in sentence.values.items()}


def ways_of(game: plugin.GameConfig, mistake: Mistake) -> str:
    """Return the actions that there were at a mistake with their equities, in brackets; "" of what can be drawn."""
    if mistake.is_drawn or not mistake.ways:
        return ""
    told = (f"{gettext_of(game, way.text)} {written.signed(way.equity, DECIMALS)}" for way in mistake.ways)
    return f"({' · '.join(told)})"


def _written(value: Any) -> Any:
    """Return a value as it stands in a sentence."""
    return written.short(value, 3) if isinstance(value, float) else value


def way_of(game: plugin.GameConfig, way: ExerciseWay) -> dict[str, Any]:
    """Return a way to choose for a template; `play` is what the picture can draw, "" for the cube's."""
    label = gettext_of(game, way.text) if way.is_marked else way.text
    return {"value": way.text, "label": label, "play": "" if way.is_marked else way.text}


def position_context(night: Night, reader: Player | None) -> dict[str, Any]:
    """Return a night's position for the template, {} where there is none; no reader is the night's screen."""
    found = position.of_night(night, reader, datetime.now(UTC))
    if found is None:
        return {}
    game, chosen = plugin.game(found.game_id), {found.mine} if found.mine else set()
    lines = engine_lines(game, found.exercise, chosen, votes=found.votes, shows_played=bool(found.name))
    return {
        **shown(game, found.exercise),
        "key": found.key,
        "may_vote": not found.is_told and night.status != Night.Status.CLOSED and reader is not None,
        "is_told": found.is_told,
        "voted": found.voted,
        "ways": sorted(lines, key=lambda line: str(line["value"])),
        "lines": lines,
        "has_votes": True,
        "name": found.name,
        "best": found.exercise.candidates[0].text if found.is_told else "",
        "grades": found.grades,
        "level": numbers.level_text(found.grades.level),
    }
