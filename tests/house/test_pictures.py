"""Logos: pictures are kept without anything that does not draw them; what is no picture, or too large, is refused."""

from __future__ import annotations

import struct
import zlib

import pytest

from games.kernel.contract import Illegal
from games.services.storage import pictures


def chunk(name: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int = 8, height: int = 8, more: bytes = b"") -> bytes:
    """Return a PNG of one colour, with further chunks."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x1d\x68\x48" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + more + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def segment(marker: int, data: bytes) -> bytes:
    """Return a segment of a JPEG."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(width: int = 8, height: int = 8, more: bytes = b"") -> bytes:
    """Return the segments of a JPEG, with further ones, and a scan."""
    frame = struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0"
    return b"\xff\xd8" + segment(0xE0, b"JFIF\0") + more + segment(0xC0, frame) + b"\xff\xda\0\3\1pixels\xff\xd9"


def webp(*parts: tuple[bytes, bytes]) -> bytes:
    """Return a WebP of chunks."""
    body = b"".join(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for name, data in parts)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


LOSSLESS = (b"VP8L", b"\x2f" + (7 | 7 << 14).to_bytes(4, "little") + b"pixels!")
LOSSY = (b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 8, 8) + b"pixels")
EXTENDED = (b"VP8X", bytes([0x2C | 0x10, 0, 0, 0, 7, 0, 0, 7, 0, 0]))


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (png(), "image/png"),
        (jpeg(), "image/jpeg"),
        (webp(LOSSY), "image/webp"),
        (webp(LOSSLESS), "image/webp"),
        (webp((b"VP8X", bytes([0x10, 0, 0, 0, 7, 0, 0, 7, 0, 0])), LOSSY), "image/webp"),
    ],
)
def test_a_picture_of_the_three_formats_is_kept_as_it_is(data, media_type):
    assert pictures.read(data) == pictures.Picture(data, media_type, 8, 8)


def test_where_and_when_a_picture_was_taken_is_not_kept():
    place = b"Exif\0\0 52.5, 13.4"
    for data in (
        png(more=chunk(b"eXIf", place) + chunk(b"tEXt", b"Author\0Hanna")),
        jpeg(more=segment(0xE1, place) + segment(0xFE, b"by Hanna")),
        webp(EXTENDED, LOSSY, (b"EXIF", place), (b"XMP ", b"Hanna")),
    ):
        kept = pictures.read(data).data
        assert b"Exif" not in kept and b"Hanna" not in kept
        assert pictures.read(kept).data == kept


def test_what_follows_a_png_or_jpeg_is_not_kept():
    assert pictures.read(png() + b"<script>").data == png()
    assert pictures.read(jpeg() + b"<script>").data == jpeg()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"GIF89a\1\0\1\0",
        b"\x89PNG\r\n\x1a\n",
        png()[:-20],
        png().replace(b"IDAT", b"IDOT"),
        b"\xff\xd8\xff",
        jpeg().replace(b"\xff\xc0", b"\xff\xc4"),
        jpeg()[:20],
        webp(),
        webp(EXTENDED),
        webp(EXTENDED, (b"ANIM", b"\0" * 6), LOSSY),
        webp(LOSSY)[:-4],
        b"RIFF\0\0\0\0WEBPVP8 ",
    ],
)
def test_what_is_no_still_picture_is_refused(data):
    with pytest.raises(Illegal) as refused:
        pictures.read(data)
    assert refused.value.code == "logo_kind"


@pytest.mark.parametrize(
    "data", [png(width=1025), jpeg(height=1025), png(height=0), png(more=chunk(b"tEXt", b"x" * pictures.LONGEST))]
)
def test_a_picture_that_is_too_large_is_refused(data):
    with pytest.raises(Illegal) as refused:
        pictures.read(data)
    assert refused.value.code == "logo_size"
