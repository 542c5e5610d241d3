"""Settings of the tests: the product's own, plus the dummy game, fast and without a clock."""

import os
import tempfile
from pathlib import Path

# Before the import: a test run must not touch the data of somebody's real evening.
os.environ.setdefault("STAMMTISCH_DATA", tempfile.mkdtemp(prefix="stammtisch-test-"))
os.environ.setdefault("SECRET_KEY", "only-for-tests")

from games.settings import *  # noqa: F403
from games.settings import DATA_DIR, DATABASES, INSTALLED_APPS, STORAGES

INSTALLED_APPS = [*INSTALLED_APPS, "tests.dummygame"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_DIR) / "test.sqlite3")}
BOT_DELAY = 0
CLOCK = "off"
# What is decided without the guest's own device need not wait for it, but where a test says so.
VETO_SECONDS = 0
ALLOWED_HOSTS = ["*"]
