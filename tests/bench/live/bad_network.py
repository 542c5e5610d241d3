"""A bad Wi-Fi between phones and a house: a TCP proxy that delays, holds back and cuts.

What a side sends is taken apart into the head of the handshake and WebSocket frames. Each takes its own time, but none
comes before the one that was sent earlier. The phones are told apart by the address that they connect from, from
which the proxy connects to the house, too.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

_READ = 1 << 16
_MASKED = 0x80


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad a network is; times in seconds, each way, drawn evenly between the two bounds."""

    delay: tuple[float, float] = (0.020, 0.350)
    held_share: float = 0.1
    held_seconds: float = 1.0
    cut_every: float = 90.0
    """Each phone's line is cut once in a span of so many seconds, at a moment drawn evenly; 0: never."""

    def takes(self, rng: random.Random) -> float:
        """Draw how long a frame is on its way."""
        return rng.uniform(*self.delay) + (self.held_seconds if rng.random() < self.held_share else 0.0)


def end_of_frame(data: bytes, at: int) -> int:
    """Return where the WebSocket frame that begins at `at` ends, or -1 while its length is not known."""
    if len(data) < at + 2:
        return -1
    mask, size, start = 4 if data[at + 1] & _MASKED else 0, data[at + 1] & ~_MASKED, at + 2
    if size >= 126:
        start += 2 if size == 126 else 8
        if len(data) < start:
            return -1
        size = int.from_bytes(data[at + 2 : start])
    return start + mask + size


class Splitter:
    """Takes what one side of a WebSocket sends apart: first the head of the handshake, then frames."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_open = False

    def __call__(self, data: bytes) -> list[bytes]:
        """Return the whole parts; the rest waits for what comes next."""
        self._rest += data
        found: list[bytes] = []
        while 0 < (end := self._end()) <= len(self._rest):
            found.append(self._rest[:end])
            self._rest, self._is_open = self._rest[end:], True
        return found

    def _end(self) -> int:
        if self._is_open:
            return end_of_frame(self._rest, 0)
        head = self._rest.find(b"\r\n\r\n")
        return head + 4 if head >= 0 else -1


class BadNetwork:
    """The proxy, and what went over it by the phones' addresses: bytes and frames both ways, connections, cuts."""

    def __init__(self, port: int, weather: Weather, seed: int = 1) -> None:
        self._house, self.weather, self._rng = port, weather, random.Random(seed)
        self.bytes: Counter[str] = Counter()
        self.frames: Counter[str] = Counter()
        self.connections: Counter[str] = Counter()
        self.cuts: Counter[str] = Counter()
        self._lines: dict[str, list[asyncio.StreamWriter]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> BadNetwork:
        """Listen on a free port of this computer."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_exc: object) -> None:
        """End all lines."""
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self, phone: str) -> None:
        """Break the lines of a phone, on both sides and at once; what is on its way is lost."""
        self.cuts[phone] += 1
        for writer in self._lines.get(phone, ()):
            writer.transport.abort()

    async def _connected(self, phone_in: asyncio.StreamReader, phone_out: asyncio.StreamWriter) -> None:
        """Carry a connection until one side ends it."""
        phone = phone_out.get_extra_info("peername")[0]
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self.weather.cut_every and phone not in self.connections:
            cutting = asyncio.create_task(self._cut_at_times(phone))
            self._tasks.add(cutting)
        self.connections[phone] += 1
        with suppress(OSError):
            house_in, house_out = await asyncio.open_connection("127.0.0.1", self._house, local_addr=(phone, 0))
            pair = [phone_out, house_out]
            self._lines.setdefault(phone, []).extend(pair)
            ways = [
                asyncio.create_task(self._carry(phone, reader, writer))
                for reader, writer in ((phone_in, house_out), (house_in, phone_out))
            ]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                self._lines[phone] = [each for each in self._lines[phone] if each not in pair]
                for writer in pair:
                    writer.transport.abort()

    async def _cut_at_times(self, phone: str) -> None:
        """Cut a phone's line once in each span."""
        span = self.weather.cut_every
        while True:
            at = self._rng.uniform(0, span)
            await asyncio.sleep(at)
            self.cut(phone)
            await asyncio.sleep(span - at)

    async def _carry(self, phone: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one way, until its end has arrived."""
        loop, split, weather = asyncio.get_running_loop(), Splitter(), self.weather
        on_its_way: deque[tuple[float, bytes]] = deque()
        news = asyncio.Event()

        def sent(data: bytes, last: float) -> float:
            """Put what was sent on its way; return when the last of it is due."""
            for part in split(data):
                last = max(last, loop.time() + weather.takes(self._rng))
                on_its_way.append((last, part))
                self.bytes[phone] += len(part)
                self.frames[phone] += 1
            news.set()
            return last

        arriving = asyncio.create_task(_arrive(on_its_way, news, writer))
        try:
            last = loop.time()
            while data := await reader.read(_READ):
                last = sent(data, last)
            # Who closes the line properly has said all that came before.
            while on_its_way and not arriving.done():
                await asyncio.sleep(weather.delay[0])
        except OSError:
            return
        finally:
            arriving.cancel()


async def _arrive(on_its_way: deque[tuple[float, bytes]], news: asyncio.Event, writer: asyncio.StreamWriter) -> None:
    """Hand over what is due, in its order, for ever."""
    now: Callable[[], float] = asyncio.get_running_loop().time
    while True:
        while on_its_way:
            due, part = on_its_way[0]
            await asyncio.sleep(max(0.0, due - now()))
            writer.write(part)
            on_its_way.popleft()
        news.clear()
        await news.wait()
