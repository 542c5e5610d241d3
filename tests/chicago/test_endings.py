"""What the end of a round or of the game came to, in words: docs/rules-chicago.md §§3–4."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from chicago.rules import endings
from games.kernel.sentences import filled
from games.kernel.words import Line
from games.services.logs import event_texts
from games.services.regions import region

NAMES = {0: "Anna", 1: "Bruno", 2: "Clara"}


def said(line: list[Any]) -> str:
    sentences = event_texts.sentences_of("chicago")
    found = Line(*line)
    node = sentences["phrases"].get(found.name) or sentences["events"][found.name]["line"]
    with region.of_reader("en-US"):
        return filled(node, {**found.data, "options": {}}, event_texts.telling_of(NAMES, sentences["phrases"]))


def ended(*, low_counts: bool) -> dict[str, Any]:
    """Return the end of a round of Bruno's 123 and Clara's 9, the low after a roll-off."""
    results = [{"seat": seat, "value": value, "throws": 1, "fish": False} for seat, value in ((1, 123), (2, 9))]
    high, low = (2, 1) if low_counts else (1, 2)
    events = [
        {"type": "rolled_off", "data": {"seat": low, "rolls": []}},
        {"type": "round_ended", "data": {"reason": "full", "high": high, "low": low}},
        {"type": "mat_taken", "data": {"seat": low, "stock": 3}},
    ]
    state: Any = SimpleNamespace(
        ending={"seq": 9, "events": events},
        last_round={"results": results, "low_counts": low_counts},
        round=SimpleNamespace(starter=low),
        outcome=None,
    )
    found = endings.ending_json(state)
    assert found is not None
    return {**found, "lines": [said(line) for line in found["lines"]], "next": said(found["next"])}


def test_a_round_declared_low_ends_with_best_and_worst() -> None:
    low = ended(low_counts=True)
    assert low["lines"][1:] == ["Best: Clara, 9 in one. Worst: Bruno, 123 in one.", "One die each: Bruno is worst."]
    assert low["next"] == "Bruno starts the next round: the worst does."
    high = ended(low_counts=False)
    assert high["lines"][0] == "Clara takes a beer mat; 3 left."
    assert high["lines"][1:] == ["High: Bruno, 123 in one. Low: Clara, 9 in one.", "One die each: Clara is low."]
    assert high["next"] == "Clara starts the next round: the low does."


@pytest.mark.parametrize(
    ("points", "ranking", "mats", "title"),
    [
        ([0, 0, 0], [[0, 1], [2]], False, "The game is over"),
        ([1, 2, 2], [[0], [1], [2]], False, "Bruno and Clara have paid most rounds"),
        ([1, 0, 2], [[1], [0], [2]], False, "Clara has paid most rounds"),
        ([0, 0, 1], [[0], [1], [2]], True, "The game is over"),
    ],
)
def test_a_leaver_has_not_paid_most_where_all_have_paid_the_same(points, ranking, mats, title) -> None:
    """And nobody pays a game for mats that was closed."""
    outcome = {"reason": "closed", "losers": [], "points": points, "ranking": ranking}
    state: Any = SimpleNamespace(outcome=outcome, options={"forfeits": False}, stock=4 if mats else None)
    found = endings.outcome_json(state)
    assert found is not None
    assert said(found["title"]) == title
