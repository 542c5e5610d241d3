"""The services and the live line again, on PostgreSQL and Redis, as several processes use them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import require
from tests.server import ROOT

pytestmark = [pytest.mark.scaled, pytest.mark.timeout(1800)]
TESTS = Path(__file__).parents[1]
WORKERS = min(4, os.cpu_count() or 1)
FILES = (
    "tables/test_*.py",
    "history/test_corrections.py",
    "house_rules/test_sets.py",
    "nights/test_membership.py",
    "people/test_nicknames.py",
    "live/test_relay.py",
    "live/test_socket_*.py",
    "api/test_api_evening.py",
    "api/test_api_lists.py",
)


@pytest.fixture
def servers() -> dict[str, str]:
    """The addresses of a PostgreSQL and a Redis that tests may fill and empty."""
    found = {name: os.environ.get(f"{name}_TEST", "") for name in ("DATABASE_URL", "REDIS_URL")}
    require(all(found.values()), "PostgreSQL and Redis (DATABASE_URL_TEST, REDIS_URL_TEST)")
    return found


def test_on_postgresql_and_redis(servers: dict[str, str]) -> None:
    """Everything in these files that stores something; the rest no database changes."""
    paths = sorted(path for files in FILES for path in TESTS.glob(files) if "_pages" not in path.name)
    assert len(paths) > len(FILES)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "STAMMTISCH_"))}
    done = subprocess.run(
        [
            *[sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"],
            *["-n", str(WORKERS), "--dist", "loadfile", "--create-db"],
            *["-m", "stores and not server and not browser", *map(str, paths)],
            # What is said of the layer inside one process is not said of Redis.
            *["-k", "not in_memory"],
        ],
        cwd=ROOT,
        env={**kept, **servers},
        capture_output=True,
        text=True,
        timeout=1700,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
