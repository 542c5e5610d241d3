"""Gzip of what is sent often: static files, and the texts of pages."""

from __future__ import annotations

import deflate

SMALLEST = 12
"""The level of libdeflate that packs best."""


def packed(content: bytes) -> bytes:
    """Return content as gzip, 2 to 4 % smaller than zlib's best and about as fast.

    For what holds no secret: its length would reveal it.
    """
    return bytes(deflate.gzip_compress(content, SMALLEST))
