"""Settings of the tests: the product's own, plus the dummy game, fast and without a clock."""

# ruff: noqa: E402 (what is set here counts while the settings are imported)

import atexit
import gc
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

# A fifth of the start of every process of tests was to look for cycles in what is imported.
gc.set_threshold(100_000, 50, 100)
# Before the import: a test run must not touch the data of somebody's real evening.
if "STAMMTISCH_DATA" not in os.environ:
    os.environ["STAMMTISCH_DATA"] = tempfile.mkdtemp(prefix="stammtisch-test-")
    atexit.register(shutil.rmtree, os.environ["STAMMTISCH_DATA"], ignore_errors=True)
os.environ.setdefault("SECRET_KEY", "only-for-tests")
# No test sends multicast, whatever server it starts.
os.environ["LAN_NAME"] = "off"
# No bot asks an engine, but where a test says so: a test would wait for it, and other machines have none.
os.environ["CHOUETTE_EXPERT"] = "off"

# Workers share a Redis: each has a database of its own for what it counts, and names of its own.
if (_worker := os.environ.get("PYTEST_XDIST_WORKER")) and os.environ.get("REDIS_URL"):
    _database = 8 + int(_worker.removeprefix("gw")) % 8
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{_database}").geturl()

from games.settings import *  # noqa: F403
from games.settings import CHANNEL_LAYERS, DATA_DIR, DATABASES, INSTALLED_APPS, STORAGES

INSTALLED_APPS = [*INSTALLED_APPS, "tests.dummygame"]
INSTALLED_APPS = [*INSTALLED_APPS, "tests.bluffing"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_DIR) / "test.sqlite3")}
if _worker and os.environ.get("REDIS_URL"):
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = f"asgi-{_worker}"
BOT_DELAY = 0
CLOCK = "off"
ANALYSER = "off"
# What is decided without the guest's own device need not wait for it, but where a test says so.
VETO_SECONDS = 0
ALLOWED_HOSTS = ["*"]
