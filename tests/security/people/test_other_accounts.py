"""Other accounts of the same computer: what the house writes is for its owner alone."""

from __future__ import annotations

import importlib
import logging
import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from django.core.cache.backends.redis import RedisSerializer

from games.ops import environment, logs
from games.ops.shared_cache import JsonSerializer
from games.server import shutdown
from tests.conftest import require
from tests.server import ROOT


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.day(parts=6, turn=1)
@pytest.mark.server
@pytest.mark.timeout(180)
def test_nobody_else_may_read_what_the_house_writes_not_even_with_a_lax_umask(tmp_path):
    data = tmp_path / "data"
    kept = {k: v for k, v in os.environ.items() if k not in ("SECRET_KEY", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")}
    given = {**kept, "STAMMTISCH_DATA": str(data), "DJANGO_SETTINGS_MODULE": "tests.serving"}
    # SQLite's WAL and its index are there while somebody is connected.
    script = (
        "from django.core.management import call_command as do; from django.conf import settings;"
        "do('migrate', verbosity=0); do('backup', str(settings.DATA_DIR / 'one.backup'));"
        "from games.services.people import players as people; people.new_guest('Hanna');"
        "import os; print(sorted((n, oct(os.stat(settings.DATA_DIR / n).st_mode & 0o777))"
        " for n in os.listdir(settings.DATA_DIR)))"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh", sys.executable, "manage.py", "shell", "-v", "0", "-c", script],
        cwd=ROOT,
        env=given,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    for name in ("one.backup", "secret_key", "stammtisch.sqlite3", "stammtisch.sqlite3-wal", "stammtisch.sqlite3-shm"):
        assert f"('{name}', '0o600')" in done.stdout
    assert mode(data) == 0o700


def test_what_earlier_versions_left_open_is_closed_at_start_and_what_is_not_ours_is_left(tmp_path, monkeypatch):
    names = ["stammtisch.sqlite3", "stammtisch.sqlite3-wal", "secret_key", "before-1-stammtisch.sqlite3", "a.backup"]
    for name in [*names, "index.html"]:
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    (tmp_path / "linked.backup").symlink_to(tmp_path / "index.html")
    before = os.umask(0o022)
    try:
        environment.data_folder(tmp_path)
        assert {name: mode(tmp_path / name) for name in names} == dict.fromkeys(names, 0o600)
        assert mode(tmp_path / "index.html") == 0o644
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(before)


RAN: list[str] = []


def run(what: str) -> None:
    """Stand for what an attacker would have the house do."""
    RAN.append(what)


class Shell:
    """What an attacker writes into a cache that unpickles."""

    def __reduce__(self):
        return (run, ("ran",))


def test_whoever_writes_into_the_shared_cache_runs_nothing_by_it():
    evil = pickle.dumps(Shell())
    assert JsonSerializer().loads(evil) is None
    assert RAN == []
    RedisSerializer().loads(evil)
    assert RAN == ["ran"]
    assert environment.cache("redis://x/0")["OPTIONS"]["serializer"] == "games.ops.shared_cache.JsonSerializer"


@pytest.mark.scaled
def test_the_shared_cache_keeps_what_limits_need_and_as_json():
    url = os.environ.get("REDIS_URL_TEST", "")
    require(url, "Redis (REDIS_URL_TEST)")
    from games.ops.shared_cache import SharedCache

    settings = {**environment.cache(url), "KEY_PREFIX": "test-of-json"}
    cache = SharedCache(url, settings)
    for value in (7, True, [1.5, 2], "word", None, {"a": 1}):
        cache.set("key", value, 20)
        assert cache.get("key", "nothing") == value
    cache.set("key", 7, 20)
    assert cache.incr("key") == 8
    raw = cache._cache.get_client(write=True)
    raw.set(cache.make_key("key"), pickle.dumps(Shell()), ex=20)
    RAN.clear()
    assert cache.get("key") is None
    assert RAN == []
    cache.delete("key")


@pytest.fixture(scope="module")
def asgi() -> ModuleType:
    """The application of the servers, imported by nothing else: it starts threads of its own."""
    return importlib.import_module("games.asgi")


@pytest.mark.parametrize(("user", "debug", "words"), [(0, False, "runs as root"), (1000, True, "DEBUG is on")])
async def test_a_start_as_root_or_with_debug_says_so_loudly_under_any_server(
    asgi, monkeypatch, settings, caplog, user, debug, words
):
    """`manage.py serve` prints it (tests/faults/test_starts.py); servers with a lifespan log it."""
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(shutdown.clock_thread, "start", lambda: None)
    settings.DEBUG = debug
    assert [words in each for each in logs.start_warnings()] == [True]
    told: list[dict] = []
    heard = iter([{"type": "lifespan.startup"}])

    async def receive() -> dict:
        return next(heard)

    async def send(message: dict) -> None:
        told.append(message)

    with caplog.at_level(logging.WARNING), pytest.raises(RuntimeError):
        await asgi.application({"type": "lifespan"}, receive, send)
    assert told == [{"type": "lifespan.startup.complete"}]
    assert words in caplog.text


def test_an_ordinary_start_says_nothing(monkeypatch, settings):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    settings.DEBUG = False
    assert list(logs.start_warnings()) == []
