"""Style sheets ask for the sizes that scripts declare (games/static/games/kit/fit.js), and for no container's."""

from __future__ import annotations

import re

import pytest

from tests.architecture.sources import GAME_FOLDERS, files, text_of

ASKED = re.compile(r"\[data-fit~=([\w-]+)\]")
DECLARED = re.compile(r'^  (?:static sizes = \{ )?"?([\w-]+)"?: \(\{ [\w, ]+ \}\) =>', re.MULTILINE)
LENGTH = re.compile(r"(?<!-)\b[\d.]+ \* var\(--([a-z]+)-[wh]\)")
WATCHED = re.compile(r'watchRoom\(\s*[\w.]+,\s*"([a-z]+)"')
CONTAINER = re.compile(r"@container|\bcontainer(?:-type|-name)?:|(?<![\w.])[\d.]+cq(?:w|h|i|b|min|max)\b")
HOUSE = "games/static/games/kit"


def found(pattern: re.Pattern[str], suffix: str, under: str) -> set[str]:
    """Return what a pattern finds in the files of a folder."""
    return {name for path in files(suffix, under=under) for name in pattern.findall(text_of(path))}


@pytest.mark.parametrize("under", [HOUSE, *(f"{game}/static" for game in GAME_FOLDERS)])
def test_each_size_that_is_declared_is_asked_for_and_no_other(under: str) -> None:
    declared = {name for path in files(".js", under=under) for name in declared_in(text_of(path))}
    assert found(ASKED, ".css", under) == declared
    assert found(LENGTH, ".css", under) <= {"table"} | found(WATCHED, ".js", under)


def declared_in(script: str) -> list[str]:
    """Return the names of the sizes that a script declares."""
    return DECLARED.findall(script) if "kit/fit.js" in script else []


def test_a_size_is_declared_by_its_name_and_condition() -> None:
    script = '// kit/fit.js\n  low: ({ height }) => height < 9,\n  "dock-low": ({ width, height }) => width < height,\n'
    assert declared_in(script) == ["low", "dock-low"]


def test_no_style_sheet_asks_a_container() -> None:
    assert [str(path) for path in files(".css") if CONTAINER.search(text_of(path))] == []


@pytest.mark.parametrize(
    "offence", ["@container dock (width < 9px) {", "a { width: 2.5cqw }", "a { container: x / size"]
)
def test_a_planted_container_is_found(offence: str) -> None:
    assert CONTAINER.search(offence)
