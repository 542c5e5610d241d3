"""The product's ASGI application as the live benchmark starts it: all its own, but unlimited."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.bench.live_settings")

from games.asgi import application
from games.realtime import messages

# A player does not send hundreds of commands a second; the load does.
messages.FRAMES_ALLOWED = 10**9

__all__ = ["application"]
