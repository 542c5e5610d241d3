"""PostgreSQL: a dump of the house's schema, and a schema that takes its place."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from django.core.management.base import CommandError
from django.db import connection, transaction

from games.management.backups.other_database import Prove, connected_to
from games.models import DataFolder

BEFORE, INCOMING = "before", "incoming"
"""Name prefixes of the schemas that a restore has replaced, and that it loads."""


def _tool(name: str) -> str:
    if (found := shutil.which(name)) is None:
        raise CommandError(f"{name} is missing (on Debian and Ubuntu: postgresql-client).")
    return found


def run_tool(name: str, *arguments: str) -> str:
    """Run a tool of PostgreSQL on this house's database; return its output. Raises CommandError."""
    # The password is passed in the environment: all users of the machine can read arguments.
    parameters = connection.get_connection_params() if connection.vendor == "postgresql" else {}
    places = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD"}
    places |= {"dbname": "PGDATABASE", "sslmode": "PGSSLMODE"}
    variables = {place: str(parameters[key]) for key, place in places.items() if parameters.get(key)}
    done = subprocess.run(  # noqa: S603 (a tool of PostgreSQL's, no shell)
        [_tool(name), *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise CommandError(f"{name} failed: {done.stderr.strip()[-2000:]}{_remedy(done.stderr)}")
    return done.stdout


def lines_of(name: str, *arguments: str) -> Iterator[str]:
    """Run a tool of PostgreSQL that needs no server; yield the lines of its output. Raises CommandError."""
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        subprocess.Popen(  # noqa: S603 (a tool of PostgreSQL's, no shell)
            [_tool(name), *arguments], stdout=subprocess.PIPE, stderr=errors, encoding="utf-8"
        ) as process,
    ):
        yield from process.stdout or ()
        if process.wait():
            errors.seek(0)
            raise CommandError(f"{name} failed: {errors.read().strip()[-2000:]}")


def _remedy(error: str) -> str:
    """Return the remedy for an error of PostgreSQL; "" if none is known."""
    if "must be owner of schema" in error:
        return "\nA superuser can give the schema to the house's role: ALTER SCHEMA public OWNER TO the_role"
    return ""


def dump(copy: Path) -> None:
    """Dump the database, without the schemas that earlier restores have kept in it."""
    kept = [f"--exclude-schema={name}_[0-9]*" for name in (BEFORE, INCOMING)]
    run_tool("pg_dump", "--format=custom", "--no-owner", *kept, f"--file={copy}")


def replace(load: Callable[[str], None], prove: Prove, stamp: str) -> list[Path | str]:
    """Let `load` fill an empty schema, prove it there, and put it in place of the house's schema.

    `load` gets the schema's name, and makes it.
    """
    end = stamp.replace("-", "_")
    incoming, before = f"{INCOMING}_{end}", f"{BEFORE}_{end}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        house = cursor.fetchone()[0]
    try:
        load(incoming)
        with inside(incoming):
            prove()
        with transaction.atomic(), connection.cursor() as cursor:
            # The folders of then: this one has the log files now.
            cursor.execute("SELECT to_regclass(%s)", [f"{incoming}.{DataFolder._meta.db_table}"])
            if cursor.fetchone()[0] is not None:
                cursor.execute(f"DELETE FROM {incoming}.{DataFolder._meta.db_table}")  # noqa: S608 (our own names)
            cursor.execute(f"ALTER SCHEMA {_quoted(house)} RENAME TO {before}")
            cursor.execute(f"ALTER SCHEMA {incoming} RENAME TO {_quoted(house)}")
    except BaseException:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {incoming} CASCADE")
        raise
    finally:
        connection.close()
    return [f"schema {before} (DROP SCHEMA {before} CASCADE when it is not needed any more)"]


def inside(schema: str) -> AbstractContextManager[None]:
    """Connect Django to a schema inside the context."""
    options = connection.settings_dict["OPTIONS"]
    return connected_to(OPTIONS={**options, "options": f"{options.get('options', '')} -c search_path={schema}"})


def make_schema(schema: str) -> None:
    """Make an empty schema."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {schema}")


def load(copy: Path, incoming: str) -> None:
    """Load a dump into a new schema, in one transaction; raises CommandError.

    A dump names its schema with every object. A schema of that name is therefore renamed while the dump is loaded; no
    other connection sees this, because it happens inside the transaction.
    """
    dumped = schema_of(copy)
    name, aside = _quoted(dumped), f"{incoming}_aside"
    body, script = copy.with_suffix(".body"), copy.with_suffix(".sql")
    options = ["--no-owner", "--no-privileges", f"--schema={dumped}", f"--file={body}"]
    run_tool("pg_restore", *options, str(copy))
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [dumped])
        is_taken = cursor.fetchone() is not None
    connection.close()
    with script.open("wb") as whole, body.open("rb") as middle:
        if is_taken:
            whole.write(f"ALTER SCHEMA {name} RENAME TO {aside};\n".encode())
        whole.write(f"CREATE SCHEMA {name};\n".encode())
        shutil.copyfileobj(middle, whole)
        whole.write(f"\nALTER SCHEMA {name} RENAME TO {incoming};\n".encode())
        if is_taken:
            whole.write(f"ALTER SCHEMA {aside} RENAME TO {name};\n".encode())
    psql_options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"]
    run_tool("psql", *psql_options, f"--file={script}")


def schema_of(copy: Path) -> str:
    """Return the name of the schema in a dump; raises CommandError."""
    found = re.search(r" TABLE (\S+) django_migrations ", run_tool("pg_restore", "--list", str(copy)))
    if found is None:
        raise CommandError("The backup holds no house's database.")
    return found[1]


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
