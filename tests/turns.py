"""What costs most takes turns by the day: each run has some of these files, all runs of `DAYS` days have all of them.

`make test-long` (`ALL_DAYS=1`) leaves nothing out. A test with a mark `day` of its own keeps to that.
"""

from __future__ import annotations

import zlib

# Parts of paths → days. A number of days has no common divisor with the parts of a share that a file takes itself
# (`share_of_day`): else the file would meet the same share each time.
DAYS: dict[str, int] = {
    # A whole evening of each game, a newcomer's taps and pages without a fault are seen every day.
    "browser/chicago/test_chicago_night.py": 1,
    "browser/chouette/test_chouette_night.py": 1,
    "browser/nights/test_taps.py": 1,
    "browser/pages/test_no_faults.py": 1,
    # These take a share of the day themselves.
    "browser/pages/test_accessibility.py": 1,
    "browser/pages/test_every_control.py": 1,
    "browser/pages/test_languages.py": 1,
    "browser/pages/test_laws.py": 1,
    "browser/": 3,
    "faults/": 3,
    "secrecy/": 3,
    "collisions/": 3,
    "security/roles/": 3,
    "security/floods/": 3,
    "security/requests/": 3,
    "kernel/tournaments/test_nights.py": 3,
    "export/test_gnubg.py": 3,
    "analysis/test_report.py": 3,
    "bot/test_training.py": 3,
    "chicago/test_bots.py": 3,
    "contract/test_bots.py": 3,
    "ops/test_migrations.py": 3,
    "ops/test_restore_page.py": 3,
    "ops/test_serve": 3,
    "ops/test_transfer.py": 3,
    "ops/test_upgrade.py": 3,
    "ops/test_wheel.py": 3,
    "openapi_fuzz": 3,
    "fuzz/": 3,
    "live/servers/test_socket_": 3,
}


def days_of(path: str) -> int:
    """Return the number of days of which a file is run on one; 1 for every day. The first name that fits counts."""
    return next((days for name, days in DAYS.items() if name in path), 1)


def turn_of(path: str, days: int) -> int:
    """Return which of so many days is a file's own; files are spread evenly."""
    return zlib.crc32(path.encode()) % days
