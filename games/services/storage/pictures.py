"""Pictures: those that are uploaded, kept without anything that does not draw them, and those that are drawn here."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from PIL.Image import Image

from games.kernel.contract import Illegal

LONGEST = 48 * 1024
"""Bytes; a form with all its fields has at most 64 KiB."""
LARGEST = 1024
"""Pixels on a side."""
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNKS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
_WEBP_CHUNKS = {b"VP8 ", b"VP8L", b"VP8X", b"ALPH"}
# Of the flags of VP8X only the one for transparency stays: colour profile, Exif, XMP and animation go.
_ALPHA = 0x10
# Start of frame: all but DHT, JPG and DAC, which lie among them.
_FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Comments and application data (Exif, profiles), but JFIF and Adobe, which say what the colours mean.
_LEFT_OUT = {0xFE, *range(0xE1, 0xEE), 0xEF}
_SCAN, _END = 0xDA, 0xD9


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with its media type and its size in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int


def read(data: bytes) -> Picture:
    """Return a picture as it may be kept; raises Illegal `logo_kind`, `logo_size`."""
    if len(data) > LONGEST:
        raise too_large()
    try:
        picture = _read(data)
    except (struct.error, IndexError, ValueError):
        raise Illegal("logo_kind") from None
    if not (0 < picture.width <= LARGEST and 0 < picture.height <= LARGEST):
        raise too_large()
    return picture


def too_large() -> Illegal:
    """Return the refusal of a picture that is too large."""
    return Illegal("logo_size", kilobytes=LONGEST // 1024, pixels=LARGEST)


def _read(data: bytes) -> Picture:
    """Return the picture of a known kind; raises ValueError, IndexError or struct.error for anything else."""
    if data.startswith(_PNG):
        return _png(data)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    raise ValueError("no picture")


def _png(data: bytes) -> Picture:
    """Return a PNG of its critical chunks and its transparency."""
    kept, names, at = [_PNG], list[bytes](), len(_PNG)
    while not names or names[-1] != b"IEND":
        (length,) = struct.unpack_from(">I", data, at)
        name, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data):
            raise ValueError("cut off")
        if name in _PNG_CHUNKS:
            kept.append(data[at:end])
        names.append(name)
        at = end
    width, height = struct.unpack_from(">II", data, 16)
    if names[0] != b"IHDR" or b"IDAT" not in names:
        raise ValueError("no picture in it")
    return Picture(b"".join(kept), "image/png", width, height)


def _jpeg(data: bytes) -> Picture:
    """Return a JPEG without comments and application data."""
    kept, size = [data[:2]], (0, 0)
    for marker, segment in _segments(data):
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", segment, 5)
            size = width, height
        if marker not in _LEFT_OUT:
            kept.append(segment)
    if size == (0, 0):
        raise ValueError("no frame")
    return Picture(b"".join(kept), "image/jpeg", *size)


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the segments of a JPEG with their markers; the last one is the first scan with all that follows."""
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == _SCAN:
            end = data.rindex(b"\xff\xd9") + 2
            yield marker, data[at:end]
            return
        (length,) = struct.unpack_from(">H", data, at + 2)
        if length < 2 or at + 2 + length > len(data):
            raise ValueError("cut off")
        yield marker, data[at : at + 2 + length]
        at += 2 + length
    raise ValueError("no marker")


def _webp(data: bytes) -> Picture:
    """Return a WebP of its picture and transparency; animations are refused."""
    chunks, at = dict[bytes, bytes](), 12
    while at < len(data):
        name, (length,) = data[at : at + 4], struct.unpack_from("<I", data, at + 4)
        if at + 8 + length > len(data) or name in {b"ANIM", b"ANMF"}:
            raise ValueError("cut off, or moving")
        if name in _WEBP_CHUNKS:
            chunks.setdefault(name, data[at + 8 : at + 8 + length])
        at += 8 + length + length % 2
    size = _webp_size(chunks)
    if head := chunks.get(b"VP8X"):
        chunks[b"VP8X"] = bytes([head[0] & _ALPHA]) + head[1:]
    parts = [name + struct.pack("<I", len(each)) + each + b"\0" * (len(each) % 2) for name, each in chunks.items()]
    body = b"WEBP" + b"".join(parts)
    return Picture(b"RIFF" + struct.pack("<I", len(body)) + body, "image/webp", *size)


def _webp_size(chunks: dict[bytes, bytes]) -> tuple[int, int]:
    """Return width and height of a WebP, as its picture itself has them."""
    if lossy := chunks.get(b"VP8 "):
        if lossy[3:6] != b"\x9d\x01\x2a":
            raise ValueError("no key frame")
        width, height = struct.unpack_from("<HH", lossy, 6)
        return width & 0x3FFF, height & 0x3FFF
    bits = int.from_bytes(chunks.get(b"VP8L", b"")[1:5], "little")
    if chunks.get(b"VP8L", b"")[:1] != b"\x2f":
        raise ValueError("no picture in it")
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


def png_of(image: Image) -> bytes:
    """Return a drawn picture as PNG; `optimize` would make it smaller by 3 % and take four times as long."""
    found = io.BytesIO()
    image.save(found, "PNG")
    return found.getvalue()
