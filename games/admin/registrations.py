"""The models of the admin: importing this module registers them."""

from games.admin import (
    audit,
    house_rules,
    log,
    nights,
    players,
    results,
    tables,
    tokens,
)

__all__ = ["audit", "house_rules", "log", "nights", "players", "results", "tables", "tokens"]
