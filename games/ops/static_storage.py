"""How static files are kept for serving: our modules without comments, hashed, compressed."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import rjsmin
from django.core.files.base import File
from servestatic.storage import CompressedManifestStaticFilesStorage

from games import plugin


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Leaves the comments and blanks of the house's and the games' own modules out.

    The sources are written for readers; a phone on a slow line reads no comments. What other
    packages bring is left as it is.
    """

    def _save(self, name: str, content: File[Any]) -> str:
        if name.endswith(".js") and is_ours(name):
            content.seek(0)  # it was read before, for its hash
            content = File(BytesIO(minified(content.read())))
        return str(super()._save(name, content))


def is_ours(name: str) -> bool:
    """Tell whether a static file is the house's or a game's."""
    return name.replace("\\", "/").split("/")[0] in ("games", *plugin.all_games())


def minified(source: bytes) -> bytes:
    """Return a module without comments and needless blanks; names stay as they are."""
    text: str = rjsmin.jsmin(source.decode())
    return text.encode()
