"""What is sent often is made small: gzip of static files and of the texts of pages, scripts without comments."""

from __future__ import annotations

import re
from typing import Any

import deflate

try:
    import rjsmin
except ModuleNotFoundError:
    rjsmin: Any = None  # type: ignore[no-redef]

SMALLEST = 12
"""The level of libdeflate that packs best."""


def packed(content: bytes) -> bytes:
    """Return content as gzip, 2 to 4 % smaller than zlib's best and about as fast.

    For what holds no secret: its length would reveal it.
    """
    return bytes(deflate.gzip_compress(content, SMALLEST))


_SCRIPT = re.compile(
    r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
    r"""|(?<=[=(,:!&|?{};\n\[]) ?/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/)"""
    r"""|/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*|(\n)\s+"""
)
"""What stays of a script as it is (texts, templates, regular expressions), and what does not: comments, indentation."""


def short_script(text: str) -> str:
    """Return a script without comments and unnecessary blanks; its names stay.

    Where rjsmin is not installed, as it has a wheel for Linux alone, blanks within a line stay.
    """
    if rjsmin is None:
        return _SCRIPT.sub(lambda found: found[1] or found[2] or "", text).strip()
    return str(rjsmin.jsmin(text))
