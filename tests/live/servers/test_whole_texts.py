"""Text frames that daphne's sockets take without autobahn: they are read as autobahn reads them, or left to it."""

import random

import pytest
from websockets.frames import Frame, Opcode

from games.live.servers.daphne import LONGEST_MESSAGE, whole_text


def sent(text: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, text, fin=fin).serialize(mask=mask)


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


def test_any_bytes_are_a_text_or_left_alone():
    rng = random.Random(7)
    for _ in range(3000):
        data = bytes([rng.choice((0x81, rng.randrange(256))), rng.randrange(256)]) + rng.randbytes(rng.randrange(12))
        found = whole_text(data)
        assert found is None or (data[0] == 0x81 and len(found.encode()) == len(data) - 6)
