"""An engine's answers are remembered: what was asked ahead, or in the first pass, is not asked again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chouette.analysis import remembered
from chouette.analysis.engine import EngineFailed, Stakes
from chouette.analysis.remembered import Remembered
from chouette.board.plays import results
from chouette.board.position import START
from games.kernel.figures.skill import Depth

PLAYED = results(START, (3, 1))[0]
QUESTIONS: tuple[Callable[[Any], Any], ...] = (
    lambda engine: engine.plays(START, (3, 1), Stakes(), PLAYED),
    lambda engine: engine.cube(START, Stakes()),
    lambda engine: engine.mean(START, Stakes()),
    lambda engine: engine.after_rolls(START, [(3, 1)], Stakes()),
    lambda engine: engine.chances(START, (3, 1), Stakes(), [PLAYED]),
    lambda engine: engine.cube_chances(START, Stakes()),
)


class Counted:
    """An engine that counts its questions; its luck is looked at more deeply in the deep pass, its plays are not."""

    name, level = "counted", "1"

    def __init__(self, asked: list[str], depth: Depth = Depth.FIRST) -> None:
        self.asked, self.fails = asked, False
        self.levels = ("3" if depth is Depth.DEEPER else "2", "0" if depth is Depth.FIRST else "1")

    def at(self, depth: Depth) -> Counted:
        return Counted(self.asked, depth)

    def __getattr__(self, name: str) -> Callable[..., object]:
        def ask(*_: object) -> object:
            self.asked.append(name)
            if self.fails:
                raise EngineFailed("gone")
            return name

        return ask


def asked_by(engine: Any, made: list[str]) -> list[str]:
    """Ask all questions; return which of them reached the engine."""
    before = len(made)
    for question in QUESTIONS:
        question(engine)
    return made[before:]


def test_what_was_asked_is_not_asked_again_at_the_same_level() -> None:
    made: list[str] = []
    engine = Remembered(Counted(made))  # type: ignore[arg-type]
    assert len(asked_by(engine, made)) == len(QUESTIONS)
    assert asked_by(engine, made) == []
    assert asked_by(engine.at(Depth.DEEP), made) == ["mean", "after_rolls"]
    assert asked_by(engine.at(Depth.DEEPER), made) == ["plays", "cube", "chances", "cube_chances"]


def test_a_failure_is_not_remembered_and_the_oldest_answers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    inner = Counted(made)
    engine = Remembered(inner)  # type: ignore[arg-type]
    inner.fails = True
    with pytest.raises(EngineFailed):
        engine.cube(START, Stakes())
    inner.fails = False
    assert asked_by(engine, made).count("cube") == 1
    monkeypatch.setattr(remembered, "MOST_ANSWERS", 2)
    engine = Remembered(inner)  # type: ignore[arg-type]
    assert len(asked_by(engine, made)) == len(asked_by(engine, made)) == len(QUESTIONS)
    QUESTIONS[-1](engine)
    assert len(made) == 1 + 3 * len(QUESTIONS), "the newest answers are still there"
