"""What costs most takes turns by the day: each run has some of these files, all runs of `DAYS` days have all of them.

`make test-long` (`ALL_DAYS=1`) leaves nothing out. A test with a mark `day` of its own keeps to that.
"""

from __future__ import annotations

import zlib

# Parts of paths → days. A number of days has no common divisor with the parts of a share that a file takes itself
# (`share_of_day`): else the file would meet the same share each time.
DAYS: dict[str, int] = {
    # A newcomer's taps are seen every day.
    "browser/nights/test_taps.py": 1,
    "browser/": 7,
    "faults/": 7,
    "secrecy/": 7,
    "collisions/": 7,
    "security/roles/": 7,
    "security/floods/": 7,
    "security/requests/": 7,
    "kernel/tournaments/test_nights.py": 7,
    "tournaments/test_simulated_night.py": 7,
    "export/test_gnubg.py": 7,
    "analysis/test_report.py": 7,
    "analysis/test_balance.py": 7,
    "analysis/test_two_engines.py": 7,
    "grades/test_backgammon.py": 7,
    "bot/test_training.py": 7,
    "bot/test_expert.py": 7,
    "bot/test_bots.py": 7,
    "chicago/test_bots.py": 7,
    "contract/test_bots.py": 7,
    "ops/test_logs.py": 7,
    "ops/test_migrations.py": 7,
    "ops/test_restore_page.py": 7,
    "ops/test_scaled.py": 7,
    "ops/test_serve": 7,
    "ops/test_transfer.py": 7,
    "ops/test_upgrade.py": 7,
    "ops/test_wheel.py": 7,
    "openapi_fuzz": 7,
    "fuzz/": 7,
    "live/servers/test_socket_": 7,
}


def days_of(path: str) -> int:
    """Return the number of days of which a file is run on one; 1 for every day. The first name that fits counts."""
    return next((days for name, days in DAYS.items() if name in path), 1)


def turn_of(path: str, days: int) -> int:
    """Return which of so many days is a file's own; files are spread evenly."""
    return zlib.crc32(path.encode()) % days
