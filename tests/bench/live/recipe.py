"""The usual recipe (a): a bare Channels consumer, one ORM insert a move, a `group_send` to 4.

As tutorials have it, with what costs nothing set right: persistent connections, room enough
in the layer, WAL. `python -m tests.bench.live.recipe` makes its table.
"""

from __future__ import annotations

import json
import os
from typing import Any

import dj_database_url
import django
from django.conf import settings

_DATABASES = {"default": dj_database_url.parse(os.environ["DATABASE_URL"], conn_max_age=None)}
if "sqlite3" in _DATABASES["default"]["ENGINE"]:
    _DATABASES["default"]["OPTIONS"] = {  # type: ignore[typeddict-unknown-key]
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
_LAYERS: dict[str, Any] = {
    "BACKEND": "channels.layers.InMemoryChannelLayer",
    "CONFIG": {"capacity": 2000},
}
if _redis := os.environ.get("REDIS_URL"):
    _LAYERS = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [_redis]},
    }
if not settings.configured:
    settings.configure(
        SECRET_KEY="only-for-the-bench",
        DATABASES=_DATABASES,
        CHANNEL_LAYERS={"default": _LAYERS},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    )
    django.setup()

from channels.db import database_sync_to_async  # noqa: E402
from channels.generic.websocket import AsyncWebsocketConsumer  # noqa: E402
from channels.routing import URLRouter  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402


class Move(models.Model):
    """One row of the log."""

    table = models.CharField(max_length=20)
    body = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "bench_recipe"

    def __str__(self) -> str:
        return f"{self.table} {self.pk}"


class Recipe(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One socket."""

    async def connect(self) -> None:
        """Join the table's group."""
        self.table = self.scope["url_route"]["kwargs"]["table"]
        await self.channel_layer.group_add(self.table, self.channel_name)
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Store the move, then tell the group."""
        body = json.loads(text_data or "{}")
        await database_sync_to_async(Move.objects.create)(table=self.table, body=body)
        await self.channel_layer.group_send(self.table, {"type": "move.made", "move": body})

    async def move_made(self, event: dict[str, Any]) -> None:
        """Tell the browser."""
        move = event["move"]
        entry = {"type": "entry", "seq": move["seq"], "move": move}
        await self.send(text_data=json.dumps(entry))

    async def disconnect(self, code: Any) -> None:
        """Leave the group."""
        await self.channel_layer.group_discard(self.table, self.channel_name)


application = URLRouter([path("ws/<slug:table>/", Recipe.as_asgi())])


if __name__ == "__main__":
    # A server's database may hold it from a run before.
    if Move._meta.db_table in connection.introspection.table_names():
        with connection.schema_editor() as editor:
            editor.delete_model(Move)
    with connection.schema_editor() as editor:
        editor.create_model(Move)
