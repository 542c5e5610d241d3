"""What whoever starts the house must hear, loudly, however it is started."""

from __future__ import annotations

import os
from collections.abc import Iterator

from django.conf import settings


def of_this_process() -> Iterator[str]:
    """Yield what makes this process more dangerous than it need be, in sentences."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield "The house runs as root: whoever breaks into it has the whole computer. Start it as another user."
    if settings.DEBUG:
        yield "DEBUG is on: every error shows code, settings and data to whoever meets it. Never where others can come."
