"""Fresh databases of PostgreSQL for a test, owned by a role that is no superuser."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit


@dataclass(frozen=True)
class Database:
    """A database: its name (the role's, too), the role's address, and a superuser's."""

    name: str
    url: str
    staff: str

    def sql(self, *statements: str) -> list[tuple]:
        """Carry out statements in this database as a superuser; return the last one's rows."""
        import psycopg

        with psycopg.connect(self.staff, autocommit=True) as line:
            for each in statements:
                done = line.execute(each)
            return done.fetchall() if done.description else []

    def connections(self) -> int:
        """Return how many connections the role has now."""
        return self.sql(f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{self.name}'")[0][0]


@contextmanager
def fresh(*tools: str) -> Iterator[Database]:
    """Make a database for a test; skips (or fails) without DATABASE_URL_TEST or a tool."""
    from tests.conftest import require

    url = os.environ.get("DATABASE_URL_TEST", "")
    require(url, "PostgreSQL (DATABASE_URL_TEST)")
    for tool in tools:
        require(shutil.which(tool), tool)
    with made_at(url) as database:
        yield database


@contextmanager
def made_at(url: str) -> Iterator[Database]:
    """Make a database where a superuser's address leads to, and drop it in the end."""
    import psycopg

    name = f"faults_{uuid.uuid4().hex[:8]}"
    parts = urlsplit(url)
    own = parts._replace(netloc=f"{name}:secret@{parts.hostname}:{parts.port or 5432}", path=f"/{name}")
    with psycopg.connect(url, autocommit=True) as line:
        line.execute(f"CREATE ROLE {name} LOGIN PASSWORD 'secret'")
        line.execute(f"CREATE DATABASE {name} OWNER {name}")
    try:
        yield Database(name, urlunsplit(own), urlunsplit(parts._replace(path=f"/{name}")))
    finally:
        with psycopg.connect(url, autocommit=True) as line:
            line.execute(f"DROP DATABASE {name} WITH (FORCE)")
            line.execute(f"DROP ROLE {name}")
