"""Settings of a server whose house's time a test moves on: by so many seconds as a file in its data folder says."""

import os
import time
from pathlib import Path

from games.services import server_time
from tests.serving import *  # noqa: F403

AHEAD = Path(os.environ["STAMMTISCH_DATA"]) / "seconds-ahead"


def _steady() -> float:
    """Return seconds of a clock that the test moves on."""
    return time.monotonic() + (float(AHEAD.read_text()) if AHEAD.exists() else 0.0)


server_time._steady = _steady
server_time.set_time(1000 * (time.time() + (float(AHEAD.read_text()) if AHEAD.exists() else 0.0)))
