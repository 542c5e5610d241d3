"""The services and the live line again, on PostgreSQL and Redis, as several processes use them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import files, text_of
from tests.conftest import require
from tests.ops import scaled
from tests.server import ROOT

pytestmark = pytest.mark.timeout(1800)
TESTS = Path(__file__).parents[1]
WORKERS = min(4, os.cpu_count() or 1)


@pytest.fixture
def servers() -> dict[str, str]:
    """The addresses of a PostgreSQL and a Redis that tests may fill and empty."""
    found = {name: os.environ.get(f"{name}_TEST", "") for name in ("DATABASE_URL", "REDIS_URL")}
    require(all(found.values()), "PostgreSQL and Redis (DATABASE_URL_TEST, REDIS_URL_TEST)")
    return found


def test_whatever_has_a_way_of_its_own_with_databases_is_in_the_set() -> None:
    modules = {
        str(path.relative_to("games")): text_of(path)
        for folder in ("games/services", "games/live")
        for path in files(".py", under=folder)
    }
    touching = {name for name, text in modules.items() if scaled.OWN_WAYS.search(text)}
    assert touching - set(scaled.COVERED) == set(), "name their tests in tests/ops/scaled.py"
    assert set(scaled.COVERED) - touching == set(), "no database can change these any more"
    assert [name for name in scaled.test_files() if not (TESTS / name).is_file()] == []


@pytest.mark.scaled
def test_on_postgresql_and_redis(servers: dict[str, str]) -> None:
    """Everything in the set's files of the day that stores something; the rest no database changes."""
    paths = [str(TESTS / name) for name in scaled.files_of_day()]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "STAMMTISCH_"))}
    done = subprocess.run(
        [
            *[sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"],
            *["-n", str(WORKERS), "--dist", "loadfile", "--create-db"],
            *["-m", "stores and not server and not browser", *paths],
            *["-k", " and ".join(f"not {name}" for name in scaled.SAME_ANYWHERE)],
        ],
        cwd=ROOT,
        env={**kept, **servers},
        capture_output=True,
        text=True,
        timeout=1700,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
