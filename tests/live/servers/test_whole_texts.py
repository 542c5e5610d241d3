"""Text frames that daphne's sockets take without autobahn: they are read as autobahn reads them, or left to it."""

import asyncio
import random
from functools import partial
from itertools import pairwise

import pytest
from autobahn.twisted.websocket import WebSocketServerFactory
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.testing import StringTransport
from websockets.frames import Frame, Opcode

from games.live.servers import daphne_open
from games.live.servers.daphne import LONGEST_MESSAGE, CountedProtocol, DaphneLine, listen, text_at
from tests.live.servers.test_socket_daphne import Transport


def sent(text: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, text, fin=fin).serialize(mask=mask)


def whole_text(data: bytes) -> str | None:
    """Return the text of what is exactly one frame."""
    found = text_at(data, 0)
    return found[0] if found is not None and found[1] == len(data) else None


@pytest.mark.parametrize("size", [0, 1, 3, 4, 125, 126, 127, 4096, LONGEST_MESSAGE - 1, LONGEST_MESSAGE])
def test_a_whole_text_frame_is_its_text(size):
    assert whole_text(sent(b"x" * size)) == "x" * size
    text = "ä" * (size // 2) + "x" * (size % 2)
    assert whole_text(sent(text.encode())) == text


def test_all_other_frames_are_left_to_autobahn():
    text = b'{"type":"ping","seq":null}'
    whole = sent(text)
    others = [
        *(whole[:cut] for cut in range(len(whole))),
        *(whole + more for more in (b"\x81", whole)),
        sent(text, fin=False),
        sent(text, mask=False),
        *(sent(text, each) for each in (Opcode.CONT, Opcode.BINARY, Opcode.PING, Opcode.PONG, Opcode.CLOSE)),
        bytes([whole[0] | 0x40]) + whole[1:],  # compressed
        bytes([0x81, 0x80 | 126, 0, len(text)]) + whole[2:],  # a length that is not the shortest form
        bytes([0x81, 0x80 | 127, *bytes(7), len(text)]) + whole[2:],
        sent(b"x" * (LONGEST_MESSAGE + 1)),
        *(sent(bad) for bad in (b"\xff", b"\xed\xa0\x80", b"\xc3")),
    ]
    assert [whole_text(each) for each in others] == [None] * len(others)


@pytest.mark.parametrize(
    "rest",
    [b"", sent(b"", Opcode.PING), sent(b"half")[:-1], sent(b"1", fin=False), b"\x81"],
    ids=["nothing", "ping", "half", "unended", "a byte"],
)
async def test_of_several_frames_that_come_at_once_autobahn_reads_what_is_no_whole_text(rest, monkeypatch):
    heard, left = [], []
    line = opened(heard)
    monkeypatch.setattr(WebSocketProtocol, "dataReceived", lambda _, data: left.append(data))
    texts = ["x" * size for size in (0, 5, 125, 126, 4096)]
    line.dataReceived(b"".join(sent(text.encode()) for text in texts) + rest)
    assert heard == texts
    assert left == ([rest] if rest else [])


def test_any_bytes_are_a_text_or_left_alone():
    rng = random.Random(7)
    for _ in range(3000):
        data = bytes([rng.choice((0x81, rng.randrange(256))), rng.randrange(256)]) + rng.randbytes(rng.randrange(12))
        found = whole_text(data)
        assert found is None or (data[0] == 0x81 and len(found.encode()) == len(data) - 6)


class Open(CountedProtocol):
    """A socket of daphne without its server."""

    def onConnect(self, request):
        """Take the connection."""
        self.request, self.clean_headers = request, [(b"cookie", b"sessionid=1")]

    def onOpen(self):
        """Keep what daphne would log."""


def opened(heard: list[str | None]) -> Open:
    """Return an open socket whose messages come to `heard`."""
    factory = WebSocketServerFactory("ws://localhost:80")
    factory.protocol = Open
    factory.setProtocolOptions(openHandshakeTimeout=0)
    line = factory.buildProtocol(None)
    line.makeConnection(StringTransport())
    head = ("GET /ws/ HTTP/1.1", "Host: localhost:80", "Upgrade: websocket", "Connection: Upgrade")
    more = ("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "", "")
    line.dataReceived("\r\n".join((*head, *more)).encode())
    assert line.state == line.STATE_OPEN
    line.application_queue, line.last_ping = asyncio.Queue(), 0.0
    listen(partial(print, line), line.application_queue.get, heard.append)
    return line


@pytest.mark.parametrize("seed", range(12))
async def test_messages_arrive_whole_and_in_order_however_the_network_cuts_them(seed):
    rng, heard, told = random.Random(seed), [], []
    line, stream = opened(heard), []
    for number in range(60):
        text = f"{number} " + rng.choice(("x", "ä")) * rng.randrange(200)
        told.append(text)
        cut = rng.randrange(len(text.encode()) + 1)
        whole = [sent(text.encode())]
        parts = [sent(text.encode()[:cut], fin=False), sent(text.encode()[cut:], Opcode.CONT)]
        if rng.random() < 0.1:
            told.append(None)
            stream.append(sent(b"1", Opcode.BINARY))
            told[-2:] = reversed(told[-2:])
        stream += rng.choice((whole, whole, parts)) + ([sent(b"", Opcode.PING)] if rng.random() < 0.2 else [])
    if seed % 2:  # else each frame comes by itself
        data = b"".join(stream)
        cuts = sorted(rng.randrange(len(data)) for _ in range(30))
        stream = [data[a:b] for a, b in pairwise([0, *cuts, len(data)])]
    for piece in stream:
        line.dataReceived(piece)
    assert heard == told
    line.application_queue.put_nowait({"type": "last"})
    assert await line.application_queue.get() == {"type": "last"}


@pytest.mark.parametrize("is_held_up", [True, False])
async def test_what_autobahn_sends_of_its_own_comes_in_its_order(is_held_up):
    line, out = opened([]), Transport(*([0] if is_held_up else []))
    line.transport = out
    line.sendPing(b"1")
    DaphneLine(line).write(b"text")
    line.sendPong(b"2")
    line.sendFrame(9, b"3", sync=True)
    parts = ((Opcode.PING, b"1"), (Opcode.TEXT, b"text"), (Opcode.PONG, b"2"), (Opcode.PING, b"3"))
    told = b"".join(Frame(opcode, data).serialize(mask=False) for opcode, data in parts)
    for _ in range(5):
        await asyncio.sleep(0)
    assert out.gone + b"".join(out.queued) == told


SETTINGS = ("maxMessagePayloadSize", "versions", "perMessageCompressionAccept", "failByDrop")


async def test_an_open_socket_keeps_its_own_alone():
    line = opened([])
    kept = vars(line)
    assert not [name for name in kept if name.startswith(("http_", "_wskey", "clean_headers"))]
    assert (line.request.headers, line.request.extensions) == (None, None)
    assert not {"closedByMe", "wasClean", "send_queue", "trafficStats", "utf8validator"} & kept.keys()
    assert len(kept) <= 42 + len(WebSocketProtocol.CONFIG_ATTRS)  # those of a factory that is not daphne's


async def test_connections_have_the_settings_of_their_own_factory_from_their_class():
    for longest in (17, 19):
        factory = WebSocketServerFactory("ws://localhost:80")
        factory.setProtocolOptions(maxMessagePayloadSize=longest)
        factory.protocol = daphne_open.class_of_all(Open, factory)
        line = factory.buildProtocol(None)
        line.makeConnection(StringTransport())
        assert not set(SETTINGS) & vars(line).keys()
        assert [getattr(line, name) for name in SETTINGS] == [getattr(factory, name) for name in SETTINGS]
        assert line.maxMessagePayloadSize == longest


async def test_one_connections_end_is_not_anothers():
    first, second = opened([]), opened([])
    first.sendClose(1000)
    assert (first.closedByMe, first.state) == (True, first.STATE_CLOSING)
    assert (second.closedByMe, second.state) == (False, second.STATE_OPEN)


async def test_an_inbox_gives_each_message_once_and_in_order():
    inbox = daphne_open.Inbox()
    inbox.put_nowait({"type": "1"})
    inbox.put_nowait({"type": "2"})
    got = [(await inbox.get())["type"], (await inbox.get())["type"]]
    waiting = asyncio.create_task(asyncio.wait_for(inbox.get(), 5))
    await asyncio.sleep(0)
    inbox.put_nowait({"type": "3"})
    inbox.put_nowait({"type": "4"})
    assert [*got, (await waiting)["type"], (await inbox.get())["type"]] == ["1", "2", "3", "4"]


async def test_a_message_outlives_who_gave_up_waiting():
    inbox = daphne_open.Inbox()
    inbox.get().cancel()
    inbox.put_nowait({"type": "1"})
    assert (await inbox.get())["type"] == "1"
