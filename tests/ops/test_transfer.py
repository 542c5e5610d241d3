"""A backup of one kind of database in a house of the other kind: every row is the same, and the house goes on."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor

from games.management.backups import sources, transfer
from games.ops import schema_version
from tests.faults.houses import databases
from tests.ops import migration_steps
from tests.server import Server

pytestmark = pytest.mark.timeout(300)

# A house with a bit of everything: a night in play, one that is over, an account, a logo, a season, words that need
# care, and ids that were given and are gone.
FILL = """
import json
from django.contrib.auth.models import User
from django.test import Client
from games.models import House, Night, Player, Table
from games.services import audit
from games.services.nights import membership
from games.services.people import players
from games.services.tables import setup
from games.services.tables.commit import submit
from games.services.commands import Actor, Request, new_command_id
from tests.tables.test_log import play_out
user = User.objects.create_superuser("chief", password="x")
client = Client(); client.force_login(user); client.get("/")
House.objects.update_or_create(pk=1, defaults={"name": "Ølhallen", "logo": bytes(range(256)), "logo_type": "image/png"})
host = players.new_guest("Hånna \\u0416\\U0001f3b2")
night = membership.host_night(host, "Thursday\\\\N tab 'quote' %s")
def table(preset):
    found = setup.open_table(night, host, "dummygame", preset, {})
    for player in (host, players.new_guest("Kari")):
        membership.join(night, player)
        setup.sit(found, player, accept=True, nonce="n")
    setup.start(found, host, new_command_id())
    found.refresh_from_db()
    return found
play_out(table("quick"))
playing = table("quick")
submit(playing.pk, Actor(host.pk), Request("table.pause", {}, "pause"))
audit.note("house_described", user, "tab\\there", n=1.0, big=2**53, text="line\\nline\\\\")
last = players.new_guest("Gone")
gone = last.pk
last.delete()
print(json.dumps({"gone": gone, "table": playing.public_id}))
"""

# Count and digest of every table, by other means than the restore's own: Django's JSON of each row.
DIGESTS = """
import hashlib, json
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
LEFT = {"games_backgroundtask", "games_houseclock"}
def plain(value):
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else value
found = {}
for model in apps.get_models(include_auto_created=True):
    rows = [[plain(value) for value in row] for row in model._base_manager.values_list()]
    texts = sorted(json.dumps(row, cls=DjangoJSONEncoder, sort_keys=True) for row in rows)
    found[model._meta.db_table] = [len(texts), hashlib.sha256("\\n".join(texts).encode()).hexdigest()]
print(json.dumps(found))
"""
NEW_PLAYER = """
from games.services.people import players
print(players.new_guest("Later").pk)
"""


def run(house: Server, script: str) -> object:
    """Run a script in a house and return what it printed as JSON."""
    return json.loads(house.manage("shell", "-v", "0", "-c", script).splitlines()[-1])


@pytest.fixture
def sqlite_house(tmp_path: Path) -> Server:
    (tmp_path / "sqlite").mkdir()
    server = Server(tmp_path / "sqlite")
    server.migrate()
    return server


@pytest.fixture
def postgresql_house(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "postgresql").mkdir()
    with databases.fresh("pg_dump", "pg_restore", "psql") as made:
        yield Server(tmp_path / "postgresql", DATABASE_URL=made.url)


@pytest.mark.server
@pytest.mark.scaled
@pytest.mark.day(parts=17, turn=7)
def test_a_house_moves_to_postgresql_and_back_and_every_row_is_the_same(
    sqlite_house: Server, postgresql_house: Server, tmp_path: Path
) -> None:
    told = run(sqlite_house, FILL)
    assert isinstance(told, dict)
    before = run(sqlite_house, DIGESTS)
    assert isinstance(before, dict)
    assert all(before[table][0] for table in ("games_logentry", "games_result", "django_session", "games_house"))
    sqlite_house.manage("backup", str(tmp_path / "small.backup"))
    said = postgresql_house.manage("restore", str(tmp_path / "small.backup"))
    assert "games_logentry: " in said and "the same in both databases" in said and "2 tables checked, no fault" in said
    assert run(postgresql_house, DIGESTS) == before
    later = run(postgresql_house, NEW_PLAYER)
    assert later == told["gone"] + 1  # no id is given a second time
    after = run(postgresql_house, DIGESTS)
    postgresql_house.manage("backup", str(tmp_path / "large.backup"))
    home = Server(tmp_path / "home")
    home.data.mkdir()
    said = home.manage("restore", str(tmp_path / "large.backup"))
    assert "the same in both databases" in said and "2 tables checked, no fault" in said
    assert run(home, DIGESTS) == after
    assert run(home, NEW_PLAYER) == later + 1
    home.start()
    try:
        assert told["table"] in str(
            run(
                home,
                "import json\nfrom games.models import Table\nprint(json.dumps("
                "list(Table.objects.values_list('public_id', flat=True))))",
            )
        )
    finally:
        home.stop()


GO_BACK = """
from django.core.management import call_command
call_command("migrate", "games", "0001", verbosity=0)
print("null")
"""


@pytest.mark.server
@pytest.mark.scaled
@pytest.mark.day(parts=17, turn=12)
def test_a_backup_of_an_older_version_moves_too(sqlite_house: Server, postgresql_house: Server, tmp_path: Path) -> None:
    run(sqlite_house, FILL)
    run(sqlite_house, GO_BACK)
    sqlite_house.manage("backup", str(tmp_path / "old.backup"))
    assert "2 tables checked, no fault" in postgresql_house.manage("restore", str(tmp_path / "old.backup"))


# What is refused


class Rows:
    """A backup's database of a test: its migrations and the rows of `games_night`'s kind, by table."""

    def __init__(self, applied: set[tuple[str, str]], rows: dict[str, list[transfer.Row]]) -> None:
        self._applied, self._rows = applied, rows

    def applied(self) -> set[tuple[str, str]]:
        """Return the migrations."""
        return self._applied

    def rows(self, model: type[models.Model]) -> Iterator[transfer.Row]:
        """Yield the rows of a table."""
        return iter(self._rows.get(model._meta.db_table, ()))

    def counters(self) -> dict[str, int]:
        """Return no counters."""
        return {}


@pytest.mark.django_db
def test_a_row_that_is_another_one_in_the_new_database_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib.contenttypes.models import ContentType

    here = list(transfer.house_rows(ContentType, "default"))
    source = Rows(set(), {ContentType._meta.db_table: here})
    assert transfer._compared(source, ContentType).rows == len(here)
    for wrong in (here[:-1], [*here, (10**6, "a", "b")], [(*here[0][:-1], "other"), *here[1:]]):
        with pytest.raises(CommandError, match="is not the same in both databases"):
            transfer._compared(Rows(set(), {ContentType._meta.db_table: wrong}), ContentType)


@pytest.mark.django_db
def test_a_backup_of_a_newer_version_is_refused() -> None:
    executor = MigrationExecutor(connection)
    every = {("games", name) for name in (*migration_steps.of_1_0_0(), *migration_steps.names())}
    with pytest.raises(CommandError, match=r"newer version.*9999"):
        transfer._targets(executor, {*every, ("games", "9999_of_the_future")})
    assert transfer._targets(executor, every) == [("games", migration_steps.names()[-1])]


@pytest.mark.django_db
def test_a_backup_of_1_0_0_is_gone_on_with_step_by_step_and_one_of_before_is_refused() -> None:
    executor = MigrationExecutor(connection)
    first = ("games", migration_steps.FIRST)
    # Builds since then had names for what stood for several steps.
    for also in (set(), {first}, {("games", "0001_all_steps"), ("games", "0001_version_0_1_0")}):
        assert transfer._targets(executor, also | {("games", name) for name in migration_steps.of_1_0_0()}) == [first]
    with pytest.raises(CommandError, match=re.escape(schema_version.OLDER)):
        transfer._targets(executor, {("games", name) for name in migration_steps.of_1_0_0()[:-1]})


# Values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"\N", None),
        (r"a\tb\nc\\d", "a\tb\nc\\d"),
        (r"\\N", r"\N"),
        ("", ""),
        ("Ж🎲", "Ж🎲"),
    ],
)
def test_texts_of_a_dump_are_read_as_postgresql_writes_them(text: str, value: str | None) -> None:
    assert sources._unescaped(text) == value


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (models.BooleanField(), "t", True),
        (models.BooleanField(), "f", False),
        (models.BigIntegerField(), "-9007199254740993", -9007199254740993),
        (models.BinaryField(), r"\x00ff", b"\x00\xff"),
        (models.JSONField(), '{"a": [1.5, null]}', {"a": [1.5, None]}),
        (models.DateTimeField(), "2026-11-26 12:00:00.5+00", datetime(2026, 11, 26, 12, 0, 0, 500_000, UTC)),
        (models.CharField(), None, None),
    ],
)
def test_values_of_a_dump_are_those_of_the_fields(field: models.Field, text: str | None, value: object) -> None:
    assert sources.read(field, text) == value


def test_a_digest_is_of_the_values_and_not_of_how_a_database_writes_them() -> None:
    at = datetime(2026, 1, 1, 12, tzinfo=UTC)
    row = (1, {"a": 1.0, "b": [2]}, b"\x01", at, None)
    same = (1, {"b": [2], "a": 1}, memoryview(b"\x01"), at.astimezone(timezone(timedelta(hours=2))), None)
    assert transfer.digest(row) == transfer.digest(same)
    others = [(2, *row[1:]), (1, {"a": 1.5, "b": [2]}, *row[2:]), (*row[:4], 0), (*row[:2], b"\x02", *row[3:])]
    assert len({transfer.digest(other) for other in [row, *others]}) == 5


def test_tools_of_postgresql_are_named_where_they_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(CommandError, match="postgresql-client"):
        sources.Dump(tmp_path / "any")
