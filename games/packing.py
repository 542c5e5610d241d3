"""Gzip of what is sent often, static files and the texts of pages; scripts without what is written for readers."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import deflate

SMALLEST = 12
"""The level of libdeflate that packs best."""
_SYNTAX = 2020
"""The year of the syntax that the minifier may use: the oldest browsers with a table know it (docs/phones.md)."""


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
"""The parts of a script that stay as they are (texts, templates, regular expressions), or go: comments, indentation."""


def short_script(text: str) -> str:
    """Return a script without comments and indentation."""
    return _SCRIPT.sub(lambda found: found[1] or found[2] or "", text).strip()


def short_module(text: str) -> str:
    """Return a module without comments and blanks, its functions' variables with short names.

    What others may name stays: exports, properties, and what the module declares for all of itself. Where the minifier
    is not installed, as it has no wheel for macOS on ARM, it is as `short_script` returns it.
    """
    found = minifier()
    return short_script(text) if found is None else str(found.string("text/javascript", text))


@cache
def minifier() -> Any:
    """Return the minifier, None where it is not installed; loaded only where modules are stored: it takes 11 MB."""
    try:
        import minify
    except ModuleNotFoundError:
        return None
    minify.config({"js-version": _SYNTAX})
    return minify
