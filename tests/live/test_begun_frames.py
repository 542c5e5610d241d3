"""Frames that are carried out elsewhere: those after them wait, and a connection ends after them."""

import asyncio
import json
from typing import Any

from games.live import protocol
from games.live.connection import LiveConsumer
from games.live.rooms.handshake import Visit
from games.services.commands import Request


class Elsewhere(LiveConsumer):
    """A connection whose commands are carried out elsewhere, until the test ends them."""

    def __init__(self) -> None:
        super().__init__(Visit("t", None, "en", ""), self.send)
        self.told: list[str] = []

    async def send(self, message: dict[str, Any]) -> None:
        """Take what the connection would send."""

    def begin(self, frame: protocol.Frame) -> bool:
        if not isinstance(frame, Request):
            return False
        self.waits()
        self.told.append(f"begun {frame.id}")
        return True

    async def on_frame(self, frame: protocol.Frame) -> None:
        self.told.append(type(frame).__name__)

    async def rest(self) -> None:
        await asyncio.sleep(0)
        self.told.append("rest")

    def leave(self) -> None:
        self.told.append("left")


def command(number: int) -> str:
    return json.dumps({"type": "command", "id": str(number), "name": "throw", "args": {}, "basis": 1})


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_frames_after_a_begun_one_wait_for_its_end_and_for_the_rest_of_it() -> None:
    line = Elsewhere()
    for text in (command(1), '{"type":"away"}', command(2), '{"type":"back"}'):
        line.take(text)
    await settled()
    assert line.told == ["begun 1"]
    line.ended(line.rest())
    await settled()
    assert line.told == ["begun 1", "rest", "Away", "begun 2"]
    line.ended()
    await settled()
    line.take(command(3))
    assert line.told[4:] == ["Back", "begun 3"], "at once, without a task"


async def test_a_connection_ends_after_the_frames_that_came_before_its_close() -> None:
    line = Elsewhere()
    messages = [{"type": "websocket.receive", "text": text} for text in (command(1), '{"type":"away"}', command(2))]
    coming = iter([*messages, {"type": "websocket.disconnect", "code": 1000}])

    async def receive() -> dict[str, Any]:
        return next(coming)

    serving = asyncio.create_task(line.serve(receive))
    for told in (["begun 1"], ["begun 1", "Away", "begun 2"]):
        await settled()
        assert (line.told, serving.done()) == (told, False)
        line.ended()
    await serving
    assert line.told[-1] == "left"


async def test_an_end_that_comes_after_the_connection_has_gone_begins_nothing() -> None:
    line = Elsewhere()
    line.take(command(1))
    line.take('{"type":"away"}')
    line.socket.outbox.end()
    line.ended()
    await settled()
    assert line.told == ["begun 1"]
