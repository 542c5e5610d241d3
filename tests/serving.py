"""Settings of the servers that tests start: a real evening's, with all games, and quick bots."""

import os

from games.settings import *  # noqa: F403
from games.settings import INSTALLED_APPS, REST_FRAMEWORK, STORAGES

INSTALLED_APPS = [*INSTALLED_APPS, "tests.dummygame"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = True
BOT_DELAY = float(os.environ.get("BOT_DELAY", "0.05"))
# Nobody waits a minute for the phone beside them.
VETO_SECONDS = 0
CLOCK = "thread"
# Many guests of one test come from one address.
REST_FRAMEWORK = {
    **REST_FRAMEWORK,
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "10000/min"),
}
SOCKETS_PER_ADDRESS = int(os.environ.get("SOCKETS_PER_ADDRESS", "0"))
CONNECTIONS_PER_ADDRESS = int(os.environ.get("CONNECTIONS_PER_ADDRESS", "0"))
