"""What costs most takes turns by the day: each run has some of these files, so many days have all of them.

`make test-long` (`ALL_DAYS=1`) leaves nothing out. A test with a mark `day` of its own keeps to that.
"""

from __future__ import annotations

import zlib

# Parts of paths → days. A number of days has no common divisor with the parts of a share that a file takes itself
# (`share_of_day`): else the file would meet the same share each time.
DAYS: dict[str, int] = {
    # A newcomer's taps are seen every day, and a whole table of Chicago and of a chouette.
    "browser/nights/test_taps.py": 1,
    "browser/table/test_by_names.py": 1,
    # Each day has a few of its worlds.
    "roles/test_acting.py": 1,
    "browser/": 17,
    "faults/": 17,
    "secrecy/": 11,
    "collisions/": 11,
    "security/roles/": 11,
    "security/floods/": 11,
    "security/requests/": 11,
    "kernel/tournaments/test_nights.py": 11,
    "tournaments/test_simulated_night.py": 11,
    "export/test_gnubg.py": 11,
    "export/test_graded_gnubg.py": 11,
    "analysis/test_report.py": 11,
    "analysis/test_balance.py": 11,
    "analysis/test_two_engines.py": 11,
    "grades/test_backgammon.py": 11,
    "bot/test_training.py": 11,
    "bot/test_expert.py": 11,
    "bot/test_bots.py": 11,
    "chicago/test_bots.py": 11,
    "contract/test_bots.py": 11,
    "ops/test_logs.py": 11,
    "ops/test_migrations.py": 17,
    "ops/test_restore_page.py": 17,
    "ops/test_scaled.py": 17,
    "ops/test_serve": 17,
    "ops/test_transfer.py": 17,
    "ops/test_upgrade.py": 17,
    "ops/test_wheel.py": 17,
    "openapi_fuzz": 11,
    "fuzz/": 11,
    "live/servers/test_socket_": 11,
    # Samples of many cases: some of them are played each day.
    "admin/test_lists.py": 5,
    "api/test_api_docs.py": 5,
    "api/test_api_evening.py": 5,
    "bench/test_soak.py": 5,
    "api/test_api_lists.py": 5,
    "board/test_plays_properties.py": 5,
    "bot/test_evaluator.py": 5,
    "calendar/test_matrix.py": 5,
    "chicago/test_properties.py": 5,
    "contract/test_play.py": 5,
    "contract/test_secrecy.py": 5,
    "cube/test_asides.py": 5,
    "export/test_export.py": 5,
    "grades/test_every_address.py": 5,
    "grades/test_killed.py": 5,
    "grades/test_visibility.py": 5,
    "house_rules/test_pseudo_language.py": 5,
    "kernel/seasons/test_standing.py": 5,
    "kernel/tournaments/test_lives.py": 5,
    "payments/test_reckoning.py": 5,
    "seasons/test_kept_rows.py": 5,
    "session/test_sessions.py": 5,
    "tournaments/test_terms.py": 5,
    "web/test_pseudo_language.py": 5,
}


def days_of(path: str) -> int:
    """Return the number of days of which a file is run on one; 1 for every day. The first name that fits counts."""
    return next((days for name, days in DAYS.items() if name in path), 1)


def turn_of(path: str, days: int) -> int:
    """Return which of so many days is a file's own; files are spread evenly."""
    return zlib.crc32(path.encode()) % days
