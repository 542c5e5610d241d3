"""The ASGI application: HTTP by Django, WebSockets by Channels, and the clock's thread."""

from __future__ import annotations

import gc
import logging
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "games.settings")
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter  # noqa: E402

from games import (  # noqa: E402
    connections,
    daphne_connections,
    logs,
    operations,
    scopes,
    turns,
    uvicorn_connections,
)
from games.api import docs_page  # noqa: E402
from games.bodies import at_most  # noqa: E402
from games.places import Application  # noqa: E402
from games.realtime import clock_thread, closing  # noqa: E402
from games.realtime.routing import websockets  # noqa: E402

logger = logging.getLogger(__name__)
_http = operations.front(at_most(Application()))
_protocols = scopes.clean(ProtocolTypeRouter({"http": _http, "websocket": websockets}))


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve a connection; the first one starts the clock."""
    if scope["type"] == "lifespan":
        for warning in logs.start_warnings():
            logger.warning(warning)
        scopes.ignore_uvicorns_proxies()
        uvicorn_connections.watch()
        await closing.lifespan(receive, send)
        return
    clock_thread.start()
    await closing.serve(_protocols, scope, receive, send)


closing.watch()
operations.start_sampling()
connections.raise_limit()
daphne_connections.watch()
uvicorn_connections.watch()
scopes.ignore_uvicorns_proxies()
sys.setswitchinterval(turns.SWITCH_SECONDS)
# Made before anybody plays: it takes the processor for a quarter of a second.
docs_page.texts()
# What is loaded by now stays for good: no later collection need stop the moves to look at it.
gc.collect()
gc.freeze()
# Moves make much and leave no cycles. By default all that lives (the states of all tables) is
# gone over after some 70,000 new objects, which took a sixth of the time at 500 tables.
# A page's data is gone over often and little at a time: at 10 rounds that stopped all moves for 50 ms.
gc.set_threshold(10_000, 3, 30)
