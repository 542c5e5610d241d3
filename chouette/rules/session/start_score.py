"""The score that a match is opened at: points as a penalty of the other side (docs/rules-chouette.md §8)."""

from __future__ import annotations

from chouette.rules.events.time import PointsGiven
from chouette.rules.state import Draft, rule_of

OPTIONS = ("score_first", "score_second")
"""The house rules with the points of the two seats."""


def give(draft: Draft) -> None:
    """Give the points that a match is opened with."""
    for seat, option in enumerate(OPTIONS):
        if points := int(rule_of(draft.state, option)):
            draft.add(PointsGiven(seat=seat, points=points, game=0))
