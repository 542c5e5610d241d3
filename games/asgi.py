"""The ASGI application: HTTP by Django, WebSockets by Channels, and the clock's thread."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "games.settings")
django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402

from games.realtime import clock_thread  # noqa: E402
from games.realtime.routing import websockets  # noqa: E402

application = ProtocolTypeRouter({"http": django_application, "websocket": websockets})
clock_thread.start()
