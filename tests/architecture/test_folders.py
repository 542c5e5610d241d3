"""A folder holds at most 16 modules, so that its list is read at a glance; their names are nouns."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture import figures

MOST = 16
"""The most modules of a folder; `__init__.py` does not count."""
LARGER = {
    "games/models": "one app's models: each module is a noun of the glossary, and Django looks for them here",
    "games/management/commands": "Django finds commands in this folder alone; a module's name is its command's",
}
"""Folders that hold more, and why."""
MOODS = frozenset(
    {
        *("above", "ahead", "beside", "deeper", "elsewhere", "here", "there"),
        *("banned", "following", "hints", "holds", "kept", "occurrences", "refused", "resting", "told", "told_results"),
    }
)
"""Names that say how something is or what happens, and not what the module has."""


def too_full() -> list[str]:
    """Return the folders with more modules than they may have."""
    found = figures.per_folder()
    return sorted(f"{name}: {count} modules" for name, count in found.items() if count > MOST and name not in LARGER)


def moods(paths: Iterable[Path]) -> list[str]:
    """Return the modules whose name is a mood."""
    return sorted(str(path) for path in paths if path.stem in MOODS)


def test_a_folder_holds_at_most_sixteen_modules() -> None:
    assert len(figures.per_folder()) > 50
    assert too_full() == []


def test_a_larger_folder_is_one() -> None:
    assert [name for name in LARGER if figures.per_folder()[name] <= MOST] == []


def test_modules_are_named_by_nouns() -> None:
    assert moods(figures.product()) == []


@pytest.mark.parametrize(("count", "found"), [(MOST, []), (MOST + 1, ["games/services/attic: 17 modules"])])
def test_a_planted_module_too_many_is_found(count: int, found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path("games/services/attic")
    planted = [folder / "__init__.py", *(folder / f"box_{number}.py" for number in range(count))]
    monkeypatch.setattr(figures, "product", lambda **_: planted)
    assert too_full() == found


def test_a_planted_mood_is_found() -> None:
    assert moods([Path("games/services/here.py"), Path("games/services/people.py")]) == ["games/services/here.py"]
