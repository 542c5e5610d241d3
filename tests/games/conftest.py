"""Fixtures of the house's tests."""

import asyncio
import inspect
from collections.abc import AsyncIterator

import pytest
from channels.layers import get_channel_layer

from games.realtime import broadcast, hub

SECONDS = 5


@pytest.fixture(autouse=True)
def _layer_is_left(request: pytest.FixtureRequest) -> None:
    """On Redis, leave the layer before the test's event loop ends.

    The layer unsubscribes when its reader is cancelled. Where its own task is cancelled at
    the same time, as at the end of a loop, that can wait for ever.
    """
    if broadcast.is_shared() and inspect.iscoroutinefunction(request.function):
        request.getfixturevalue("leave_layer")


@pytest.fixture
async def leave_layer() -> AsyncIterator[None]:
    """Stop the hub of this loop first, then the layer's connection."""
    yield
    tasks = list(hub.current()._tasks.values())
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=SECONDS)
    await asyncio.wait_for(get_channel_layer().flush(), SECONDS)
