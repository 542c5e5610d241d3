"""No feature grows beyond its budget: more lines are granted where the feature is named, with the reason."""

from __future__ import annotations

from collections import Counter

from tests.architecture import features, figures


def test_every_file_belongs_to_a_feature() -> None:
    paths = [path.as_posix() for path in figures.product(migrations=True)]
    assert len(paths) > 500
    assert [path for path in paths if features.feature_of(path) is None] == []


def test_every_feature_has_files() -> None:
    assert all(features.lines()[each.name] for each in features.FEATURES)


def test_no_feature_is_larger_than_its_budget() -> None:
    """A feature that needs more gets it in tests/architecture/features.py, in the change that needs it."""
    assert features.over_budget(features.lines()) == []


def test_a_feature_that_has_grown_and_a_file_of_none_are_found() -> None:
    first = features.FEATURES[0]
    planted = Counter({first.name: first.budget + 1, features.FEATURES[1].name: 1, "": 1})
    assert [each.split(":")[0] for each in features.over_budget(planted)] == ["", first.name]
