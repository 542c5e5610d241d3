"""Settings of a server with a false clock."""

from tests.serving import *  # noqa: F403
from tests.serving import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.browser.tournament_night.apps.FalseClockConfig"]
