"""Settings of the servers that tests start: a real evening's, with all games, and quick bots."""

import os
from pathlib import Path

from games.settings import *  # noqa: F403
from games.settings import CONTENT_SECURITY_POLICY, INSTALLED_APPS, REST_FRAMEWORK, STORAGES

INSTALLED_APPS = [*INSTALLED_APPS, "tests.dummygame", "tests.bluffing"]
if collected := os.environ.get("COLLECTED_STATIC"):
    # As a house serves them, joined and hashed: a browser then loads a page in two thirds of the time.
    STATIC_ROOT = Path(collected)
else:
    STORAGES = {
        **STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    SERVESTATIC_USE_FINDERS = True
    # Found once at the start: a page loads a hundred modules, and looking for each again takes as long as the page.
    SERVESTATIC_AUTOREFRESH = False
if os.environ.get("IN_FRAMES"):
    # Some browsers' windows cannot be as small as a phone: their page stands in a frame (tests/engines).
    X_FRAME_OPTIONS = "SAMEORIGIN"
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["frame-ancestors"] = ["'self'"]
BOT_DELAY = float(os.environ.get("BOT_DELAY", "0.05"))
# Nobody waits a minute for the phone beside them.
VETO_SECONDS = 0
CLOCK = "thread"
# An engine beside it would take a core from whatever is tested.
ANALYSER = os.environ.get("ANALYSER", "off")
# Many guests of one test come from one address.
REST_FRAMEWORK = {
    **REST_FRAMEWORK,
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "10000/min"),
}
SOCKETS_PER_ADDRESS = int(os.environ.get("SOCKETS_PER_ADDRESS", "0"))
CONNECTIONS_PER_ADDRESS = int(os.environ.get("CONNECTIONS_PER_ADDRESS", "0"))
