"""The way out under daphne: the same bytes, in order, and a reader who never reads is known."""

import random
from types import SimpleNamespace

import pytest
from daphne.ws_protocol import WebSocketProtocol
from websockets.frames import Frame, Opcode

from games.live.servers import daphne
from games.live.servers.daphne import MOST_WAITING, DaphneLine, find, framed


class Transport:
    """A TCP connection as Twisted has it; the network takes what `taking` says."""

    def __init__(self, *taking: int | Exception) -> None:
        self.taking, self.connected = list(taking), True
        self.dataBuffer, self.offset, self.queued = b"", 0, []
        self.gone = b""

    @property
    def _tempDataLen(self) -> int:
        return sum(map(len, self.queued))

    def writeSomeData(self, data: bytes) -> int | Exception:
        most = self.taking.pop(0) if self.taking else len(data)
        if isinstance(most, int):
            self.gone += data[:most]
            return min(most, len(data))
        return most

    def write(self, data: bytes) -> None:
        self.queued.append(data)


def line_over(transport: Transport, state: int = WebSocketProtocol.STATE_OPEN) -> DaphneLine:
    return DaphneLine(SimpleNamespace(state=state, transport=transport))


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_frame_is_one_of_the_websocket_protocol(size):
    for letter in ("x", "ä"):
        text = (letter * size).encode()
        assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
        assert framed(text) is framed(text)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_network_takes_frames_stay_whole_and_in_order(seed):
    rng = random.Random(seed)
    transport = Transport(*(rng.choice([0, 1, 5, 10_000]) for _ in range(30)))
    line = line_over(transport)
    texts = [str(number).encode() * rng.randrange(1, 50) for number in range(40)]
    for text in texts:
        assert line.write(text)
        if rng.random() < 0.3:  # what waited goes out
            transport.gone += b"".join(transport.queued)
            transport.queued = []
    assert transport.gone + b"".join(transport.queued) == b"".join(map(framed, texts))


def test_a_reader_who_never_reads_is_told_of_before_much_waits():
    transport = Transport(0)
    line = line_over(transport)
    written = 0
    while line.write(b"x" * 3000):
        written += 3000
    assert written <= MOST_WAITING < written + 3500


def test_nothing_is_written_once_the_line_closes_or_has_gone():
    for transport, state in (
        (Transport(), WebSocketProtocol.STATE_CLOSING),
        (Transport(), WebSocketProtocol.STATE_CLOSED),
        (Transport(ConnectionResetError()), WebSocketProtocol.STATE_OPEN),
    ):
        assert line_over(transport, state).write(b"x")
        assert (transport.gone, transport.queued) == (b"", [])
    transport.connected = False
    assert line_over(transport).write(b"x")
    assert transport.queued == []


def test_other_servers_send_their_own_way():
    async def send(message):
        pass

    assert find(send) is None
    assert daphne.find(SimpleNamespace(args=(1,))) is None
