"""How a page in an engine is asked: lines of JSON on standard input, an answer to each on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any, Protocol, TextIO

ANSWER_SECONDS = 60.0
"""How long a script of the page may take."""
PLAIN_PAGE = "/house-rules/"
"""A page of the house without a table."""


class Page(Protocol):
    """A page that does what it is asked. Lengths are pixels of the page, from its upper left corner."""

    def version(self) -> str:
        """Return the engine's name and version, as it says them."""

    def open(self, url: str) -> None:
        """Load an address and wait until it is loaded."""

    def resize(self, width: int, height: int) -> None:
        """Give the page's viewport a size."""

    def evaluate(self, script: str, args: list[Any]) -> Any:
        """Call a function of JavaScript with arguments, and return what it gives or promises."""

    def tap(self, x: float, y: float) -> None:
        """Tap a place of the viewport: by a finger where the engine's driver has one, else by the mouse."""

    def type(self, text: str) -> None:
        """Type a text by the keyboard."""

    def picture(self, path: str) -> None:
        """Draw the viewport into a file (PNG)."""

    def faults(self) -> list[str]:
        """Return the errors of scripts that nobody caught, where the driver hears of them."""


def serve(page: Page, asked: Iterable[str] = sys.stdin, told: TextIO = sys.stdout) -> None:
    """Do what the lines ask, {"do": name of a method, "with": its arguments}, until there are no more."""
    for line in asked:
        what = json.loads(line)
        try:
            answer = {"value": getattr(page, what["do"])(*what["with"])}
        except Exception as error:  # the other side raises it
            answer = {"error": f"{type(error).__name__}: {error}"[:4000]}
        told.write(json.dumps(answer) + "\n")
        told.flush()
