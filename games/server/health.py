"""Health, readiness and metrics: /healthz, /readyz and /metrics, answered before all middleware.

A monitor on the same machine may use any Host, and gets no redirect to HTTPS and no session. The answers contain
nothing about players.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import threading
import time
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from games import addresses, scopes
from games.live.rooms import hub, relay
from games.live.rooms.sockets import in_database
from games.management import preparation
from games.models import Table
from games.ops import metrics, schema_version
from games.ops.system import calls
from games.server import shutdown
from games.server.shutdown import App, Receive, Scope, Send
from games.services import processes, server_time, tasks
from games.services.staff import waiting
from games.version import version

PATIENCE_SECONDS = 3
SAMPLE_SECONDS = 5.0
LATE_SECONDS = 15.0
"""The clock counts as stuck if a table has waited for it longer than this."""
WRITE_SECONDS = 3.0
"""/readyz lets the database write at most once in this time."""
_is_migrated = threading.Event()
_NOTHING = dict.fromkeys(("database", "migrations", "pages", "clock"), False)
_monitor = ThreadPoolExecutor(1, thread_name_prefix="monitor")
_query: Future[dict[str, bool]] | None = None
_written_at = -WRITE_SECONDS


def front(app: App) -> App:
    """Return an HTTP application that answers monitors itself and counts `app`'s answers."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        # A proxy's request is below BASE_PATH; a monitor's on this machine may come without it.
        path = scope["path"].removeprefix(settings.BASE_PATH.rstrip("/"))
        if (page := _PAGES.get(path)) is not None:
            await _send(send, *await page(scope))
            return

        async def counted(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                metrics.answered(message["status"])
            await send(message)

        await app(scope, receive, counted)

    return answer


async def _send(send: Send, status: int, body: bytes, kind: str) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _json(status: int, **data: bool | str) -> tuple[int, bytes, str]:
    return status, json.dumps(data).encode(), "application/json"


# Health


async def healthz(scope: Scope) -> tuple[int, bytes, str]:
    """Answer 200 and the version: this process is alive."""
    return _json(200, ok=True, version=version())


async def readyz(scope: Scope) -> tuple[int, bytes, str]:
    """Answer 200 if everything that a game needs is available, else 503, with the state of each part."""
    found = {**_NOTHING, "layer": await _layer()}
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            found.update(await _query_database())
    except (DatabaseError, TimeoutError):
        pass
    is_ready = all(found.values())
    return _json(200 if is_ready else 503, ready=is_ready, **found)


def readiness() -> dict[str, bool]:
    """Return the state of each part that a game needs, as /readyz does; only for threads without an event loop."""
    found = {**_NOTHING, "layer": async_to_sync(_layer)()}
    with suppress(DatabaseError):
        found.update(_database())
    return found


async def _query_database() -> dict[str, bool]:
    """Query the database in a thread of its own; raises DatabaseError.

    Several monitors at the same time share one query.
    """
    global _query  # noqa: PLW0603
    if _query is None or _query.done():
        _query = _monitor.submit(_with_own_connection)
    return await asyncio.shield(asyncio.wrap_future(_query))


def _with_own_connection() -> dict[str, bool]:
    try:
        return _database()
    finally:
        connection.close()


def _database() -> dict[str, bool]:
    """Query the database, and let it write; raises DatabaseError."""
    global _written_at  # noqa: PLW0603
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    if not _is_migrated.is_set():
        executor = MigrationExecutor(connection)
        is_behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if is_behind or schema_version.later_migrations(connection):
            return {"database": True}
        if any(preparation.missing_files()):
            return {"database": True, "migrations": True}
        _is_migrated.set()
    if time.monotonic() > _written_at + WRITE_SECONDS:
        processes.try_writing()
        _written_at = time.monotonic()
    is_getting_on = processes.is_alive() and _clock_lag() < LATE_SECONDS
    return {"database": True, "migrations": True, "pages": True, "clock": is_getting_on}


async def _layer() -> bool:
    """Tell whether the channel layer takes messages; True for a single process, which needs none."""
    if not relay.is_shared():
        return True
    layer: Any = get_channel_layer()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await layer.send(f"readyz-{uuid.uuid4().hex}", {"type": "readyz"})
    except Exception:
        return False
    return True


# Metrics


async def metrics_page(scope: Scope) -> tuple[int, bytes, str]:
    """Answer with the metrics of all workers; 403 without the right to them."""
    if not may_see(scope):
        return 403, b"", "text/plain"
    sample()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            metrics.note_clock_lag(await in_database(_clock_lag))
            await in_database(_note_state)
    except (DatabaseError, TimeoutError):
        pass
    return 200, await asyncio.to_thread(generate_latest, _registry()), CONTENT_TYPE_LATEST


def may_see(scope: Scope) -> bool:
    """Tell whether a request may read the metrics: by token, or directly from an address of METRICS_ALLOW.

    Requests that a proxy on this machine passes on also come from such an address; their headers show it. Without a
    token the Host must be the house's: a page of another site whose name resolves to this machine reads nothing.
    """
    headers = dict(scope["headers"])
    received = headers.get(b"authorization", b"")
    if settings.METRICS_TOKEN:
        expected = f"Bearer {settings.METRICS_TOKEN}".encode()
        return hmac.compare_digest(received, expected)
    client, server = scope.get("client"), scope.get("server")
    host = headers.get(b"host", b"localhost").decode("latin1")
    is_direct = not scopes.is_passed_on(scope) and addresses.is_ours(host, str(server[0]) if server else "")
    return is_direct and addresses.plain(str(client[0]) if client else "") in settings.METRICS_ALLOW


def _registry() -> CollectorRegistry:
    """Return the metrics of this process, or of all workers if there are several."""
    if not settings.HAS_WORKERS:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def _clock_lag() -> float:
    """Return for how many seconds the most overdue table has been due."""
    now = server_time.now()
    due = Table.objects.filter(due_at__lte=now, status=Table.Status.PLAYING).order_by("due_at")
    first = due.values_list("due_at", flat=True).first()
    return (now - first).total_seconds() if first else 0.0


def _note_state() -> None:
    """Set the metrics of the table that waits longest, and of the background tasks that have run."""
    now = datetime.now(UTC)
    last = waiting.longest()
    metrics.note_longest_wait((now - last).total_seconds() if last else 0.0)
    for task, row in tasks.rows():
        if row.ended_at is not None:
            age = (now - row.succeeded_at).total_seconds() if row.succeeded_at else None
            metrics.note_task(task.name, not row.has_failed, age)


def sample() -> None:
    """Set the metrics of this process to its current state."""
    metrics.note_clock_jump(server_time.jump())
    metrics.note_process(
        sockets=shutdown.sockets(),
        rooms=sum(len(each.tables) for each in hub.running()),
        is_clock=processes.is_running_here(),
        memory=calls.memory(),
        cpu=time.process_time(),
    )


def start_sampling() -> None:
    """Update this worker's metrics every few seconds, if several workers share them."""
    if settings.HAS_WORKERS:
        threading.Thread(target=_sample_for_ever, name="figures", daemon=True).start()


def _sample_for_ever() -> None:
    waiting = threading.Event()
    while not waiting.wait(SAMPLE_SECONDS):
        sample()


_PAGES = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics_page}
