"""The houses that are hit: opened once for all tests, and whole again before each one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import require
from tests.faults.houses import backends
from tests.faults.houses.houses import House


@pytest.fixture(scope="session")
def _laptop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("laptop"))
    house.open()
    yield house
    house.close()


@pytest.fixture
def laptop(_laptop: House) -> House:
    """One server process on SQLite."""
    _laptop.repair()
    return _laptop


@pytest.fixture
def frail_laptop(laptop: House) -> Iterator[House]:
    """The same, with little patience for a locked database."""
    laptop.restart(LOCK_SECONDS="1")
    yield laptop
    laptop.restart(LOCK_SECONDS="20")


@pytest.fixture(scope="session")
def _cellar() -> Iterator[backends.Backends]:
    require(backends.are_there(), "PostgreSQL, Redis and their client libraries")
    cellar = backends.Backends()
    try:
        cellar.start()
        yield cellar
    finally:
        cellar.stop()


@pytest.fixture(scope="session")
def _federation(_cellar: backends.Backends, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("federation"), 2, **_cellar.environment)
    house.open()
    yield house
    house.close()


@pytest.fixture
def cellar(_cellar: backends.Backends) -> backends.Backends:
    """The PostgreSQL and the Redis of `federation`."""
    return _cellar


@pytest.fixture
def federation(_federation: House) -> House:
    """Two server processes on PostgreSQL and Redis."""
    _federation.repair()
    return _federation
