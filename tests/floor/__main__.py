"""Check what is served for the oldest browsers, as `make lint` does: `python -m tests.floor`.

Without npm the check says so and is left out; with REQUIRE_ALL=1 that is a failure.
"""

from __future__ import annotations

import os
import sys

from tests.floor import lint
from tests.floor.oldest import OLDEST


def main() -> int:
    """Print the faults; return 1 if there are some, or if the check is required and cannot be made."""
    try:
        found = lint.faults(lint.uses(lint.sheets(), lint.templates()))
    except FileNotFoundError:
        print("What the oldest browsers lack is not looked for: npm is missing (Debian: apt install npm).")
        return int(os.environ.get("REQUIRE_ALL") == "1")
    names = ", ".join(browser.words for browser in OLDEST)
    print("\n".join(found) or f"What is served needs nothing that the oldest browsers lack: {names}.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
