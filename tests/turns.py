"""What costs most takes turns by the day: each run has some of these files, all runs of `DAYS` days have all of them.

`make test-long` (`ALL_DAYS=1`) leaves nothing out. A test with a mark `day` of its own keeps to that.
"""

from __future__ import annotations

import zlib

# Parts of paths → days. A number of days has no common divisor with the parts of a share that a file takes itself
# (`share_of_day`): else the file would meet the same share each time.
DAYS: dict[str, int] = {}


def days_of(path: str) -> int:
    """Return the number of days of which a file is run on one; 1 for every day. The first name that fits counts."""
    return next((days for name, days in DAYS.items() if name in path), 1)


def turn_of(path: str, days: int) -> int:
    """Return which of so many days is a file's own; files are spread evenly."""
    return zlib.crc32(path.encode()) % days
