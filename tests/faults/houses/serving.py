"""Settings of the servers whose world goes wrong: shorter patience, so that a test is short."""

import os

from tests.serving import *  # noqa: F403
from tests.serving import DATABASES, INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.houses.apps.LastStatementConfig"]

CLOCK = os.environ.get("CLOCK", "thread")
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"]["timeout"] = float(os.environ.get("LOCK_SECONDS", "20"))
