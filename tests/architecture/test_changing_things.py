"""docs/changing-things.md: each recipe is planted in a copy of the sources, by the files that it names alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.changes import CHANGES, Change
from tests.architecture.sources import ROOT, text_of, tracked

PAGE = Path("docs/changing-things.md")
MOST_OF_A_COLUMN = 4
"""The most files that a column of a season's standing may need."""
PLANTED = Path("tests/architecture/planted_changes.py")


def recipe(heading: str) -> list[str]:
    """Return the files of a recipe in their order."""
    section = text_of(PAGE).split(f"\n## {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    return re.findall(r"^\d+\. `([^`]+)`", section, re.M)


def latest_step() -> str:
    """Return the name of the latest step of the database."""
    return max(path.stem for path in tracked() if path.parent.name == "migrations" and path.name[0] == "0")


def written(change: Change, folder: Path) -> None:
    """Write a change into a copy of the sources."""
    for name, edit in change.edits.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(edit(before).replace("LATEST", latest_step()), encoding="utf-8")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest says of the planted changes, all of them in one copy."""
    folder = tmp_path_factory.mktemp("changed")
    for path in tracked():
        if path.parts[0] != "docs" or path.suffix == ".md":
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, folder / path)
    for change in CHANGES:
        written(change, folder)
    test = folder / "tests" / "test_planted_changes.py"
    shutil.copyfile(ROOT / PLANTED, test)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "STAMMTISCH_"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", str(test), "-q", "-rA", "-p", "no:cacheprovider", "-p", "no:randomly"],
        cwd=folder,
        env=kept,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.heading)
def test_a_recipe_names_the_files_that_a_change_needs_in_their_order(change: Change) -> None:
    assert recipe(change.heading) == [name.replace("0099_mail_of_an_opening", "0…") for name in change.edits]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.heading)
def test_what_a_recipe_plants_works_and_needs_nothing_else(change: Change, outcomes: str) -> None:
    name = "test_" + change.heading.lower().replace(" ", "_")
    assert re.search(rf"^PASSED \S+::{name}$", outcomes, re.M), outcomes[-6000:]


def test_a_column_of_a_standing_needs_four_files_at_most_and_is_shown_where_it_was_closed_before(outcomes: str) -> None:
    assert len(recipe("A column of a standing")) <= MOST_OF_A_COLUMN
    assert re.search(r"^PASSED \S+::test_a_standing_that_was_closed_before_its_columns_grew_is_shown$", outcomes, re.M)


def test_each_recipe_of_the_page_is_planted() -> None:
    headings = re.findall(r"^## (.+)$", text_of(PAGE), re.M)
    assert [heading for heading in headings if recipe(heading)] == [change.heading for change in CHANGES]
