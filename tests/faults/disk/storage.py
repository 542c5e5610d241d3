"""SQLite's disk: full, and its database locked by another process."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from tests.faults.connections.crowd import Crowd, until
from tests.faults.houses import checks
from tests.faults.houses.houses import House
from tests.faults.kills import ENDLESS

FULL_BYTES = 4_096
LINES = r"clock|OperationalError|database"


@contextmanager
def full_disk(house: House) -> Iterator[None]:
    """Let the server write nothing beyond a file's first page: no commit fits.

    A limit on the size of files, which a parent may set at any time, gives EFBIG where a
    full disk gives ENOSPC; both reach the server as an error of the database.
    """
    process = house.servers[0].process
    assert process is not None
    _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (FULL_BYTES, hard))
    try:
        yield
    finally:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextmanager
def locked(house: House) -> Iterator[None]:
    """Hold the database's write lock, as another process might."""
    path = house.servers[0].data / "stammtisch.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def stands_still(house: House, trouble: object, busy: int = 4) -> dict[str, float]:
    """Play, get into trouble until players are told `busy`, get out, play on; prove it."""
    async with Crowd(house.urls, house.world("make", ENDLESS), seed=6) as crowd:
        await crowd.all_current()
        await crowd.goes_on(20)
        with trouble(house):  # type: ignore[operator]
            before = crowd.busy
            await until(lambda: crowd.busy >= before + busy, f"{busy} times busy")
            stored = crowd.acknowledged
            await until(lambda: crowd.busy >= before + 2 * busy, f"{2 * busy} times busy")
            meanwhile = crowd.acknowledged - stored
        await crowd.goes_on(40)
        await crowd.hush()
        await asyncio.to_thread(checks.prove, house, crowd.players, allowed_errors=LINES)
        return {"busy": crowd.busy, "acknowledged meanwhile": meanwhile}
