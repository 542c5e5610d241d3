"""The admin: to look things up and put them right, by acts of the services."""

from __future__ import annotations

from games import (
    admin_audit,
    admin_log,
    admin_nights,
    admin_players,
    admin_results,
    admin_rules,
    admin_tables,
    admin_tokens,
)

# Each module registers its own.
__all__ = [
    "admin_audit",
    "admin_log",
    "admin_nights",
    "admin_players",
    "admin_results",
    "admin_rules",
    "admin_tables",
    "admin_tokens",
]
