"""The ASGI application: HTTP by Django, WebSockets by Channels, and the thread of the clock."""

# ruff: noqa: E402 (Django must be set up before its modules are imported)

from __future__ import annotations

import gc
import logging
import os
from typing import Any

import django

# What is imported lives as long as the process: to look for cycles in it meanwhile takes a fifth of the start.
gc.disable()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "games.settings")
django.setup(set_prefix=False)

from games import scopes
from games.live import clock_thread
from games.live.routing import websockets
from games.live.servers import connection_limits, daphne, uvicorn
from games.ops import logs
from games.ops.at_start import files
from games.ops.diagnosis import log_level, recent_lines
from games.ops.requests.admin_door import bare_policy
from games.ops.requests.body_limit import at_most
from games.ops.requests.page_threads import Application
from games.ops.static import folders
from games.ops.system import memory
from games.server import health, shutdown

logger = logging.getLogger(__name__)
_http = health.front(at_most(Application(), connection_limits.BODY_SECONDS))
_protocols = {"http": scopes.clean(_http), "websocket": scopes.clean(websockets)}


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve a connection; the first one starts the clock."""
    if scope["type"] == "lifespan":
        for warning in logs.start_warnings():
            logger.warning(warning)
        scopes.ignore_uvicorns_proxies()
        uvicorn.watch()
        await shutdown.lifespan(receive, send)
        return
    clock_thread.start()
    # The server's own `send` tells a connection what waits unread for it (games/live/servers).
    serving = shutdown.serve(
        _protocols[scope["type"]], scope, receive, bare_policy(send) if scope["type"] == "http" else send
    )
    del scope, receive, send  # as long as a connection is open, its handshake would be kept
    await serving


memory.hold_together()
files.start_keeping()
folders.hold()
recent_lines.start_keeping()
logs.log_start()
log_level.start_following()
shutdown.watch()
health.start_sampling()
memory.start_tidying()
connection_limits.raise_limit()
daphne.watch()
uvicorn.watch()
scopes.ignore_uvicorns_proxies()
# Objects loaded by now stay for good: no later collection needs to stop the moves to look at them.
gc.collect()
gc.freeze()
# Moves make many objects and leave no cycles. By default all living objects (the states of all tables) are examined
# after some 70,000 new ones, which took a sixth of the time at 500 tables. A page's data is examined often and in small
# parts: with 10 rounds that stopped all moves for 50 ms. Pages do leave cycles: what is never examined piles up.
gc.set_threshold(10_000, 3, 30)
gc.enable()
