"""Records travel as JSON by their annotations, and come back as they were."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from games.kernel.codec import codec


@dataclass(frozen=True, slots=True)
class Card:
    suit: str
    rank: int | None = None


@dataclass(frozen=True)
class Hand:
    cards: tuple[Card, ...]
    pair: tuple[int, Card | None] = (0, None)
    rows: tuple[tuple[int, bool], ...] = ()
    best: Card | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    word: int | str | None = None


@pytest.mark.parametrize(
    "hand",
    [
        Hand(()),
        Hand((Card("spades", 7), Card("hearts")), (3, Card("clubs")), ((1, True),), Card("hearts"), {"a": [1]}, "x"),
    ],
)
def test_a_record_comes_back_as_it_was(hand: Hand) -> None:
    dump, load = codec(Hand)
    assert load(json.loads(json.dumps(dump(hand)))) == hand


def test_an_object_without_a_field_is_refused() -> None:
    dump, load = codec(Hand)
    raw = dump(Hand(()))
    del raw["best"]
    with pytest.raises(KeyError):
        load(raw)


@dataclass(frozen=True)
class Vague:
    value: Card | Hand | None = None


@dataclass(frozen=True)
class Unordered:
    value: frozenset[int] = frozenset()


@pytest.mark.parametrize("kind", [Vague, Unordered])
def test_what_has_no_form_in_json_is_refused(kind: type[Any]) -> None:
    dump, _ = codec(kind)
    with pytest.raises(TypeError):
        dump(kind())
